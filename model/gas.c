#include "model/gas.h"

const char *gas_space_name(uint8_t space)
{
    switch (space) {
    case GAS_SYSTEM_MEMORY:
        return "SystemMemory";
    case GAS_SYSTEM_IO:
        return "SystemIO";
    case GAS_PCI_CONFIG:
        return "PCI_Config";
    case GAS_EMBEDDED_CONTROLLER:
        return "EmbeddedControl";
    case GAS_SMBUS:
        return "SMBus";
    case GAS_SYSTEM_CMOS:
        return "SystemCMOS";
    case GAS_PCI_BAR_TARGET:
        return "PciBarTarget";
    case GAS_IPMI:
        return "IPMI";
    case GAS_GENERAL_PURPOSE_IO:
        return "GeneralPurposeIO";
    case GAS_GENERIC_SERIAL_BUS:
        return "GenericSerialBus";
    case GAS_PCC:
        return "PCC";
    case GAS_PRM:
        return "PlatformRtMechanism";
    case GAS_FFH:
        return "FFixedHW";
    default:
        return "unknown space";
    }
}

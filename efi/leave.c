#include "efi/leave.h"

#include "efi/console.h"
#include "efi/firmware.h"

/* QEMU, isa-debug-exit with iobase=0xf4: writing v ends the emulator with status 2v + 1. */
#define DEBUG_EXIT_PORT UINT16_C(0xF4)

/* Bochs, iodev/unmapped.cc: the text "Shutdown" written to this port ends the emulator. */
#define BOCHS_PORT UINT16_C(0x8900)

static void leave_by_debug_port(const struct hw *hw, int status)
{
    static const char word[] = "Shutdown";

    (void)hw->ops->port_write(hw, DEBUG_EXIT_PORT, 4, (uint32_t)status);
    for (size_t i = 0; word[i] != '\0'; i++) {
        (void)hw->ops->port_write(hw, BOCHS_PORT, 1, (uint8_t)word[i]);
    }
}

static void reset(EFI_RESET_TYPE type)
{
    EFI_RUNTIME_SERVICES *services = firmware_system()->RuntimeServices;

    services->ResetSystem(type, EFI_SUCCESS, 0, NULL);
}

void leave_machine(const struct hw *hw, enum exit_way way, int status)
{
    console_drain();
    if (way == EXIT_DEBUG_PORT) {
        leave_by_debug_port(hw, status);
    }
    if (way == EXIT_SHUTDOWN) {
        reset(EfiResetShutdown);
    }
    if (way == EXIT_RESET) {
        reset(EfiResetCold);
    }
}

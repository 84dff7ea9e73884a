#include "acpi/regions.h"

#include "acpi/access.h"
#include "acpi/acpi.h"

#define HIGHEST_PORT UINT64_C(0xFFFF)

static acpi_status run(u32 function, const struct access_target *target, u64 *value)
{
    uint64_t read_value = 0;
    enum status status;

    if ((function & ACPI_IO_MASK) == ACPI_READ) {
        status = access_read(target, &read_value);
        *value = read_value;
    } else {
        status = access_write(target, *value);
    }
    return status == STATUS_OK ? AE_OK : AE_TIME;
}

static acpi_status memory_handler(u32 function, acpi_physical_address address, u32 bit_width,
                                  u64 *value, void *handler_context, void *region_context)
{
    struct access_target target = {
        .space = ACCESS_MEMORY, .address = address, .bytes = bit_width / 8};

    (void)handler_context;
    (void)region_context;
    if (bit_width != 8 && bit_width != 16 && bit_width != 32 && bit_width != 64) {
        return AE_AML_OPERAND_VALUE;
    }
    return run(function, &target, value);
}

/* The field's width decides: the embedded controller is read byte by byte (ACPI 6.5, 12.3). */
static acpi_status ec_handler(u32 function, acpi_physical_address address, u32 bit_width,
                              u64 *value, void *handler_context, void *region_context)
{
    struct access_target target = {.space = ACCESS_EC, .address = address, .bytes = bit_width / 8};

    (void)handler_context;
    (void)region_context;
    return run(function, &target, value);
}

static acpi_status io_handler(u32 function, acpi_physical_address address, u32 bit_width,
                              u64 *value, void *handler_context, void *region_context)
{
    struct access_target target = {.space = ACCESS_IO, .address = address, .bytes = bit_width / 8};

    (void)handler_context;
    (void)region_context;
    if (bit_width != 8 && bit_width != 16 && bit_width != 32) {
        return AE_AML_OPERAND_VALUE;
    }
    /* Linux 6.12 drivers/acpi/acpica/hwvalid.c acpi_hw_validate_io_request: ports are 16 bits wide. */
    if (address > HIGHEST_PORT || target.bytes - 1 > HIGHEST_PORT - address) {
        return AE_LIMIT;
    }
    return run(function, &target, value);
}

static acpi_status install(u8 space, acpi_adr_space_handler handler)
{
    return acpi_install_address_space_handler(ACPI_ROOT_OBJECT, space, handler, NULL, NULL);
}

enum status regions_install(bool has_ec)
{
    acpi_status status = install(ACPI_ADR_SPACE_SYSTEM_MEMORY, memory_handler);

    if (ACPI_SUCCESS(status)) {
        status = install(ACPI_ADR_SPACE_SYSTEM_IO, io_handler);
    }
    if (ACPI_SUCCESS(status) && has_ec) {
        status = install(ACPI_ADR_SPACE_EC, ec_handler);
    }
    if (ACPI_SUCCESS(status)) {
        return STATUS_OK;
    }
    return status == AE_NO_MEMORY ? STATUS_NO_MEMORY : STATUS_UNSUPPORTED;
}

#include "acpi/bytes.h"
#include "acpi/decode_tables.h"

#include <string.h>

/* IA-PC HPET specification 1.0a, 3.2.4: BASE_ADDRESS at 40, Main Counter Minimum at 53, 56 bytes. */
#define BASE_OFFSET 40U
#define MIN_TICK_OFFSET 53U
#define TABLE_BYTES 56U

void decode_hpet(const struct acpi_table *table, struct hpet *ret_hpet)
{
    memset(ret_hpet, 0, sizeof(*ret_hpet));
    if (decode_usable_bytes(table) < TABLE_BYTES) {
        ret_hpet->avail = AVAIL_MALFORMED;
        return;
    }
    ret_hpet->avail = AVAIL_PRESENT;
    ret_hpet->base = bytes_gas(table->bytes + BASE_OFFSET);
    ret_hpet->min_tick = bytes_u16(table->bytes + MIN_TICK_OFFSET);
}

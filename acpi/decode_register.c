#include "acpi/bytes.h"
#include "acpi/decode_objects.h"

/* ACPI 6.5, 6.4.3.7 Generic Register Descriptor: tag 82H, length at least 12, then the address. */
#define TAG_GENERIC_REGISTER 0x82U
#define TAG_BYTES 3U
#define LEAST_LENGTH 12U

struct object_register decode_register(const struct aml_value *value)
{
    struct object_register reg = {.avail = AVAIL_ABSENT};

    if (value == NULL || value->type == AML_NULL) {
        return reg;
    }
    reg.avail = AVAIL_MALFORMED;
    if (value->type != AML_BUFFER || value->length < TAG_BYTES + LEAST_LENGTH ||
        value->bytes[0] != TAG_GENERIC_REGISTER || bytes_u16(value->bytes + 1) < LEAST_LENGTH) {
        return reg;
    }
    reg.avail = AVAIL_PRESENT;
    reg.gas = bytes_gas(value->bytes + TAG_BYTES);
    reg.is_null = reg.gas.space == GAS_SYSTEM_MEMORY && reg.gas.width_bits == 0 &&
                  reg.gas.offset_bits == 0 && reg.gas.access == 0 && reg.gas.address == 0;
    return reg;
}

uint32_t decode_integers(const struct aml_value *value, uint32_t first, uint32_t count,
                         uint64_t *ret_field)
{
    uint32_t valid = 0;

    for (uint32_t i = 0; i < count; i++) {
        if (aml_element_integer(value, first + i, &ret_field[i])) {
            valid |= 1U << i;
        }
    }
    return valid;
}

void decode_object(struct object_set *set, struct arena *arena)
{
    switch (set->kind) {
    case OBJECT_PSS:
        decode_pss(set->raw, arena, &set->pss);
        break;
    case OBJECT_PCT:
        decode_pct(set->raw, &set->pct);
        break;
    case OBJECT_PPC:
        set->ppc = set->raw->type == AML_INTEGER ? set->raw->integer : 0;
        break;
    case OBJECT_PSD:
        decode_dependency(set->raw, arena, &set->psd);
        break;
    case OBJECT_CSD:
        decode_dependency(set->raw, arena, &set->csd);
        break;
    case OBJECT_CPC:
        decode_cpc(set->raw, &set->cpc);
        break;
    case OBJECT_CST:
        decode_cst(set->raw, arena, &set->cst);
        break;
    case OBJECT_LPI:
        decode_lpi(set->raw, arena, &set->lpi);
        break;
    case OBJECT_KINDS:
        break;
    }
}

#include "model/amd_pstate.h"

#include "model/bits.h"
#include "model/units.h"

#include <string.h>

enum voltage_interface { VOLTAGE_UNKNOWN = 0, VOLTAGE_SVI1, VOLTAGE_SVI2, VOLTAGE_SVI3 };

static bool is_amd_like(const struct cpu_identity *identity)
{
    return identity->avail == AVAIL_PRESENT &&
           (identity->vendor == VENDOR_AMD || identity->vendor == VENDOR_HYGON);
}

/*
 * BKDG of family 12h (41131), MSRC001_00[6B:64]: CpuFid [8:4], CpuDid [3:0] as an index of the divisors 1,
 * 1.5, 2, 3, 4, 6, 8, 12, 16. A Llano register dump with low word 1AC0H at 28.00x confirms the fields.
 */
static uint32_t decode_family_12h(uint64_t raw, struct amd_pstate *pstate)
{
    static const uint8_t half_divisors[] = {2, 3, 4, 6, 8, 12, 16, 24, 32};

    pstate->fid = (uint32_t)bits_get(raw, 8, 4);
    pstate->did = (uint32_t)bits_get(raw, 3, 0);
    if (pstate->did >= sizeof(half_divisors)) {
        return 0;
    }
    return 200 * (pstate->fid + 0x10) / half_divisors[pstate->did];
}

/* BKDG of families 10h, 11h, 15h, 16h: CpuFid [5:0], CpuDid [8:6]; family 11h counts from 8. */
static uint32_t decode_shift(uint64_t raw, uint32_t first_fid, struct amd_pstate *pstate)
{
    pstate->fid = (uint32_t)bits_get(raw, 5, 0);
    pstate->did = (uint32_t)bits_get(raw, 8, 6);
    return pstate->did > 4 ? 0 : (100 * (pstate->fid + first_fid)) >> pstate->did;
}

/*
 * PPR of families 17h to 19h: CpuFid [7:0] in 25 MHz steps, CpuDfsId [13:8] in eighths. 0 switches the
 * P-state off; 8 to 1AH are valid, above that only even ones up to 3EH (cross-checked with open firmware).
 */
static uint32_t decode_eighths(uint64_t raw, struct amd_pstate *pstate)
{
    uint32_t did = (uint32_t)bits_get(raw, 13, 8);

    pstate->fid = (uint32_t)bits_get(raw, 7, 0);
    pstate->did = did;
    if (did < 0x08 || did > 0x3E || (did > 0x1A && did % 2 != 0)) {
        return 0;
    }
    return 200 * pstate->fid / did;
}

/* PPR of family 1Ah: CpuFid [11:0] in 5 MHz steps, no divisor; values up to 0FH are reserved. */
static uint32_t decode_family_1ah(uint64_t raw, struct amd_pstate *pstate)
{
    pstate->fid = (uint32_t)bits_get(raw, 11, 0);
    return pstate->fid > 0x0F ? 5 * pstate->fid : 0;
}

/* Family 14h has another clock scheme, which Linux does not decode either. */
static bool decode_cof(const struct cpu_identity *identity, uint64_t raw, struct amd_pstate *pstate)
{
    switch (identity->family) {
    case 0x10:
    case 0x15:
    case 0x16:
        pstate->cof_mhz = decode_shift(raw, 0x10, pstate);
        return true;
    case 0x11:
        pstate->cof_mhz = decode_shift(raw, 8, pstate);
        return true;
    case 0x12:
        pstate->cof_mhz = decode_family_12h(raw, pstate);
        return true;
    case 0x17:
    case 0x18:
    case 0x19:
        pstate->cof_mhz = decode_eighths(raw, pstate);
        return true;
    case 0x1A:
        pstate->cof_mhz = decode_family_1ah(raw, pstate);
        return true;
    default:
        return false;
    }
}

/* Which serial voltage interface a model has, where open firmware and register dumps agree on it. */
static enum voltage_interface voltage_interface_of(const struct cpu_identity *identity)
{
    uint32_t model = identity->model;

    switch (identity->family) {
    case 0x10:
    case 0x11:
    case 0x12:
        return VOLTAGE_SVI1;
    case 0x15:
        return model < 0x30 ? VOLTAGE_SVI1 : VOLTAGE_UNKNOWN;
    case 0x17:
        return model >= 0xA0 ? VOLTAGE_SVI3 : VOLTAGE_SVI2;
    case 0x18:
        return VOLTAGE_SVI2;
    case 0x19:
        return (model >= 0x10 && model < 0x20) || model >= 0x60 ? VOLTAGE_SVI3 : VOLTAGE_SVI2;
    case 0x1A:
        return VOLTAGE_SVI3;
    default:
        return VOLTAGE_UNKNOWN;
    }
}

/* AMD SVI1: 1550 mV in 12.5 mV steps; SVI2: 1550 mV in 6.25 mV steps; SVI3: 245 mV + 5 mV a step, 0 off. */
static uint64_t voltage_uv(enum voltage_interface interface, uint32_t vid)
{
    uint64_t drop_uv = 0;

    switch (interface) {
    case VOLTAGE_SVI1:
        drop_uv = UINT64_C(12500) * vid;
        break;
    case VOLTAGE_SVI2:
        drop_uv = UINT64_C(6250) * vid;
        break;
    case VOLTAGE_SVI3:
        return vid == 0 ? 0 : UINT64_C(245000) + UINT64_C(5000) * vid;
    case VOLTAGE_UNKNOWN:
        return 0;
    }
    return drop_uv < 1550000 ? 1550000 - drop_uv : 0;
}

static void decode_power(const struct cpu_identity *identity, uint64_t raw,
                         struct amd_pstate *pstate)
{
    static const uint8_t divisors[] = {1, 10, 100, 0};
    enum voltage_interface interface = voltage_interface_of(identity);
    bool is_zen = identity->family >= 0x17;
    uint64_t vid = is_zen ? bits_get(raw, 21, 14) : bits_get(raw, 15, 9);

    if (interface == VOLTAGE_SVI3) {
        vid |= bits_get(raw, 32, 32) << 8;
    }
    pstate->vid = (uint32_t)vid;
    pstate->idd_value = (uint32_t)(is_zen ? bits_get(raw, 29, 22) : bits_get(raw, 39, 32));
    pstate->idd_divisor = divisors[is_zen ? bits_get(raw, 31, 30) : bits_get(raw, 41, 40)];
    pstate->voltage_uv = voltage_uv(interface, pstate->vid);
    if (pstate->idd_divisor != 0) {
        pstate->power_mw = mul_div_u64(pstate->voltage_uv, pstate->idd_value,
                                       UINT64_C(1000) * pstate->idd_divisor);
    }
}

void amd_pstate_decode(const struct cpu_identity *identity, uint64_t raw,
                       struct amd_pstate *ret_pstate)
{
    bool is_on = bits_test(raw, 63) != 0;

    memset(ret_pstate, 0, sizeof(*ret_pstate));
    if (!is_amd_like(identity) || !decode_cof(identity, raw, ret_pstate)) {
        return;
    }
    decode_power(identity, raw, ret_pstate);
    if (!is_on) {
        ret_pstate->encoding = AMD_PSTATE_OFF;
    } else {
        ret_pstate->encoding = ret_pstate->cof_mhz == 0 ? AMD_PSTATE_INVALID : AMD_PSTATE_DECODED;
    }
}

uint32_t amd_pstate_linux_fixup_mhz(const struct cpu_identity *identity, uint64_t raw)
{
    uint32_t fid = (uint32_t)bits_get(raw, 5, 0);
    uint32_t did = (uint32_t)bits_get(raw, 8, 6);

    if (identity->avail != AVAIL_PRESENT || identity->vendor != VENDOR_AMD ||
        bits_test(raw, 63) == 0) {
        return 0;
    }
    if (identity->family == 0x10 && identity->model < 0x0A) {
        return (100 * (fid + 0x10)) >> did;
    }
    return identity->family == 0x11 ? (100 * (fid + 8)) >> did : 0;
}

bool amd_pstate_counts_boost_states(const struct cpu_identity *identity)
{
    return is_amd_like(identity) && identity->family >= 0x10 && identity->family <= 0x16;
}

#include "model/amd_pstate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define ON (UINT64_C(1) << 63)

static struct amd_pstate decode(uint32_t family, uint32_t model, uint64_t raw)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = family, .model = model};
    struct amd_pstate pstate;

    amd_pstate_decode(&identity, raw, &pstate);
    return pstate;
}

/* Kernel-facts 12.3 and public report 19. */
static void frequency_by_family(void **state)
{
    (void)state;
    assert_int_equal(decode(0x17, 0x71, ON | 8 << 8 | 0xA8).cof_mhz, 4200);
    assert_int_equal(decode(0x17, 0x71, ON | 10 << 8 | 0xA8).cof_mhz, 3360);
    assert_int_equal(decode(0x12, 1, ON | 0x1AC0).cof_mhz, 2800);
    assert_int_equal(decode(0x12, 1, ON | 0x1AC0).fid, 12);
    assert_int_equal(decode(0x12, 1, ON | 12 << 4 | 1).cof_mhz, 1866);
    assert_int_equal(decode(0x1A, 0x44, ON | 0x3A2).cof_mhz, 4650);
    assert_int_equal(decode(0x1A, 0x44, 0x800000004AB2435C).cof_mhz, 4300);
    assert_int_equal(decode(0x1A, 0x44, 0x80000000479E4258).cof_mhz, 3000);
    assert_int_equal(decode(0x10, 4, ON | 1 << 6 | 0x12).cof_mhz, 1700);
    assert_int_equal(decode(0x15, 2, ON | 0x12).cof_mhz, 3400);
    assert_int_equal(decode(0x11, 3, ON | 0x10).cof_mhz, 2400);
    assert_int_equal(decode(0x19, 0x21, ON | 8 << 8 | 0x88).encoding, AMD_PSTATE_DECODED);
}

static void reserved_encodings_give_no_number(void **state)
{
    (void)state;
    assert_int_equal(decode(0x17, 0x71, ON | 0xA8).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x17, 0x71, ON | 0xA8).cof_mhz, 0);
    assert_int_equal(decode(0x17, 0x71, ON | 7 << 8 | 0xA8).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x17, 0x71, ON | 0x1B << 8 | 0xA8).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x17, 0x71, ON | 0x1C << 8 | 0xA8).encoding, AMD_PSTATE_DECODED);
    assert_int_equal(decode(0x12, 1, ON | 9).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x10, 4, ON | 5 << 6).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x1A, 0x44, ON | 0x0F).encoding, AMD_PSTATE_INVALID);
    assert_int_equal(decode(0x17, 0x71, 8 << 8 | 0xA8).encoding, AMD_PSTATE_OFF);
    assert_int_equal(decode(0x14, 1, ON | 0x123).encoding, AMD_PSTATE_UNKNOWN);
    assert_int_equal(decode(0x1B, 0, ON | 0x123).encoding, AMD_PSTATE_UNKNOWN);
}

static void power(void **state)
{
    struct amd_pstate zen =
        decode(0x17, 0x71, ON | UINT64_C(1) << 30 | UINT64_C(0x78) << 22 | 0x48 << 14 | 0x8A8);
    struct amd_pstate svi3 = decode(0x19, 0x61, ON | UINT64_C(0xAB) << 14 | 0x8A8);

    (void)state;
    assert_int_equal(zen.voltage_uv, 1100000);
    assert_int_equal(zen.power_mw, 13200);
    assert_int_equal(svi3.voltage_uv, 1100000);
    assert_int_equal(decode(0x12, 1, ON | 13 << 9).voltage_uv, 1387500);
    assert_int_equal(decode(0x19, 0x61, ON | UINT64_C(1) << 32 | 0x8A8).vid, 256);
    assert_int_equal(decode(0x17, 0x71, ON | UINT64_C(3) << 30 | 0x8A8).power_mw, 0);
}

static void linux_fixup_touches_old_families_only(void **state)
{
    struct cpu_identity identity = {
        .avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = 0x10, .model = 4};

    (void)state;
    assert_int_equal(amd_pstate_linux_fixup_mhz(&identity, ON | 1 << 6 | 0x12), 1700);
    assert_int_equal(amd_pstate_linux_fixup_mhz(&identity, 1 << 6 | 0x12), 0);
    identity.model = 0x0A;
    assert_int_equal(amd_pstate_linux_fixup_mhz(&identity, ON | 0x12), 0);
    identity.family = 0x11;
    assert_int_equal(amd_pstate_linux_fixup_mhz(&identity, ON | 0x10), 2400);
    identity.vendor = VENDOR_INTEL;
    assert_int_equal(amd_pstate_linux_fixup_mhz(&identity, ON | 0x10), 0);
}

static void boost_states_count_before_zen(void **state)
{
    struct cpu_identity identity = {.avail = AVAIL_PRESENT, .vendor = VENDOR_AMD, .family = 0x15};

    (void)state;
    assert_true(amd_pstate_counts_boost_states(&identity));
    identity.family = 0x17;
    assert_false(amd_pstate_counts_boost_states(&identity));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(frequency_by_family),
        cmocka_unit_test(reserved_encodings_give_no_number),
        cmocka_unit_test(power),
        cmocka_unit_test(linux_fixup_touches_old_families_only),
        cmocka_unit_test(boost_states_count_before_zen),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

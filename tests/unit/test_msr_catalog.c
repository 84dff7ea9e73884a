#include "model/msr_catalog.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 1);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

/* Whether the list lets this MSR be read on the CPU that the test made. */
static bool allows(uint32_t msr)
{
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (msr_catalog_at(i)->msr == msr &&
            msr_catalog_allows(i, &sim.platform.identity, &sim.set)) {
            return true;
        }
    }
    return false;
}

static void be(const char *vendor, uint32_t family, uint32_t model)
{
    sim_platform_free(&sim);
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, vendor, family, model);
    sim_platform_feature(&sim, CPU_FEATURE_MSR);
}

static void entries_are_complete(void **state)
{
    (void)state;
    assert_true(msr_catalog_count() > 90);
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        const struct msr_entry *entry = msr_catalog_at(i);

        assert_non_null(entry->name);
        assert_true(strlen(entry->name) > 3);
        assert_non_null(entry->source);
        assert_int_not_equal(entry->msr, 0);
    }
    assert_null(msr_catalog_at(msr_catalog_count()));
}

static void names_by_vendor(void **state)
{
    (void)state;
    assert_string_equal(msr_catalog_find(VENDOR_INTEL, 0x8B)->name, "IA32_BIOS_SIGN_ID");
    assert_string_equal(msr_catalog_find(VENDOR_AMD, 0x8B)->name, "PATCH_LEVEL");
    assert_string_equal(msr_catalog_find(VENDOR_INTEL, 0xCE)->name, "PLATFORM_INFO");
    assert_string_equal(msr_catalog_find(VENDOR_HYGON, 0xC0010064)->name, "PStateDef0");
    assert_null(msr_catalog_find(VENDOR_AMD, 0xCE));
    assert_null(msr_catalog_find(VENDOR_INTEL, 0xC0010015));
    assert_null(msr_catalog_find(VENDOR_UNKNOWN, 0x1B));
}

static void skylake_client(void **state)
{
    (void)state;
    be("GenuineIntel", 6, 0x9E);
    assert_true(allows(0xCE));
    assert_true(allows(0xE2));
    assert_true(allows(0x1AD));
    assert_true(allows(0x1FC));
    assert_true(allows(0x648));
    assert_true(allows(0x630));
    assert_true(allows(0x64F));
    assert_true(allows(0x1A0));
    assert_false(allows(0x1AE)); /* servers and X parts only */
    assert_false(allows(0x66A)); /* Silvermont's */
    assert_false(allows(0x690));
    assert_false(allows(0xCD));
    assert_false(allows(0x198)); /* no EIST bit was given */
    assert_false(allows(0x771));
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_feature(&sim, CPU_FEATURE_HWP);
    assert_true(allows(0x198));
    assert_true(allows(0x771));
    assert_false(allows(0x772));
    sim_platform_feature(&sim, CPU_FEATURE_HWP_PACKAGE);
    assert_true(allows(0x772));
}

/* Public report 37: these fault on Silvermont. */
static void silvermont(void **state)
{
    (void)state;
    be("GenuineIntel", 6, 0x4C);
    assert_true(allows(0xCD));
    assert_true(allows(0x66A));
    assert_true(allows(0x66D));
    assert_true(allows(0x3FA));
    assert_false(allows(0x1AA));
    assert_false(allows(0x1B0));
    assert_false(allows(0x1AD));
}

static void other_intel_models(void **state)
{
    (void)state;
    be("GenuineIntel", 6, 0x2E);
    assert_true(allows(0xCE));
    assert_false(allows(0x1AD));
    be("GenuineIntel", 6, 0x55);
    assert_true(allows(0x1AE));
    assert_false(allows(0x639));
    be("GenuineIntel", 6, 0x57);
    assert_true(allows(0x3FF));
    assert_false(allows(0x3FD));
    be("GenuineIntel", 6, 0xB6);
    assert_false(allows(0x60D));
    assert_true(allows(0x664));
    be("GenuineIntel", 6, 0x17);
    assert_true(allows(0xCD));
    assert_false(allows(0xCE));
}

static void unknown_models_get_architectural_ones_only(void **state)
{
    (void)state;
    be("GenuineIntel", 6, 0xFE);
    sim_platform_feature(&sim, CPU_FEATURE_EIST);
    sim_platform_feature(&sim, CPU_FEATURE_APIC);
    sim_platform_feature(&sim, CPU_FEATURE_APERFMPERF);
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (msr_catalog_allows(i, &sim.platform.identity, &sim.set)) {
            assert_true(msr_catalog_at(i)->is_architectural);
        }
    }
    assert_true(allows(0x199));
    assert_true(allows(0xE8));
    assert_false(allows(0xCE));
    be("GenuineIntel", 0x13, 0x9E); /* another family with a known model's number */
    assert_false(allows(0xCE));
}

static void amd_families(void **state)
{
    (void)state;
    be("AuthenticAMD", 0x19, 0x21);
    assert_true(allows(0xC0010015));
    assert_false(allows(0xC0010064));
    assert_false(allows(0xC00102B0));
    assert_false(allows(0xC0010055));
    assert_false(allows(0x1A0));
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    sim_platform_feature(&sim, CPU_FEATURE_CPPC);
    sim_platform_feature(&sim, CPU_FEATURE_AMD_RAPL);
    assert_true(allows(0xC001006B));
    assert_true(allows(0xC00102B4));
    assert_true(allows(0xC001029B));
    be("AuthenticAMD", 0x10, 4);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    assert_true(allows(0xC0010068));
    assert_false(allows(0xC0010069));
    assert_true(allows(0xC0010055));
    be("AuthenticAMD", 0x1B, 0);
    sim_platform_feature(&sim, CPU_FEATURE_HW_PSTATE);
    assert_false(allows(0xC0010064));
    assert_true(allows(0x8B));
    be("HygonGenuine", 0x18, 0);
    assert_true(allows(0xC0010015));
}

static void nothing_without_the_msr_bit_or_identity(void **state)
{
    struct cpu_identity unknown = {.avail = AVAIL_ABSENT};

    (void)state;
    sim_platform_free(&sim);
    sim_platform_init(&sim, 1);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x9E);
    assert_false(allows(0x1A0));
    sim_platform_feature(&sim, CPU_FEATURE_MSR);
    assert_true(allows(0x1A0));
    for (uint32_t i = 0; i <= msr_catalog_count(); i++) {
        assert_false(msr_catalog_allows(i, &unknown, &sim.set));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(entries_are_complete),
        cmocka_unit_test(names_by_vendor),
        cmocka_unit_test_setup_teardown(skylake_client, set_up, tear_down),
        cmocka_unit_test_setup_teardown(silvermont, set_up, tear_down),
        cmocka_unit_test_setup_teardown(other_intel_models, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_models_get_architectural_ones_only, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(amd_families, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_without_the_msr_bit_or_identity, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

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

/* What the vendors document, said a second time: an MSR that is read where it may not be can hang the machine. */
struct documented {
    uint32_t msr;
    uint32_t first_family;
    uint32_t last_family;           /* 0: all later ones */
    const struct cpu_feature *gate; /* NULL: none */
};

/* Leaf, subleaf, register (EAX is 0), bit. */
static const struct cpu_feature eff_freq_ro = {0x80000007, 0, 3, 10};
static const struct cpu_feature hw_pstate = {0x80000007, 0, 3, 7};
static const struct cpu_feature amd_rapl = {0x80000007, 0, 3, 14};
static const struct cpu_feature cppc = {0x80000008, 0, 1, 27};
static const struct cpu_feature vmx = {1, 0, 2, 5};
static const struct cpu_feature smx = {1, 0, 2, 6};
static const struct cpu_feature eist = {1, 0, 2, 7};
static const struct cpu_feature tsc_deadline = {1, 0, 2, 24};
static const struct cpu_feature apic = {1, 0, 3, 9};
static const struct cpu_feature thermal = {1, 0, 3, 22};
static const struct cpu_feature ptm = {6, 0, 0, 6};
static const struct cpu_feature hwp = {6, 0, 0, 7};
static const struct cpu_feature hwp_notify = {6, 0, 0, 8};
static const struct cpu_feature hwp_package = {6, 0, 0, 11};
static const struct cpu_feature aperf_mperf = {6, 0, 2, 0};
static const struct cpu_feature epb = {6, 0, 2, 3};
static const struct cpu_feature tsc_adjust = {7, 0, 1, 1};

static const struct documented of_amd[] = {
    {0xC00000E7, 0x12, 0x1A, &eff_freq_ro},
    {0xC00000E8, 0x12, 0x1A, &eff_freq_ro},
    {0xC0010010, 0x0F, 0x1A, NULL},
    {0xC0010015, 0x0F, 0x1A, NULL},
    {0xC0010055, 0x0F, 0x16, NULL},
    {0xC0010061, 0x10, 0x1A, &hw_pstate},
    {0xC0010062, 0x10, 0x1A, &hw_pstate},
    {0xC0010063, 0x10, 0x1A, &hw_pstate},
    {0xC0010064, 0x10, 0x1A, &hw_pstate},
    {0xC0010065, 0x10, 0x1A, &hw_pstate},
    {0xC0010066, 0x10, 0x1A, &hw_pstate},
    {0xC0010067, 0x10, 0x1A, &hw_pstate},
    {0xC0010068, 0x10, 0x1A, &hw_pstate},
    {0xC0010069, 0x11, 0x1A, &hw_pstate},
    {0xC001006A, 0x11, 0x1A, &hw_pstate},
    {0xC001006B, 0x11, 0x1A, &hw_pstate},
    {0xC0010071, 0x10, 0x16, NULL},
    {0xC0010073, 0x10, 0x1A, NULL},
    {0xC0010299, 0x17, 0x1A, &amd_rapl},
    {0xC001029A, 0x17, 0x1A, &amd_rapl},
    {0xC001029B, 0x17, 0x1A, &amd_rapl},
    {0xC00102B0, 0x17, 0x1A, &cppc},
    {0xC00102B1, 0x17, 0x1A, &cppc},
    {0xC00102B2, 0x17, 0x1A, &cppc},
    {0xC00102B3, 0x17, 0x1A, &cppc},
    {0xC00102B4, 0x17, 0x1A, &cppc},
    {0x1B, 6, 0, &apic},
    {0x3B, 6, 0, &tsc_adjust},
    {0xE7, 6, 0, &aperf_mperf},
    {0xE8, 6, 0, &aperf_mperf},
};

/* Architectural, on a model that nobody knows. */
static const struct documented of_intel[] = {
    {0x1B, 6, 0, &apic},          {0x3A, 6, 0, &vmx},         {0x3A, 6, 0, &smx},
    {0x3B, 6, 0, &tsc_adjust},    {0xE7, 6, 0, &aperf_mperf}, {0xE8, 6, 0, &aperf_mperf},
    {0x198, 6, 0, &eist},         {0x199, 6, 0, &eist},       {0x19A, 6, 0, &thermal},
    {0x19C, 6, 0, &thermal},      {0x1B0, 6, 0, &epb},        {0x1B1, 6, 0, &ptm},
    {0x6E0, 6, 0, &tsc_deadline}, {0x770, 6, 0, &hwp},        {0x771, 6, 0, &hwp},
    {0x772, 6, 0, &hwp_package},  {0x773, 6, 0, &hwp_notify}, {0x774, 6, 0, &hwp},
    {0x777, 6, 0, &hwp},
};

static bool allows_on(const char *vendor, uint32_t family, const struct documented *each,
                      bool has_gate)
{
    be(vendor, family, 0xFE);
    if (has_gate && each->gate != NULL) {
        sim_platform_feature(&sim, *each->gate);
    }
    return allows(each->msr);
}

static void check_documented(const char *vendor, const struct documented *each)
{
    assert_true(allows_on(vendor, each->first_family, each, true));
    assert_int_equal(allows_on(vendor, each->first_family, each, false), each->gate == NULL);
    assert_false(allows_on(vendor, each->first_family - 1, each, true));
    if (each->last_family != 0) {
        assert_true(allows_on(vendor, each->last_family, each, true));
        assert_false(allows_on(vendor, each->last_family + 1, each, true));
    }
}

static void each_is_read_where_it_is_documented(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof(of_amd) / sizeof(of_amd[0]); i++) {
        check_documented("AuthenticAMD", &of_amd[i]);
    }
    for (size_t i = 0; i < sizeof(of_intel) / sizeof(of_intel[0]); i++) {
        check_documented("GenuineIntel", &of_intel[i]);
    }
}

/* The table above has every MSR of AMD's that the list may read, and no other. */
static void none_of_amds_is_left_out(void **state)
{
    (void)state;
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        uint32_t msr = msr_catalog_at(i)->msr;
        bool is_there = msr < 0xC0000000;

        for (size_t j = 0; j < sizeof(of_amd) / sizeof(of_amd[0]); j++) {
            is_there = is_there || of_amd[j].msr == msr;
        }
        assert_true(is_there);
    }
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
        cmocka_unit_test_setup_teardown(each_is_read_where_it_is_documented, set_up, tear_down),
        cmocka_unit_test(none_of_amds_is_left_out),
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

#include "rules/rule.h"
#include "tests/rules/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * Public bug reports turned into small inputs. Each says which rule must speak and how; "PASS" and
 * "SKIP" show that a thing which looked like a fault is none.
 */
struct report {
    unsigned number;
    const char *id;
    enum verdict verdict;
    enum fixture_machine machine;
    const char *edit;
    const char *word; /* must be in what is actual (or expected); NULL: any */
    void (*change)(struct fixture *fixture);
};

#define AMD_REST                                                                                   \
    " 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} {127 8 0 4 0xC00102B3} N N N "        \
    "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 0 4 0xC00102B4} {127 1 0 4 0xC00102B1} 1 N "       \
    "{127 8 24 4 0xC00102B3} "
#define INTEL_NOMINAL(nominal, mhz)                                                                \
    "(23 3 {127 8 0 4 0x771} " nominal " {127 8 16 4 0x771} {127 8 24 4 0x771} "                   \
    "{127 8 8 4 0x771} {127 8 16 4 0x774} {127 8 0 4 0x774} {127 8 8 4 0x774} N N N "              \
    "{127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 1 4 0x777} {127 1 0 4 0x770} 1 "                   \
    "{127 10 32 4 0x774} {127 8 24 4 0x774} N 0 " mhz ")"
#define PADDED                                                                                     \
    "(0x80000000 0 0 0 0 0)(0x80000000 0 0 0 0 0)(0x80000000 0 0 0 0 0)(0x80000000 0 0 0 0 0)"

static void slow_counter(struct fixture *fixture)
{
    fixture->platform.tsc_hz = 1000000000;
    fixture->platform.source = SOURCE_FOLDER;
    fixture->platform.idle_count = 0;
    fixture->platform.clocks_count = 0;
}

static void on_hypervisor(struct fixture *fixture)
{
    fixture_leaf(fixture, 1)->ecx |= 1U << 31;
}

static void zen5(struct fixture *fixture)
{
    fixture_leaf(fixture, 1)->eax = 0x00B40F40;
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010064, 0x800000004AB2435C);
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010065, 0x80000000479E4258);
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010066, 0);
    fixture_msr(fixture, FIXTURE_ALL, 0xC0010061, 1U << 4);
}

static void hardware_reduced(struct fixture *fixture)
{
    fixture->platform.fadt.field[FADT_FLAGS] = 1U << 20;
    fixture->platform.fadt.field[FADT_PM_TMR_LEN] = 0;
}

static void core_2_celeron(struct fixture *fixture)
{
    static const char brand[48] = "Intel(R) Celeron(R) CPU 430 @ 1.80GHz";

    for (uint32_t i = 0; i < 3; i++) {
        struct cpuid_leaf *leaf = fixture_leaf(fixture, 0x80000002 + i);

        memcpy(&leaf->eax, brand + 16 * i, 4);
        memcpy(&leaf->ebx, brand + 16 * i + 4, 4);
        memcpy(&leaf->ecx, brand + 16 * i + 8, 4);
        memcpy(&leaf->edx, brand + 16 * i + 12, 4);
    }
    fixture_leaf(fixture, 5)->edx = 0x220;
}

static const struct report reports[] = {
    {1, "AMC-009", VERDICT_WARN, MACHINE_AMD,
     "cpc (23 3 255 120" AMD_REST "120 567 3400);msr 0xC00102B0 0xFF783C14", "7225000", NULL},
    {2, "AMC-009", VERDICT_INFO, MACHINE_AMD,
     "cpuid 1 eax 0x00A70F41;pss ((3800 4500 0 0 0 0) (2800 3000 0 0 1 1) (2200 1500 0 0 2 2));"
     "cpc (23 3 166 150" AMD_REST "150 507 3800);msr 0xC00102B0 0xA6963C14",
     "4965234", NULL},
    {5, "PSS-007", VERDICT_PASS, MACHINE_BARE,
     "pss ((3200 4500 0 0 0 0)(2400 3000 0 0 1 1)(1600 1500 0 0 2 2));"
     "cpc (23 3 166 119" AMD_REST "119 538 3200)",
     NULL, NULL},
    {5, "PSS-007", VERDICT_FAIL, MACHINE_BARE,
     "pss ((2400 4500 0 0 0 0)(3200 3000 0 0 1 1)(1600 1500 0 0 2 2))",
     "row 1 has 3200 MHz after 2400", NULL},
    {8, "INT-007", VERDICT_WARN, MACHINE_INTEL,
     "msr 0x1AD 0x39393939;msr 0x771 0x010C1E46;msr@1 0x771 0x010C1E49", "7300 MHz", NULL},
    {10, "CPC-061", VERDICT_FAIL, MACHINE_HYBRID,
     "cpc@2 " INTEL_NOMINAL("33", "3300") ";cpc@3 " INTEL_NOMINAL("47", "4700"), "4700", NULL},
    {11, "CPC-048", VERDICT_FAIL, MACHINE_AMD,
     "cpc (23 3 4000 3150" AMD_REST "1000 500 1000);pss ((1000 4500 0 0 0 0)(800 300 0 0 1 1))",
     "factor 3.15", slow_counter},
    {13, "AMC-001", VERDICT_WARN, MACHINE_AMD, "cpc absent;msr 0xC00102B1 0",
     "hardware CPPC present, disabled by firmware, no _CPC", NULL},
    {13, "CPC-040", VERDICT_SKIP, MACHINE_AMD, "cpc absent", NULL, NULL},
    {14, "PSS-042", VERDICT_FAIL, MACHINE_BARE, "pss absent",
     "performance objects incomplete: has _PCT, lacks _PSS", NULL},
    {14, "PSS-042", VERDICT_SKIP, MACHINE_INTEL, "pss absent", NULL, on_hypervisor},
    {16, "PSS-021", VERDICT_WARN, MACHINE_BARE,
     "pss ((3600 4500 0 0 0 0)(2800 3000 0 0 1 1)(2200 1500 0 0 2 2)" PADDED PADDED PADDED
     "(0x80000000 0 0 0 0 0))",
     "13 of 16 rows invalid (0x80000000", NULL},
    {16, "PSS-022", VERDICT_FAIL, MACHINE_BARE, "pss (" PADDED ")", "none of 4", NULL},
    {16, "PSS-021", VERDICT_WARN, MACHINE_BARE,
     "pss ((0x80000000 0 0 0 7 7)(2800 3000 0 0 1 1)(2200 1500 0 0 2 2))", "1 of 3", NULL},
    {17, "PPC-003", VERDICT_INFO, MACHINE_BARE,
     "pss ((2700 4500 0 0 0 0)(2300 3000 0 0 1 1)(1800 1500 0 0 2 2)(1400 900 0 0 3 3));ppc 2",
     "1800 MHz", NULL},
    {17, "PPC-002", VERDICT_FAIL, MACHINE_BARE,
     "pss ((2700 4500 0 0 0 0)(2300 3000 0 0 1 1)(1800 1500 0 0 2 2)(1400 900 0 0 3 3));ppc 4",
     "4 rows", NULL},
    {17, "PPC-005", VERDICT_WARN, MACHINE_BARE, "ppc absent", NULL, NULL},
    {19, "AMD-003", VERDICT_PASS, MACHINE_AMD,
     "pss ((4300 4500 0 0 0 0)(3000 3000 0 0 1 1));cpc absent", NULL, zen5},
    {19, "AMD-003", VERDICT_FAIL, MACHINE_AMD,
     "pss ((6133 4500 0 0 0 0)(3000 3000 0 0 1 1));cpc absent", "6133", zen5},
    {20, "INL-001", VERDICT_WARN, MACHINE_INTEL, "msr 0x64F 0x10001;msr 0x1FC 1;msr 0x19C 0",
     "external PROCHOT active", NULL},
    {22, "CST-024", VERDICT_PASS, MACHINE_AMD,
     "cst (2 ({127 2 2 0 0} 1 1 0) ({1 8 0 1 0x414} 2 400 0))", NULL, NULL},
    {25, "CST-027", VERDICT_FAIL, MACHINE_INTEL,
     "cst (2 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x30} 3 109 500));cpuid 5 edx 0x11102120",
     "hint 0x30 not supported", NULL},
    {25, "CST-027", VERDICT_PASS, MACHINE_INTEL,
     "cst (2 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x40} 3 109 500));cpuid 5 edx 0x11102120", NULL,
     NULL},
    {25, "CST-027", VERDICT_FAIL, MACHINE_INTEL,
     "cst (2 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x10} 2 20 500))", "hint 0x10", core_2_celeron},
    {31, "FADT-005", VERDICT_WARN, MACHINE_AMD, "fadt x_pm_tmr_blk 1 8 0 0x808", NULL, NULL},
    {31, "FADT-008", VERDICT_PASS, MACHINE_AMD,
     "fadt gpe0_blk 0x820;fadt gpe0_blk_len 16;fadt x_gpe0_blk 1 0 0 0x820", NULL, NULL},
    {31, "FADT-010", VERDICT_WARN, MACHINE_AMD, "fadt pm2_cnt_len 1", "pm2_cnt_blk", NULL},
    {31, "FADT-007", VERDICT_WARN, MACHINE_AMD,
     "fadt pm_tmr_blk 0x1808;fadt x_pm_tmr_blk 1 32 0 0x408", "0x1808", NULL},
    {31, "FADT-004", VERDICT_SKIP, MACHINE_AMD, NULL, NULL, hardware_reduced},
    {31, "FADT-006", VERDICT_WARN, MACHINE_AMD,
     "fadt pm_tmr_blk 0;fadt x_pm_tmr_blk 0 32 0 0xFED80808", NULL, NULL},
    {35, "INT-006", VERDICT_WARN, MACHINE_INTEL, "msr 0xCE 0x100070012200;msr 0x1AD 0x3B3B3B3B",
     "programmable ceiling", NULL},
    {35, "INT-005", VERDICT_WARN, MACHINE_INTEL,
     "msr 0xCE 0x20080C3BF3811E00;msr 0x1AD 0x1E1E1E1E1E1E1E1E;msr 0x1A0 0x810089",
     "turbo enabled but limit", NULL},
    {35, "INT-005", VERDICT_SKIP, MACHINE_INTEL, "cpuid 6 eax 0x484", NULL, NULL},
    {35, "INT-001", VERDICT_WARN, MACHINE_INTEL, "msr 0x1A0 0x4000850089",
     "turbo disabled by firmware", NULL},
    {37, "INT-014", VERDICT_WARN, MACHINE_ATOM, "msr 0xCD 7", "only ratios", NULL},
    {37, "INT-014", VERDICT_PASS, MACHINE_ATOM, "msr 0xCD 4;cpuid 1 eax 0x000406C3", NULL, NULL},
    {37, "INT-004", VERDICT_SKIP, MACHINE_ATOM, "msr 0xCE 0", NULL, NULL},
    {44, "AML-002", VERDICT_FAIL, MACHINE_BARE, "pss AE_AML_LOOP_TIMEOUT", "\\_SB.LOOP", NULL},
    {47, "PSD-010", VERDICT_WARN, MACHINE_AMD, "psd ((5 0 0 0xFD 16))",
     "some members are disabled or absent", NULL},
    {47, "PSD-007", VERDICT_FAIL, MACHINE_AMD, "psd ((5 0 0 0xFB 4))", NULL, NULL},
    {47, "PSD-006", VERDICT_FAIL, MACHINE_AMD, "psd ((5 1 0 0xFE 4))", NULL, NULL},
    {47, "PSD-004", VERDICT_FAIL, MACHINE_AMD, "psd ((4 0 0 0xFE 4))", NULL, NULL},
    {47, "PSD-002", VERDICT_FAIL, MACHINE_AMD, "psd ((5 0 0 0xFE 4)(5 0 0 0xFE 4))", NULL, NULL},
    {47, "PSD-009", VERDICT_FAIL, MACHINE_AMD, "psd ((5 0 0 0xFE 4));psd@1 ((5 0 0 0xFE 3))", NULL,
     NULL},
    {47, "PSD-010", VERDICT_PASS, MACHINE_AMD, "psd ((5 0 0 0xFE 4))", NULL, NULL},
    {49, "PSS-007", VERDICT_FAIL, MACHINE_INTEL,
     "pss ((2601 900 9 9 0x1B00 0x1B00)(2600 900 9 9 0x1A00 0x1A00)(2600 900 9 9 0x1A00 0x1A00)"
     "(2300 700 9 9 0x1700 0x1700)(2400 800 9 9 0x1800 0x1800)(2300 700 9 9 0x1700 0x1700)"
     "(2200 600 9 9 0x1600 0x1600)(400 300 9 9 0x400 0x400))",
     "row 4 has 2400 MHz after 2300", NULL},
    {49, "PSS-009", VERDICT_WARN, MACHINE_INTEL,
     "pss ((2601 900 9 9 0x1B00 0x1B00)(2600 900 9 9 0x1A00 0x1A00)(2600 900 9 9 0x1A00 0x1A00)"
     "(2300 700 9 9 0x1700 0x1700)(2400 800 9 9 0x1800 0x1800)(2300 700 9 9 0x1700 0x1700)"
     "(2200 600 9 9 0x1600 0x1600)(400 300 9 9 0x400 0x400))",
     "row 2, 5", NULL},
    {49, "REP-001", VERDICT_WARN, MACHINE_INTEL,
     "pss ((2601 900 9 9 0x1B00 0x1B00)(2300 700 9 9 0x1700 0x1700)(2400 800 9 9 0x1800 0x1800));"
     "repaired pss ((2601 900 9 9 0x1B00 0x1B00)(2400 800 9 9 0x1800 0x1800)"
     "(2300 700 9 9 0x1700 0x1700))",
     "_PPC 1-2 means another row", NULL},
};

static bool says(const struct finding *finding, const struct report *report)
{
    return strcmp(finding->id, report->id) == 0 && finding->verdict == report->verdict &&
           (report->word == NULL || strstr(finding->actual, report->word) != NULL ||
            strstr(finding->expected, report->word) != NULL);
}

static bool is_answered(const struct report *report)
{
    struct fixture fixture;
    struct findings findings;
    bool is_found = false;

    fixture_init(&fixture, report->machine);
    if (report->edit != NULL) {
        fixture_edit(&fixture, report->edit);
    }
    if (report->change != NULL) {
        report->change(&fixture);
    }
    fixture_judge(&fixture, &findings);
    for (uint32_t i = 0; i < findings.count; i++) {
        is_found = is_found || says(&findings.items[i], report);
    }
    for (uint32_t i = 0; !is_found && i < findings.count; i++) {
        if (strcmp(findings.items[i].id, report->id) == 0) {
            print_error("report %u: %s %s: %s (expected %s)\n", report->number, report->id,
                        verdict_name(findings.items[i].verdict), findings.items[i].actual,
                        findings.items[i].expected);
        }
    }
    fixture_free(&fixture);
    return is_found;
}

static void each_report_is_answered(void **state)
{
    unsigned unanswered = 0;

    (void)state;
    for (size_t i = 0; i < sizeof(reports) / sizeof(reports[0]); i++) {
        if (!is_answered(&reports[i])) {
            print_error("report %u: %s is not %s\n", reports[i].number, reports[i].id,
                        verdict_name(reports[i].verdict));
            unanswered++;
        }
    }
    assert_int_equal(unanswered, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_report_is_answered),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "model/msr_catalog.h"
#include "report/msr_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct cpu_identity skylake_x = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x55};
static const struct cpu_identity skylake = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x5E};
static const struct cpu_identity haswell_x = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x3F};
static const struct cpu_identity airmont = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x4C};
static const struct cpu_identity phi = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x57};
static const struct cpu_identity core2 = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x17};
static const struct cpu_identity nobody = {.vendor = VENDOR_INTEL, .family = 6, .model = 0xFE};
static const struct cpu_identity zen2 = {.vendor = VENDOR_AMD, .family = 0x17, .model = 0x31};
static const struct cpu_identity zen5 = {.vendor = VENDOR_AMD, .family = 0x1A, .model = 0x02};
static const struct cpu_identity hygon = {.vendor = VENDOR_HYGON, .family = 0x18, .model = 0};
static const struct cpu_identity k10 = {.vendor = VENDOR_AMD, .family = 0x10, .model = 4};
static const struct cpu_identity llano = {.vendor = VENDOR_AMD, .family = 0x12, .model = 1};

static unsigned fields_of(const struct cpu_identity *identity, uint32_t msr)
{
    const struct msr_field *before = NULL;
    unsigned count = 0;

    for (;;) {
        const struct msr_field *field = msr_field_at(identity, msr, count);

        if (field == NULL) {
            return count;
        }
        assert_int_equal(field->msr, msr);
        assert_true(field->low <= field->high && field->high < 64);
        assert_true(strlen(field->name) > 0);
        if (before != NULL && before->high >= field->low) {
            fail_msg("MSR %X: %s lies on %s", msr, field->name, before->name);
        }
        before = field;
        count++;
    }
}

/* From the lowest bits up, without overlap, on every CPU that may have the MSR. */
static void fields_are_in_order_and_apart(void **state)
{
    unsigned count = 0;

    (void)state;
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        uint32_t msr = msr_catalog_at(i)->msr;
        struct cpu_identity any = skylake;

        for (any.model = 0; any.model < 256; any.model++) {
            count += fields_of(&any, msr);
        }
        any.vendor = VENDOR_AMD;
        for (any.family = 0x0F; any.family <= 0x1A; any.family++) {
            count += fields_of(&any, msr);
        }
        assert_int_equal(fields_of(&hygon, msr), fields_of(&zen2, msr));
    }
    assert_true(count > 10000);
}

/* Values whose fields are known: the bits are those of the documents named in msr_fields.c. */
static void known_values_are_told_apart(void **state)
{
    static const struct {
        const struct cpu_identity *identity;
        uint32_t msr;
        uint64_t value;
        const char *text;
    } cases[] = {
        {&zen2, 0x1B, 0xFEE00900,
         "[8] boot CPU 1, [10] x2APIC 0, [11] enabled 1, [51:12] base page 0xFEE00"},
        {&skylake, 0x3A, 0x40005,
         "[0] locked 1, [1] VMX in SMX 0, [2] VMX outside SMX 1, [18] SGX 1"},
        {&skylake, 0x8B, UINT64_C(0xF000000000), "[63:32] microcode 0xF0"},
        {&zen2, 0x8B, 0x830104D, "[31:0] patch level 0x830104D"},
        {&core2, 0xCD, 4, "[2:0] bus clock code 4"},
        {&skylake, 0xCE, UINT64_C(0x80838F3012400),
         "[15:8] maximum non-turbo ratio 36, [28] turbo ratios programmable 1, [29] TDP limits "
         "programmable 1, [31] CPUID faulting 1, [47:40] maximum efficiency ratio 8, other bits "
         "0x8003843010000"},
        {&airmont, 0xCE, 0x60000000E00,
         "[15:8] maximum non-turbo ratio 14, other bits 0x60000000000"},
        {&skylake, 0xE2, 0x1E008408,
         "[3:0] package C-state limit 8, [10] I/O reads become MWAIT 1, [15] locked 1, [25] C3 "
         "demotion 1, [26] C1 demotion 1, [27] C3 undemotion 1, [28] C1 undemotion 1"},
        {&skylake_x, 0xE2, 0x14018402,
         "[2:0] package C-state limit 2, [10] I/O reads become MWAIT 1, [15] locked 1, [16] HLT "
         "and C1 become C6 1, [25] C3 demotion 0, [26] C1 demotion 1, [27] C3 undemotion 0, [28] "
         "C1 undemotion 1, [29] package demotion 0, [30] package undemotion 0"},
        /* Bits 25 and 26 mean nothing certain on Silvermont. */
        {&airmont, 0xE2, 0x2008407,
         "[2:0] package C-state limit 7, [10] I/O reads become MWAIT 1, [15] locked 1, other bits "
         "0x2000000"},
        {&skylake, 0xE4, 0x20414, "[15:0] P_LVL2 port 0x414, [18:16] deepest state by port 2"},
        {&skylake, 0x199, UINT64_C(0x100002400), "[15:0] requested state 0x2400, [32] turbo off 1"},
        {&skylake, 0x19C, 0x88320000,
         "[0] thermal 0, [1] thermal log 0, [2] PROCHOT 0, [3] PROCHOT log 0, [4] critical 0, [5] "
         "critical log 0, [10] power limit 0, [11] power limit log 0, [22:16] degrees below the "
         "maximum 50, [31] reading valid 1, other bits 0x8000000"},
        {&skylake, 0x1A0, UINT64_C(0x4000850089),
         "[0] fast strings 1, [3] thermal control 1, [7] performance monitoring 1, [16] SpeedStep "
         "on 1, [18] MONITOR on 1, [22] CPUID limited 0, [38] turbo off 1, other bits 0x800000"},
        {&skylake, 0x1A2, 0x640000, "[23:16] maximum temperature C 100"},
        {&skylake, 0x1AD, 0x23242526,
         "[7:0] ratio of 1 core 38, [15:8] 2 cores 37, [23:16] 3 36, [31:24] 4 35, [39:32] 5 0, "
         "[47:40] 6 0, [55:48] 7 0, [63:56] 8 0"},
        {&skylake_x, 0x1AE, UINT64_C(0x1C1814100C080402),
         "[7:0] cores of group 1 2, [15:8] group 2 4, [23:16] group 3 8, [31:24] group 4 12, "
         "[39:32] group 5 16, [47:40] group 6 20, [55:48] group 7 24, [63:56] group 8 28"},
        {&haswell_x, 0x1AF, 0x1A1B, "[7:0] ratio of 17 cores 27, [15:8] 18 cores 26"},
        {&phi, 0x1AD, 0x21200F04,
         "[7:1] cores of group 1 2, [15:8] its ratio 15, [20:16] group 2 cores more 0, [23:21] "
         "ratio less 1, [28:24] group 3 cores more 1, [31:29] ratio less 1, [36:32] group 4 cores "
         "more 0, [39:37] ratio less 0, [44:40] group 5 cores more 0, [47:45] ratio less 0, "
         "[52:48] group 6 cores more 0, [55:53] ratio less 0, [60:56] group 7 cores more 0, "
         "[63:61] ratio less 0"},
        {&skylake, 0x1B0, 6, "[3:0] energy preference 6"},
        {&skylake, 0x606, 0xA0E03,
         "[3:0] power unit 1/2^n W 3, [12:8] energy unit 1/2^n J 14, [19:16] time unit 1/2^n s 10"},
        {&airmont, 0x606, 0xA0505,
         "[3:0] power unit 1/2^n W 5, [12:8] energy unit code 5, [19:16] time unit 1/2^n s 10"},
        {&skylake, 0x60B, 0x8876, "[9:0] limit 118, [12:10] unit 32^n ns 2, [15] valid 1"},
        {&skylake, 0x610, UINT64_C(0x4283E800DD8320),
         "[14:0] limit 1, power units 800, [15] on 1, [16] clamped 1, [23:17] window code 110, "
         "[46:32] limit 2, power units 1000, [47] on 1, [48] clamped 0, [55:49] window code 33, "
         "[63] locked 0"},
        {&skylake, 0x64B, 0x80000001, "[1:0] TDP level 1, [31] locked 1"},
        {&airmont, 0x66A, 0x150505,
         "[5:0] minimum ratio 5, [13:8] low-frequency ratio 5, [21:16] base ratio 21"},
        {&skylake, 0x771, 0x01081E26,
         "[7:0] highest 38, [15:8] guaranteed 30, [23:16] most efficient 8, [31:24] lowest 1"},
        {&skylake, 0x774, UINT64_C(0x40080002601),
         "[7:0] minimum 1, [15:8] maximum 38, [23:16] desired 0, [31:24] energy preference 128, "
         "[41:32] activity window 0, [42] the package's request counts 1"},
        {&skylake, 0x777, 4, "[0] guarantee changed 0, [2] excursion to the minimum 1"},
        {&zen2, 0xC0010015, 0x49000011,
         "[0] SmmLock 1, [24] TscFreqSel 1, [25] CpbDis 0, [30] IRPerfEn 1, other bits 0x8000010"},
        {&k10, 0xC0010055, 0x10000000, "[27] SmiOnCmpHalt 0, [28] C1eOnCmpHalt 1"},
        {&zen2, 0xC0010061, 0x20, "[2:0] CurPstateLimit 0, [6:4] PstateMaxVal 2"},
        /* 2250 MHz = 200 MHz * 90 / 8 */
        {&zen2, 0xC0010064, UINT64_C(0x8000000048D2085A),
         "[7:0] CpuFid 90, [13:8] CpuDfsId 8, [21:14] CpuVid 72, [29:22] IddValue 35, [31:30] "
         "IddDiv 1, [63] PstateEn 1"},
        /* 3200 MHz = 100 MHz * (16 + 16) */
        {&k10, 0xC0010064, UINT64_C(0x800001D440003010),
         "[5:0] CpuFid 16, [8:6] CpuDid 0, [15:9] CpuVid 24, [63] PstateEn 1, other bits "
         "0x1D440000000"},
        {&llano, 0xC0010064, UINT64_C(0x8000000000000131), "[63] PstateEn 1, other bits 0x131"},
        /* 5 MHz * 0x2BC = 3500 MHz */
        {&zen5, 0xC0010064, UINT64_C(0x80000000004002BC),
         "[11:0] CpuFid 700, [21:14] CpuVid 0, [29:22] IddValue 1, [31:30] IddDiv 0, [63] PstateEn "
         "1"},
        {&zen2, 0xC0010073, 0x413, "[15:0] C-state port 0x413"},
        {&zen2, 0xC0010299, 0xA1003,
         "[3:0] power unit 1/2^n W 3, [12:8] energy unit 1/2^n J 16, [19:16] time unit 1/2^n s 10"},
        {&zen2, 0xC00102B0, 0xFFA8701E,
         "[7:0] lowest 30, [15:8] lowest non-linear 112, [23:16] nominal 168, [31:24] highest 255"},
        {&hygon, 0xC00102B3, 0x80000AFF,
         "[7:0] maximum 255, [15:8] minimum 10, [23:16] desired 0, [31:24] energy preference 128"},
    };
    char buffer[1024];

    (void)state;
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct textbuf out;

        textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
        (void)msr_fields_text(cases[i].identity, cases[i].msr, cases[i].value, &out);
        if (strcmp(buffer, cases[i].text) != 0) {
            fail_msg("MSR %X: %s\nnot %s", cases[i].msr, buffer, cases[i].text);
        }
    }
}

/* Nothing is claimed of a register, a model or a maker that is not listed. */
static void what_is_not_known_has_no_fields(void **state)
{
    char buffer[64];
    struct textbuf out;

    (void)state;
    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    assert_int_equal(msr_fields_text(&skylake, 0x12345, 1, &out), 0);
    assert_int_equal(msr_fields_text(&zen2, 0xCE, 1, &out), 0);
    assert_int_equal(msr_fields_text(&skylake, 0xC00102B0, 1, &out), 0);
    assert_int_equal(msr_fields_text(&nobody, 0xE2, 1, &out), 0);
    assert_int_equal(msr_fields_text(&nobody, 0x1AD, 1, &out), 0);
    assert_int_equal(msr_fields_text(&zen2, 0xC00102B4, 1, &out), 0);
    assert_int_equal(out.length, 0);
    assert_int_equal(msr_fields_text(&nobody, 0x770, 1, &out), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_in_order_and_apart),
        cmocka_unit_test(known_values_are_told_apart),
        cmocka_unit_test(what_is_not_known_has_no_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "model/textbuf.h"
#include "rules/judge.h"
#include "rules/subjects.h"

/* What this program did to the registers by which frequencies are asked for, and what it left alone. */

#define MSR_PM_ENABLE 0x770
#define MSR_CPPC_ENABLE 0xC00102B1

#define AS_BEFORE "0x%llx, as before the run"

#define NAME_BYTES 64U

/* "HWCR (MSR C0010015H)", "port 880H", "a _CPC register in PCC memory at 7F001000H" */
static void name_register(const struct request_left *left, char *ret_name)
{
    const struct request_register *which = request_register_find(left->msr);
    struct textbuf text;

    textbuf_init(&text, ret_name, NAME_BYTES, NULL, NULL);
    switch (left->where) {
    case REQUEST_IN_PORT:
        textbuf_printf(&text, "port %llXH", (unsigned long long)left->address);
        break;
    case REQUEST_IN_MEMORY:
        textbuf_printf(&text, "a _CPC register in PCC memory at %llXH",
                       (unsigned long long)left->address);
        break;
    case REQUEST_IN_MSR:
    default:
        textbuf_printf(&text, "%s (MSR %XH)", which == NULL ? "a register" : which->name,
                       left->msr);
        break;
    }
}

static void tell(struct judge *judge, const struct request_left *left)
{
    struct judge_text expected;
    char name[NAME_BYTES];

    name_register(left, name);
    (void)judge_text(&expected, AS_BEFORE, (unsigned long long)left->before);
    switch (left->end) {
    case REQUEST_END_DIFFERENT:
        judge_fail(judge, expected.text, "%s reads 0x%llx", name, (unsigned long long)left->after);
        break;
    case REQUEST_END_FAULTED:
        judge_fail(judge, expected.text, "%s can no longer be accessed", name);
        break;
    case REQUEST_END_NO_ANSWER:
        judge_fail(judge, expected.text, "%s is not known: the %s", name,
                   left->where == REQUEST_IN_MEMORY ? "platform did not complete a PCC command"
                                                    : "CPU did not come back from the measurement");
        break;
    }
}

static void requests_are_put_back(struct judge *judge, uint32_t cpu)
{
    const struct platform *platform = judge->platform;

    if (!platform->requests.was_opened) {
        judge_skip(judge, "no request register was changed in this run");
        return;
    }
    for (uint32_t i = 0; i < platform->requests_left_count; i++) {
        if (platform->requests_left[i].cpu == cpu) {
            tell(judge, &platform->requests_left[i]);
        }
    }
}

static bool is_allowed(const struct platform *platform, enum one_way one_way)
{
    return platform->options != NULL &&
           (one_way == ONE_WAY_CPPC ? platform->options->allow_cppc_enable
                                    : platform->options->allow_hwp_enable);
}

/* Only where the processor has the interface and the firmware left it switched off. */
static bool is_off(const struct platform *platform, uint32_t msr)
{
    struct msr_value value = platform_msr(platform, 0, msr);

    return value.avail == AVAIL_PRESENT && (value.value & 1) == 0;
}

static void one_way_bits_are_named(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    bool is_cppc_off = is_off(platform, MSR_CPPC_ENABLE);
    bool is_hwp_off = is_off(platform, MSR_PM_ENABLE);

    if (!platform_is_firsthand(platform)) {
        judge_skip(judge, "a dump: nothing can be switched on");
    } else if (!is_cppc_off && !is_hwp_off) {
        judge_skip(judge, "no such interface, or it is on already");
    }
    if (!platform_is_firsthand(platform)) {
        return;
    }
    if (platform->requests.has_set_cppc || platform->requests.has_set_hwp) {
        judge_note(judge, "nothing that stays set until reset",
                   "%s was set, as --allow said: reset the machine before it is used",
                   platform->requests.has_set_cppc ? "CPPC_ENABLE (MSR C00102B1H)"
                                                   : "IA32_PM_ENABLE (MSR 770H)");
    }
    if (is_cppc_off && !is_allowed(platform, ONE_WAY_CPPC)) {
        judge_note(judge, "CPPC_ENABLE (MSR C00102B1H) left at 0",
                   "--allow=cppc-enable would show which frequency each CPPC request really gives, "
                   "and how fast; the bit then stays set until reset");
    }
    if (is_hwp_off && !is_allowed(platform, ONE_WAY_HWP)) {
        judge_note(
            judge, "IA32_PM_ENABLE (MSR 770H) left at 0",
            "--allow=hwp-enable would show which frequency each HWP request really gives, and "
            "how fast; the bit then stays set until reset");
    }
}

const struct rule request_rules[] = {
    {
        .id = "REQ-001",
        .title = "Every request register reads as before the run",
        .spec = "Intel SDM vol. 4, 2.1 Architectural MSRs; AMD PPR, MSRC001_0015, 0062 and 02B3",
        .why = "An operating system started without a reset would find another clock or boost "
               "setting than the firmware left.",
        .advice = "Reset the machine before it is used; report the machine and the register.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_cpus,
        .judge_cpu = requests_are_put_back,
        .object = "request registers",
    },
    {
        .id = "REQ-002",
        .title = "What cannot be undone is not done unless it was asked for",
        .spec = "Intel SDM vol. 3B, Enabling HWP; AMD PPR, MSRC001_02B1 CPPC_ENABLE",
        .why = "Part of the measured column is missing where the interface is off.",
        .advice = "Give --allow=NAME on a machine that will be reset afterwards.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = one_way_bits_are_named,
        .object = "one-way registers",
    },
    {.id = NULL},
};

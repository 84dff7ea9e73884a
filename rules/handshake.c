#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

#define SPEC_PLATFORM "ACPI 6.5, 6.2.11.2 Platform-Wide OSPM Capabilities"
#define OSC_CPPC2_BIT 6

/* In a dump the methods read memory that is not there and load tables from it: a failure says little. Bit 4
 * of the reply ("capabilities masked", AE_SUPPORT for Linux) is no fault either. */
static void report_error(struct judge *judge, const char *expected, const char *error)
{
    if (!platform_is_firsthand(judge->platform) || strcmp(error, "AE_SUPPORT") == 0) {
        judge_note(judge, expected, "%s", error);
    } else {
        judge_warn(judge, expected, "%s", error);
    }
}

static void platform_osc_answers(struct judge *judge)
{
    const struct handshake *handshake = &judge->platform->handshake;

    if (!handshake->has_platform_osc) {
        judge_skip(judge, "no \\_SB._OSC, or no handshake was made");
    } else if (handshake->platform_error != NULL) {
        report_error(judge, "a Buffer as long as the request, without error bits",
                     handshake->platform_error);
    }
}

static void processor_osc_answers(struct judge *judge, const struct processor *processor)
{
    if (!processor->has_osc || !judge->platform->handshake.is_done) {
        judge_skip(judge, "no processor _OSC, or no handshake was made");
    } else if (processor->osc_error != NULL) {
        report_error(judge, "_OSC without error", processor->osc_error);
    }
}

static void pdc_works(struct judge *judge, const struct processor *processor)
{
    if (!processor->has_pdc || !judge->platform->handshake.is_done) {
        judge_skip(judge, "no _PDC, or no handshake was made");
    } else if (processor->pdc_error != NULL) {
        report_error(judge, "_PDC without error", processor->pdc_error);
    }
}

/* Linux 6.12 drivers/acpi/cppc_acpi.c: without the reply bit only AMD processors are trusted. */
static void cppc_is_granted(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    const struct handshake *handshake = &platform->handshake;

    if (judge_count_with(platform, OBJECT_CPC) == 0) {
        judge_skip(judge, judge_missing(judge, OBJECT_CPC));
    } else if (platform->identity.vendor != VENDOR_INTEL || !handshake->has_platform_osc) {
        judge_skip(judge, "no Intel processor, no \\_SB._OSC, or no handshake was made");
    } else if ((handshake->platform_caps >> OSC_CPPC2_BIT & 1) == 0) {
        judge_skip(judge, "CPPC was not asked for");
    } else if ((handshake->platform_reply >> OSC_CPPC2_BIT & 1) == 0) {
        judge_warn(judge, "bit 6 (CPPC 2) in the reply, as _CPC is published", "reply 0x%X",
                   handshake->platform_reply);
    }
}

const struct rule handshake_rules[] = {
    {
        .id = "OSC-001",
        .title = "\\_SB._OSC answers without error",
        .spec = SPEC_PLATFORM,
        .why = "Linux takes none of the capabilities as granted: no CPPC on Intel, no more than 16 "
               "P-states.",
        .advice =
            "Return the request's buffer with masked capability bits; set error bits only for a "
            "wrong UUID or revision.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = platform_osc_answers,
        .object = "\\_SB._OSC",
    },
    {
        .id = "OSC-002",
        .title = "_OSC of each processor answers without error",
        .spec = "Intel Processor Vendor-Specific ACPI Interface Specification (302223), 3.2 _OSC",
        .why = "Linux falls back to _PDC for all processors; tables that _OSC would load may be "
               "missing.",
        .advice = "Return the request's buffer.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = processor_osc_answers,
        .object = "_OSC",
    },
    {
        .id = "OSC-003",
        .title = "_PDC of each processor works",
        .spec = "Intel Processor Vendor-Specific ACPI Interface Specification (302223), 3.3 _PDC",
        .why = "P-states and C-states that _PDC would publish are missing.",
        .advice = "Correct the method; Linux ignores its failure silently.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_processors,
        .judge_processor = pdc_works,
        .object = "_PDC",
    },
    {
        .id = "OSC-004",
        .title = "CPPC is granted where _CPC is published",
        .spec = SPEC_PLATFORM ", bits 5 and 6",
        .why = "Linux never evaluates _CPC: preferred cores are not ranked.",
        .advice = "Keep bits 5 and 6 in the reply of \\_SB._OSC.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cppc_is_granted,
        .object = "\\_SB._OSC",
    },
    {.id = NULL},
};

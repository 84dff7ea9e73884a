#include "rules/judge.h"
#include "rules/subjects.h"

/* Processors as the firmware starts them: UEFI PI specification 1.8, vol. 2, 13.4 MP Services Protocol. */

#define SPEC_MP "PI 1.8, vol. 2, 13.4 MP Services Protocol"

static bool is_live(struct judge *judge)
{
    if (platform_is_firsthand(judge->platform)) {
        return true;
    }
    judge_skip(judge, "a dump: no processor was started");
    return false;
}

static void cpu_answers(struct judge *judge, uint32_t cpu)
{
    enum cpu_answer answer = judge->platform->cpus[cpu].answer;

    if (!is_live(judge)) {
        return;
    }
    if (answer == CPU_NOT_ASKED) {
        judge_skip(judge, "the CPU was not asked");
    } else if (answer == CPU_DID_NOT_ANSWER) {
        judge_fail(judge, "an answer within the time allowed", "the CPU did not answer");
    }
}

static void cpu_is_usable(struct judge *judge, uint32_t cpu)
{
    enum cpu_answer answer = judge->platform->cpus[cpu].answer;

    if (!is_live(judge)) {
        return;
    }
    if (answer == CPU_DISABLED) {
        judge_warn(judge, "a CPU that is enabled and healthy, as the MADT says",
                   "MP services call it disabled or unhealthy");
    } else if (answer == CPU_NOT_PRESENT) {
        judge_warn(judge, "a CPU that MP services know, as the MADT has it", "unknown to them");
    }
}

static void services_exist(struct judge *judge)
{
    if (!is_live(judge)) {
        return;
    }
    if (judge->platform->cpus_count < 2) {
        judge_skip(judge, "one CPU");
    } else if (judge->platform->is_mp_services_absent) {
        judge_note(judge, "MP services", "none: only the boot CPU was asked");
    }
}

static void faults_are_caught(struct judge *judge)
{
    if (is_live(judge) && !judge->platform->is_fault_handler_proved) {
        judge_note(judge, "an instruction that faults turned into a value",
                   "the handler could not be proved: no MSR was read");
    }
}

static void kinds_agree(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->cpuid_kinds_count == 0 || platform->kind_identity == NULL) {
        judge_skip(judge, "no CPUID in this set");
        return;
    }
    for (uint32_t k = 1; k < platform->cpuid_kinds_count; k++) {
        const struct cpu_identity *identity = &platform->kind_identity[k];

        if (identity->vendor != platform->identity.vendor ||
            identity->family != platform->identity.family) {
            judge_fail(judge, "one vendor and one family", "kind %u: family %Xh, kind 0: %Xh", k,
                       identity->family, platform->identity.family);
        } else if (identity->model != platform->identity.model ||
                   identity->stepping != platform->identity.stepping) {
            judge_warn(judge, "one model and stepping", "kind %u: %Xh.%u, kind 0: %Xh.%u", k,
                       identity->model, identity->stepping, platform->identity.model,
                       platform->identity.stepping);
        }
    }
}

static void snapshot_is_whole(struct judge *judge)
{
    if (judge->platform->incomplete != NULL) {
        judge_warn(judge, "room for everything", "%s", judge->platform->incomplete);
    } else if (judge->findings->dropped > 0) {
        judge_warn(judge, "room for every finding", "%u findings were dropped",
                   judge->findings->dropped);
    }
}

const struct rule mp_rules[] = {
    {
        .id = "MP-001",
        .is_of_run = true,
        .title = "Every enabled processor answers",
        .spec = SPEC_MP,
        .why = "The processor may hang the operating system when it is started.",
        .advice =
            "Look at the start-up (INIT-SIPI) of this processor; it is not used again in this run.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_cpus,
        .judge_cpu = cpu_answers,
        .object = "CPU",
    },
    {
        .id = "MP-002",
        .title = "MP services know every processor of the MADT as usable",
        .spec = SPEC_MP "; ACPI 6.5, 5.2.12 Multiple APIC Description Table (MADT)",
        .why = "The firmware and the operating system count processors differently.",
        .advice = "Enable in the MADT only processors that work.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_cpus,
        .judge_cpu = cpu_is_usable,
        .object = "CPU",
    },
    {
        .id = "MP-003",
        .title = "The firmware has MP services",
        .spec = SPEC_MP,
        .why = "Registers of the other processors could not be read.",
        .advice = "Keep the protocol installed until the operating system starts.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = services_exist,
        .object = "EFI_MP_SERVICES_PROTOCOL",
    },
    {
        .id = "MP-004",
        .title = "All processors are of one vendor, family, model and stepping",
        .spec = "Intel SDM vol. 3, 9.4 Multiple-Processor (MP) Initialization",
        .why = "Mixed processors differ in clock, errata and microcode.",
        .advice = "Fit processors of one stepping.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = kinds_agree,
        .object = "CPUID 01H",
    },
    {
        .id = "MP-005",
        .title = "Faults of register reads are caught on this machine",
        .spec = "Intel SDM vol. 3, 6.15 #GP General Protection Exception",
        .why = "Without it no model-specific register is read and many rules cannot judge.",
        .advice = "None in the firmware unless it guards its descriptor tables.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = faults_are_caught,
        .object = "#GP handler",
    },
    {
        .id = "MP-006",
        .is_of_run = true,
        .title = "Everything that was collected could be kept",
        .spec = "Assay",
        .why = "The report lacks something.",
        .advice = "Run on fewer CPUs at a time (--cpus).",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = snapshot_is_whole,
        .object = "snapshot",
    },
    {.id = NULL},
};

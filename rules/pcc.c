#include "rules/cpc.h"
#include "rules/subjects.h"

/* _CPC against the PCCT: ACPI 6.5, 14.7 Referencing the PCC address space. */

#define SPEC "ACPI 6.5, 14.7 Referencing the PCC address space"
#define HEADER_BYTES 8

/* The subspace of the first PCC register of the object, or NULL with the judge told to skip. */
static const struct gas *pcc_register(struct judge *judge, const struct object_set *set)
{
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        if (cpc_has_register(&set->cpc, (enum cpc_register)i) &&
            set->cpc.registers[i].reg.gas.space == GAS_PCC) {
            return &set->cpc.registers[i].reg.gas;
        }
    }
    judge_skip(judge, "no PCC register in _CPC");
    return NULL;
}

static const struct pcct_subspace *subspace_of(struct judge *judge, const struct object_set *set)
{
    const struct gas *gas = pcc_register(judge, set);
    const struct pcct *pcct = &judge->platform->pcct;

    if (gas == NULL) {
        return NULL;
    }
    if (pcct->avail != AVAIL_PRESENT || gas->access >= pcct->count ||
        !pcct->subspaces[gas->access].is_decoded) {
        judge_skip(judge, "the PCCT does not describe the subspace, see PCC-001");
        return NULL;
    }
    return &pcct->subspaces[gas->access];
}

/* Without any other table the PCCT is not missing, it was not given. */
static void subspace_exists(struct judge *judge, const struct object_set *set)
{
    const struct gas *gas = pcc_register(judge, set);
    const struct pcct *pcct = &judge->platform->pcct;
    struct judge_text expected;

    if (gas == NULL) {
        return;
    }
    if (pcct->avail != AVAIL_PRESENT && judge->platform->fadt.avail != AVAIL_PRESENT) {
        judge_skip(judge, "no FADT and no PCCT in this set of tables");
    } else if (pcct->avail != AVAIL_PRESENT) {
        judge_fail(judge, "a PCCT for the PCC registers of _CPC", "no usable PCCT");
    } else if (gas->access >= pcct->count) {
        judge_fail(judge,
                   judge_text(&expected, "a subspace below %u, as the PCCT has", pcct->count),
                   "subspace %u", gas->access);
    }
}

static void registers_are_inside(struct judge *judge, const struct object_set *set)
{
    const struct pcct_subspace *subspace = subspace_of(judge, set);
    struct judge_text expected;
    struct judge_text actual;

    for (uint32_t i = 0; subspace != NULL && i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (!cpc_has_register(&set->cpc, (enum cpc_register)i) || gas->space != GAS_PCC) {
            continue;
        }
        if (gas->address > UINT32_MAX ||
            gas->address + HEADER_BYTES + gas->width_bits / 8 > subspace->length_bytes) {
            judge_fail(judge,
                       judge_text(&expected, "a place within the %llu bytes of the subspace",
                                  (unsigned long long)subspace->length_bytes),
                       "%s: %s", cpc_register_name((enum cpc_register)i),
                       judge_register(&actual, gas));
            return;
        }
    }
}

/* Linux 6.12 drivers/acpi/cppc_acpi.c: the poll ends after 500 times the nominal latency; 0 never ends. */
static void latency_is_given(struct judge *judge, const struct object_set *set)
{
    const struct pcct_subspace *subspace = subspace_of(judge, set);

    if (subspace != NULL && subspace->latency_us == 0) {
        judge_warn(judge, "a nominal latency above 0 for a channel in use", "0 us");
    }
}

/* Linux reads all channels as if they had the header of types 0 to 2. */
static void header_is_covered(struct judge *judge, const struct object_set *set)
{
    const struct pcct_subspace *subspace = subspace_of(judge, set);

    if (subspace == NULL || (subspace->type != 3 && subspace->type != 4)) {
        judge_skip(judge, "no extended subspace");
        return;
    }
    for (uint32_t i = 0; i < CPC_REGISTERS; i++) {
        const struct gas *gas = &set->cpc.registers[i].reg.gas;

        if (cpc_has_register(&set->cpc, (enum cpc_register)i) && gas->space == GAS_PCC &&
            gas->address < HEADER_BYTES) {
            judge_warn(judge, "an offset of 8 or more in an extended subspace, for Linux",
                       "%s at offset %llu", cpc_register_name((enum cpc_register)i),
                       (unsigned long long)gas->address);
            return;
        }
    }
}

/* What this program's own commands met. */
static bool has_commands(struct judge *judge)
{
    if (judge->platform->pcc_count == 0) {
        judge_skip(judge, "no command was sent through a PCC subspace in this run");
        return false;
    }
    return true;
}

static void commands_complete(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    struct judge_text expected;

    for (uint32_t i = 0; has_commands(judge) && i < platform->pcc_count; i++) {
        const struct pcc_account *account = &platform->pcc[i];

        (void)judge_text(&expected, "every command through subspace %u completed",
                         account->subspace);
        if (account->timeouts > 0) {
            judge_fail(judge, expected.text,
                       "the last of %u commands was not completed within 500 nominal latencies or "
                       "half a second",
                       account->commands);
        } else if (account->errors > 0) {
            judge_fail(judge, expected.text, "%u of %u commands ended with the error bit",
                       account->errors, account->commands);
        }
    }
}

/* The nominal latency is what an operating system takes for the time of one command: Linux makes it the transition
 * latency. Twice that for the typical command is more than noise. */
static void commands_are_in_time(struct judge *judge)
{
    const struct platform *platform = judge->platform;
    uint32_t judged = 0;

    if (!has_commands(judge)) {
        return;
    }
    for (uint32_t i = 0; i < platform->pcc_count; i++) {
        const struct pcc_account *account = &platform->pcc[i];
        const struct pcct *pcct = &platform->pcct;
        struct judge_text expected;
        uint64_t stated_us;
        uint64_t mean_us;

        if (account->timed == 0 || account->subspace >= pcct->count ||
            pcct->subspaces[account->subspace].latency_us == 0) {
            continue;
        }
        judged++;
        stated_us = pcct->subspaces[account->subspace].latency_us;
        mean_us = account->sum_ns / account->timed / 1000;
        if (mean_us > 2 * stated_us) {
            judge_warn(judge,
                       judge_text(&expected, "about %llu us a command (subspace %u)",
                                  (unsigned long long)stated_us, account->subspace),
                       "%llu us, the longest of %u %llu us", (unsigned long long)mean_us,
                       account->timed, (unsigned long long)(account->longest_ns / 1000));
        }
    }
    if (judged == 0) {
        judge_skip(judge, "no command was timed, or the PCCT states no latency");
    }
}

const struct rule pcc_rules[] = {
    {
        .id = "PCC-001",
        .title = "The PCCT has the subspace that _CPC names",
        .spec = SPEC,
        .why = "Linux ignores the whole _CPC: the processor is not scaled by CPPC.",
        .advice = "Correct the subspace id in the access size field, or add the subspace.",
        .known_as = "Linux: Failed to find PCC channel for subspace; fwts: KlogAcpiPccNoSubspace",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = subspace_exists,
        .kind = OBJECT_CPC,
    },
    {
        .id = "PCC-002",
        .title = "PCC registers of _CPC lie inside the shared memory",
        .spec = SPEC,
        .why = "Levels are read from memory that belongs to something else.",
        .advice = "Correct the offset of the register or the length of the subspace.",
        .severity = SEVERITY_HIGH,
        .check = judge_sets,
        .judge_set = registers_are_inside,
        .kind = OBJECT_CPC,
    },
    {
        .id = "PCC-003",
        .title = "The PCC channel of _CPC states its latency",
        .spec = "ACPI 6.5, 14.1.3 Generic Communications Subspace Structure (type 0)",
        .why = "Linux waits without end for a command that the platform does not complete.",
        .advice = "Give the nominal latency in microseconds.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = latency_is_given,
        .kind = OBJECT_CPC,
    },
    {
        .id = "PCC-004",
        .title = "_CPC in an extended PCC subspace leaves room for its header",
        .spec = "ACPI 6.5, 14.3 Extended PCC Subspace Shared Memory Region",
        .why = "Linux reads the header instead of the register.",
        .advice = "Add 8 to the offsets, or use a subspace of type 0 to 2.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_sets,
        .judge_set = header_is_covered,
        .kind = OBJECT_CPC,
    },
    {
        .id = "PCC-005",
        .title = "The platform completes the commands of a PCC channel",
        .spec = "ACPI 6.5, 14.2.2 Generic Communications Channel Status Field; 14.5 Doorbell "
                "Protocol",
        .why = "Requests for performance are lost, and Linux waits for each of them.",
        .advice = "Make the firmware set command complete, without the error bit, for READ and "
                  "WRITE.",
        .known_as = "Linux: PCC check channel failed for ss",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = commands_complete,
        .object = "PCC channel",
    },
    {
        .id = "PCC-006",
        .title = "PCC commands take no longer than the nominal latency",
        .spec = "ACPI 6.5, 14.1.3 Generic Communications Subspace Structure, Nominal Latency",
        .why = "Governors change more often than the platform can follow, and wait for it.",
        .advice = "State the latency that commands have.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = commands_are_in_time,
        .object = "PCC channel",
    },
    {.id = NULL},
};

#include "rules/alike.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 8.4.1.1 _CST (C States)"

static const char *cst_words(const struct processor *processor, const struct object_set *set,
                             struct judge_text *text)
{
    const struct cst *cst = &set->cst;

    (void)processor;
    if (cst->states_count == 0) {
        return "no states";
    }
    return judge_text(text, "%u states, deepest C%llu with %llu us (cst#%u)", cst->states_count,
                      (unsigned long long)cst->states[cst->states_count - 1].field[CST_TYPE],
                      (unsigned long long)cst->states[cst->states_count - 1].field[CST_LATENCY_US],
                      set->index);
}

static void cst_is_alike(struct judge *judge)
{
    alike_values(judge, alike_whole, cst_words);
}

/* The port of the first I/O state of a type, or 0. */
static uint64_t port_of(const struct cst *cst, uint64_t type)
{
    for (uint32_t i = 0; i < cst->states_count; i++) {
        if (cst->states[i].field[CST_TYPE] == type && cst->states[i].reg.avail == AVAIL_PRESENT &&
            cst->states[i].reg.gas.space == GAS_SYSTEM_IO) {
            return cst->states[i].reg.gas.address;
        }
    }
    return 0;
}

/* ACPI 6.5, 4.8.3.5: P_LVL2 is P_BLK + 4, P_LVL3 is P_BLK + 5; P_BLK + 0 to 3 is P_CNT (throttling). */
static void ports_fit_pblk(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_CST);
    uint64_t pblk = processor->pblk_address;

    if (set == NULL || pblk == 0 || processor->pblk_length != 6) {
        judge_skip(judge, "no P_BLK, or no _CST that is certain");
        return;
    }
    uint64_t c2 = port_of(&set->cst, 2);
    uint64_t c3 = port_of(&set->cst, 3);
    if (c2 == pblk + 5 && c3 == pblk + 4) {
        judge_fail(judge, "C2 at P_LVL2 and C3 at P_LVL3",
                   "C2 at port 0x%llX (P_LVL3), C3 at 0x%llX (P_LVL2)", (unsigned long long)c2,
                   (unsigned long long)c3);
    } else if ((c2 >= pblk && c2 < pblk + 4) || (c3 >= pblk && c3 < pblk + 4)) {
        judge_fail(judge, "P_LVL2 or P_LVL3 of P_BLK", "port 0x%llX is in P_CNT, P_BLK is 0x%llX",
                   (unsigned long long)(c2 >= pblk && c2 < pblk + 4 ? c2 : c3),
                   (unsigned long long)pblk);
    }
}

static uint64_t latency_of(const struct cst *cst, uint64_t type)
{
    for (uint32_t i = 0; i < cst->states_count; i++) {
        if (cst->states[i].field[CST_TYPE] == type) {
            return cst->states[i].field[CST_LATENCY_US];
        }
    }
    return 0;
}

/* Where FADT and _CST both describe P_LVL2, their latencies are about one thing. _CST wins. */
static void latency_fits_fadt(struct judge *judge, const struct processor *processor)
{
    const struct object_set *set = judge_certain_object(judge, processor, OBJECT_CST);
    uint64_t fadt_us = fadt_value(&judge->platform->fadt, FADT_P_LVL2_LAT, UINT64_MAX);

    if (set == NULL || processor->pblk_address == 0 || fadt_us > 100) {
        judge_skip(judge, "no C2 in the FADT to compare _CST with");
        return;
    }
    uint64_t cst_us = latency_of(&set->cst, 2);
    if (port_of(&set->cst, 2) == UINT64_C(4) + processor->pblk_address &&
        (cst_us > 2 * fadt_us || 2 * cst_us < fadt_us)) {
        judge_note(judge, "one latency for P_LVL2", "%llu us in the FADT, %llu us in _CST",
                   (unsigned long long)fadt_us, (unsigned long long)cst_us);
    }
}

const struct rule cst_set_rules[] = {
    {
        .id = "CST-040",
        .title = "Every enabled processor has a _CST when one has",
        .spec = SPEC,
        .why = "The processors without it do not idle deeply and keep the whole package awake.",
        .advice = "Declare _CST under every processor that is enabled.",
        .known_as = "fwts: CPUNoCState",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = alike_presence,
        .kind = OBJECT_CST,
        .object = "_CST",
    },
    {
        .id = "CST-041",
        .title = "All processors of one kind list the same states in _CST",
        .spec = SPEC,
        .why = "The processors with the shorter list keep the package awake.",
        .advice = "Return one list for all processors of one kind.",
        .known_as = "fwts: CPUNoCState",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = cst_is_alike,
        .kind = OBJECT_CST,
        .object = "_CST",
    },
    {
        .id = "CST-042",
        .title = "I/O ports of _CST fit the processor's P_BLK",
        .spec = "ACPI 6.5, 4.8.3.5 Processor Register Block (P_BLK)",
        .why = "The wrong state is entered, or the read does nothing and the processor spins.",
        .advice = "Use P_BLK + 4 for C2 and P_BLK + 5 for C3.",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = ports_fit_pblk,
        .object = "_CST",
    },
    {
        .id = "CST-043",
        .title = "The C2 latency of _CST is near that of the FADT for the same port",
        .spec = "ACPI 6.5, 5.2.9 Fixed ACPI Description Table (FADT), P_LVL2_LAT",
        .why = "A system that uses the FADT idles differently from one that uses _CST.",
        .advice = "Put the same figure in both places, or 101 into P_LVL2_LAT.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = latency_fits_fadt,
        .object = "_CST",
    },
    {.id = NULL},
};

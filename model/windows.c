#include "model/windows.h"

#include <string.h>

#define SPACE_IO 0x01U
#define SPACE_FFH 0x7FU
#define CST_TYPE_MAX 3U
#define LVL2_LATENCY_MAX_US 100U
#define LVL3_LATENCY_MAX_US 1000U
#define FIELDS_VALID ((1U << CST_FIELDS) - 1U)

static const char doc_objects[] = "Microsoft, Implementing processor power management for Windows "
                                  "7 (dn613943), ACPI processor object support";
static const char doc_state[] = "Microsoft, PEP_PPM_CST_STATE structure (pepfx.h)";
static const char doc_policy[] = "Microsoft, PROCESSOR_POWER_POLICY structure (winnt.h)";
static const char doc_kinds[] = "Microsoft, PPM_IDLE_IMPLEMENTATION_LPISTATES (winnt.h)";
static const char acpi_cst[] = "ACPI 6.5, 8.4.1.1 _CST (C States)";
static const char acpi_c1[] = "ACPI 6.5, 8.1.2 Processor Power State C1";
static const char acpi_fadt[] = "ACPI 6.5, 5.2.9, Table 5.9, P_LVL2_LAT and P_LVL3_LAT";
static const char not_sorted[] = "Linux commit 65ea8f2c6e23, its description";

static struct windows_cstate *append(struct windows_view *view)
{
    return view->count == WINDOWS_CSTATES ? NULL : &view->states[view->count++];
}

static void note(struct windows_view *view, const char *text, const char *source)
{
    if (view->notes_count < WINDOWS_NOTES) {
        view->notes[view->notes_count++] = (struct windows_note){text, source};
    }
}

static void judge(struct windows_cstate *state, enum windows_verdict verdict, const char *why,
                  const char *source)
{
    state->verdict = verdict;
    state->why = why;
    state->source = source;
}

static bool is_whole(const struct cst_state *entry)
{
    return entry->elements == 4 && entry->reg.avail == AVAIL_PRESENT &&
           (entry->valid & FIELDS_VALID) == FIELDS_VALID;
}

static void take_entry(const struct cst_state *entry, uint32_t index, struct windows_cstate *state)
{
    *state = (struct windows_cstate){.from = "_CST", .index = index};
    if (!is_whole(entry)) {
        judge(state, WINDOWS_NOT_DOCUMENTED, "the entry is not a register and three Integers",
              acpi_cst);
        return;
    }
    state->type = (uint32_t)entry->field[CST_TYPE];
    state->latency_us = entry->field[CST_LATENCY_US];
    state->address = entry->reg.gas.address;
    state->is_port = entry->reg.gas.space == SPACE_IO;
    if (!state->is_port && entry->reg.gas.space != SPACE_FFH) {
        judge(state, WINDOWS_NOT_DOCUMENTED,
              "no document says that Windows enters a state through this address space", acpi_cst);
    } else if (state->type == 0 || state->type > CST_TYPE_MAX) {
        judge(state, WINDOWS_NOT_DOCUMENTED, "ACPI defines the types 1, 2 and 3 only", acpi_cst);
    } else {
        judge(state, WINDOWS_KEPT,
              "_CST is supported by every Windows since XP; its latency is taken as it is, without "
              "a limit",
              doc_state);
    }
}

/* A second state of one type, and an entry n that is not of type n. */
static void note_types(struct windows_view *view)
{
    bool has_second = false;
    bool is_off = false;

    for (uint32_t i = 0; i < view->count; i++) {
        is_off |= view->states[i].type != view->states[i].index + 1;
        for (uint32_t j = 0; j < i; j++) {
            has_second |= view->states[i].verdict == WINDOWS_KEPT &&
                          view->states[j].verdict == WINDOWS_KEPT &&
                          view->states[i].type == view->states[j].type;
        }
    }
    if (has_second) {
        note(view,
             "two states share a type: the power policy of Windows XP and Server 2003 has one "
             "place for each of C1, "
             "C2 and C3, so they share it",
             doc_policy);
    }
    if (is_off) {
        note(view,
             "entry n of _CST is not of type n, which the list that Windows 10 hands to a platform "
             "extension expects",
             doc_state);
    }
}

static void note_latencies(struct windows_view *view)
{
    for (uint32_t i = 1; i < view->count; i++) {
        if (view->states[i].verdict == WINDOWS_KEPT &&
            view->states[i - 1].verdict == WINDOWS_KEPT &&
            view->states[i].latency_us < view->states[i - 1].latency_us) {
            note(view,
                 "latencies out of order: Linux sorts them; of other systems its change says that "
                 "they do not check "
                 "them and skip no state",
                 not_sorted);
            return;
        }
    }
}

static void take_cst(const struct cst *cst, struct windows_view *view)
{
    for (uint32_t i = 0; i < cst->states_count; i++) {
        struct windows_cstate *state = append(view);

        if (state != NULL) {
            take_entry(&cst->states[i], i, state);
        }
    }
    note_types(view);
    note_latencies(view);
    if (cst->states_count == 0) {
        note(view, "_CST is empty: whether Windows then falls back to P_BLK is not documented",
             acpi_cst);
    }
}

static void take_port(const struct platform *platform, const struct processor *processor,
                      uint32_t type, struct windows_view *view)
{
    struct windows_cstate *state = append(view);
    uint64_t limit_us = type == 2 ? LVL2_LATENCY_MAX_US : LVL3_LATENCY_MAX_US;

    if (state == NULL) {
        return;
    }
    *state = (struct windows_cstate){
        .type = type,
        .is_port = true,
        .address =
            processor->pblk_address + type + 2, /* ACPI 6.5, 4.8.3.5: P_LVL2 at 4, P_LVL3 at 5 */
        .latency_us =
            fadt_value(&platform->fadt, type == 2 ? FADT_P_LVL2_LAT : FADT_P_LVL3_LAT, UINT16_MAX),
        .from = "FADT",
        .index = type,
    };
    if (state->latency_us > limit_us) {
        judge(state, WINDOWS_DROPPED, "the latency says that the state is not supported",
              acpi_fadt);
    } else {
        judge(state, WINDOWS_KEPT,
              "P_BLK and its latencies are supported by every Windows since XP", doc_objects);
    }
}

static void take_fadt(const struct platform *platform, const struct processor *processor,
                      struct windows_view *view)
{
    struct windows_cstate *state = append(view);

    if (state == NULL) {
        return;
    }
    *state = (struct windows_cstate){.type = 1, .from = "default"};
    judge(state, WINDOWS_KEPT, "every processor has C1, by an instruction of its own", acpi_c1);
    if (processor->kind != PROCESSOR_OBJECT || processor->pblk_address == 0 ||
        processor->pblk_length != 6) {
        return;
    }
    take_port(platform, processor, 2, view);
    take_port(platform, processor, 3, view);
    if (platform->cpus_count > 1 && !fadt_has_flag(&platform->fadt, FADT_FLAG_P_LVL2_UP)) {
        note(view,
             "FADT flag P_LVL2_UP is clear (C2 for one processor only): no Windows supports the "
             "flag, and what it "
             "does instead is not documented",
             doc_objects);
    }
}

static void note_objects(const struct platform *platform, const struct processor *processor,
                         struct windows_view *view)
{
    if (platform_object(processor, OBJECT_CSD) != NULL) {
        note(view, "_CSD is read since Windows Vista and Server 2008, not by XP and Server 2003",
             doc_objects);
    }
    if (platform_object(processor, OBJECT_LPI) != NULL) {
        note(view,
             "Windows has a kind of idle states made of _LPI; whether it prefers it to _CST on "
             "this processor is not "
             "documented",
             doc_kinds);
    }
    if (fadt_value(&platform->fadt, FADT_CST_CNT, 0) != 0) {
        note(view,
             "CST_CNT is supported: Windows tells the firmware through SMI_CMD that it takes _CST",
             doc_objects);
    }
}

void windows_view_compute(struct platform *platform)
{
    struct windows_view *view = arena_take(platform->arena, sizeof(*view));
    const struct processor *processor = NULL;
    const struct object_set *set;

    if (view == NULL) {
        platform->incomplete = "no memory for the view of Windows";
        return;
    }
    platform->windows = view;
    view->cpu = CPU_NONE;
    for (uint32_t cpu = 0; cpu < platform->cpus_count && processor == NULL; cpu++) {
        processor = platform_processor(platform, cpu);
    }
    if (processor == NULL) {
        return;
    }
    view->cpu = processor->cpu;
    set = platform_object(processor, OBJECT_CST);
    if (set != NULL && set->cst.is_package) {
        take_cst(&set->cst, view);
    } else {
        take_fadt(platform, processor, view);
    }
    note_objects(platform, processor, view);
}

const char *windows_verdict_name(enum windows_verdict verdict)
{
    static const char *const names[] = {[WINDOWS_KEPT] = "kept",
                                        [WINDOWS_DROPPED] = "dropped",
                                        [WINDOWS_NOT_DOCUMENTED] = "not documented"};

    return names[verdict];
}

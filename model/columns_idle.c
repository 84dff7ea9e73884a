/* Idle states: latency against exit, offered against entered, the second read. */
#include "model/columns_parts.h"
#include "model/idle_booking.h"
#include "model/units.h"

#include <string.h>

#define USUAL_LENGTH_NS UINT64_C(1000000) /* the length that every CPU is measured at */
#define FFH_CLASS_MWAIT 2U                /* kernel-facts 6.3: the register's bit offset */

/* One state that firmware offers, and what Linux makes of it. */
struct offer {
    const char *subject; /* "C2, port 0x414" */
    enum linux_entry entry;
    uint64_t address;
    enum avail latency_avail;
    uint64_t latency_us;
    const struct linux_cstate *state; /* of the driver in use, or NULL */
    bool is_modelled;                 /* the view is of these CPUs' list */
};

static bool is_way(const struct offer *offer, const struct idle_sample_set *set)
{
    switch (offer->entry) {
    case LINUX_ENTRY_MWAIT:
        return set->entry == IDLE_MWAIT && set->hint == (uint32_t)offer->address;
    case LINUX_ENTRY_IO:
        return set->entry == IDLE_IO && set->port == (uint16_t)offer->address;
    case LINUX_ENTRY_HALT:
    default:
        return set->entry == IDLE_HLT;
    }
}

static bool is_kept(const struct offer *offer)
{
    return offer->state != NULL && offer->state->is_kept;
}

static struct column_cell assumed_word(const struct offer *offer, const char *kept)
{
    if (!offer->is_modelled) {
        return column_nothing(AVAIL_UNTRIED, "not shown");
    }
    return column_word(is_kept(offer) ? kept : offer->state == NULL ? "not in table" : "dropped");
}

static const char *dropped_why(const struct offer *offer)
{
    return offer->state->why != NULL ? offer->state->why : "Linux drops it";
}

/* The usual length where there is one; else any. */
static uint64_t common_length(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        if (platform->idle[i].requested_ns == USUAL_LENGTH_NS) {
            return USUAL_LENGTH_NS;
        }
    }
    return platform->idle_count == 0 ? 0 : platform->idle[0].requested_ns;
}

static bool is_counted(const struct offer *offer, const struct idle_sample_set *set,
                       uint64_t length_ns)
{
    return is_way(offer, set) && set->dummy_read == DUMMY_NONE && set->requested_ns == length_ns;
}

static void latency_row(struct columns_builder *builder, const struct offer *offer)
{
    const struct platform *platform = builder->platform;
    uint64_t length_ns = common_length(platform);
    uint64_t claimed_ns = mul_div_u64(offer->latency_us, 1000, 1);
    struct column_row row = {.part = COLUMN_IDLE,
                             .subject = columns_text(builder, "%s, latency", offer->subject),
                             .unit = COLUMN_NS,
                             .claimed = offer->latency_avail == AVAIL_PRESENT
                                            ? column_number(claimed_ns)
                                            : column_nothing(AVAIL_ABSENT, "not stated"),
                             .assumed = assumed_word(offer, NULL),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;

    if (is_kept(offer)) {
        row.assumed = column_number(mul_div_u64(offer->state->latency_us, 1000, 1));
    }
    columns_compare_claim(builder, &row,
                          strcmp(offer->state == NULL ? "" : offer->state->from, "table") == 0
                              ? "Linux takes the latency of its own table"
                              : "Linux hands the latencies out in order of depth");
    columns_split_init(builder, &split);
    for (uint32_t i = 0; platform->tsc_hz != 0 && i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (is_counted(offer, set, length_ns) && set->exit_tsc.n != 0) {
            uint64_t exit_ns = units_tsc_to_ns(set->exit_tsc.p99, platform->tsc_hz);
            bool agrees =
                offer->latency_avail != AVAIL_PRESENT ||
                exit_ns / 2 <= (claimed_ns > UINT64_MAX - 1000 ? UINT64_MAX : claimed_ns + 1000);

            columns_split_add(builder, &split, set->cpu, columns_class(builder, agrees), exit_ns,
                              NULL);
        }
    }
    columns_add(builder, &row, &split, "waking takes more than twice as long as is declared");
}

static const char *stop_word(const struct idle_sample_set *set)
{
    switch (set->stopped_in) {
    case STOPPED_FIRST_READ:
        return set->entry == IDLE_IO ? "in first read" : "stops";
    case STOPPED_DUMMY_READ:
        return "in second read";
    case STOPPED_NONE:
        return set->ran_on_tsc.n != 0 ? "stops late" : "not entered";
    case STOPPED_UNKNOWN:
    default:
        return "not certain";
    }
}

static void entered_row(struct columns_builder *builder, const struct offer *offer)
{
    const struct platform *platform = builder->platform;
    uint64_t length_ns = common_length(platform);
    struct column_row row = {.part = COLUMN_IDLE,
                             .subject = columns_text(builder, "%s, entered", offer->subject),
                             .claimed = column_word("offered"),
                             .assumed = assumed_word(offer, "used"),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;

    /* intel_idle has a table of its own; that it lacks a state of _CST is no disagreement about it. */
    if (offer->is_modelled && offer->state != NULL && !is_kept(offer)) {
        row.mark = COLUMN_DIFFER;
        row.why = dropped_why(offer);
    } else if (is_kept(offer)) {
        row.mark = COLUMN_AGREE;
    }
    columns_split_init(builder, &split);
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        const struct idle_sample_set *set = &platform->idle[i];
        bool is_open = set->stopped_in == STOPPED_UNKNOWN;
        bool stops = set->stopped_in != STOPPED_NONE || set->ran_on_tsc.n != 0;

        if (is_counted(offer, set, length_ns) && set->samples != 0) {
            columns_split_add(builder, &split, set->cpu,
                              is_open ? COLUMN_CLASS_OPEN : columns_class(builder, stops), 0,
                              stop_word(set));
        }
    }
    columns_add(builder, &row, &split, "the CPU does not stop in this state");
}

/* Whether Linux makes the second read against what it does here: mission S2. */
static bool is_rightly_read(const struct linux_idle *idle, enum dummy_verdict verdict)
{
    return idle->dummy_rule ? verdict != DUMMY_HARMFUL : verdict != DUMMY_NEEDED;
}

static void second_read_row(struct columns_builder *builder, const struct offer *offer)
{
    static const char *const words[] = {[DUMMY_VERDICT_UNKNOWN] = "not judged",
                                        [DUMMY_NEEDED] = "needed",
                                        [DUMMY_HARMLESS] = "harmless",
                                        [DUMMY_HARMFUL] = "harmful"};
    const struct platform *platform = builder->platform;
    const struct linux_idle *idle = &builder->view->idle;
    struct column_row row = {.part = COLUMN_IDLE,
                             .subject = columns_text(builder, "%s, second read", offer->subject),
                             .claimed = column_nothing(AVAIL_ABSENT, "-"),
                             .assumed = idle->dummy_rule_avail == AVAIL_PRESENT && is_kept(offer)
                                            ? column_word(idle->dummy_rule ? "made" : "not made")
                                            : column_nothing(idle->dummy_rule_avail, "not known"),
                             .measured = column_nothing(AVAIL_UNTRIED, "-")};
    struct column_split split;
    struct dummy_judgement judgement;

    if (!offer->is_modelled || !is_kept(offer)) {
        return;
    }
    columns_split_init(builder, &split);
    for (uint32_t i = 0; idle_dummy_next(platform, &i); i++) {
        const struct idle_sample_set *set = &platform->idle[i];

        if (!is_way(offer, set)) {
            continue;
        }
        idle_dummy_judge(platform, i, &judgement);
        columns_split_add(builder, &split, set->cpu,
                          judgement.verdict == DUMMY_VERDICT_UNKNOWN ||
                                  row.assumed.avail != AVAIL_PRESENT
                              ? COLUMN_CLASS_OPEN
                              : columns_class(builder, is_rightly_read(idle, judgement.verdict)),
                          0, words[judgement.verdict]);
    }
    columns_add(builder, &row, &split,
                idle->dummy_rule ? "Linux reads the PM timer here, and that does harm"
                                 : "Linux leaves out the second read, and it is needed here");
}

static void one_offer(struct columns_builder *builder, const struct offer *offer)
{
    latency_row(builder, offer);
    entered_row(builder, offer);
    if (offer->entry == LINUX_ENTRY_IO) {
        second_read_row(builder, offer);
    }
}

static const char *subject_of(const struct columns_builder *builder, uint64_t type,
                              enum linux_entry entry, uint64_t address)
{
    switch (entry) {
    case LINUX_ENTRY_MWAIT:
        return columns_text(builder, "C%lu MWAIT 0x%lX", type, address);
    case LINUX_ENTRY_IO:
        return columns_text(builder, "C%lu port 0x%lX", type, address);
    case LINUX_ENTRY_HALT:
    default:
        return columns_text(builder, "C%lu HLT", type);
    }
}

/* acpi_idle's entry of this index, or intel_idle's own state with the same hint. */
static const struct linux_cstate *state_of(const struct linux_idle *idle, const char *from,
                                           uint32_t index, const struct offer *offer)
{
    for (uint32_t i = 0; i < idle->count; i++) {
        const struct linux_cstate *state = &idle->states[i];

        if (strcmp(state->from, from) == 0
                ? state->index == index
                : strcmp(state->from, "table") == 0 && offer->entry == LINUX_ENTRY_MWAIT &&
                      state->address == offer->address) {
            return state;
        }
    }
    return NULL;
}

/* kernel-facts 6.3: FFH of class 2 is MWAIT, SystemIO a port; the rest ends in HLT or is not taken. */
static void decode_entry(const struct object_register *reg, struct offer *offer)
{
    offer->entry = LINUX_ENTRY_HALT;
    if (reg->avail != AVAIL_PRESENT) {
        return;
    }
    if (reg->gas.space == GAS_SYSTEM_IO) {
        offer->entry = LINUX_ENTRY_IO;
        offer->address = reg->gas.address & UINT32_MAX;
    } else if (reg->gas.space == GAS_FFH && reg->gas.offset_bits == FFH_CLASS_MWAIT) {
        offer->entry = LINUX_ENTRY_MWAIT;
        offer->address = reg->gas.address & UINT32_MAX;
    }
}

static void offers_of_cst(struct columns_builder *builder, const struct object_set *set)
{
    const struct linux_idle *idle = &builder->view->idle;
    const struct processor *modelled = platform_processor(builder->platform, idle->cpu);

    for (uint32_t i = 0; i < set->cst.states_count && i < LINUX_CSTATES; i++) {
        const struct cst_state *state = &set->cst.states[i];
        struct offer offer = {0};

        decode_entry(&state->reg, &offer);
        offer.latency_avail =
            (state->valid >> CST_LATENCY_US & 1U) != 0 ? AVAIL_PRESENT : AVAIL_MALFORMED;
        offer.latency_us = state->field[CST_LATENCY_US];
        offer.subject = subject_of(builder, state->field[CST_TYPE], offer.entry, offer.address);
        offer.is_modelled =
            modelled != NULL && platform_object_as_linux(modelled, OBJECT_CST) == set;
        offer.state = offer.is_modelled ? state_of(idle, "_CST", i, &offer) : NULL;
        one_offer(builder, &offer);
    }
}

/* ACPI 6.5, 5.2.9, P_LVL2_LAT and P_LVL3_LAT: above these the state is not supported. */
static uint64_t fadt_limit_us(uint32_t type)
{
    return type == 2 ? 100 : 1000;
}

/* Without a _CST the states are those of P_BLK and the FADT's latencies. */
static void offers_of_fadt(struct columns_builder *builder)
{
    const struct linux_idle *idle = &builder->view->idle;

    for (uint32_t i = 0; i < idle->acpi_count; i++) {
        const struct linux_cstate *state = &idle->acpi_states[i];
        struct offer offer = {.entry = state->entry,
                              .address = state->address,
                              .latency_avail = AVAIL_PRESENT,
                              .latency_us = state->latency_us,
                              .is_modelled = true};

        /* A latency beyond the limit is the firmware saying that it has no such state. */
        if (strcmp(state->from, "FADT") != 0 || state->latency_us > fadt_limit_us(state->type)) {
            continue;
        }
        offer.subject = subject_of(builder, state->type, state->entry, state->address);
        offer.state = state_of(idle, "FADT", state->index, &offer);
        one_offer(builder, &offer);
    }
}

void columns_idle(struct columns_builder *builder)
{
    const struct object_set *set = platform_object_as_linux(builder->first, OBJECT_CST);

    if (set == NULL) {
        offers_of_fadt(builder);
    } else if (set->cst.is_package) {
        offers_of_cst(builder, set);
    }
}

#include "drivers/frequency_measure.h"

#include "drivers/freq_session.h"
#include "drivers/idle_plan.h"
#include "drivers/idle_session.h"
#include "drivers/one_way.h"
#include "model/core_id.h"
#include "model/cpu_id.h"
#include "model/cpuset.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

#define ROOM_BYTES ((size_t)1024 * 1024)
#define ROOM_PER_CPU_BYTES ((size_t)4096)

#define DEFAULT_SECONDS 170U
#define BRIEF_SECONDS 5U
#define GATHER_NS UINT64_C(2000000000)
#define JOB_NS UINT64_C(2000000000)
#define ROW_PLAN_NS UINT64_C(100000000)
#define SETTLE_PLAN_NS                                                                             \
    UINT64_C(120000000) /* a row: steady loops and its changes, at the first level */

/* Of TIMING_STRETCH_US; what can come between two looks at it is a slice of 10 ms or the loops after one change. */
#define STRETCH_NS UINT64_C(30000000)

/* SDM vol. 4, IA32_MISC_ENABLE [38] IDA Disable; AMD PPR, MSRC001_0015 HWCR [25] CpbDis. */
#define MSR_MISC_ENABLE 0x1A0U
#define MISC_ENABLE_IDA_OFF (UINT64_C(1) << 38)
#define MSR_HWCR 0xC0010015U
#define HWCR_CPB_OFF (UINT64_C(1) << 25)

static bool is_readable(const struct platform *platform, uint32_t cpu, uint32_t msr)
{
    return platform_msr(platform, cpu, msr).avail == AVAIL_PRESENT;
}

static struct freq_boost_switch boost_switch_of(const struct platform *platform, uint32_t cpu)
{
    const struct cpuid_set *cpuid = platform_cpuid(platform, cpu);
    struct freq_boost_switch none = {0};

    if (cpuid == NULL) {
        return none;
    }
    if (platform->identity.vendor == VENDOR_INTEL && cpuid_has(cpuid, CPU_FEATURE_IDA) &&
        is_readable(platform, cpu, MSR_MISC_ENABLE)) {
        return (struct freq_boost_switch){MSR_MISC_ENABLE, MISC_ENABLE_IDA_OFF};
    }
    if ((platform->identity.vendor == VENDOR_AMD || platform->identity.vendor == VENDOR_HYGON) &&
        cpuid_has(cpuid, CPU_FEATURE_CPB) && is_readable(platform, cpu, MSR_HWCR)) {
        return (struct freq_boost_switch){MSR_HWCR, HWCR_CPB_OFF};
    }
    return none;
}

/* C3 and deeper; at the TSC's rate: SDM vol. 4, MSR_CORE_C3_RESIDENCY, C6, C7. */
static void choose_residency(const struct platform *platform, uint32_t cpu, struct freq_cpu *own)
{
    static const uint32_t counters[FREQ_RESIDENCY_COUNTERS] = {0x3FC, 0x3FD, 0x3FE};

    for (uint32_t i = 0; i < FREQ_RESIDENCY_COUNTERS; i++) {
        if (is_readable(platform, cpu, counters[i])) {
            own->residency_msr[own->residency_count++] = counters[i];
        }
    }
}

static bool is_first_of_core(const struct freq_session *session, uint32_t cpu)
{
    for (uint32_t i = 0; i < cpu; i++) {
        if (session->cpus[i].is_wanted && session->cpus[i].core_id == session->cpus[cpu].core_id) {
            return false;
        }
    }
    return true;
}

static bool prepare_cpu(struct freq_session *session, uint32_t cpu, bool is_brief)
{
    struct platform *platform = session->platform;
    struct freq_cpu *own = &session->cpus[cpu];

    frequency_way_choose(platform, cpu, &own->way);
    own->requests = arena_array(platform->arena, FREQUENCY_REQUESTS_MAX, sizeof(*own->requests));
    if (own->requests == NULL) {
        return false;
    }
    own->count = is_brief ? 0
                          : frequency_requests_make(platform, cpu, &own->way,
                                                    FREQUENCY_REQUESTS_MAX, own->requests);
    own->count = freq_leave_out(session, own->requests, own->count);
    if (!is_brief) {
        own->boost = boost_switch_of(platform, cpu);
    }
    own->core_id = core_id_of(platform, cpu);
    own->is_first = is_first_of_core(session, cpu);
    choose_residency(platform, cpu, own);
    own->samples =
        arena_array(platform->arena, own->count == 0 ? 1 : own->count, sizeof(*own->samples));
    session->rows = own->count > session->rows ? own->count : session->rows;
    return own->samples != NULL;
}

static bool prepare_slot(struct freq_session *session, uint32_t cpu)
{
    struct crew_slot *slot = &session->crew.slots[cpu];
    struct idle_plan *plan = arena_take(session->platform->arena, sizeof(*plan));

    slot->core = cpu == 0 ? session->measure->timing
                          : session->measure->crew->core(session->measure->crew, cpu);
    if (plan == NULL || slot->core == NULL) {
        return false;
    }
    idle_plan_make(session->platform, cpu, plan);
    idle_leave_out(session->platform, session->measure->steps, cpu, plan);
    session_choose_park(plan, slot);
    return true;
}

static bool choose_wanted(struct freq_session *session, uint8_t *wanted, bool is_brief)
{
    struct platform *platform = session->platform;
    const struct options *options = platform->options;
    struct cpuset chosen = cpuset_create(platform->arena, platform->cpus_count);
    bool is_all = options == NULL || options->cpus[0] == '\0' ||
                  cpuset_parse(options->cpus, &chosen) != STATUS_OK;
    bool has_any = false;

    wanted[0] = 1;
    for (uint32_t cpu = 1; cpu < platform->cpus_count; cpu++) {
        wanted[cpu] = !is_brief && session->measure->crew != NULL &&
                      platform->cpus[cpu].answer == CPU_ANSWERED &&
                      freq_meter_has_counters(platform, cpu) &&
                      (is_all || cpuset_has(&chosen, cpu));
        has_any = has_any || wanted[cpu] != 0;
    }
    return has_any;
}

static bool open_session(struct freq_session *session, const uint8_t *wanted, bool is_brief)
{
    struct platform *platform = session->platform;

    session->cpus = arena_array(platform->arena, platform->cpus_count, sizeof(*session->cpus));
    session->crew.slots =
        arena_array(platform->arena, platform->cpus_count, sizeof(*session->crew.slots));
    if (session->cpus == NULL || session->crew.slots == NULL) {
        return false;
    }
    freq_open_steps(session);
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        session->cpus[cpu].is_wanted = wanted[cpu] != 0;
        if (wanted[cpu] != 0 &&
            (!prepare_cpu(session, cpu, is_brief) || !prepare_slot(session, cpu))) {
            return false;
        }
    }
    session->rows = session->rows == 0 ? 1 : session->rows;
    return freq_open_pcc(session);
}

static enum crew_park park_of(const struct options *options)
{
    static const enum crew_park parks[] = {[PARK_DEEPEST] = CREW_PARK_DEEPEST,
                                           [PARK_HLT] = CREW_PARK_HLT,
                                           [PARK_MWAIT] = CREW_PARK_MWAIT,
                                           [PARK_SPIN] = CREW_PARK_SPIN};

    return options == NULL ? CREW_PARK_DEEPEST : parks[options->park];
}

static void set_limits(struct freq_session *session, bool is_brief)
{
    const struct options *options = session->platform->options;
    uint64_t seconds = is_brief ? BRIEF_SECONDS : DEFAULT_SECONDS;

    if (options != NULL && options->seconds != 0) {
        seconds = options->seconds;
    }
    session->crew.tsc_hz = session->platform->tsc_hz;
    session->limit_tsc = freq_ticks(session, seconds * NS_PER_S);
    session->crew.limit_tsc = session->limit_tsc + session->limit_tsc / 4;
    session->stretch_tsc = freq_ticks(session, STRETCH_NS);
    session->start_tsc = freq_now(session);
}

static void dismiss(struct freq_session *session)
{
    struct crew *crew = &session->crew;

    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        if (crew_is_here(crew, cpu) && !session->cpus[cpu].is_lost) {
            crew_order(crew, cpu, CREW_LEAVE);
        } else {
            crew->slots[cpu].order = CREW_LEAVE;
            __atomic_store_n(&crew->slots[cpu].asked, crew->slots[cpu].asked + 1, __ATOMIC_RELEASE);
        }
    }
}

/* With the crew, or alone where the firmware runs the others only while the boot CPU waits. */
static void lead_jobs(struct freq_session *session)
{
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_SAVE, JOB_NS);
    freq_save_pcc(session);
    freq_lead_rows(session);
    if (session->crew.is_leader_gone == 0) {
        if (!session->is_after_one_way) {
            freq_lead_boost(session);
        }
        freq_lead_settling(session);
        if (!session->is_after_one_way) {
            freq_lead_work(session);
        }
    }
    freq_select_all(session);
    freq_give_job(session, FREQ_JOB_RESTORE, JOB_NS);
}

/* Where the boost figures go is taken in the timed stretch, in which the firmware may not be asked for memory. */
static bool has_room(struct freq_session *session)
{
    struct platform *platform = session->platform;

    if (!arena_reserve(platform->arena,
                       ROOM_BYTES + (size_t)platform->cpus_count * ROOM_PER_CPU_BYTES)) {
        session->why = "no memory for frequencies";
        return false;
    }
    return true;
}

static void lead(struct freq_session *session)
{
    struct crew *crew = &session->crew;
    const struct timing *core = session->measure->timing;
    const char *give_why = NULL;

    if (!has_room(session) || core->take(core, &session->why) != STATUS_OK) {
        __atomic_store_n(&crew->is_leader_gone, 1, __ATOMIC_RELEASE);
        return;
    }
    session->is_core_taken = true;
    session->stretch_start_tsc = freq_now(session);
    if (crew->count > 1 && crew_gather(crew, freq_ticks(session, GATHER_NS), &session->why) == 0) {
        /* Those that come later measure themselves, in turn. */
        crew->is_leader_gone = 1;
    }
    crew_prove_rest(crew, session->measure->steps);
    session->stretch_start_tsc = freq_now(session);
    if (session->why == NULL) {
        lead_jobs(session);
    }
    if (crew->is_leader_gone == 0) {
        dismiss(session);
    }
    session->is_core_taken = false;
    if (!core->give(core, &give_why) && session->why == NULL) {
        session->why = give_why;
    }
    if (crew->is_leader_gone != 0 && crew->count > 1) {
        freq_announce(session, freq_part_names[FREQ_PART_TURN]);
    }
}

static void enter(const struct hw *hw, uint32_t cpu, void *argument)
{
    struct freq_session *session = argument;

    if (cpu == 0) {
        lead(session);
    } else {
        crew_enter(hw, cpu, &session->crew);
    }
}

static void run(struct freq_session *session, const uint8_t *wanted, bool has_others)
{
    const struct hw *hw = session->measure->hw;
    uint32_t count = session->platform->cpus_count;
    enum hw_run *runs = arena_array(session->platform->arena, count, sizeof(*runs));
    uint64_t limit_ms = session->crew.limit_tsc / (session->crew.tsc_hz / 1000);

    session->crew.count = has_others ? count : 1;
    session->planned_ns = session->rows * (ROW_PLAN_NS + SETTLE_PLAN_NS);
    session->planned_ns += session->is_after_one_way ? 0 : freq_plan_boost_ns(session);
    session->planned_ns += freq_plan_work_ns(session);
    if (!has_others || runs == NULL) {
        session->crew.count = 1;
        enter(hw, 0, session);
        return;
    }
    crew_announce_rest(&session->crew, session->measure->steps);
    (void)hw->ops->run_on_cpus(hw, count, wanted, enter, session, (uint32_t)limit_ms + 5000, runs);
    for (uint32_t cpu = 1; cpu < count; cpu++) {
        if (wanted[cpu] != 0 && runs[cpu] != HW_RUN_DONE) {
            session->platform->cpus[cpu].answer = CPU_DID_NOT_ANSWER;
            session->cpus[cpu].is_lost = true;
            request_guard_lost(&session->guard, cpu);
        }
    }
}

/* Room for `more` items behind those that an earlier session left; NULL without memory, and then what is there stays. */
static void *append_room(struct platform *platform, const void *items, uint32_t count,
                         uint32_t more, size_t item_bytes)
{
    uint8_t *all = arena_array(platform->arena, (size_t)count + more, item_bytes);

    if (all != NULL && count != 0) {
        memcpy(all, items, count * item_bytes);
    }
    return all;
}

static void fold_settlings(struct freq_session *session)
{
    struct platform *platform = session->platform;
    uint32_t more = 0;
    struct freq_settling *all;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        more += session->cpus[cpu].is_lost ? 0 : session->cpus[cpu].settlings_count;
    }
    all = append_room(platform, platform->freq_settlings, platform->freq_settlings_count, more,
                      sizeof(*all));
    for (uint32_t cpu = 0; all != NULL && cpu < platform->cpus_count; cpu++) {
        const struct freq_cpu *own = &session->cpus[cpu];

        for (uint32_t i = 0; !own->is_lost && i < own->settlings_count; i++) {
            all[platform->freq_settlings_count++] = own->settlings[i];
        }
    }
    platform->freq_settlings = all == NULL ? platform->freq_settlings : all;
}

static void fold_samples(struct freq_session *session)
{
    struct platform *platform = session->platform;
    uint32_t more = 0;
    struct freq_sample *all;

    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        more += session->cpus[cpu].is_lost ? 0 : session->cpus[cpu].samples_count;
    }
    all = append_room(platform, platform->freq, platform->freq_count, more, sizeof(*all));
    for (uint32_t cpu = 0; all != NULL && cpu < platform->cpus_count; cpu++) {
        const struct freq_cpu *own = &session->cpus[cpu];

        for (uint32_t i = 0; !own->is_lost && i < own->samples_count; i++) {
            all[platform->freq_count++] = own->samples[i];
        }
    }
    platform->freq = all == NULL ? platform->freq : all;
    fold_settlings(session);
}

static const char *refusal_of(const struct freq_cpu *own)
{
    if (own->is_lost) {
        return "the CPU did not come back";
    }
    if (own->is_left) {
        return "left changed: the port of _PCT could not be written back";
    }
    return own->ask_why;
}

/* That rows are not asked for where this run itself switched that off needs no telling: they were, before. */
static void fold_refusals(struct freq_session *session)
{
    struct platform *platform = session->platform;
    struct freq_refusal *all =
        append_room(platform, platform->freq_refusals, platform->freq_refusals_count,
                    platform->cpus_count + FREQ_LEFT_OUT_MAX, sizeof(*all));

    for (uint32_t cpu = 0; all != NULL && cpu < platform->cpus_count; cpu++) {
        const struct freq_cpu *own = &session->cpus[cpu];
        const char *why = own->is_wanted ? refusal_of(own) : NULL;

        if (why == NULL && own->is_wanted && !session->is_after_one_way) {
            why = own->way.why_not;
        }
        if (why != NULL) {
            all[platform->freq_refusals_count++] =
                (struct freq_refusal){.cpu = cpu, .kind = own->way.kind, .why = why};
        }
    }
    for (uint32_t i = 0; all != NULL && i < session->left_out_count; i++) {
        all[platform->freq_refusals_count++] = (struct freq_refusal){
            .cpu = 0, .kind = session->cpus[0].way.kind, .why = session->left_out[i]};
    }
    platform->freq_refusals = all == NULL ? platform->freq_refusals : all;
}

static void forget(struct platform *platform)
{
    platform->freq_count = 0;
    platform->freq_boosts_count = 0;
    platform->freq_settlings_count = 0;
    platform->freq_refusals_count = 0;
    platform->freq_skipped = NULL;
    platform->work_count = 0;
    platform->work_skipped = NULL;
    platform->requests.has_set_cppc = false;
    platform->requests.has_set_hwp = false;
}

static const char *refuse(const struct frequency_measure *measure, const struct platform *platform)
{
    if (measure->timing == NULL || !measure->hw->is_live) {
        return "no timed measurements are possible here";
    }
    if (platform->options != NULL && platform->options->is_read_only) {
        return "--read-only: no frequency is asked for";
    }
    if (platform->cpus_count == 0 || !freq_meter_has_counters(platform, 0)) {
        return "the boot CPU has no APERF and MPERF (CPUID 6 ECX[0] is clear)";
    }
    return platform->tsc_hz == 0 ? "the rate of the TSC is not known" : NULL;
}

static bool is_brief(const struct platform *platform)
{
    return platform_seems_emulated(platform) &&
           (platform->options == NULL || platform->options->run != (uint32_t)RUN_FREQUENCY);
}

static void measure_all(struct freq_session *session, uint8_t *wanted)
{
    struct platform *platform = session->platform;
    bool brief = is_brief(platform);
    bool has_others;

    session->crew = (struct crew){.hw = session->measure->hw,
                                  .cores = session->measure->crew,
                                  .wanted = wanted,
                                  .park = park_of(platform->options),
                                  .call = freq_job_run,
                                  .solo = freq_solo_run,
                                  .call_context = session,
                                  .platform = platform};
    set_limits(session, brief);
    has_others = choose_wanted(session, wanted, brief);
    if (!open_session(session, wanted, brief)) {
        platform->freq_skipped = "no memory for frequencies";
        platform->incomplete = "no memory for frequencies";
        return;
    }
    if (!session->is_after_one_way) {
        freq_prepare_work(session);
    }
    (void)request_guard_open(&session->guard, platform);
    run(session, wanted, has_others && !session->is_left_out[FREQ_PART_TURN]);
    request_guard_close(session->measure->hw, &session->guard, platform);
    if (session->pcc != NULL) {
        frequency_pcc_close(session->measure->hw, session->pcc, platform);
    }
    fold_samples(session);
    fold_refusals(session);
    if (session->why != NULL) {
        platform->freq_skipped = session->why;
    } else if (platform->freq_count == 0) {
        platform->freq_skipped =
            session->cpus[0].ask_why != NULL ? session->cpus[0].ask_why : "no CPU was measured";
    }
}

static void measure_once(const struct frequency_measure *measure, struct platform *platform,
                         bool is_after_one_way)
{
    struct freq_session *session = arena_take(platform->arena, sizeof(*session));
    uint8_t *wanted = arena_array(platform->arena, platform->cpus_count, 1);

    if (session == NULL || wanted == NULL) {
        platform->freq_skipped = "no memory for frequencies";
        return;
    }
    session->measure = measure;
    session->platform = platform;
    session->is_after_one_way = is_after_one_way;
    measure_all(session, wanted);
}

void frequency_measure(const struct frequency_measure *measure, struct platform *platform)
{
    enum one_way which;

    forget(platform);
    platform->freq_skipped = refuse(measure, platform);
    if (platform->freq_skipped != NULL) {
        return;
    }
    measure_once(measure, platform, false);
    which = one_way_wanted(platform);
    if (platform->freq_skipped != NULL || is_brief(platform) || which == ONE_WAY_NOT) {
        return;
    }
    if (one_way_set(measure->hw, platform, which)) {
        measure_once(measure, platform, true);
    }
}

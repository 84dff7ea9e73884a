#include "drivers/idle_gate.h"

#include "drivers/idle_session.h"

#include <stddef.h>
#include <string.h>

#define REST_STEP "let the other CPUs rest"
#define REST_PROOF_NS UINT64_C(20000000)
#define GATE_NS UINT64_C(500000000)       /* waiting at a gate: until it is looked at unasked ... */
#define GATE_MAX_NS UINT64_C(20000000000) /* ... and until it is given up */
#define PART_BYTES (IDLE_WAY_BYTES + 16U)

static bool is_of_boot_kind(const struct platform *platform, uint32_t cpu)
{
    return platform->cpus[cpu].kind == platform->cpus[0].kind &&
           platform->cpus[cpu].core_type == platform->cpus[0].core_type;
}

/* Why this state is left out; as it was announced on the boot CPU, or on the others. */
static const char *ask(const struct step_listener *steps, const struct idle_way *way,
                       bool has_dummy_read, bool is_boot)
{
    char part[PART_BYTES];
    struct textbuf text;
    const struct step step = {.name = is_boot ? IDLE_MEASURE_STEP : IDLE_OTHERS_STEP,
                              .object = "",
                              .part = part,
                              .kind = STEP_TIMED};

    textbuf_init(&text, part, sizeof(part), NULL, NULL);
    textbuf_string(&text, is_boot ? "CPU 0: " : "");
    idle_way_text(way, has_dummy_read, &text);
    return step_left_out(steps, &step);
}

static const char *why_left_out(const struct platform *platform, const struct step_listener *steps,
                                uint32_t cpu, const struct idle_way *way)
{
    const char *why = NULL;

    for (unsigned dummy = 0; dummy <= (way->dummy_read != DUMMY_NONE ? 1U : 0U); dummy++) {
        if (why == NULL && is_of_boot_kind(platform, cpu)) {
            why = ask(steps, way, dummy != 0, true);
        }
        if (why == NULL && cpu != 0) {
            why = ask(steps, way, dummy != 0, false);
        }
    }
    return why;
}

void idle_leave_out(const struct platform *platform, const struct step_listener *steps,
                    uint32_t cpu, struct idle_plan *plan)
{
    if (steps == NULL || steps->left_out == NULL) {
        return;
    }
    for (uint32_t i = 0; i < plan->count; i++) {
        if (plan->ways[i].not_timed == NULL) {
            plan->ways[i].not_timed = why_left_out(platform, steps, cpu, &plan->ways[i]);
        }
    }
}

/* The first of the others that would park by MWAIT; NULL: none. */
static const struct crew_slot *first_mwait(const struct crew *crew)
{
    for (uint32_t cpu = 1; cpu < crew->count; cpu++) {
        if (crew->wanted[cpu] != 0 && crew->slots[cpu].park_mwait.entry == TIMING_MWAIT) {
            return &crew->slots[cpu];
        }
    }
    return NULL;
}

static void describe_rest(const struct crew *crew, struct textbuf *text)
{
    const struct crew_slot *slot = crew->park == CREW_PARK_HLT ? NULL : first_mwait(crew);

    if (slot == NULL) {
        textbuf_string(text, "in HLT");
    } else {
        textbuf_printf(text, "in MWAIT 0x%x", (unsigned)slot->park_mwait.mwait_hint);
    }
}

/* The next way to rest that an earlier run came back from; true when there may be another to try. */
static bool step_down(struct crew *crew)
{
    if (crew->park != CREW_PARK_HLT && first_mwait(crew) != NULL) {
        crew->park = CREW_PARK_HLT;
        return true;
    }
    crew->park = CREW_PARK_SPIN;
    return false;
}

void crew_announce_rest(struct crew *crew, const struct step_listener *steps)
{
    char part[PART_BYTES];
    const struct step step = {.name = REST_STEP, .object = "", .part = part, .kind = STEP_TIMED};
    bool is_left_out = crew->park != CREW_PARK_SPIN;

    while (is_left_out) {
        struct textbuf text;

        textbuf_init(&text, part, sizeof(part), NULL, NULL);
        describe_rest(crew, &text);
        is_left_out = step_left_out(steps, &step) != NULL && step_down(crew);
    }
    if (crew->park != CREW_PARK_SPIN) {
        (void)step_announce(steps, &step);
    }
}

void crew_prove_rest(struct crew *crew, const struct step_listener *steps)
{
    if (steps != NULL && crew->count > 1) {
        crew_rest(crew, 0, REST_PROOF_NS);
    }
}

/* On the CPU itself: waits until the leader has announced the state. A leader that does not come back is no reason to
 * wait for ever. */
static const char *wait_at_gate(void *context, const struct idle_task *task, uint32_t way,
                                bool *ret_is_window_over)
{
    struct idle_gate *gate = context;
    struct crew *crew = gate->crew;
    uint64_t start_tsc = crew->hw->ops->tsc(crew->hw);
    uint64_t limit_tsc = GATE_MAX_NS / 1000000 * (crew->tsc_hz / 1000);

    (void)task;
    __atomic_store_n(&gate->wanted, way + 1, __ATOMIC_RELEASE);
    while (__atomic_load_n(&gate->open, __ATOMIC_ACQUIRE) != way + 1) {
        if (__atomic_load_n(&crew->has_no_windows, __ATOMIC_ACQUIRE) != 0 ||
            crew->hw->ops->tsc(crew->hw) - start_tsc > limit_tsc) {
            return "the boot CPU did not let it go on";
        }
        crew_rest(crew, gate->cpu, GATE_NS);
    }
    *ret_is_window_over = true;
    return NULL;
}

static const struct step others_step = {
    .name = IDLE_OTHERS_STEP, .object = "", .part = "", .kind = STEP_OF_PARTS};

bool session_make_gates(struct session *session)
{
    struct idle_gate *gates =
        arena_array(session->platform->arena, session->platform->cpus_count, sizeof(*gates));

    session->is_contention_left_out =
        step_left_out(session->measure->steps, &session_contention_step) != NULL;
    session->gates.why_none = step_left_out(session->measure->steps, &others_step);
    session->gates.of_cpu = gates;
    for (uint32_t cpu = 0; gates != NULL && cpu < session->platform->cpus_count; cpu++) {
        gates[cpu].crew = &session->crew;
        gates[cpu].cpu = cpu;
    }
    return gates != NULL;
}

static void close_gates(struct session *session)
{
    session->gates.is_used = true;
    for (uint32_t cpu = 1; cpu < session->crew.count; cpu++) {
        session->tasks[cpu].step = wait_at_gate;
        session->tasks[cpu].step_context = &session->gates.of_cpu[cpu];
    }
}

const char *session_begin_others(struct session *session)
{
    const char *why = session->gates.why_none;

    if (session->measure->steps == NULL) {
        return NULL;
    }
    if (why == NULL && !session_say(session, &others_step, NULL)) {
        why = session->why;
    }
    if (why == NULL && session->answer == STEP_RUN_IN_PARTS) {
        close_gates(session);
    }
    return why;
}

bool session_may_go_on_alone(const struct session *session)
{
    /* State by state needs a leader: where a run ended here, the others are not measured. */
    return session->gates.why_none == NULL &&
           step_announce(session->measure->steps, &others_step) == STEP_RUN;
}

static bool is_waiting(const struct idle_gate *gate)
{
    uint32_t wanted = __atomic_load_n(&gate->wanted, __ATOMIC_ACQUIRE);

    return wanted != 0 && wanted != gate->open;
}

static void state_of(const struct session *session, uint32_t cpu, char ret_state[IDLE_WAY_BYTES])
{
    const struct idle_gate *gate = &session->gates.of_cpu[cpu];
    const struct idle_way *way =
        &session->tasks[cpu].plan.ways[__atomic_load_n(&gate->wanted, __ATOMIC_ACQUIRE) - 1];
    struct textbuf text;

    textbuf_init(&text, ret_state, IDLE_WAY_BYTES, NULL, NULL);
    idle_way_text(way, way->dummy_read != DUMMY_NONE, &text);
}

/* Lets in who waits for the state that was announced last. */
static void let_in(struct session *session, const uint32_t *busy, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        struct idle_gate *gate = &session->gates.of_cpu[busy[i]];
        char state[IDLE_WAY_BYTES];

        if (is_waiting(gate)) {
            state_of(session, busy[i], state);
            if (strcmp(state, session->gates.state) == 0) {
                __atomic_store_n(&gate->open, gate->wanted, __ATOMIC_RELEASE);
            }
        }
    }
}

/* One that waits, when nobody is inside; CPU_NONE otherwise. The one whose state comes first. */
static uint32_t next_of(const struct session *session, const uint32_t *busy, uint32_t count)
{
    uint32_t next = CPU_NONE;

    for (uint32_t i = 0; i < count; i++) {
        const struct idle_gate *gate = &session->gates.of_cpu[busy[i]];

        if (gate->open != 0 && !is_waiting(gate)) {
            return CPU_NONE;
        }
        if (is_waiting(gate) &&
            (next == CPU_NONE || gate->wanted < session->gates.of_cpu[next].wanted)) {
            next = busy[i];
        }
    }
    return next;
}

bool session_pass_gate(struct session *session, const uint32_t *busy, uint32_t count)
{
    const struct step step = {
        .name = IDLE_OTHERS_STEP, .object = "", .part = session->gates.state, .kind = STEP_TIMED};
    bool has_said = false;
    uint32_t next;

    let_in(session, busy, count);
    next = next_of(session, busy, count);
    if (next != CPU_NONE) {
        state_of(session, next, session->gates.state);
        has_said = true;
        if (session_say(session, &step, session->gates.state)) {
            let_in(session, busy, count);
        }
    }
    return has_said;
}

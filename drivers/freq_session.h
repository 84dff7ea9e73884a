#pragma once

#include "drivers/freq_measure.h"
#include "drivers/frequency_measure.h"
#include "drivers/frequency_pcc.h"
#include "drivers/frequency_request.h"
#include "drivers/idle_crew.h"
#include "drivers/rapl.h"
#include "model/freq_settle.h"
#include "model/work.h"

/*
 * What the files of the frequency group share. The leader (the boot CPU) gives jobs to sets of CPUs; every CPU does
 * its part in freq_job_run and writes only its own struct freq_cpu.
 */
enum freq_job {
    FREQ_JOB_SAVE = 0, /* save what will be written */
    FREQ_JOB_ROW,      /* ask for request `row`, measure, keep a sample */
    FREQ_JOB_ASK,      /* ask for request `row` (FREQ_LAST_ROW: the lowest), nothing else */
    FREQ_JOB_ACTIVE,   /* work and measure, nothing asked for */
    FREQ_JOB_MARK,     /* look at the residency counters */
    FREQ_JOB_BOOST,    /* switch boost as is_boost_off says */
    FREQ_JOB_SETTLE,   /* the settling times of this CPU */
    FREQ_JOB_WORK,     /* the fixed kernel, with the energy counters looked at by some */
    FREQ_JOB_RESTORE   /* put everything back */
};

#define FREQ_LAST_ROW (UINT32_MAX - 1)
#define FREQ_RESIDENCY_COUNTERS 3U
#define FREQ_WHAT_BYTES 64U
#define FREQ_STEPS 4096U
#define FREQ_CHANGES 10U /* of each kind, each way */

/* The parts of the group that are announced, beside the requests. */
enum freq_part {
    FREQ_PART_CORES = 0,
    FREQ_PART_THREADS,
    FREQ_PART_ALONE,
    FREQ_PART_SWITCH,
    FREQ_PART_SETTLING,
    FREQ_PART_WORK,
    FREQ_PART_TURN, /* without a leader beside them */
    FREQ_PARTS
};
#define FREQ_PART_BYTES 64U
#define FREQ_LEFT_OUT_MAX 16U
extern const char *const freq_part_names[FREQ_PARTS];

/* The bit by which boost is switched off, where there is one. */
struct freq_boost_switch {
    uint32_t msr; /* 0: none */
    uint64_t off_mask;
};

/* Energy counters of one CPU, and what reads them. */
struct freq_energy {
    struct rapl_counters counters;
    struct rapl_meter meter;
};

/* One CPU's part: its own to write while it has a job. */
struct freq_cpu {
    struct frequency_way way;
    struct frequency_saved saved;
    struct freq_boost_switch boost;
    bool has_switched; /* boost was switched here */
    uint32_t count;
    struct frequency_request *requests;
    uint32_t core_id;
    bool is_wanted;
    bool is_lost;        /* did not come back from a job: no more of it */
    bool is_in;          /* takes part in the job under way */
    bool is_first;       /* the first thread of its core */
    bool is_left;        /* something could not be put back */
    const char *ask_why; /* why a request could not be made, or NULL */
    uint32_t samples_count;
    struct freq_sample *samples;
    struct freq_counts counts; /* of the last window */
    uint32_t residency_count;
    uint32_t residency_msr[FREQ_RESIDENCY_COUNTERS];
    uint64_t marked_tsc; /* at the last mark ... */
    uint64_t marked_deep_tsc;
    uint64_t parked_tsc; /* ... and from the one before to it */
    uint64_t deep_tsc;
    uint32_t *steps;             /* CPUs that measure settling times only: FREQ_STEPS of them ... */
    struct freq_loop *loops;     /* ... one for each request ... */
    struct histogram *histogram; /* ... and where the times of one change go */
    struct work_done done;       /* of the last FREQ_JOB_WORK ... */
    struct freq_energy *energy;
    struct rapl_meter
        *meter; /* ... and the energy meanwhile, where this CPU looks at it; or NULL */
    uint32_t settlings_count;
    uint32_t settlings_room;
    struct freq_settling *settlings;
    uint8_t apart[64]; /* from the next one */
};

struct freq_session {
    const struct frequency_measure *measure;
    struct platform *platform;
    struct crew crew;
    struct request_guard guard;
    struct frequency_pcc *pcc; /* NULL: no CPU is asked through PCC */
    struct freq_cpu *cpus;
    uint32_t rows; /* the most requests of any CPU */
    uint64_t start_tsc;
    uint64_t limit_tsc;
    uint64_t stretch_tsc;
    uint64_t stretch_start_tsc;
    bool is_core_taken; /* the boot CPU's: within a stretch */
    uint64_t said_tsc;
    char what[FREQ_WHAT_BYTES]; /* what is under way */
    uint64_t planned_ns;        /* what is left of the plan */
    const char *why;            /* why measuring ended early, or NULL */

    bool is_after_one_way; /* a second time, through what was switched on: rows and settling only */

    /* The job under way. */
    enum freq_job job;
    uint32_t row;
    uint64_t window_ns;
    bool is_boost_off;
    bool is_solo; /* no leader: one CPU alone, nobody to meet */
    uint32_t expected;
    uint32_t ready;
    uint32_t finished;

    uint32_t boosts_room;

    /* The journal: freq_steps.c. */
    char announced[FREQ_PART_BYTES]; /* the part that is on the medium */
    bool is_left_out[FREQ_PARTS];
    uint32_t left_out_count;
    const char *left_out[FREQ_LEFT_OUT_MAX]; /* what, and why; for the report */

    /* Work and energy. */
    enum work_kernel kernel;
    const uint64_t *work_buffer;
    uint32_t work_room;
};

uint64_t freq_now(const struct freq_session *session);
uint64_t freq_ticks(const struct freq_session *session, uint64_t ns);

/* A plan's step is done: takes it from what is left, says what comes next, and looks whether to stop. False with
 * session->why. Only the leader, with its core taken. */
bool freq_say(struct freq_session *session, const char *what, uint64_t done_ns);

/* The same, with the name that the journal knows the step by where that is not `what`. */
bool freq_say_part(struct freq_session *session, const char *part, const char *what,
                   uint64_t done_ns);

/* Before the core is taken: which parts an earlier run did not come back from. */
void freq_open_steps(struct freq_session *session);

/* Takes the requests out that an earlier run did not come back from; gives how many are left. Before the core is
 * taken. */
uint32_t freq_leave_out(struct freq_session *session, struct frequency_request *requests,
                        uint32_t count);

/* The journal's name of the requests that CPUs make in this row. */
void freq_name_row(const struct freq_session *session, uint32_t row,
                   char ret_part[FREQ_PART_BYTES]);
bool freq_may_begin(const struct freq_session *session, const char *part);
bool freq_is_announced(const struct freq_session *session, const char *part);

/* With the firmware in charge. */
void freq_announce(struct freq_session *session, const char *part);

/* Lets the firmware run when the stretch is nearly over; false with session->why. */
bool freq_breathe(struct freq_session *session);

/* Takes the boot CPU's stretch from the start, so that a short window fits into it. */
bool freq_breathe_now(struct freq_session *session);

/* Before the core is taken: the memory that work needs. Without it no work is measured, and work_skipped says so. */
void freq_prepare_work(struct freq_session *session);

/* Work and energy at every request: fills platform->work. */
void freq_lead_work(struct freq_session *session);
uint64_t freq_plan_work_ns(const struct freq_session *session);

/* Gives the job to every CPU whose is_in is set and waits until all are done, at most limit_ns. The leader does its
 * part, or rests as the parked do. */
void freq_give_job(struct freq_session *session, enum freq_job job, uint64_t limit_ns);

/* crew.call and crew.solo. */
void freq_job_run(struct crew *crew, uint32_t cpu);
void freq_solo_run(struct crew *crew, uint32_t cpu);

/* On the CPU itself: the parts of freq_job_run. */
void freq_row_run(struct freq_session *session, uint32_t cpu);
void freq_active_run(struct freq_session *session, uint32_t cpu);
void freq_settle_run(struct freq_session *session, uint32_t cpu);
void freq_work_run(struct freq_session *session, uint32_t cpu);
/* Asks on this CPU. Through PCC the boot CPU has asked for all before the job, but for the settling times of its own.
 * False, with the CPU's ask_why set, when it could not. */
bool freq_ask(struct freq_session *session, uint32_t cpu, uint32_t row);

/* The same in two parts, where the moment counts: between them the request is on its way. */
void freq_ask_ready(struct freq_session *session, uint32_t cpu);
bool freq_ask_start(struct freq_session *session, uint32_t cpu, uint32_t row);
bool freq_ask_finish(struct freq_session *session, uint32_t cpu);

/* Requests through PCC (freq_pcc.c): whether this CPU is asked so, memory before the core is taken, saving, and
 * storing one CPU's request without a command. */
bool freq_is_pcc(const struct freq_session *session, uint32_t cpu);
bool freq_open_pcc(struct freq_session *session);
void freq_save_pcc(struct freq_session *session);
void freq_store_pcc(struct freq_session *session, uint32_t cpu, uint32_t row);

/* The number of the CPU's request that `row` stands for. */
uint32_t freq_row_of(const struct freq_cpu *own, uint32_t row);

/* The boot CPU: asks through PCC for every CPU whose is_in is set. */
void freq_ask_through_pcc(struct freq_session *session);
void freq_meter_of(struct freq_session *session, uint32_t cpu, struct freq_meter *ret_meter);

/* All CPUs that have the job meet here and work until all have come; true when they did in time. */
bool freq_meet(struct freq_session *session, const struct freq_meter *meter, uint32_t *counter,
               uint64_t limit_ns);

/* The leader's parts. */
void freq_select_all(struct freq_session *session);
void freq_lead_rows(struct freq_session *session);
void freq_lead_boost(struct freq_session *session);
void freq_lead_settling(struct freq_session *session);
uint64_t freq_plan_boost_ns(const struct freq_session *session);
bool freq_settle_prepare(struct freq_session *session, uint32_t cpu);

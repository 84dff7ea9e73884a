#pragma once

#include "tests/sim/sim_idle.h"
#include "tests/sim/sim_platform.h"

/*
 * A simulated machine and its claims together, for tests of whole idle measurements: the shape of an EPYC, C1
 * by MWAIT, C2 by port 814H, the PM timer at 808H. One at a time.
 */
#define PORT 0x814U
#define PM_PORT 0x808U
#define US UINT64_C(1000000) /* in ps */

extern struct sim_idle machine;
extern struct sim_platform sim;
extern struct cst_state states[3]; /* what give_cst gives */
extern unsigned notes;             /* lines of progress of the last measurement */
extern char noted[4096];           /* ... and their text, a line each, with the seconds left */
extern unsigned stop_at;           /* the note at which a person ends the group; 0: none */

/* cmocka's: one CPU; and a check that nothing was done that a machine would not stand. */
int set_up(void **state);
int tear_down(void **state);

/* The same machine anew with so many CPUs, 20 samples of each length. */
void remake(uint32_t cpus);

struct cst_state io_state(uint64_t type, uint64_t address, uint64_t latency_us);
struct cst_state ffh_state(uint64_t type, uint64_t hint);
void give_cst(uint32_t count);

/* A package whose power is known, with its energy counter: an Intel with ARAT. */
void give_power(uint64_t awake_mw, uint64_t halt_mw, uint64_t port_mw);

/* A residency counter (C6) of all packages or cores, and how much of the time asleep it counts. */
void give_package_counter(uint32_t permille);
void give_core_counter(uint32_t permille);

/* Measures everything; what was found. */
const struct idle_sample_set *measure(void);

/* The set of this CPU, way and length, or NULL; why a way was not timed, or NULL. */
const struct idle_sample_set *find(uint32_t cpu, enum idle_entry entry, enum dummy_read dummy,
                                   uint64_t length_ns);
const char *refusal(enum idle_entry entry);

/* Within 1 % and a nanosecond. */
void assert_near(uint64_t found_tsc, uint64_t true_ps);

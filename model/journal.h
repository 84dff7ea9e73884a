#pragma once

#include "model/platform.h"
#include "model/status.h"
#include "model/step.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * The journal of a run: which step is under way, and where earlier runs ended. It is one file of fixed size and fixed
 * records, rewritten in place, so that a power cut leaves each record as it was or as it became: a record never
 * crosses a 512-byte sector, the unit in which a disk writes. It is text, for a person with the stick in another
 * computer: record 0 says whose and in what state, record 1 the step under way, the others where a run ended.
 */
#define JOURNAL_BYTES 4096
#define JOURNAL_RECORD_BYTES 128
#define JOURNAL_RECORDS (JOURNAL_BYTES / JOURNAL_RECORD_BYTES)
#define JOURNAL_STEP_BYTES 104 /* the text of a step, its end included; longer ones are cut */
#define JOURNAL_TIME_BYTES 17  /* "2026-12-01 03:00", or less where it is not known, and the end */
#define JOURNAL_ENDED_MAX (JOURNAL_RECORDS - 2)

/* So many parts of one step may end a run before the whole step is left out. */
#define JOURNAL_PARTS_MAX 3
/* The same of a timed step, whose parts are known by name the first time: each costs one start, not two. */
#define JOURNAL_TIMED_PARTS_MAX 8

struct journal {
    uint64_t machine;                 /* which machine the run is of: journal_machine */
    bool is_running;                  /* the run has not come to its end */
    char started[JOURNAL_TIME_BYTES]; /* when it began, UTC */
    char current[JOURNAL_STEP_BYTES]; /* the step under way, "" between two */
    uint32_t ended_count;             /* steps that earlier runs did not come back from */
    char ended[JOURNAL_ENDED_MAX][JOURNAL_STEP_BYTES];
    char ended_run[JOURNAL_ENDED_MAX][JOURNAL_TIME_BYTES]; /* when that run began */
};

/* A number that tells machines apart: FNV-1a, 64 bits, over the texts (NULL counts as ""). */
uint64_t journal_machine(const char *vendor, const char *product, const char *firmware_version);

/* BAD_INPUT: the bytes are no journal, or a damaged one; *ret_journal is then empty. */
enum status journal_parse(const uint8_t *bytes, size_t length,
                          struct journal *ret_journal) MUST_CHECK;

/* Writes record `index` (0 .. JOURNAL_RECORDS - 1) as it stands in the file. */
void journal_record(const struct journal *journal, uint32_t index,
                    char ret_record[JOURNAL_RECORD_BYTES]);

/*
 * Starts a run: what an unfinished run of the same machine left behind is kept, its step under way joins those that
 * ended a run. Anything else (a finished run, another machine) is forgotten. True when an unfinished run was met.
 * `started` is the time now as text, cut to JOURNAL_TIME_BYTES; "": not known.
 */
bool journal_begin(struct journal *journal, uint64_t machine, const char *started);

/* The text of a step: "evaluate _CST", "evaluate _CST: \_SB.CPUS.C006". */
void journal_step_text(const struct step *step, char ret_text[JOURNAL_STEP_BYTES]);

/* A journal of a run that earlier ones are known to have ended in these steps: a replay leaves out the same. */
void journal_of_interrupted(const struct interrupted *interrupted, uint32_t count,
                            struct journal *ret_journal);

/* A step_listener's announce; `context` is such a journal. */
enum step_answer journal_replay(void *context, const struct step *step);

/* What to do with a step after what earlier runs met. */
enum step_answer journal_answer(const struct journal *journal, const struct step *step);

/* Which of `ended` is the reason to leave the step out: its index; ended_count when the step is not left out. */
uint32_t journal_left_out_by(const struct journal *journal, const struct step *step);

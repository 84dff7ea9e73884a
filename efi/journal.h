#pragma once

#include "model/journal.h"
#include "model/platform.h"

/*
 * The journal on the boot volume, \\assay\\journal.txt: before a step that could hang runs, its name is on the medium.
 * A start that finds an unfinished run says where it ended, tries that step part by part or leaves it out, and goes on.
 * Without a writable boot volume a run has no journal, which is said once.
 */

/* Opens it and starts a run of the platform's machine, which must have been identified. Fills platform->interrupted. */
void journal_open(struct platform *platform);

/* Records the step and answers what to do with it; RUN when there is no journal. Call with the firmware in charge of
 * the CPU: this writes a file. */
enum step_answer journal_step(const struct step *step);

/* Why the step will be left out (a text that stays), or NULL; says so once and marks it in platform->interrupted. Nothing
 * is written. */
const char *journal_left_out(const struct step *step);

/* The step under way, for a page about a crash; "" when there is none. Whether a journal holds it, so that the next start
 * knows. */
const char *journal_current(void);
bool journal_is_kept(void);

/* The run has come to its end: the next one starts afresh. */
void journal_finish(void);

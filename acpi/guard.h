#pragma once

#include "acpi/engine.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The time that AML sees, and the limits of one evaluation. Firmware code may loop, recurse or allocate
 * without end; each of these ends as an error of that evaluation, in bounded time.
 *
 * Time is the configured clock plus what AML slept: on a back end that is not live, Sleep and Stall only
 * move this virtual time. Once an evaluation is over its budget every look at the clock jumps far ahead,
 * which makes the interpreter's own loop guard end each While with AE_AML_LOOP_TIMEOUT; code that goes on
 * without loops is refused memory, which ends it too.
 */

void guard_init(const struct engine_config *config);

/* Starts an evaluation with `budget_ms`, or the configured budget when that is 0. */
void guard_start(uint32_t budget_ms);

/* Ends it. Whether its time was over; why it was refused memory, or NULL. */
bool guard_stop(const char **ret_refusal);

/* Time in units of 100 ns. */
uint64_t guard_now_100ns(void);

/* AML waits. A live machine waits no longer than the evaluation has time left. */
void guard_wait_us(uint64_t us);

/* What the evaluation has asked to wait so far, whether it was waited or not. */
uint64_t guard_waited_us(void);

/* The configured budget of one evaluation. */
uint32_t guard_budget_ms(void);

/* Whether the evaluation may still have memory and access the machine. Called on every allocation: this
 * is also where a stack that grows too deep is noticed. */
bool guard_allows(void);

/* The budget of one evaluation in whole seconds, rounded up: what ACPICA's loop guard is set to. */
uint32_t guard_budget_s(void);

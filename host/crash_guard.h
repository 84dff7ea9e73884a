#pragma once

#include <stdbool.h>

/*
 * Runs procedure(argument) and comes back when it crashes: for the AML interpreter, which malformed tables
 * can lead to wild addresses. false: it crashed with a memory fault or an arithmetic one, and what it was
 * working on must not be used again. Not to be nested; one thread. The context is not used.
 */
bool crash_guard_run(void *context, void (*procedure)(void *argument), void *argument);

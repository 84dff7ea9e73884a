#pragma once

#include <stdbool.h>
#include <stdint.h>

/*
 * Waits until `is_done(context)`, at most timeout_ms; false when it never was. Looks often for the first two
 * milliseconds, then lets the CPU sleep between timer ticks by waiting for a firmware event: a loop that
 * polls would starve the other CPUs where an emulator runs all of them in turn. At TPL_APPLICATION only.
 */
bool wait_until(bool (*is_done)(const void *context), const void *context, uint32_t timeout_ms);

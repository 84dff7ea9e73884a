#pragma once

#include "model/work.h"

#include <stddef.h>
#include <stdint.h>

/*
 * The fixed kernels. A piece is the same work on every machine and at every frequency and gives the same result, which
 * is checked: a CPU that computes wrongly at some request shows here.
 *
 * - integer: 4096 steps of xorshift64* (Marsaglia, "Xorshift RNGs", 2003; Vigna, "An experimental exploration of
 *   Marsaglia's xorshift generators, scrambled", 2016). Each step needs the result of the one before, so that
 *   a piece takes a fixed number of core clocks.
 * - memory: the sum of one word of each of 1024 cache lines, lines of 64 bytes, in order. A lap over the
 *   buffer is 128 pieces; as in STREAM (McCalpin, 1995) what counts is the traffic, not the arithmetic.
 *
 * Plain C without library calls, integer only: runs in the timing core with interrupts off.
 */
#define WORK_STEPS 4096U
#define WORK_BUFFER_BYTES ((size_t)8 * 1024 * 1024)
#define WORK_LINE_WORDS 8U
#define WORK_LINES 1024U
#define WORK_LAP (WORK_BUFFER_BYTES / ((size_t)WORK_LINES * 64))

/* Fills a buffer of WORK_BUFFER_BYTES; the CPUs only read it. */
void work_buffer_fill(uint64_t *buffer);

/* Does piece number `piece` of a kernel. False when its result is wrong. buffer: of work_buffer_fill, or NULL for the
 * integer kernel. */
bool work_piece(enum work_kernel kernel, uint64_t piece, const uint64_t *buffer);

#pragma once

#include "drivers/hw_replay.h"
#include "host/lines.h"
#include "model/arena.h"

/*
 * CPUID leaves from a text: InstLatx64 lines ("CPUID 00000001: 00A20F10-00100800-... [SL 00]") under
 * "Logical CPU #N" headings, or `cpuid -r` lines ("0x00000001 0x00: eax=0x... ebx=...") under "CPU N:".
 * Lines before any heading belong to CPU 0. Of a leaf given twice for one CPU the last counts.
 */
struct cpuid_text {
    uint32_t kinds_count;
    const struct replay_cpuid_kind *kinds; /* by ascending first_cpu; neighbours differ */
    uint32_t lines_count;                  /* lines that were CPUID leaves */
    struct rubbish rubbish;
};

/* Never fails on what the text holds; NO_MEMORY when the arena is exhausted. */
enum status cpuid_text_parse(const char *bytes, size_t length, struct arena *arena,
                             struct cpuid_text *ret_text) MUST_CHECK;

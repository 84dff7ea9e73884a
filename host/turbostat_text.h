#pragma once

#include "host/msr_text.h"

/*
 * Registers from what turbostat prints at its start: "cpu0: MSR_PLATFORM_INFO: 0x80838f1012700 (...)". Names
 * are those of the MSR catalogue with or without MSR_ and IA32_; others are left out. They are of the first CPU
 * of a package and hold for all: cpu is CPU_NONE.
 */
enum status turbostat_text_parse(const char *bytes, size_t length, struct arena *arena,
                                 struct msr_text *ret_text) MUST_CHECK;

#pragma once

#include "model/platform.h"

#include <stdint.h>

/*
 * Which idle states Windows takes from this firmware, as far as a document says so. Windows' own source is not
 * public: where no document decides, the verdict is "not documented" and nothing is claimed. The documents:
 * Microsoft, "Implementing processor power management for Windows 7" (dn613943), with its table of the ACPI objects
 * that each Windows supports; the reference pages of PEP_PPM_CST_STATE (pepfx.h), PROCESSOR_POWER_POLICY (winnt.h) and
 * the constants PPM_IDLE_IMPLEMENTATION_* (winnt.h); and the ACPI specification, which those refer to.
 */
#define WINDOWS_CSTATES 16
#define WINDOWS_NOTES 8

enum windows_verdict { WINDOWS_KEPT = 0, WINDOWS_DROPPED, WINDOWS_NOT_DOCUMENTED };

struct windows_cstate {
    uint32_t type;
    bool is_port; /* entered by a read of `address`; else HLT or MWAIT with that hint */
    uint64_t address;
    uint64_t latency_us;
    const char *from; /* "_CST", "FADT", "default" */
    uint32_t index;   /* in its source */
    enum windows_verdict verdict;
    const char *why;
    const char *source; /* the document */
};

struct windows_note {
    const char *text;
    const char *source;
};

struct windows_view {
    uint32_t cpu; /* whose list it is; CPU_NONE without processor objects */
    uint32_t count;
    struct windows_cstate states[WINDOWS_CSTATES];
    uint32_t notes_count;
    struct windows_note notes[WINDOWS_NOTES];
};

/* Makes platform->windows of the first CPU with a processor object. Call once after platform_freeze. On a lack of
 * memory platform->incomplete says so and windows stays NULL. */
void windows_view_compute(struct platform *platform);

const char *
windows_verdict_name(enum windows_verdict verdict); /* "kept", "dropped", "not documented" */

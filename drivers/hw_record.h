#pragma once

#include "drivers/hw.h"
#include "model/textbuf.h"

/*
 * The record back end: passes every access to the hw it wraps and writes memory, I/O and PCI accesses as
 * trace.txt lines (the form is in hw_replay.h) while is_recording is set. CPUID and MSRs are not traced:
 * the snapshot writes them from the platform, folded.
 */
struct hw_record {
    struct hw hw; /* hand out &record->hw */
    const struct hw *inner;
    struct textbuf *trace;
    bool is_recording;
    uint64_t accesses;
};

void hw_record_start(struct hw_record *record, const struct hw *inner, struct textbuf *trace);

/* Traces a memory write that the access policy did not let through to the hardware. */
void hw_record_denied(struct hw_record *record, uint64_t paddr, unsigned bytes);

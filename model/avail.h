#pragma once

#include "model/status.h"

/*
 * Whether a fact about the machine could be had. Absence is a value of its own, never an error
 * and never a zero: a reader must look at the avail before it looks at the number beside it.
 */
enum avail {
    AVAIL_UNTRIED =
        0,          /* nobody asked, or asking was not allowed (read-only, skipped, other vendor) */
    AVAIL_PRESENT,  /* asked and answered; the value beside it is meaningful */
    AVAIL_ABSENT,   /* asked; the machine or its firmware does not have it */
    AVAIL_FAULTED,  /* asked; the access faulted (#GP on an MSR, AML run-time error) */
    AVAIL_MALFORMED /* answered, but not in the form its specification demands */
};

/* The word a report uses for an avail: "present", "absent", ... Never NULL. */
const char *avail_name(enum avail avail);

/* What the outcome of an access says about the fact that was asked for. */
enum avail avail_of_status(enum status status);

/* The outcome of a write that is told as an avail (wrmsr): UNTRIED, ABSENT and MALFORMED are DENIED. */
enum status avail_to_status(enum avail avail);

#pragma once

#include "model/aml_value.h"
#include "model/arena.h"
#include "model/avail.h"
#include "model/platform.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * One guarded evaluation of a named object. Handles are the interpreter's namespace nodes; they stay valid
 * until it ends.
 */
struct call {
    void *scope;      /* where the name is; NULL: the root */
    const char *path; /* the scope's, for messages, or NULL */
    const char *name; /* one name ("_PSS"), or a path from the root */
    uint32_t arguments_count;
    const struct aml_value *arguments; /* Integers and Buffers */
    bool is_as_linux;   /* with ACPICA's repair and interpreter slack, as Linux evaluates */
    uint32_t budget_ms; /* 0: the configured budget */
};

struct call_reply {
    enum avail
        avail; /* PRESENT, ABSENT (no such name), FAULTED (it exists, but its evaluation failed) */
    const char *error;      /* "AE_..." or of model/objects.h when FAULTED, else NULL; static */
    const char *error_path; /* what failed inside, in the arena, or NULL */
    struct aml_value
        value;         /* PRESENT; AML_NULL when nothing was returned; its parts in the arena */
    bool is_too_large; /* FAULTED only because `arena` is too small for the value */
    uint32_t hardware_reads;
    uint32_t hardware_writes;
    uint32_t denied;
    uint32_t unrecorded;
};

/* Prepares calls that count into `accounting`. */
void call_init(const struct aml_accounting *accounting);

/* Writes what is being evaluated, e.g. "\\_SB.C000._PSS", or "the tables' own code" while none is. */
void call_describe(char *ret_text, size_t bytes);

/* Whether `scope` has a child of that name. */
bool call_exists(void *scope, const char *name);

/* Evaluates; the reply's value lies in `arena` (which may be a scratch arena), its error path in `texts`. */
void call_evaluate(const struct call *call, struct arena *arena, struct arena *texts,
                   struct call_reply *ret_reply);

#pragma once

/* Which program made a report. The strings are static; they come from the generated build/version.h. */
struct build_info {
    const char *version; /* "0.1.0" */
    const char *build;   /* `git describe`, or "unknown" */
    const char *acpica;  /* the interpreter's release, "20240827" */
};

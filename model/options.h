#pragma once

#include "model/arena.h"
#include "model/status.h"

#include <stdbool.h>
#include <stdint.h>

/* What the user asked for: the words of the UEFI application's command line or \assay\assay.conf. */

enum run_group {
    RUN_TABLES = 1U << 0,
    RUN_CLOCKS = 1U << 1,
    RUN_FREQUENCY = 1U << 2,
    RUN_IDLE = 1U << 3
};
#define RUN_ALL ((uint32_t)(RUN_TABLES | RUN_CLOCKS | RUN_FREQUENCY | RUN_IDLE))
#define RUN_QUICK ((uint32_t)(RUN_TABLES | RUN_CLOCKS))

enum report_format {
    FORMAT_JSON = 1U << 0,
    FORMAT_TEXT = 1U << 1,
    FORMAT_HTML = 1U << 2,
    FORMAT_JUNIT = 1U << 3,
    FORMAT_TAP = 1U << 4,
    FORMAT_CSV = 1U << 5,
    FORMAT_SNAPSHOT = 1U << 6
};
#define FORMAT_ALL 0x7FU

enum exit_way { EXIT_RETURN = 0, EXIT_DEBUG_PORT, EXIT_SHUTDOWN, EXIT_RESET };
enum park_way { PARK_DEEPEST = 0, PARK_HLT, PARK_MWAIT, PARK_SPIN };
enum caps_choice { CAPS_LINUX = 0, CAPS_NONE, CAPS_GIVEN };

/* Default capability words when the CPU is not known: interfaces.md, "The host program". */
#define OPTIONS_DEFAULT_PROC_CAPS 0x3FFFU
#define OPTIONS_DEFAULT_PLATFORM_CAPS 0x7FFFU

struct msr_range {
    uint32_t first;
    uint32_t last;
};

#define OPTIONS_SKIP_MAX 32
#define OPTIONS_TEXT_MAX 256

struct options {
    uint32_t run;     /* enum run_group bits */
    uint32_t formats; /* enum report_format bits */
    bool is_read_only;
    bool is_batch;
    bool wants_help;
    bool wants_version;
    enum exit_way exit_way;
    bool has_exit_way;
    enum park_way park;
    enum caps_choice caps;
    uint32_t proc_caps;     /* CAPS_GIVEN */
    bool has_platform_caps; /* --os-caps=PROC,PLATFORM */
    uint32_t platform_caps;
    bool allow_cppc_enable;
    bool allow_hwp_enable;
    uint32_t skip_msr_count;
    struct msr_range skip_msr[OPTIONS_SKIP_MAX];
    uint32_t samples;              /* 0: default */
    uint32_t seconds;              /* 0: default */
    uint32_t letters;              /* times the size of the firmware's; 0: as the screen needs */
    char cpus[OPTIONS_TEXT_MAX];   /* empty: all */
    char osi[OPTIONS_TEXT_MAX];    /* empty: ACPICA's default list */
    char tables[OPTIONS_TEXT_MAX]; /* empty: the firmware's own */
    char expect[OPTIONS_TEXT_MAX];
    char linux_version[32]; /* empty: newest known */
    char out[OPTIONS_TEXT_MAX];
};

/* Defaults: everything, all formats, results in \assay\results. */
void options_init(struct options *options);

/*
 * Takes one word ("--run=tables,idle"). BAD_INPUT with one line in `message` that names the word and
 * the nearest right one when it is wrong; options is then unchanged for that word. A later word of the
 * same option replaces what an earlier one said, so take assay.conf first and the command line after.
 * Paths are kept as given, with whatever slashes.
 */
enum status options_take(struct options *options, const char *word, char *message,
                         size_t message_bytes) MUST_CHECK;

/* Takes every blank- or line-separated word of `text` (a command line or assay.conf; "..." groups a
 * word with blanks, # starts a comment to the end of the line). Stops at the first wrong word. */
enum status options_take_text(struct options *options, const char *text, size_t length,
                              char *message, size_t message_bytes) MUST_CHECK;

bool options_skips_msr(const struct options *options, uint32_t msr);

/* The help text: one line an option. */
const char *options_help(void);

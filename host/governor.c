/* `assay governor`: the schedutil loop over any table, without a machine. */
#include "host/governor.h"

#include "model/linux/governor.h"
#include "model/linux/history.h"
#include "model/nearest.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))
#define KHZ_MAX UINT64_C(4000000000)

/* What the words say; row 0 of rows is kept free for a boost row. */
struct words {
    uint64_t rows[GOVERNOR_ROWS + 1];
    uint32_t rows_count; /* without the boost row */
    uint64_t boost_khz;
    uint64_t delivered_khz;
    uint32_t start; /* row of the table as given, 0 is P0 */
    uint32_t util;
    bool has_util;
    bool has_invariant; /* --invariant was given, and says is_invariant */
    bool is_invariant;
    bool wants_help;
    struct linux_version version;
};

static const char *const names[] = {"--table",     "--boost", "--util",      "--linux",
                                    "--delivered", "--start", "--invariant", "--help"};

static int refuse(const char *name, const char *value, const char *what)
{
    (void)fprintf(stderr, "assay: governor: %s \"%s\" is not %s\n", name, value, what);
    return EXIT_WRONG_USE;
}

/* A whole number up to `most`; false for anything else. */
static bool take_number(const char *text, uint64_t most, const char **ret_end, uint64_t *ret_number)
{
    uint64_t number = 0;
    const char *at = text;

    for (; *at >= '0' && *at <= '9'; at++) {
        number = number * 10 + (uint64_t)(*at - '0');
        if (number > most) {
            return false;
        }
    }
    *ret_end = at;
    *ret_number = number;
    return at != text;
}

static bool take_whole(const char *text, uint64_t most, uint64_t *ret_number)
{
    const char *end;

    return take_number(text, most, &end, ret_number) && *end == '\0';
}

/* kHz from high to low, separated by commas. */
static bool take_table(const char *text, struct words *words)
{
    const char *at = text;

    words->rows_count = 0;
    do {
        uint64_t khz;

        if (words->rows_count == GOVERNOR_ROWS - 1 || !take_number(at, KHZ_MAX, &at, &khz) ||
            khz == 0 || (words->rows_count != 0 && khz >= words->rows[words->rows_count])) {
            return false;
        }
        words->rows[++words->rows_count] = khz;
    } while (*at++ == ',');
    return at[-1] == '\0';
}

/* 0..1024, or a fraction of 1 such as 0.8 (rounded to the nearest 1024th). */
static bool take_util(const char *text, uint32_t *ret_util)
{
    uint64_t whole;
    uint64_t part = 0;
    uint64_t scale = 1;
    const char *at;

    if (!take_number(text, GOVERNOR_CAPACITY, &at, &whole)) {
        return false;
    }
    if (*at == '\0') {
        *ret_util = (uint32_t)whole;
        return true;
    }
    if (*at != '.' || whole > 1) {
        return false;
    }
    for (at++; *at >= '0' && *at <= '9' && scale < 1000000000; at++) {
        part = part * 10 + (uint64_t)(*at - '0');
        scale *= 10;
    }
    if (*at != '\0' || scale == 1 || (whole == 1 && part != 0)) {
        return false;
    }
    *ret_util =
        (uint32_t)(whole * GOVERNOR_CAPACITY + (part * GOVERNOR_CAPACITY + scale / 2) / scale);
    return true;
}

static int take_frequencies(const char *name, const char *value, struct words *words)
{
    if (strcmp(name, "--table") == 0) {
        return take_table(value, words)
                   ? 0
                   : refuse(name, value, "a list of kHz from high to low, like 2250000,2000000");
    }
    if (strcmp(name, "--boost") == 0) {
        return take_whole(value, KHZ_MAX, &words->boost_khz) ? 0 : refuse(name, value, "kHz");
    }
    return take_whole(value, KHZ_MAX, &words->delivered_khz) && words->delivered_khz != 0
               ? 0
               : refuse(name, value, "kHz above 0");
}

static int take_invariant(const char *name, const char *value, struct words *words)
{
    words->has_invariant = true;
    words->is_invariant = strcmp(value, "yes") == 0;
    return words->is_invariant || strcmp(value, "no") == 0 ? 0 : refuse(name, value, "yes or no");
}

static int take_start(const char *name, const char *value, struct words *words)
{
    uint64_t number = 0;

    if (!take_whole(value, GOVERNOR_ROWS, &number)) {
        return refuse(name, value, "a row number, 0 for P0");
    }
    words->start = (uint32_t)number;
    return 0;
}

static int take_value(const char *name, const char *value, struct words *words)
{
    if (strcmp(name, "--util") == 0) {
        words->has_util = true;
        return take_util(value, &words->util)
                   ? 0
                   : refuse(name, value, "a utilisation: 0 to 1024, or a fraction like 0.8");
    }
    if (strcmp(name, "--linux") == 0) {
        return linux_version_parse(value, &words->version)
                   ? 0
                   : refuse(name, value, "a kernel version like 6.12 or 5.11-rc4");
    }
    if (strcmp(name, "--invariant") == 0) {
        return take_invariant(name, value, words);
    }
    return strcmp(name, "--start") == 0 ? take_start(name, value, words)
                                        : take_frequencies(name, value, words);
}

static const char *find_name(const char *word, size_t length)
{
    for (size_t i = 0; i < COUNT(names); i++) {
        if (strlen(names[i]) == length && strncmp(names[i], word, length) == 0) {
            return names[i];
        }
    }
    return NULL;
}

static int take_words(int count, char **given, struct words *words)
{
    for (int i = 0; i < count; i++) {
        const char *equals = strchr(given[i], '=');
        size_t length = equals == NULL ? strlen(given[i]) : (size_t)(equals - given[i]);
        const char *name = find_name(given[i], length);
        const char *value = equals == NULL ? NULL : equals + 1;
        int status;

        if (name == NULL) {
            (void)fprintf(stderr, "assay: governor: %s is not an option; nearest: %s\n", given[i],
                          nearest_of(given[i], length, names, COUNT(names)));
            return EXIT_WRONG_USE;
        }
        if (strcmp(name, "--help") == 0) {
            words->wants_help = true;
            return 0;
        }
        if (value == NULL && ++i < count) {
            value = given[i];
        }
        if (value == NULL) {
            (void)fprintf(stderr, "assay: governor: %s needs a value\n", name);
            return EXIT_WRONG_USE;
        }
        status = take_value(name, value, words);
        if (status != 0) {
            return status;
        }
    }
    return 0;
}

static int check_words(struct words *words)
{
    if (words->rows_count == 0 || !words->has_util) {
        (void)fprintf(stderr,
                      "assay: governor needs --table and --util, for example: assay governor "
                      "--table 2250000,2000000,1500000 --boost 3400000 --util 0.8\n");
        return EXIT_WRONG_USE;
    }
    if (words->start >= words->rows_count) {
        (void)fprintf(
            stderr, "assay: governor: --start %" PRIu32 " is beyond the table's %" PRIu32 " rows\n",
            words->start, words->rows_count);
        return EXIT_WRONG_USE;
    }
    if (words->boost_khz != 0 && words->boost_khz < words->rows[1]) {
        (void)fprintf(stderr, "assay: governor: --boost is below the table's first row\n");
        return EXIT_WRONG_USE;
    }
    return 0;
}

/*
 * The loop of that kernel on an AMD machine with this table: invariant from 5.11 by the midpoint of boost and
 * P0, a boost row in 5.11 alone, cpuinfo.max raised from 5.12. Without --boost both are P0.
 */
static void prepare(struct words *words, struct governor_input *input)
{
    uint64_t p0_khz = words->rows[1];
    uint64_t boost_khz = words->boost_khz == 0 ? p0_khz : words->boost_khz;
    bool has_row = boost_khz > p0_khz && linux_rule_holds(LINUX_RULE_BOOST_ROW, words->version);

    memset(input, 0, sizeof(*input));
    words->rows[0] = boost_khz;
    input->rows_count = words->rows_count + (has_row ? 1 : 0);
    input->row_khz = has_row ? words->rows : words->rows + 1;
    input->p0_row = has_row ? 1 : 0;
    input->start_row = words->start + input->p0_row;
    input->is_invariant = words->has_invariant
                              ? words->is_invariant
                              : linux_rule_holds(LINUX_RULE_AMD_INVARIANCE, words->version);
    input->invariance_khz = (p0_khz + boost_khz) / 2;
    input->reference_khz =
        has_row || linux_rule_holds(LINUX_RULE_BOOST_MAX, words->version) ? boost_khz : p0_khz;
    input->delivered_khz = words->delivered_khz == 0 ? p0_khz : words->delivered_khz;
    input->util = words->util;
    input->form = governor_form_at(words->version);
}

static void print_inputs(const struct words *words, const struct governor_input *input)
{
    char version[24];

    linux_version_format(words->version, version, sizeof(version));
    (void)printf("Linux %s: target = %s\n", version, governor_form_text(input->form));
    if (input->is_invariant) {
        (void)printf("  max %" PRIu64 " kHz (cpuinfo.max), utilisation invariant by %" PRIu64
                     " kHz (midpoint of P0 and boost)\n",
                     input->reference_khz, input->invariance_khz);
    } else {
        (void)printf("  max is the current frequency: utilisation is not frequency-invariant\n");
    }
    (void)printf("  rows:");
    for (uint32_t i = 0; i < input->rows_count; i++) {
        (void)printf(" %" PRIu64 "%s", input->row_khz[i],
                     i < input->p0_row ? " (boost)" : (i == input->p0_row ? " (P0)" : ""));
    }
    (void)printf("\n  P0 delivers %" PRIu64 " kHz (%s), start row %" PRIu32
                 ", raw utilisation %" PRIu32 "/1024\n\n",
                 input->delivered_khz,
                 words->delivered_khz == 0 ? "no boost: all cores busy" : "--delivered",
                 words->start, words->util);
}

static void print_run(const struct governor_input *input, const struct governor_run *run)
{
    (void)printf("step      row kHz  delivers kHz  seen util    target kHz   next row kHz\n");
    for (uint32_t i = 0; i < run->steps_count; i++) {
        const struct governor_step *step = &run->steps[i];
        uint32_t next = i + 1 < run->steps_count ? run->steps[i + 1].row
                                                 : governor_next_row(input, step->target_khz);

        (void)printf("%4" PRIu32 " %12" PRIu64 " %13" PRIu64 " %10" PRIu32 " %13" PRIu64
                     " %14" PRIu64 "\n",
                     i + 1, input->row_khz[step->row], step->current_khz, step->util,
                     step->target_khz, input->row_khz[next]);
    }
    (void)printf("\n%s %" PRIu64 " kHz", run->is_settled ? "settles at" : "cycles, lowest row",
                 input->row_khz[run->steady_row]);
    (void)printf("; from P0 it leaves P0 up to utilisation %" PRIu32
                 " and ends in the lowest row up to %" PRIu32 "\n",
                 governor_leaves_p0_below(input), governor_falls_to_lowest_below(input));
    if (governor_is_trap(input)) {
        (void)printf("TRAP: a fully loaded CPU that once left P0 does not come back\n");
    }
}

const char *governor_help(void)
{
    return "assay governor --table kHz,... --util N [options]\n"
           "  --table kHz,...      the P-states from high to low; the first is P0\n"
           "  --util N             raw utilisation: 0 to 1024, or a fraction like 0.8\n"
           "  --boost kHz          the highest boost clock (default: P0, no boost)\n"
           "  --linux V            whose formula (default: newest known)\n"
           "  --delivered kHz      the clock really reached when P0 is asked for (default: P0)\n"
           "  --start ROW          the row to start from (default: 0, P0)\n"
           "  --invariant yes|no   whether utilisation is frequency-invariant (default: as that\n"
           "                       kernel has it on AMD)\n";
}

int governor_command(int count, char **given)
{
    struct words *words = calloc(1, sizeof(*words));
    struct governor_input input;
    struct governor_run run;
    int status;

    if (words == NULL) {
        return 3;
    }
    words->version = LINUX_NEWEST;
    status = take_words(count, given, words);
    if (status == 0 && words->wants_help) {
        (void)printf("%s", governor_help());
    } else if (status == 0) {
        status = check_words(words);
        if (status == 0) {
            prepare(words, &input);
            governor_run(&input, &run);
            print_inputs(words, &input);
            print_run(&input, &run);
        }
    }
    free(words);
    return status;
}

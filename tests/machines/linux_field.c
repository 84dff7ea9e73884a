/*
 * linux_field NAME META REPORT.json: compares the modelled cpuinfo.max and cpuinfo.min with what lscpu showed on
 * real machines with the same CPU, as the corpus machine's notes give it. The model agrees when one of its views
 * (the kernels that people used are not told) holds the commonest value within 1 %. A report that has no number in
 * any view claims nothing: not answered, and every view must say why. Prints one line; status 1 for a difference without
 * an explanation, and for an explanation of no difference.
 */
#include "tests/sim/json_compare.h"

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static const struct explained {
    const char *machine;
    const char *cause;
} explained[] = {
    {"m036", "this unit's firmware has P0 at 4050 MHz, 49 of 60 others at 3400"},
    {"m041", "this unit's firmware has P0 at 4000 MHz, 50 of 60 others at 3600"},
    {"m153",
     "the MSR dump was taken with turbo disabled (MSR 1A0H bit 38), so the maximum is base"},
    {"m206", "the owner's record names no CPU: the lscpu line is of a placeholder"},
    {"m231",
     "the MSR dump was taken with turbo disabled (MSR 1A0H bit 38), so the maximum is base; the "
     "tables were made for another part (3500 MHz)"},
    {"m236", "this unit's firmware has P0 at 3800 MHz, as 2 of 36 others; 27 have 3600"},
};

struct tally {
    uint32_t answered;
    uint32_t unexcused; /* no number, and a view without the reason */
    uint32_t agreed;
};

static const char *cause_of(const char *name)
{
    for (size_t i = 0; i < COUNT(explained); i++) {
        if (strncmp(name, explained[i].machine, strlen(explained[i].machine)) == 0) {
            return explained[i].cause;
        }
    }
    return NULL;
}

/* "... lscpu ...: CPU max MHz 3400 (49x), 3850 (5x); min MHz 1550 (56x)": the first number behind `key`. */
static bool find_mhz(FILE *meta, const char *key, uint64_t *ret_khz)
{
    char line[1024];

    rewind(meta);
    while (fgets(line, (int)sizeof(line), meta) != NULL) {
        const char *at = strstr(line, "lscpu") == NULL ? NULL : strstr(line, key);

        if (at != NULL) {
            *ret_khz = strtoull(at + strlen(key), NULL, 10) * 1000;
            return *ret_khz != 0;
        }
    }
    return false;
}

/* Whether a view has the number at all, and whether one holds `khz` within 1 %. */
static void compare(const json_t *views, const char *key, const char *why_key, uint64_t khz,
                    struct tally *tally)
{
    bool is_answered = false;
    bool is_excused = true;
    bool is_agreed = false;

    for (size_t i = 0; i < json_array_size(views); i++) {
        const json_t *value = json_object_get(json_array_get(views, i), key);

        is_excused &= json_string_length(json_object_get(json_array_get(views, i), why_key)) != 0;
        if (json_is_integer(value)) {
            uint64_t ours = (uint64_t)json_integer_value(value);
            uint64_t difference = ours > khz ? ours - khz : khz - ours;

            is_answered = true;
            is_agreed |= difference <= khz / 100;
        }
    }
    tally->answered += is_answered ? 1 : 0;
    tally->unexcused += !is_answered && !is_excused ? 1 : 0;
    tally->agreed += is_agreed ? 1 : 0;
}

static int judge(const char *name, FILE *meta, const json_t *report)
{
    const json_t *views = json_object_get(report, "linux");
    const char *cause = cause_of(name);
    struct tally tally = {0};
    uint32_t asked = 0;
    uint64_t khz;

    if (find_mhz(meta, "CPU max MHz ", &khz)) {
        asked++;
        compare(views, "cpuinfo_max_khz", "cpuinfo_max_why", khz, &tally);
    }
    if (find_mhz(meta, "min MHz ", &khz)) {
        asked++;
        compare(views, "cpuinfo_min_khz", "cpuinfo_min_why", khz, &tally);
    }
    if (json_array_size(views) == 0) {
        printf("not ok - %s: the report has no kernel's view\n", name);
        return 1;
    }
    if (tally.unexcused != 0) {
        printf("not ok - %s: a view has no number and does not say why\n", name);
        return 1;
    }
    if (tally.agreed == tally.answered) {
        printf("%s - %s: %u asked, %u answered, %u agree%s\n", cause == NULL ? "ok" : "not ok",
               name, asked, tally.answered, tally.agreed,
               cause == NULL ? "" : " (explanation no longer needed)");
        return cause == NULL ? 0 : 1;
    }
    printf("%s - %s: %u asked, %u answered, %u agree: %s\n", cause == NULL ? "not ok" : "ok", name,
           asked, tally.answered, tally.agreed, cause == NULL ? "not explained" : cause);
    return cause == NULL ? 1 : 0;
}

int main(int count, char **words)
{
    json_t *report;
    FILE *meta;
    int status;

    if (count != 4) {
        (void)fprintf(stderr, "linux_field NAME META REPORT.json\n");
        return 2;
    }
    report = json_file_load(words[3]);
    meta = fopen(words[2], "r");
    if (report == NULL || meta == NULL) {
        printf("not ok - %s: %s cannot be read\n", words[1], report == NULL ? words[3] : words[2]);
        json_decref(report);
        if (meta != NULL) {
            (void)fclose(meta);
        }
        return 1;
    }
    status = judge(words[1], meta, report);
    json_decref(report);
    (void)fclose(meta);
    return status;
}

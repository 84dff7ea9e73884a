#include "host/msr_text.h"

#include "host/list.h"

#include <stdlib.h>
#include <string.h>

/* More than any machine has: a number beyond it is rubbish, not a request for memory. */
#define CPUS_MAX 65536
#define ENTRIES_MAX (1U << 20)

struct entry {
    uint32_t order;
    struct replay_msr msr;
};

static bool take_cpu(const char **at, uint32_t *ret_cpu)
{
    uint64_t cpu;

    if (!scan_decimal(at, &cpu) || cpu >= CPUS_MAX) {
        return false;
    }
    *ret_cpu = (uint32_t)cpu;
    return true;
}

/* The CPUs that a line is about: "[cpu 0-3,7]". `list` is NULL when it names none. */
static bool take_cpus(const char **at, const char **ret_list)
{
    const char *end;

    *ret_list = NULL;
    if (!scan_word(at, "[cpu")) {
        return true;
    }
    end = strchr(*at, ']');
    *ret_list = *at;
    if (end == NULL) {
        return false;
    }
    *at = end + 1;
    return true;
}

/* The next range of a list, which ends at its bracket; false at the end or when it is none. */
static bool next_range(const char **at, uint32_t *ret_first, uint32_t *ret_last)
{
    if (!take_cpu(at, ret_first)) {
        return false;
    }
    *ret_last = *ret_first;
    return !scan_word(at, "-") || (take_cpu(at, ret_last) && *ret_last >= *ret_first);
}

static bool is_list(const char *list)
{
    uint32_t first;
    uint32_t last;

    do {
        if (!next_range(&list, &first, &last)) {
            return false;
        }
    } while (scan_word(&list, ","));
    return scan_word(&list, "]");
}

/* "[cpu LIST] 0xMSR 0xVALUE" or "0xMSR #GP"; decimal MSR numbers are not taken, too easily meant as hex. */
static bool take_plain(const char *text, struct replay_msr *ret_msr, const char **ret_list)
{
    const char *at = text;
    struct replay_msr msr = {.cpu = CPU_NONE};
    uint64_t number;

    if (!take_cpus(&at, ret_list) || (*ret_list != NULL && !is_list(*ret_list))) {
        return false;
    }
    if (!scan_hex(&at, &number) || number > UINT32_MAX) {
        return false;
    }
    msr.msr = (uint32_t)number;
    msr.is_fault = scan_word(&at, "#GP");
    if (!msr.is_fault && !scan_hex(&at, &msr.value)) {
        return false;
    }
    *ret_msr = msr;
    return scan_is_end(at);
}

/* InstLatx64: four groups of four digits; what follows in brackets is its own annotation. */
static bool take_instlat(const char *text, uint32_t cpu, struct replay_msr *ret_msr)
{
    const char *at = text;
    struct replay_msr msr = {.cpu = cpu};
    uint64_t number;

    if (!scan_word(&at, "MSR") || !scan_hex_digits(&at, 8, &number) || !scan_word(&at, ":")) {
        return false;
    }
    msr.msr = (uint32_t)number;
    msr.is_fault = scan_word(&at, "< FAILED >");
    for (unsigned i = 0; i < 4 && !msr.is_fault; i++) {
        uint64_t group;

        if (!scan_hex_digits(&at, 4, &group) || (i < 3 && !scan_word(&at, "-"))) {
            return false;
        }
        msr.value = msr.value << 16 | group;
    }
    *ret_msr = msr;
    return true;
}

static bool is_heading(const char *text, uint32_t *ret_cpu)
{
    const char *mark = strstr(text, "Logical CPU #");

    if (mark == NULL) {
        return false;
    }
    mark += strlen("Logical CPU #");
    return take_cpu(&mark, ret_cpu);
}

static bool is_other(const char *text)
{
    static const char *const others[] = {"allcpu:", "CPUID ", "------", "==="};

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        const char *at = text;

        if (scan_word(&at, others[i])) {
            return true;
        }
    }
    return false;
}

static int compare(const void *left, const void *right)
{
    const struct entry *a = left;
    const struct entry *b = right;
    const uint32_t keys[3][2] = {
        {a->msr.cpu, b->msr.cpu}, {a->msr.msr, b->msr.msr}, {a->order, b->order}};

    for (unsigned i = 0; i < 3; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static bool add_entry(struct list *entries, const struct replay_msr *msr, uint32_t cpu)
{
    struct entry *entry = list_add(entries);

    if (entry != NULL) {
        *entry = (struct entry){.order = entries->count, .msr = *msr};
        entry->msr.cpu = cpu;
    }
    return entry != NULL;
}

/* One entry for each CPU of the list. */
static enum status add_entries(struct list *entries, const struct replay_msr *msr, const char *list)
{
    uint32_t first;
    uint32_t last;

    if (list == NULL) {
        return add_entry(entries, msr, msr->cpu) ? STATUS_OK : STATUS_NO_MEMORY;
    }
    while (next_range(&list, &first, &last)) {
        for (uint32_t cpu = first; cpu <= last; cpu++) {
            if (entries->count >= ENTRIES_MAX) {
                return STATUS_FULL;
            }
            if (!add_entry(entries, msr, cpu)) {
                return STATUS_NO_MEMORY;
            }
        }
        (void)scan_word(&list, ",");
    }
    return STATUS_OK;
}

static enum status take_lines(struct lines *lines, struct list *entries, struct msr_text *text)
{
    uint32_t cpu = CPU_NONE;

    while (lines_next(lines)) {
        const char *list = NULL;
        struct replay_msr msr;
        enum status status;

        if (lines_is_blank(lines) || is_heading(lines->text, &cpu) || is_other(lines->text)) {
            continue;
        }
        if (!take_instlat(lines->text, cpu, &msr) && !take_plain(lines->text, &msr, &list)) {
            rubbish_add(&text->rubbish, lines);
            continue;
        }
        status = add_entries(entries, &msr, list);
        if (status == STATUS_FULL) {
            rubbish_add(&text->rubbish, lines);
        } else if (status != STATUS_OK) {
            return status;
        }
    }
    return STATUS_OK;
}

/* The last of every group of equal CPU and MSR, in the sorted order. */
static enum status keep_last(const struct list *entries, struct arena *arena, struct msr_text *text)
{
    const struct entry *entry = entries->items;
    struct replay_msr *msrs = arena_array(arena, entries->count, sizeof(*msrs));

    if (msrs == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < entries->count; i++) {
        bool is_last = i + 1 == entries->count || entry[i].msr.cpu != entry[i + 1].msr.cpu ||
                       entry[i].msr.msr != entry[i + 1].msr.msr;

        if (is_last) {
            msrs[text->msrs_count++] = entry[i].msr;
        }
    }
    text->msrs = msrs;
    return STATUS_OK;
}

enum status msr_text_parse(const char *bytes, size_t length, struct arena *arena,
                           struct msr_text *ret_text)
{
    struct lines lines;
    struct list entries;
    struct msr_text text = {0};
    enum status status;

    lines_init(&lines, bytes, length);
    list_init(&entries, arena, sizeof(struct entry));
    status = take_lines(&lines, &entries, &text);
    if (status == STATUS_OK && entries.count > 0) {
        qsort(entries.items, entries.count, sizeof(struct entry), compare);
        status = keep_last(&entries, arena, &text);
    }
    if (status == STATUS_OK) {
        *ret_text = text;
    }
    return status;
}

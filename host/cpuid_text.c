#include "host/cpuid_text.h"

#include "host/list.h"

#include <stdlib.h>
#include <string.h>

/* More CPUs than any machine has: a number beyond it is rubbish, not a request for memory. */
#define CPUID_TEXT_CPUS_MAX 65536

struct entry {
    uint32_t cpu;
    uint32_t order; /* in the file, so that the last of equal ones is known */
    struct cpuid_leaf leaf;
};

/* Tail of both heading forms: the number, when it is one. */
static bool take_cpu(const char *at, uint32_t *ret_cpu)
{
    uint64_t cpu;

    if (!scan_decimal(&at, &cpu) || cpu >= CPUID_TEXT_CPUS_MAX) {
        return false;
    }
    *ret_cpu = (uint32_t)cpu;
    return true;
}

static bool is_heading(const char *text, uint32_t *ret_cpu)
{
    const char *mark = strstr(text, "Logical CPU #");
    const char *at = text;
    uint32_t cpu;

    if (mark != NULL) {
        return take_cpu(mark + strlen("Logical CPU #"), ret_cpu);
    }
    /* cpuid -r, also with -1: "CPU 3:" and "CPU:". */
    if (!scan_word(&at, "CPU") || *at == 'I') {
        return false;
    }
    if (scan_word(&at, ":")) {
        *ret_cpu = 0;
        return true;
    }
    if (!take_cpu(at, &cpu) || strchr(at, ':') == NULL) {
        return false;
    }
    *ret_cpu = cpu;
    return true;
}

/* InstLatx64: eight digits a register, dashes between, perhaps "[SL 0B]" and other notes behind. */
static bool take_instlat(const char *text, struct cpuid_leaf *ret_leaf)
{
    const char *at = text;
    const char *mark = strstr(text, "[SL ");
    uint64_t value[5];
    uint64_t subleaf = 0;

    if (!scan_word(&at, "CPUID") || !scan_hex_digits(&at, 8, &value[0]) || !scan_word(&at, ":")) {
        return false;
    }
    for (unsigned i = 1; i < 5; i++) {
        if (!scan_hex_digits(&at, 8, &value[i]) || (i < 4 && !scan_word(&at, "-"))) {
            return false;
        }
    }
    if (mark != NULL) {
        mark += strlen("[SL ");
        if (!scan_hex_digits(&mark, 2, &subleaf)) {
            return false;
        }
    }
    *ret_leaf = (struct cpuid_leaf){.leaf = (uint32_t)value[0],
                                    .subleaf = (uint32_t)subleaf,
                                    .eax = (uint32_t)value[1],
                                    .ebx = (uint32_t)value[2],
                                    .ecx = (uint32_t)value[3],
                                    .edx = (uint32_t)value[4]};
    return true;
}

static bool take_register(const char **at, const char *name, uint32_t *ret_register)
{
    uint64_t value;

    if (!scan_word(at, name) || !scan_hex(at, &value) || value > UINT32_MAX) {
        return false;
    }
    *ret_register = (uint32_t)value;
    return true;
}

static bool take_raw(const char *text, struct cpuid_leaf *ret_leaf)
{
    const char *at = text;
    struct cpuid_leaf leaf = {0};
    uint64_t number;
    uint64_t subleaf;

    if (!scan_hex(&at, &number) || number > UINT32_MAX || !scan_hex(&at, &subleaf) ||
        subleaf > UINT32_MAX || !scan_word(&at, ":")) {
        return false;
    }
    leaf.leaf = (uint32_t)number;
    leaf.subleaf = (uint32_t)subleaf;
    if (!take_register(&at, "eax=", &leaf.eax) || !take_register(&at, "ebx=", &leaf.ebx) ||
        !take_register(&at, "ecx=", &leaf.ecx) || !take_register(&at, "edx=", &leaf.edx)) {
        return false;
    }
    *ret_leaf = leaf;
    return true;
}

/* Lines of the same dumps that say nothing about CPUID. */
static bool is_other(const char *text)
{
    static const char *const others[] = {"allcpu:", "MSR ", "------", "==="};

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
    const uint32_t keys[4][2] = {{a->cpu, b->cpu},
                                 {a->leaf.leaf, b->leaf.leaf},
                                 {a->leaf.subleaf, b->leaf.subleaf},
                                 {a->order, b->order}};

    for (unsigned i = 0; i < 4; i++) {
        if (keys[i][0] != keys[i][1]) {
            return keys[i][0] < keys[i][1] ? -1 : 1;
        }
    }
    return 0;
}

static bool is_replaced(const struct entry *entry, const struct entry *next)
{
    return entry->cpu == next->cpu && entry->leaf.leaf == next->leaf.leaf &&
           entry->leaf.subleaf == next->leaf.subleaf;
}

static bool is_same_kind(const struct replay_cpuid_kind *kind, const struct cpuid_leaf *leaves,
                         uint32_t count)
{
    return kind->leaves.count == count &&
           memcmp(kind->leaves.leaves, leaves, count * sizeof(*leaves)) == 0;
}

/* Cuts the sorted entries into one kind a CPU and joins neighbours that are alike. */
static enum status make_kinds(const struct list *entries, struct list *kinds)
{
    const struct entry *entry = entries->items;
    struct cpuid_leaf *leaves =
        arena_array(kinds->arena, entries->count, sizeof(struct cpuid_leaf));
    struct replay_cpuid_kind *last = NULL;

    if (leaves == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (uint32_t i = 0; i < entries->count;) {
        uint32_t cpu = entry[i].cpu;
        uint32_t count = 0;

        for (; i < entries->count && entry[i].cpu == cpu; i++) {
            if (i + 1 == entries->count || !is_replaced(&entry[i], &entry[i + 1])) {
                leaves[count++] = entry[i].leaf;
            }
        }
        if (last != NULL && is_same_kind(last, leaves, count)) {
            continue;
        }
        last = list_add(kinds);
        if (last == NULL) {
            return STATUS_NO_MEMORY;
        }
        last->first_cpu = cpu;
        last->leaves = (struct cpuid_set){.count = count, .leaves = leaves};
        leaves += count;
    }
    return STATUS_OK;
}

static enum status take_lines(struct lines *lines, struct list *entries, struct cpuid_text *text)
{
    uint32_t cpu = 0;

    while (lines_next(lines)) {
        struct cpuid_leaf leaf;
        struct entry *entry;

        if (lines_is_blank(lines) || is_heading(lines->text, &cpu) || is_other(lines->text)) {
            continue;
        }
        if (!take_instlat(lines->text, &leaf) && !take_raw(lines->text, &leaf)) {
            rubbish_add(&text->rubbish, lines);
            continue;
        }
        entry = list_add(entries);
        if (entry == NULL) {
            return STATUS_NO_MEMORY;
        }
        *entry = (struct entry){.cpu = cpu, .order = text->lines_count++, .leaf = leaf};
    }
    return STATUS_OK;
}

enum status cpuid_text_parse(const char *bytes, size_t length, struct arena *arena,
                             struct cpuid_text *ret_text)
{
    struct lines lines;
    struct list entries;
    struct list kinds;
    struct cpuid_text text = {0};
    enum status status;

    lines_init(&lines, bytes, length);
    list_init(&entries, arena, sizeof(struct entry));
    list_init(&kinds, arena, sizeof(struct replay_cpuid_kind));
    status = take_lines(&lines, &entries, &text);
    if (status == STATUS_OK && entries.count > 0) {
        qsort(entries.items, entries.count, sizeof(struct entry), compare);
        status = make_kinds(&entries, &kinds);
    }
    if (status != STATUS_OK) {
        return status;
    }
    text.kinds_count = kinds.count;
    text.kinds = kinds.items;
    *ret_text = text;
    return STATUS_OK;
}

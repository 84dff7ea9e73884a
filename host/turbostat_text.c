#include "host/turbostat_text.h"

#include "host/list.h"
#include "model/msr_catalog.h"

#include <string.h>

static const char *bare(const char *name)
{
    static const char *const prefixes[] = {"MSR_", "IA32_"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (strncmp(name, prefixes[i], strlen(prefixes[i])) == 0) {
            name += strlen(prefixes[i]);
        }
    }
    return name;
}

static bool is_named(const char *known, const char *name, size_t length)
{
    const char *wanted = bare(name);

    length -= (size_t)(wanted - name);
    known = bare(known);
    return strlen(known) == length && memcmp(known, wanted, length) == 0;
}

static bool find_msr(const char *name, size_t length, uint32_t *ret_msr)
{
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (is_named(msr_catalog_at(i)->name, name, length)) {
            *ret_msr = msr_catalog_at(i)->msr;
            return true;
        }
    }
    return false;
}

/* "cpu0: MSR_NAME: 0xVALUE". */
static bool take_line(const char *text, struct replay_msr *ret_msr)
{
    const char *at = text;
    uint64_t cpu;
    size_t length;

    if (!scan_word(&at, "cpu") || !scan_decimal(&at, &cpu) || !scan_word(&at, ":")) {
        return false;
    }
    while (*at == ' ') {
        at++;
    }
    length = strcspn(at, ":");
    if (at[length] != ':' || strncmp(at, "MSR_", 4) != 0 || !find_msr(at, length, &ret_msr->msr)) {
        return false;
    }
    at += length + 1;
    ret_msr->cpu = CPU_NONE;
    ret_msr->is_fault = false;
    return scan_hex(&at, &ret_msr->value);
}

/* The first CPU that turbostat prints of a register counts: hw_replay takes the first of several. */
enum status turbostat_text_parse(const char *bytes, size_t length, struct arena *arena,
                                 struct msr_text *ret_text)
{
    struct lines lines;
    struct list msrs;

    memset(ret_text, 0, sizeof(*ret_text));
    lines_init(&lines, bytes, length);
    list_init(&msrs, arena, sizeof(struct replay_msr));
    while (lines_next(&lines)) {
        struct replay_msr msr = {0};
        struct replay_msr *kept;

        if (!take_line(lines.text, &msr)) {
            continue;
        }
        kept = list_add(&msrs);
        if (kept == NULL) {
            return STATUS_NO_MEMORY;
        }
        *kept = msr;
    }
    ret_text->msrs = msrs.items;
    ret_text->msrs_count = msrs.count;
    return STATUS_OK;
}

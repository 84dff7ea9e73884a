#include "host/trace_text.h"

#include "host/list.h"

#include <string.h>

static bool take_hex_upto(const char **at, unsigned digits, uint64_t limit, uint64_t *ret_value)
{
    return scan_hex_digits(at, digits, ret_value) && *ret_value <= limit;
}

/* "SSSS:BB:DD.F 0xOFFSET" packed as trace_access.address says. */
static bool take_pci_address(const char **at, uint64_t *ret_address)
{
    uint64_t segment;
    uint64_t bus;
    uint64_t device;
    uint64_t function;
    uint64_t offset;

    if (!take_hex_upto(at, 4, UINT16_MAX, &segment) || !scan_word(at, ":") ||
        !take_hex_upto(at, 2, UINT8_MAX, &bus) || !scan_word(at, ":") ||
        !take_hex_upto(at, 2, 31, &device) || !scan_word(at, ".") ||
        !take_hex_upto(at, 1, 7, &function) || !scan_hex(at, &offset) || offset > 0xFFF) {
        return false;
    }
    *ret_address = segment << 32 | bus << 24 | device << 19 | function << 16 | offset;
    return true;
}

static bool take_kind(const char **at, enum trace_kind *ret_kind)
{
    static const char *const names[] = {
        [TRACE_MEMORY] = "mem", [TRACE_IO] = "io", [TRACE_PCI] = "pci"};

    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (scan_word(at, names[i])) {
            *ret_kind = (enum trace_kind)i;
            return true;
        }
    }
    return false;
}

static bool is_width(uint64_t bytes)
{
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8;
}

/* The value, or why there is none. */
static bool take_answer(const char **at, struct trace_access *access)
{
    if (scan_word(at, "absent")) {
        access->answer = TRACE_ABSENT;
        return true;
    }
    if (scan_word(at, "denied")) {
        access->answer = TRACE_DENIED;
        return access->is_write && access->kind == TRACE_MEMORY;
    }
    return scan_hex(at, &access->value);
}

static bool take_access(const char *text, struct trace_access *ret_access)
{
    const char *at = text;
    struct trace_access access = {0};
    uint64_t bytes;

    if (!take_kind(&at, &access.kind)) {
        return false;
    }
    access.is_write = scan_word(&at, "w ");
    if (!access.is_write && !scan_word(&at, "r ")) {
        return false;
    }
    if (access.kind == TRACE_PCI ? !take_pci_address(&at, &access.address)
                                 : !scan_hex(&at, &access.address)) {
        return false;
    }
    if (!scan_decimal(&at, &bytes) || !is_width(bytes) || !take_answer(&at, &access) ||
        !scan_is_end(at)) {
        return false;
    }
    access.bytes = (uint8_t)bytes;
    *ret_access = access;
    return true;
}

enum status trace_text_parse(const char *bytes, size_t length, struct arena *arena,
                             struct trace_text *ret_text)
{
    struct lines lines;
    struct list accesses;
    struct trace_text text = {0};

    lines_init(&lines, bytes, length);
    list_init(&accesses, arena, sizeof(struct trace_access));
    while (lines_next(&lines)) {
        struct trace_access access;
        struct trace_access *kept;

        if (lines_is_blank(&lines)) {
            continue;
        }
        if (!take_access(lines.text, &access)) {
            rubbish_add(&text.rubbish, &lines);
            continue;
        }
        kept = list_add(&accesses);
        if (kept == NULL) {
            return STATUS_NO_MEMORY;
        }
        *kept = access;
    }
    text.trace_count = accesses.count;
    text.trace = accesses.items;
    *ret_text = text;
    return STATUS_OK;
}

#include "host/acpidump.h"

#include "host/list.h"

#include <stdio.h>
#include <string.h>

/* Nothing in a firmware is near this; a dump that claims more is damaged. */
#define TABLE_BYTES_MAX ((size_t)64 * 1024 * 1024)

struct parse {
    struct arena *arena;
    struct list blobs; /* struct table_blob */
    struct list bytes; /* uint8_t of the table that is open */
    bool is_open;
    char signature[5];
    struct acpidump dump;
};

/* ACPI 6.5, 5.2.6: four characters; "RSD PTR" is the one name with a blank. */
static bool is_signature(const char *text)
{
    for (unsigned i = 0; i < 4; i++) {
        char c = text[i];

        if (!((c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '!')) {
            return false;
        }
    }
    return true;
}

static bool is_heading(const char *text, char *ret_signature)
{
    const char *at = text;
    uint64_t address;

    while (*at == ' ' || *at == '"') {
        at++;
    }
    if (scan_word(&at, "RSD PTR")) {
        memcpy(ret_signature, "RSDP", 5);
        return scan_word(&at, "@");
    }
    if (!is_signature(at)) {
        return false;
    }
    memcpy(ret_signature, at, 4);
    ret_signature[4] = '\0';
    at += 4;
    return scan_word(&at, "@") && scan_hex(&at, &address);
}

static uint32_t count_alike(const struct parse *parse)
{
    const struct table_blob *blob = parse->blobs.items;
    uint32_t count = 0;

    for (uint32_t i = 0; i < parse->blobs.count; i++) {
        count += strncmp(blob[i].origin, parse->signature, 4) == 0 ? 1 : 0;
    }
    return count;
}

/* They hold addresses of a memory that is not here; the interpreter gets new ones. */
static bool is_root(const char *signature)
{
    return strcmp(signature, "RSDP") == 0 || strcmp(signature, "RSDT") == 0 ||
           strcmp(signature, "XSDT") == 0;
}

static enum status close_table(struct parse *parse)
{
    struct table_blob *blob;
    char origin[16];
    uint32_t alike = count_alike(parse);

    if (!parse->is_open || parse->bytes.count == 0 || is_root(parse->signature)) {
        parse->is_open = false;
        return STATUS_OK;
    }
    (void)snprintf(origin, sizeof(origin), alike == 0 ? "%s" : "%s%u", parse->signature, alike + 1);
    blob = list_add(&parse->blobs);
    if (blob == NULL) {
        return STATUS_NO_MEMORY;
    }
    blob->origin = arena_text(parse->arena, origin, strlen(origin));
    blob->bytes = parse->bytes.items;
    blob->length = parse->bytes.count;
    parse->is_open = false;
    return blob->origin == NULL ? STATUS_NO_MEMORY : STATUS_OK;
}

static void open_table(struct parse *parse, const char *signature)
{
    memcpy(parse->signature, signature, sizeof(parse->signature));
    list_init(&parse->bytes, parse->arena, sizeof(uint8_t));
    parse->is_open = true;
}

/* "    0010: 4C 45 ..."; the offset has four or more digits. */
static bool is_hex_line(const char *text, uint64_t *ret_offset, const char **ret_rest)
{
    const char *at = text;

    for (unsigned digits = 4; digits <= 8; digits++) {
        if (scan_hex_digits(&at, digits, ret_offset)) {
            *ret_rest = at + 1;
            return *at == ':';
        }
    }
    return false;
}

/* Single blanks separate bytes; two blanks start the characters, whatever they look like. */
static enum status take_bytes(struct parse *parse, const char *at)
{
    for (unsigned i = 0; i < 16; i++) {
        uint64_t value;
        uint8_t *byte;

        if (at[0] != ' ' || at[1] == ' ' || !scan_hex_digits(&at, 2, &value)) {
            return STATUS_OK;
        }
        byte = list_add(&parse->bytes);
        if (byte == NULL) {
            return STATUS_NO_MEMORY;
        }
        *byte = (uint8_t)value;
    }
    return STATUS_OK;
}

static enum status take_line(struct parse *parse, const struct lines *lines)
{
    char signature[5];
    uint64_t offset;
    const char *rest;

    if (is_heading(lines->text, signature)) {
        enum status status = close_table(parse);

        open_table(parse, signature);
        return status;
    }
    if (!is_hex_line(lines->text, &offset, &rest)) {
        return STATUS_OK;
    }
    if (!parse->is_open) {
        rubbish_add(&parse->dump.rubbish, lines);
        return STATUS_OK;
    }
    if (offset != parse->bytes.count || offset > TABLE_BYTES_MAX) {
        parse->dump.gaps++;
        return close_table(parse);
    }
    return take_bytes(parse, rest);
}

enum status acpidump_parse(const char *bytes, size_t length, struct arena *arena,
                           struct acpidump *ret_dump)
{
    struct lines lines;
    struct parse parse = {.arena = arena};
    enum status status = STATUS_OK;

    lines_init(&lines, bytes, length);
    list_init(&parse.blobs, arena, sizeof(struct table_blob));
    while (status == STATUS_OK && lines_next(&lines)) {
        status = take_line(&parse, &lines);
    }
    if (status == STATUS_OK) {
        status = close_table(&parse);
    }
    if (status != STATUS_OK) {
        return status;
    }
    parse.dump.blobs_count = parse.blobs.count;
    parse.dump.blobs = parse.blobs.items;
    *ret_dump = parse.dump;
    return parse.blobs.count == 0 ? STATUS_NOT_FOUND : STATUS_OK;
}

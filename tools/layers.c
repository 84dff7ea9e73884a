/*
 * The layer check: reads the named source files and prints one line for each place where a file
 * includes what its layer may not, or uses what its layer forbids. Silent and status 0 when clean.
 *
 * The table below is the contract of docs/architecture: model knows nothing, rules and report know
 * the model, drivers touch the machine, acpi evaluates over drivers/hw.h, run puts those in order,
 * efi and host start it and are included by nobody.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* Linked into the UEFI application; of the host program only; may include anything of ours. */
enum kind { KIND_FREESTANDING, KIND_HOSTED, KIND_FREE };

struct layer {
    const char *folder;     /* a path that starts with this belongs to the layer */
    enum kind kind;         /* what else the layer promises */
    const char *may[8];     /* what its quoted includes may start with */
    const char *may_not[4]; /* exceptions from `may` */
};

#define VERSION_H "build/version.h"

/* The first match counts. */
static const struct layer layers[] = {
    {"model/", KIND_FREESTANDING, {"model/", VERSION_H}, {NULL}},
    {"rules/", KIND_FREESTANDING, {"model/", "rules/", VERSION_H}, {NULL}},
    {"report/", KIND_FREESTANDING, {"model/", "report/", VERSION_H}, {NULL}},
    {"drivers/x86/", KIND_FREESTANDING, {"model/", "drivers/"}, {NULL}},
    {"drivers/", KIND_FREESTANDING, {"model/", "drivers/"}, {"drivers/x86/"}},
    {"run/",
     KIND_FREESTANDING,
     {"model/", "rules/", "report/", "drivers/", "acpi/", "run/", VERSION_H},
     {"drivers/x86/", "acpi/acpi.h"}},
    {"acpi/platform/", KIND_FREESTANDING, {NULL}, {NULL}},
    {"acpi/", KIND_FREESTANDING, {"model/", "drivers/hw.h", "acpi/", VERSION_H}, {NULL}},
    {"efi/",
     KIND_FREESTANDING,
     {"model/", "rules/", "report/", "drivers/", "acpi/", "run/", "efi/", VERSION_H},
     {"acpi/acpi.h"}},
    {"host/",
     KIND_HOSTED,
     {"model/", "rules/", "report/", "drivers/", "acpi/", "run/", "host/", VERSION_H},
     {"drivers/x86/", "acpi/acpi.h"}},
    {"tests/", KIND_FREE, {NULL}, {NULL}},
    {"tools/", KIND_FREE, {NULL}, {NULL}},
};

static const char *const freestanding_headers[] = {"stdint.h", "stddef.h", "stdbool.h", "stdarg.h",
                                                   "limits.h", "string.h", "stdalign.h"};
static const char *const efi_headers[] = {"efi.h", "efilib.h", "efiprot.h", "efishell.h"};
/* ACPICA's own, which acpi/internals.c alone may look into. */
static const char *const acpica_headers[] = {"accommon.h", "actables.h"};
static const char *const acpica_types[] = {
    "acpi_status",      "acpi_handle",           "acpi_object",       "acpi_buffer",
    "acpi_object_list", "acpi_table_header",     "acpi_size",         "acpi_string",
    "acpi_object_type", "acpi_physical_address", "acpi_walk_callback"};

struct source {
    const char *path;
    const struct layer *layer;
    unsigned line;
    unsigned offences;
};

static bool starts(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_header(const char *path)
{
    size_t length = strlen(path);

    return length > 2 && strcmp(path + length - 2, ".h") == 0;
}

static bool is_listed(const char *word, const char *const *list, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(word, list[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool starts_any(const char *text, const char *const *prefixes, size_t count)
{
    for (size_t i = 0; i < count && prefixes[i] != NULL; i++) {
        if (starts(text, prefixes[i])) {
            return true;
        }
    }
    return false;
}

static void offend(struct source *source, const char *what, const char *which)
{
    printf("%s:%u: %s: %s\n", source->path, source->line, what, which);
    source->offences++;
}

/* ACPICA itself: only acpi/ knows it, and only its .c files. */
static bool is_acpica(const char *name)
{
    return strcmp(name, "acpi/acpi.h") == 0;
}

static void judge_quoted(struct source *source, const char *name)
{
    const struct layer *layer = source->layer;

    if (strchr(name, '/') == NULL) {
        offend(source, "an include names its layer", name);
    } else if (layer->kind == KIND_FREE) {
        return;
    } else if (!starts_any(name, layer->may, LENGTH(layer->may)) ||
               starts_any(name, layer->may_not, LENGTH(layer->may_not))) {
        offend(source, "this layer may not include", name);
    } else if (is_acpica(name) && is_header(source->path)) {
        offend(source, "no ACPICA in a header of acpi/", name);
    }
}

static void judge_system(struct source *source, const char *name)
{
    bool is_efi = starts(source->path, "efi/");
    bool is_internals = strcmp(source->path, "acpi/internals.c") == 0;

    if (source->layer->kind != KIND_FREESTANDING ||
        is_listed(name, freestanding_headers, LENGTH(freestanding_headers)) ||
        (is_efi && is_listed(name, efi_headers, LENGTH(efi_headers))) ||
        (is_internals && is_listed(name, acpica_headers, LENGTH(acpica_headers)))) {
        return;
    }
    offend(source, "not a freestanding header", name);
}

static void judge_include(struct source *source, const char *line)
{
    char name[256];

    if (sscanf(line, " # include \"%255[^\"]\"", name) == 1) {
        judge_quoted(source, name);
    } else if (sscanf(line, " # include <%255[^>]>", name) == 1) {
        judge_system(source, name);
    }
}

static void judge_word(struct source *source, const char *word)
{
    bool is_ours = !starts(source->path, "acpi/platform/");

    if (strcmp(word, "goto") == 0) {
        offend(source, "forbidden", word);
    } else if (source->layer->kind == KIND_FREESTANDING &&
               (strcmp(word, "float") == 0 || strcmp(word, "double") == 0)) {
        offend(source, "no floating point in the UEFI application", word);
    } else if (is_ours && starts(source->path, "acpi/") && is_header(source->path) &&
               is_listed(word, acpica_types, LENGTH(acpica_types))) {
        offend(source, "no ACPICA type in a header of acpi/", word);
    }
}

static bool is_word_character(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Splits code (comments and strings already blanked) into words. */
static void judge_words(struct source *source, const char *code)
{
    char word[64];
    size_t length = 0;

    for (;; code++) {
        if (is_word_character(*code)) {
            word[length] = *code;
            length += length < sizeof(word) - 1 ? 1 : 0;
            continue;
        }
        word[length] = '\0';
        if (length > 0) {
            judge_word(source, word);
        }
        length = 0;
        if (*code == '\0') {
            return;
        }
    }
}

/* The end of the string or character constant that starts at `at`. */
static char *skip_constant(char *at)
{
    char quote = *at++;

    while (*at != '\0' && *at != quote) {
        at += at[0] == '\\' && at[1] != '\0' ? 2 : 1;
    }
    return *at == '\0' ? at : at + 1;
}

/* Blanks comments and constants in one line; `inside` says whether a comment is open. */
static void blank(struct source *source, char *line, bool *inside)
{
    char *at = line;

    while (*at != '\0') {
        char *end = at + 1;

        if (*inside) {
            char *close = strstr(at, "*/");

            *inside = close == NULL;
            end = close == NULL ? at + strlen(at) : close + 2;
        } else if (at[0] == '/' && at[1] == '*') {
            *inside = true;
            end = at + 2;
        } else if (at[0] == '/' && at[1] == '/') {
            offend(source, "forbidden", "// comment");
            end = at + strlen(at);
        } else if (*at == '"' || *at == '\'') {
            end = skip_constant(at);
        } else {
            at++;
            continue;
        }
        memset(at, ' ', (size_t)(end - at));
        at = end;
    }
}

static void judge_file(struct source *source, FILE *file)
{
    char line[4096];
    bool inside = false;

    while (fgets(line, sizeof(line), file) != NULL) {
        source->line++;
        if (!inside) {
            judge_include(source, line);
        }
        blank(source, line, &inside);
        judge_words(source, line);
    }
}

static const struct layer *find_layer(const char *path)
{
    for (size_t i = 0; i < LENGTH(layers); i++) {
        if (starts(path, layers[i].folder)) {
            return &layers[i];
        }
    }
    return NULL;
}

static unsigned judge_path(const char *path)
{
    struct source source = {.path = path, .layer = find_layer(path)};
    FILE *file;

    if (source.layer == NULL) {
        offend(&source, "not in a folder of the project", path);
        return source.offences;
    }
    file = fopen(path, "r");
    if (file == NULL) {
        offend(&source, "cannot be read", path);
        return source.offences;
    }
    judge_file(&source, file);
    fclose(file);
    return source.offences;
}

int main(int count, char **paths)
{
    unsigned offences = 0;

    for (int i = 1; i < count; i++) {
        offences += judge_path(paths[i]);
    }
    return offences == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

#include "host/rebuild.h"

#include "host/json_text.h"
#include "host/lines.h"
#include "host/rebuild_parts.h"
#include "model/columns.h"
#include "model/linux/view.h"
#include "run/pipeline.h"

#include <stdlib.h>
#include <string.h>

uint32_t rebuild_count(const json_t *array)
{
    size_t count = json_array_size(array);

    return count < REBUILD_ITEMS_MAX ? (uint32_t)count : REBUILD_ITEMS_MAX;
}

uint32_t rebuild_u32(const json_t *object, const char *key)
{
    return (uint32_t)json_text_number(object, key, 0);
}

uint64_t rebuild_hex(const json_t *object, const char *key)
{
    const char *text = json_text_string(object, key);

    return text == NULL ? 0 : strtoull(text, NULL, 16);
}

const char *rebuild_text(const json_t *object, const char *key, const char *otherwise)
{
    const char *text = json_text_string(object, key);

    return text == NULL ? otherwise : text;
}

bool rebuild_is_true(const json_t *object, const char *key)
{
    return json_is_true(json_object_get(object, key));
}

unsigned rebuild_word(const char *word, const char *const *words, unsigned count,
                      unsigned otherwise)
{
    for (unsigned i = 0; word != NULL && i < count; i++) {
        if (strcmp(words[i], word) == 0) {
            return i;
        }
    }
    return otherwise;
}

static enum verdict verdict_of(const json_t *json)
{
    for (unsigned i = 0; i < VERDICTS; i++) {
        if (strcmp(verdict_name((enum verdict)i), rebuild_text(json, "verdict", "")) == 0) {
            return (enum verdict)i;
        }
    }
    return VERDICT_SKIP;
}

static enum severity severity_of(const json_t *json)
{
    unsigned severity = SEVERITY_CRITICAL;

    while (severity < SEVERITY_LOW && strcmp(severity_name((enum severity)severity),
                                             rebuild_text(json, "severity", "")) != 0) {
        severity++;
    }
    return (enum severity)severity;
}

static void take_finding(const json_t *json, const struct findings *findings,
                         struct finding *finding)
{
    *finding = (struct finding){.id = rebuild_text(json, "id", "?"),
                                .verdict = verdict_of(json),
                                .severity = severity_of(json),
                                .title = rebuild_text(json, "title", ""),
                                .object = rebuild_text(json, "object", ""),
                                .expected = rebuild_text(json, "expected", ""),
                                .actual = rebuild_text(json, "actual", ""),
                                .spec = rebuild_text(json, "spec", ""),
                                .why = rebuild_text(json, "why", ""),
                                .advice = rebuild_text(json, "advice", "")};
    if (json_text_string(json, "cpus") == NULL) {
        return;
    }
    finding->cpus = cpuset_create(findings->arena, findings->cpus);
    if (finding->cpus.words == NULL ||
        cpuset_parse(json_text_string(json, "cpus"), &finding->cpus) != STATUS_OK) {
        finding->cpus.words = NULL;
    }
}

/* As many as a run keeps, and more: host/check.c. */
#define FINDINGS_MAX 8192U

/* In the order of the report, which is sorted. */
static enum status take_findings(const struct rebuilder *rebuilder, struct findings *findings)
{
    const json_t *array = json_object_get(rebuilder->root, "findings");
    uint32_t count = rebuild_count(array) < FINDINGS_MAX ? rebuild_count(array) : FINDINGS_MAX;

    memset(findings, 0, sizeof(*findings));
    findings->arena = rebuilder->arena;
    findings->cpus = rebuilder->platform->cpus_count;
    findings->dropped = rebuild_u32(rebuilder->root, "findings_dropped");
    findings->items = arena_array(rebuilder->arena, count, sizeof(struct finding));
    if (findings->items == NULL) {
        return STATUS_NO_MEMORY;
    }
    findings->capacity = count;
    findings->count = count;
    for (uint32_t i = 0; i < count; i++) {
        take_finding(json_array_get(array, i), findings, &findings->items[i]);
        findings->items[i].sequence = i;
    }
    return STATUS_OK;
}

static void take_build(const json_t *root, struct build_info *build)
{
    const json_t *assay = json_object_get(root, "assay");

    build->version = rebuild_text(assay, "version", "?");
    build->build = rebuild_text(assay, "build", "?");
    build->acpica = rebuild_text(assay, "acpica", "?");
}

/* The kernel that the report shows first. */
static struct linux_version first_kernel(const json_t *root)
{
    const json_t *views = json_object_get(root, "linux");
    const char *text = json_text_string(json_array_get(views, 0), "version");
    struct linux_version version = LINUX_NEWEST;

    if (text == NULL || !linux_version_parse(text, &version)) {
        return LINUX_NEWEST;
    }
    return version;
}

enum status rebuild(const json_t *root, struct arena *arena, struct rebuilt *ret_rebuilt)
{
    struct platform *platform = &ret_rebuilt->platform;
    const struct rebuilder rebuilder = {.root = root, .arena = arena, .platform = platform};

    options_init(&ret_rebuilt->options);
    platform_init(platform, arena, &ret_rebuilt->options);
    take_build(root, &ret_rebuilt->build);
    rebuild_machine(&rebuilder);
    rebuild_tables(&rebuilder);
    rebuild_aml(&rebuilder);
    rebuild_cpuid(&rebuilder);
    rebuild_processors(&rebuilder);
    rebuild_msrs(&rebuilder);
    rebuild_timing(&rebuilder);
    rebuild_clocked(&rebuilder);
    pipeline_derive(platform, first_kernel(root));
    ret_rebuilt->report = (struct report){
        .build = &ret_rebuilt->build, .platform = platform, .findings = &ret_rebuilt->findings};
    if (take_findings(&rebuilder, &ret_rebuilt->findings) != STATUS_OK || arena->failures > 0) {
        return STATUS_NO_MEMORY;
    }
    return STATUS_OK;
}

struct memory_text {
    char *bytes;
    size_t length;
};

static bool keep(void *context, const char *bytes, size_t length)
{
    struct memory_text *text = context;
    char *grown = realloc(text->bytes, text->length + length + 1);

    if (grown == NULL) {
        return false;
    }
    memcpy(grown + text->length, bytes, length);
    text->bytes = grown;
    text->length += length;
    return true;
}

static json_t *written_again(const struct rebuilt *rebuilt)
{
    static char buffer[65536];
    struct memory_text text = {NULL, 0};
    struct textbuf out;
    char message[160];
    json_t *json = NULL;

    textbuf_init(&out, buffer, sizeof(buffer), keep, &text);
    report_json(&rebuilt->report, &out);
    if (textbuf_finish(&out)) {
        json = json_text_read(text.bytes, text.length, message, sizeof(message));
    }
    free(text.bytes);
    return json;
}

json_t *rebuild_differs(const json_t *root, const struct rebuilt *rebuilt)
{
    json_t *again = written_again(rebuilt);
    json_t *differs = again == NULL ? NULL : json_object();
    json_t *member;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)root, key, member)
    {
        if (differs != NULL && !json_equal(member, json_object_get(again, key))) {
            (void)json_object_set(differs, key, member);
        }
    }
    json_decref(again);
    return differs;
}

static bool is_control(char c)
{
    return (unsigned char)c < ' ' || c == 0x7F;
}

static void tame_string(json_t *string)
{
    size_t length = json_string_length(string);
    const char *value = json_string_value(string);
    size_t i = 0;
    char *copy;

    while (i < length && !is_control(value[i])) {
        i++;
    }
    copy = i == length ? NULL : malloc(length + 1);
    if (copy == NULL) {
        return;
    }
    memcpy(copy, value, length);
    for (; i < length; i++) {
        copy[i] = is_control(copy[i]) ? '?' : copy[i];
    }
    (void)json_string_setn(string, copy, length);
    free(copy);
}

/* The JSON reader bounds the depth. */
void rebuild_tame(json_t *root) /* NOLINT(misc-no-recursion) */
{
    json_t *member;
    const char *key;
    size_t index;

    if (json_is_string(root)) {
        tame_string(root);
    }
    json_object_foreach(root, key, member)
    {
        rebuild_tame(member);
    }
    json_array_foreach(root, index, member)
    {
        rebuild_tame(member);
    }
}

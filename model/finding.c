#include "model/finding.h"

#include "model/hash.h"

#include <stddef.h>
#include <string.h>

/* What a finding's object, expected and actual take on average; long texts borrow from short ones. */
#define TEXT_BYTES_PER_FINDING 256U
#define CAPACITY_MAX (UINT32_MAX / TEXT_BYTES_PER_FINDING)

struct piece {
    const char *text;
    size_t length;
};

const char *verdict_name(enum verdict verdict)
{
    static const char *const names[VERDICTS] = {"PASS", "FAIL", "WARN", "INFO", "SKIP"};

    return (unsigned)verdict < VERDICTS ? names[verdict] : "unknown";
}

const char *severity_name(enum severity severity)
{
    static const char *const names[] = {"critical", "high", "medium", "low"};

    return (unsigned)severity <= SEVERITY_LOW ? names[severity] : "unknown";
}

enum status findings_init(struct findings *findings, struct arena *arena, uint32_t capacity,
                          uint32_t cpus)
{
    memset(findings, 0, sizeof(*findings));
    findings->arena = arena;
    findings->cpus = cpus;
    if (capacity > CAPACITY_MAX) {
        return STATUS_NO_MEMORY;
    }
    findings->slots_count = 2;
    while (findings->slots_count < 2 * capacity) {
        findings->slots_count *= 2;
    }
    findings->items = arena_array(arena, capacity, sizeof(*findings->items));
    findings->text = arena_array(arena, capacity, TEXT_BYTES_PER_FINDING);
    findings->cpu_words =
        arena_array(arena, capacity * cpuset_words(cpus), sizeof(*findings->cpu_words));
    findings->slots = arena_array(arena, findings->slots_count, sizeof(*findings->slots));
    if (findings->items == NULL || findings->text == NULL || findings->cpu_words == NULL ||
        findings->slots == NULL) {
        return STATUS_NO_MEMORY;
    }
    findings->capacity = capacity;
    findings->text_capacity_bytes = capacity * TEXT_BYTES_PER_FINDING;
    return STATUS_OK;
}

static const char *text_or_empty(const char *text)
{
    return text == NULL ? "" : text;
}

/*
 * The part of `object` that equal judgements of several CPUs share: see findings_add. Segments end
 * where the path does, at the first blank or bracket, so that a dot in "_CST 1.5" splits nothing.
 */
static struct piece object_kind(const char *object, bool is_of_cpu)
{
    size_t path_length = strcspn(object, " [");
    size_t start = path_length;

    if (object[0] != '\\') {
        return (struct piece){object, strlen(object)};
    }
    while (start > 0 && object[start - 1] != '.' && object[start - 1] != '\\') {
        start--;
    }
    if (object[start] == '_') {
        return (struct piece){object + start, strlen(object + start)};
    }
    if (is_of_cpu) {
        return (struct piece){object + path_length, strlen(object + path_length)};
    }
    return (struct piece){object, strlen(object)};
}

static uint64_t hash_string(uint64_t hash, const char *text)
{
    /* With its NUL, so that "a", "bc" and "ab", "c" differ. */
    return hash_bytes(hash, text, strlen(text) + 1);
}

static uint64_t identity_hash(const struct finding *finding, bool is_of_cpu)
{
    struct piece kind = object_kind(finding->object, is_of_cpu);
    uint64_t hash = hash_word(HASH_START, (uint64_t)finding->verdict << 1 | (is_of_cpu ? 1 : 0));

    hash = hash_string(hash, finding->id);
    hash = hash_bytes(hash, kind.text, kind.length);
    hash = hash_string(hash_word(hash, kind.length), finding->expected);
    return hash_string(hash, finding->actual);
}

static bool is_of_cpus(const struct finding *finding)
{
    return cpuset_next(&finding->cpus, 0) != CPUSET_NONE;
}

static bool is_same(const struct finding *known, const struct finding *finding, bool is_of_cpu)
{
    struct piece a = object_kind(known->object, is_of_cpu);
    struct piece b = object_kind(finding->object, is_of_cpu);

    return known->verdict == finding->verdict && is_of_cpus(known) == is_of_cpu &&
           a.length == b.length && memcmp(a.text, b.text, a.length) == 0 &&
           strcmp(known->id, finding->id) == 0 && strcmp(known->expected, finding->expected) == 0 &&
           strcmp(known->actual, finding->actual) == 0;
}

/* The place where the finding is, or the free one where it belongs. */
static struct finding_slot *find_slot(const struct findings *findings, uint64_t hash,
                                      const struct finding *finding, bool is_of_cpu)
{
    uint32_t mask = findings->slots_count - 1;
    uint32_t at = (uint32_t)hash & mask;

    while (findings->slots[at].item != 0) {
        const struct finding_slot *slot = &findings->slots[at];

        if (slot->hash == hash && is_same(&findings->items[slot->item - 1], finding, is_of_cpu)) {
            break;
        }
        at = (at + 1) & mask;
    }
    return &findings->slots[at];
}

static const char *keep_text(struct findings *findings, const char *text)
{
    size_t bytes = strlen(text) + 1;
    char *copy = findings->text + findings->text_used_bytes;

    if (bytes == 1) {
        return "";
    }
    if (bytes > findings->text_capacity_bytes - findings->text_used_bytes) {
        return NULL;
    }
    memcpy(copy, text, bytes);
    findings->text_used_bytes += (uint32_t)bytes;
    return copy;
}

/* Appends a copy with an empty CPU set, or returns NULL when it does not fit. */
static struct finding *append(struct findings *findings, const struct finding *finding)
{
    struct finding kept = *finding;
    size_t words = cpuset_words(findings->cpus);
    uint32_t text_used_bytes = findings->text_used_bytes;

    if (findings->count == findings->capacity) {
        return NULL;
    }
    kept.object = keep_text(findings, finding->object);
    kept.expected = keep_text(findings, finding->expected);
    kept.actual = keep_text(findings, finding->actual);
    if (kept.object == NULL || kept.expected == NULL || kept.actual == NULL) {
        findings->text_used_bytes = text_used_bytes;
        return NULL;
    }
    kept.sequence = findings->count;
    kept.cpus.capacity = findings->cpus;
    kept.cpus.words = findings->cpu_words + findings->count * words;
    findings->items[findings->count] = kept;
    return &findings->items[findings->count++];
}

static void drop(struct findings *findings, enum verdict verdict)
{
    findings->dropped++;
    if ((unsigned)verdict < VERDICTS) {
        findings->dropped_by_verdict[verdict]++;
    }
}

/* The object shown is that of the first CPU, in whatever order the CPUs come. */
static void note_cpu(struct findings *findings, struct finding *finding, const char *object,
                     uint32_t cpu)
{
    if (is_of_cpus(finding) && cpu < cpuset_next(&finding->cpus, 0)) {
        size_t length = strlen(object);

        if (length > 0 && length <= strlen(finding->object)) {
            memcpy(findings->text + (finding->object - findings->text), object, length + 1);
        } else {
            const char *copy = keep_text(findings, object);

            finding->object = copy == NULL ? finding->object : copy;
        }
    }
    cpuset_add(&finding->cpus, cpu);
}

void findings_add(struct findings *findings, const struct finding *proto, uint32_t cpu)
{
    struct finding finding = *proto;
    bool is_of_cpu = cpu < findings->cpus;
    struct finding_slot *slot;
    uint64_t hash;

    if (findings->capacity == 0) {
        drop(findings, proto->verdict);
        return;
    }
    finding.id = text_or_empty(proto->id);
    finding.object = text_or_empty(proto->object);
    finding.expected = text_or_empty(proto->expected);
    finding.actual = text_or_empty(proto->actual);
    hash = identity_hash(&finding, is_of_cpu);
    slot = find_slot(findings, hash, &finding, is_of_cpu);
    if (slot->item == 0) {
        if (append(findings, &finding) == NULL) {
            drop(findings, proto->verdict);
            return;
        }
        *slot = (struct finding_slot){.hash = hash, .item = findings->count};
    }
    note_cpu(findings, &findings->items[slot->item - 1], finding.object, cpu);
}

struct totals findings_totals(const struct findings *findings)
{
    struct totals totals = {{0}};

    for (uint32_t i = 0; i < findings->count; i++) {
        enum verdict verdict = findings->items[i].verdict;

        if ((unsigned)verdict < VERDICTS) {
            totals.by_verdict[verdict]++;
        }
    }
    return totals;
}

static unsigned verdict_order(enum verdict verdict)
{
    static const enum verdict order[VERDICTS] = {VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO,
                                                 VERDICT_SKIP, VERDICT_PASS};
    unsigned at = 0;

    while (at < VERDICTS && order[at] != verdict) {
        at++;
    }
    return at;
}

static bool is_before(const struct finding *a, const struct finding *b)
{
    int ids = strcmp(a->id, b->id);
    uint32_t first_a;
    uint32_t first_b;

    if (a->verdict != b->verdict) {
        return verdict_order(a->verdict) < verdict_order(b->verdict);
    }
    if (a->severity != b->severity) {
        return a->severity < b->severity;
    }
    if (ids != 0) {
        return ids < 0;
    }
    /* A finding about the whole machine has the number CPUSET_NONE + 1 here: it comes first. */
    first_a = cpuset_next(&a->cpus, 0) + 1U;
    first_b = cpuset_next(&b->cpus, 0) + 1U;
    if (first_a != first_b) {
        return first_a < first_b;
    }
    return a->sequence < b->sequence;
}

static void swap(struct finding *a, struct finding *b)
{
    struct finding kept = *a;

    *a = *b;
    *b = kept;
}

/* Lets items[at] sink until no child in items[0..count) belongs behind it. */
static void sink(struct finding *items, uint32_t at, uint32_t count)
{
    for (;;) {
        uint32_t child = 2 * at + 1;

        if (child >= count) {
            return;
        }
        if (child + 1 < count && is_before(&items[child], &items[child + 1])) {
            child++;
        }
        if (!is_before(&items[at], &items[child])) {
            return;
        }
        swap(&items[at], &items[child]);
        at = child;
    }
}

/* The hash table names places, which sorting has changed. */
static void rebuild_slots(struct findings *findings)
{
    memset(findings->slots, 0, findings->slots_count * sizeof(*findings->slots));
    for (uint32_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        bool is_of_cpu = is_of_cpus(finding);
        uint64_t hash = identity_hash(finding, is_of_cpu);

        *find_slot(findings, hash, finding, is_of_cpu) =
            (struct finding_slot){.hash = hash, .item = i + 1};
    }
}

/* Heap sort: in place, without recursion. No two findings compare equal, so the order is one. */
void findings_sort(struct findings *findings)
{
    if (findings->count < 2) {
        return;
    }
    for (uint32_t i = findings->count / 2; i > 0; i--) {
        sink(findings->items, i - 1, findings->count);
    }
    for (uint32_t i = findings->count - 1; i > 0; i--) {
        swap(&findings->items[0], &findings->items[i]);
        sink(findings->items, 0, i);
    }
    rebuild_slots(findings);
}

#include "model/cpuset.h"

#include "model/textbuf.h"

#define WORD_BITS 64U
#define RANGE_TEXT_BYTES 24 /* ",4294967295-4294967295" */

struct cpuset cpuset_create(struct arena *arena, uint32_t capacity)
{
    struct cpuset set = {.capacity = capacity};

    set.words = arena_array(arena, cpuset_words(capacity), sizeof(*set.words));
    if (set.words == NULL) {
        set.capacity = 0;
    }
    return set;
}

size_t cpuset_words(uint32_t capacity)
{
    return capacity / WORD_BITS + (capacity % WORD_BITS != 0 ? 1 : 0);
}

void cpuset_add(struct cpuset *set, uint32_t cpu)
{
    if (set->words != NULL && cpu < set->capacity) {
        set->words[cpu / WORD_BITS] |= UINT64_C(1) << cpu % WORD_BITS;
    }
}

bool cpuset_has(const struct cpuset *set, uint32_t cpu)
{
    return set->words != NULL && cpu < set->capacity &&
           (set->words[cpu / WORD_BITS] >> cpu % WORD_BITS & 1U) != 0;
}

/* Word `index`, 0 beyond the set's end. */
static uint64_t word_at(const struct cpuset *set, size_t index)
{
    return set->words != NULL && index < cpuset_words(set->capacity) ? set->words[index] : 0;
}

uint32_t cpuset_count(const struct cpuset *set)
{
    uint32_t count = 0;

    for (size_t i = 0; i < cpuset_words(set->capacity); i++) {
        for (uint64_t word = word_at(set, i); word != 0; word &= word - 1) {
            count++;
        }
    }
    return count;
}

bool cpuset_equal(const struct cpuset *a, const struct cpuset *b)
{
    size_t words = cpuset_words(a->capacity > b->capacity ? a->capacity : b->capacity);

    for (size_t i = 0; i < words; i++) {
        if (word_at(a, i) != word_at(b, i)) {
            return false;
        }
    }
    return true;
}

uint32_t cpuset_next(const struct cpuset *set, uint32_t cpu)
{
    for (size_t i = cpu / WORD_BITS; i < cpuset_words(set->capacity); i++) {
        uint64_t word = word_at(set, i);

        if (i == cpu / WORD_BITS) {
            word &= UINT64_MAX << cpu % WORD_BITS;
        }
        if (word != 0) {
            return (uint32_t)i * WORD_BITS + (uint32_t)__builtin_ctzll(word);
        }
    }
    return CPUSET_NONE;
}

/* The first CPU after `cpu`, which is in the set, that is not. */
static uint32_t range_end(const struct cpuset *set, uint32_t cpu)
{
    while (cpuset_has(set, cpu)) {
        cpu++;
    }
    return cpu;
}

static size_t format_range(char *text, bool is_first, uint32_t first, uint32_t last)
{
    struct textbuf out;

    textbuf_init(&out, text, RANGE_TEXT_BYTES, NULL, NULL);
    textbuf_printf(&out, is_first ? "%u" : ",%u", first);
    if (last != first) {
        textbuf_printf(&out, "-%u", last);
    }
    return out.length;
}

size_t cpuset_format(const struct cpuset *set, char *text, size_t text_bytes)
{
    struct textbuf out;
    uint32_t cpu = cpuset_next(set, 0);

    textbuf_init(&out, text, text_bytes, NULL, NULL);
    while (cpu != CPUSET_NONE) {
        char range[RANGE_TEXT_BYTES];
        uint32_t end = range_end(set, cpu);
        size_t length = format_range(range, out.length == 0, cpu, end - 1);

        cpu = cpuset_next(set, end);
        /* Room stays for ",..." while anything may follow. */
        if (out.length + length + (cpu == CPUSET_NONE ? 0 : sizeof(",...") - 1) >= text_bytes) {
            textbuf_string(&out, out.length == 0 ? "..." : ",...");
            break;
        }
        textbuf_bytes(&out, range, length);
    }
    return out.length;
}

/* A decimal number at *at, which moves behind it; false when there is none or it exceeds 32 bits. */
static bool parse_number(const char **at, uint32_t *ret_number)
{
    uint64_t number = 0;
    const char *digit = *at;

    for (; *digit >= '0' && *digit <= '9'; digit++) {
        number = number * 10 + (uint64_t)(*digit - '0');
        if (number > UINT32_MAX) {
            return false;
        }
    }
    if (digit == *at) {
        return false;
    }
    *at = digit;
    *ret_number = (uint32_t)number;
    return true;
}

/* "N" or "N-M" and the comma behind it, if another one follows. */
static bool parse_range(const char **at, uint32_t *ret_first, uint32_t *ret_last)
{
    if (!parse_number(at, ret_first)) {
        return false;
    }
    *ret_last = *ret_first;
    if (**at == '-') {
        ++*at;
        if (!parse_number(at, ret_last) || *ret_last < *ret_first) {
            return false;
        }
    }
    if (**at == ',') {
        ++*at;
        return **at != '\0';
    }
    return **at == '\0';
}

bool cpuset_is_list(const char *text, uint32_t capacity)
{
    while (*text != '\0') {
        uint32_t first;
        uint32_t last;

        if (!parse_range(&text, &first, &last) || last >= capacity) {
            return false;
        }
    }
    return true;
}

enum status cpuset_parse(const char *text, struct cpuset *ret_set)
{
    if (ret_set->words == NULL) {
        return STATUS_NO_MEMORY;
    }
    if (!cpuset_is_list(text, ret_set->capacity)) {
        return STATUS_BAD_INPUT;
    }
    for (size_t i = 0; i < cpuset_words(ret_set->capacity); i++) {
        ret_set->words[i] = 0;
    }
    while (*text != '\0') {
        uint32_t first = 0;
        uint32_t last = 0;

        if (!parse_range(&text, &first, &last)) {
            return STATUS_BAD_INPUT;
        }
        for (uint32_t cpu = first; cpu <= last && cpu < ret_set->capacity; cpu++) {
            cpuset_add(ret_set, cpu);
        }
    }
    return STATUS_OK;
}

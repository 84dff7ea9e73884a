#include "rules/alike.h"

#define VARIANTS_MAX 16

/* One value of the key among the processors of one kind of core. */
struct variant {
    uint64_t key;
    uint32_t core_type;
    uint32_t count;
    const struct processor *processor; /* the first */
    const struct object_set *set;
};

struct variants {
    uint32_t count;
    struct variant items[VARIANTS_MAX];
};

static uint32_t core_type_of(const struct platform *platform, const struct processor *processor)
{
    return processor->cpu < platform->cpus_count ? platform->cpus[processor->cpu].core_type : 0;
}

void alike_presence(struct judge *judge)
{
    enum object_kind kind = judge->rule->kind;
    uint32_t with = judge_count_with(judge->platform, kind);
    uint32_t index = 0;
    const struct processor *processor;

    if (with == 0) {
        judge_skip(judge, judge_missing(judge, kind));
        return;
    }
    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        if (processor->objects[kind].avail != AVAIL_ABSENT) {
            continue;
        }
        judge_about(judge, processor);
        judge_fail(judge, "the object on every enabled processor",
                   "no %s here, while %u other processors have one", object_kind_name(kind), with);
    }
}

static void variants_add(struct variants *variants, const struct variant *new_one)
{
    for (uint32_t i = 0; i < variants->count; i++) {
        struct variant *variant = &variants->items[i];

        if (variant->key == new_one->key && variant->core_type == new_one->core_type) {
            variant->count++;
            return;
        }
    }
    if (variants->count < VARIANTS_MAX) {
        variants->items[variants->count++] = *new_one;
    }
}

static void variants_collect(const struct judge *judge, alike_key key, struct variants *variants)
{
    uint32_t index = 0;
    const struct processor *processor;

    variants->count = 0;
    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct object_set *set = judge_certain_object(judge, processor, judge->rule->kind);

        if (set != NULL) {
            struct variant variant = {key(processor, set), core_type_of(judge->platform, processor),
                                      1, processor, set};

            variants_add(variants, &variant);
        }
    }
}

static const struct variant *majority(const struct variants *variants, uint32_t core_type)
{
    const struct variant *most = NULL;

    for (uint32_t i = 0; i < variants->count; i++) {
        const struct variant *variant = &variants->items[i];

        if (variant->core_type == core_type && (most == NULL || variant->count > most->count)) {
            most = variant;
        }
    }
    return most;
}

/* Without CPUID two variants that several processors have each look like two kinds of core. */
static bool may_be_two_kinds(const struct judge *judge, const struct variants *variants)
{
    return !judge_knows_kinds(judge->platform) && variants->count == 2 &&
           variants->items[0].count > 1 && variants->items[1].count > 1;
}

static void report_outlier(struct judge *judge, const struct object_set *set,
                           const struct variant *most, alike_words words)
{
    struct judge_text expected;
    struct judge_text ours;
    struct judge_text theirs;
    const char *like_others = judge_text(&expected, "as %u other processors of this kind: %s",
                                         most->count, words(most->processor, most->set, &theirs));

    if (judge_knows_kinds(judge->platform)) {
        judge_fail(judge, like_others, "%s", words(judge->processor, set, &ours));
    } else {
        judge_warn(judge, like_others, "%s", words(judge->processor, set, &ours));
    }
}

void alike_values(struct judge *judge, alike_key key, alike_words words)
{
    struct variants variants;
    uint32_t index = 0;
    const struct processor *processor;

    variants_collect(judge, key, &variants);
    if (variants.count == 0) {
        judge_skip(judge, judge_missing(judge, judge->rule->kind));
        return;
    }
    if (may_be_two_kinds(judge, &variants)) {
        judge_skip(judge,
                   "two variants that may be two kinds of core; without CPUID none can tell");
        return;
    }
    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        const struct object_set *set = judge_certain_object(judge, processor, judge->rule->kind);
        const struct variant *most = majority(&variants, core_type_of(judge->platform, processor));

        if (set != NULL && most != NULL && key(processor, set) != most->key) {
            judge_about(judge, processor);
            report_outlier(judge, set, most, words);
        }
    }
}

uint64_t alike_whole(const struct processor *processor, const struct object_set *set)
{
    (void)processor;
    return set->hash;
}

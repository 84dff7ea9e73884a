#include "report/idle_words.h"

#include <string.h>

#define USUAL_LENGTH_NS UINT64_C(1000000)

bool idle_words_is_alike(const struct idle_sample_set *a, const struct idle_sample_set *b)
{
    return a->entry == b->entry && a->port == b->port && a->hint == b->hint &&
           a->dummy_read == b->dummy_read && a->stopped_in == b->stopped_in &&
           strcmp(a->state, b->state) == 0;
}

uint64_t idle_words_length_ns(const struct platform *platform)
{
    for (uint32_t i = 0; i < platform->idle_count; i++) {
        if (platform->idle[i].requested_ns == USUAL_LENGTH_NS) {
            return USUAL_LENGTH_NS;
        }
    }
    return platform->idle_count == 0 ? 0 : platform->idle[0].requested_ns;
}

bool idle_words_is_first(const struct platform *platform, uint32_t index, uint64_t length_ns)
{
    const struct idle_sample_set *set = &platform->idle[index];

    if (set->requested_ns != length_ns) {
        return false;
    }
    for (uint32_t i = 0; i < index; i++) {
        if (platform->idle[i].requested_ns == length_ns &&
            idle_words_is_alike(&platform->idle[i], set)) {
            return false;
        }
    }
    return true;
}

void idle_words_way(struct textbuf *out, const struct idle_sample_set *set)
{
    switch (set->entry) {
    case IDLE_MWAIT:
        textbuf_printf(out, "%s by MWAIT 0x%X", set->state, set->hint);
        break;
    case IDLE_IO:
        textbuf_printf(out, "%s by port 0x%X", set->state, set->port);
        break;
    case IDLE_HLT:
    default:
        textbuf_printf(out, "%s by HLT", set->state);
        break;
    }
    if (set->dummy_read != DUMMY_NONE) {
        textbuf_string(out, " and the PM timer");
    }
}

const char *idle_words_stop(const struct idle_sample_set *set)
{
    switch (set->stopped_in) {
    case STOPPED_FIRST_READ:
        return set->entry == IDLE_IO ? "stops in the first read" : "stops";
    case STOPPED_DUMMY_READ:
        return "stops in the second read";
    case STOPPED_NONE:
        return set->ran_on_tsc.n != 0 ? "runs on, and stops only after the reads"
                                      : "not entered: the CPU does not stop";
    case STOPPED_UNKNOWN:
    default:
        return "the samples do not agree on where it stops";
    }
}

const char *idle_words_dummy(unsigned verdict)
{
    static const char *const words[] = {[DUMMY_VERDICT_UNKNOWN] = "not judged",
                                        [DUMMY_NEEDED] = "needed",
                                        [DUMMY_HARMLESS] = "harmless",
                                        [DUMMY_HARMFUL] = "harmful"};

    return verdict < sizeof(words) / sizeof(words[0]) ? words[verdict] : words[0];
}

#include "report/idle_refused.h"

#include "report/idle_words.h"
#include "report/ranges.h"

#include <string.h>

static bool is_alike(const struct idle_not_timed *a, const struct idle_not_timed *b)
{
    return a->way.entry == b->way.entry && a->way.port == b->way.port &&
           a->way.hint == b->way.hint && a->way.dummy_read == b->way.dummy_read &&
           strcmp(a->way.state, b->way.state) == 0 &&
           strcmp(a->way.not_timed, b->way.not_timed) == 0;
}

void idle_refused_fold(const struct platform *platform, struct idle_refused *ret_refused)
{
    *ret_refused = (struct idle_refused){0};
    for (uint32_t i = 0; i < platform->idle_not_timed_count; i++) {
        const struct idle_not_timed *all = platform->idle_not_timed;
        uint32_t line = 0;

        while (line < ret_refused->count && !is_alike(&all[ret_refused->first[line]], &all[i])) {
            line++;
        }
        if (line < ret_refused->count) {
            continue;
        }
        if (line == IDLE_REFUSED_LINES) {
            ret_refused->beyond++;
        } else {
            ret_refused->first[ret_refused->count++] = i;
        }
    }
}

void idle_refused_line(struct textbuf *out, const struct platform *platform, uint32_t first)
{
    const struct idle_not_timed *one = &platform->idle_not_timed[first];
    const struct idle_sample_set like = {.state = one->way.state,
                                         .entry = one->way.entry,
                                         .port = one->way.port,
                                         .hint = one->way.hint,
                                         .dummy_read = one->way.dummy_read};
    struct ranges ranges;

    idle_words_way(out, &like);
    textbuf_string(out, ", CPU ");
    ranges_start(&ranges, out);
    for (uint32_t i = first; i < platform->idle_not_timed_count; i++) {
        if (is_alike(one, &platform->idle_not_timed[i])) {
            ranges_add(&ranges, platform->idle_not_timed[i].cpu);
        }
    }
    ranges_end(&ranges);
    textbuf_printf(out, ": %s", one->way.not_timed);
}

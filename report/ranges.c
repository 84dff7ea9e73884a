#include "report/ranges.h"

static void flush(struct ranges *ranges)
{
    if (!ranges->is_open) {
        return;
    }
    if (ranges->has_written) {
        textbuf_byte(ranges->out, ',');
    }
    textbuf_printf(ranges->out, "%u", ranges->first);
    if (ranges->last != ranges->first) {
        textbuf_printf(ranges->out, "-%u", ranges->last);
    }
    ranges->has_written = true;
    ranges->is_open = false;
}

void ranges_start(struct ranges *ranges, struct textbuf *out)
{
    *ranges = (struct ranges){.out = out};
}

void ranges_add(struct ranges *ranges, uint32_t cpu)
{
    if (ranges->is_open && cpu == ranges->last + 1) {
        ranges->last = cpu;
        return;
    }
    flush(ranges);
    ranges->first = cpu;
    ranges->last = cpu;
    ranges->is_open = true;
}

void ranges_end(struct ranges *ranges)
{
    flush(ranges);
}

void ranges_of_set(struct textbuf *out, const struct cpuset *set)
{
    struct ranges ranges;

    ranges_start(&ranges, out);
    for (uint32_t cpu = 0; set->words != NULL && cpu < set->capacity; cpu++) {
        if (cpuset_has(set, cpu)) {
            ranges_add(&ranges, cpu);
        }
    }
    ranges_end(&ranges);
}

void ranges_of_object(struct textbuf *out, const struct platform *platform,
                      const struct object_set *set)
{
    struct ranges ranges;

    ranges_start(&ranges, out);
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        const struct processor *processor = platform_processor(platform, cpu);

        if (processor != NULL && processor->objects[set->kind].set == set) {
            ranges_add(&ranges, cpu);
        }
    }
    ranges_end(&ranges);
}

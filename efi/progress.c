#include "efi/progress.h"

#include "efi/console.h"
#include "efi/journal.h"

enum step_answer progress_step(void *context, const struct step *step)
{
    struct progress *progress = context;
    uint32_t cpus = progress->platform->cpus_count;

    if (step->part[0] != '\0') {
        console_printf("        %s\n", step->part);
        return journal_step(step);
    }
    progress->done += 1;
    if (progress->done > progress->total) {
        progress->total = progress->done;
    }
    console_printf("[%2u/%2u] %s%s%s", progress->done, progress->total, step->name,
                   step->object[0] == '\0' ? "" : " ", step->object);
    if (step->kind == STEP_OF_PARTS && cpus > 0) {
        console_printf(" on %u CPU%s", cpus, cpus == 1 ? "" : "s");
    }
    console_text("\n", 1);
    return journal_step(step);
}

void progress_note(void *context, const char *what, uint64_t left_s)
{
    (void)context;
    console_printf("        %s, at most %llu s left\n", what, (unsigned long long)left_s);
}

void progress_left(struct progress *progress, uint32_t left)
{
    progress->total = progress->done + left;
}

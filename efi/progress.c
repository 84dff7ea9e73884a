#include "efi/progress.h"

#include "efi/console.h"
#include "efi/journal.h"
#include "efi/terminal.h"

/* Esc, once: every key that was pressed by now is taken, the others mean nothing here. */
static void look_for_stop(struct progress *progress)
{
    struct key key = {.code = KEY_NONE};

    if (!progress->is_attended || progress->is_stopped) {
        return;
    }
    do {
        key = terminal_key(0);
        progress->is_stopped = progress->is_stopped || key.code == KEY_ESCAPE;
    } while (key.code != KEY_NONE);
    if (progress->is_stopped) {
        console_printf("        Esc: no more timed steps; what is known is reported\n");
    }
}

enum step_answer progress_step(void *context, const struct step *step)
{
    struct progress *progress = context;
    uint32_t cpus = progress->platform->cpus_count;

    if (step->part[0] != '\0') {
        /* What a timed step does, progress_note says. */
        if (step->kind != STEP_TIMED) {
            console_printf("        %s\n", step->part);
        }
        return journal_step(step);
    }
    progress->done += 1;
    if (progress->done > progress->total) {
        progress->total = progress->done;
    }
    console_printf("[%2u/%2u] %s%s%s", progress->done, progress->total, step->name,
                   step->object[0] == '\0' ? "" : " ", step->object);
    if (step->kind == STEP_OF_PARTS && step->object[0] != '\0' && cpus > 0) {
        console_printf(" on %u CPU%s", cpus, cpus == 1 ? "" : "s");
    }
    console_text("\n", 1);
    look_for_stop(progress);
    return step->kind == STEP_TIMED && progress->is_stopped ? STEP_STOPPED : journal_step(step);
}

const char *progress_left_out(void *context, const struct step *step)
{
    (void)context;
    return journal_left_out(step);
}

bool progress_note(void *context, const char *what, uint64_t left_s)
{
    struct progress *progress = context;

    console_printf("        %s, about %llu s left\n", what, (unsigned long long)left_s);
    look_for_stop(progress);
    return !progress->is_stopped;
}

void progress_left(struct progress *progress, uint32_t left)
{
    progress->total = progress->done + left;
}

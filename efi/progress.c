#include "efi/progress.h"

#include "efi/console.h"

#include <string.h>

void progress_step(void *context, const char *name, const char *object)
{
    struct progress *progress = context;
    uint32_t cpus = progress->platform->cpus_count;

    progress->done += 1;
    if (progress->done > progress->total) {
        progress->total = progress->done;
    }
    console_printf("[%2u/%2u] %s%s%s", progress->done, progress->total, name,
                   object[0] == '\0' ? "" : " ", object);
    if (strncmp(name, "evaluate", strlen("evaluate")) == 0 && cpus > 0) {
        console_printf(" on %u CPU%s", cpus, cpus == 1 ? "" : "s");
    }
    console_text("\n", 1);
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

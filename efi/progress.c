#include "efi/progress.h"

#include "efi/console.h"

void progress_step(void *context, const char *name, const char *object)
{
    struct progress *progress = context;

    progress->done += 1;
    if (progress->done > progress->total) {
        progress->total = progress->done;
    }
    console_printf("[%2u/%2u] %s%s%s\n", progress->done, progress->total, name,
                   object == NULL ? "" : " ", object == NULL ? "" : object);
}

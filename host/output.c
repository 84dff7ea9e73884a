#include "host/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static bool flush(void *context, const char *bytes, size_t length)
{
    FILE *file = context;

    return fwrite(bytes, 1, length, file) == length;
}

/* errno's words; strerror is thread-unsafe only where there are threads. */
static enum status fail(const char *path, const char *what)
{
    (void)fprintf(stderr, "assay: %s: %s: %s\n", path, what,
                  strerror(errno)); /* NOLINT(concurrency-mt-unsafe) */
    return STATUS_IO;
}

enum status output_report(const char *path, report_writer writer, const struct report *report)
{
    static char buffer[64 * 1024];
    bool is_standard = strcmp(path, "-") == 0;
    FILE *file = is_standard ? stdout : fopen(path, "wb");
    struct textbuf out;
    bool is_written;

    if (file == NULL) {
        return fail(path, "cannot be made");
    }
    textbuf_init(&out, buffer, sizeof(buffer), flush, file);
    writer(report, &out);
    is_written = textbuf_finish(&out) && fflush(file) == 0;
    if (!is_standard && fclose(file) != 0) {
        is_written = false;
    }
    return is_written ? STATUS_OK : fail(path, "cannot be written");
}

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

FILE *output_open(const char *path)
{
    FILE *file = strcmp(path, "-") == 0 ? stdout : fopen(path, "wb");

    if (file == NULL) {
        (void)fail(path, "cannot be made");
    }
    return file;
}

bool output_close(FILE *file, const char *path, bool is_written)
{
    if (fflush(file) != 0 || ferror(file) != 0) {
        is_written = false;
    }
    if (file != stdout && fclose(file) != 0) {
        is_written = false;
    }
    if (!is_written) {
        (void)fail(path, "cannot be written");
    }
    return is_written;
}

bool output_write(FILE *file, report_writer writer, const struct report *report)
{
    static char buffer[64 * 1024];
    struct textbuf out;

    textbuf_init(&out, buffer, sizeof(buffer), flush, file);
    writer(report, &out);
    return textbuf_finish(&out);
}

enum status output_report(const char *path, report_writer writer, const struct report *report)
{
    FILE *file = output_open(path);

    if (file == NULL) {
        return STATUS_IO;
    }
    return output_close(file, path, output_write(file, writer, report)) ? STATUS_OK : STATUS_IO;
}

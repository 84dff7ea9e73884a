#include "efi/expectation.h"

#include "efi/console.h"
#include "efi/files.h"
#include "efi/firmware.h"
#include "rules/expect.h"

#define EXPECTATION_BYTES_MAX ((size_t)256 * 1024)

/* A firmware clock that was never set says a year before any waiver was written: then nothing expires. */
#define FIRST_SENSIBLE_YEAR 2024

static uint32_t today_yyyymmdd(void)
{
    struct wall_time now = firmware_utc();

    if (now.year < FIRST_SENSIBLE_YEAR) {
        return 0;
    }
    return (uint32_t)now.year * 10000 + (uint32_t)now.month * 100 + (uint32_t)now.day;
}

bool expectation_read(const struct options *options, struct arena *arena,
                      struct expectation *ret_expectation)
{
    enum status status;

    *ret_expectation = (struct expectation){.path = options->expect};
    if (options->expect[0] == '\0') {
        return true;
    }
    status = files_read(options->expect, EXPECTATION_BYTES_MAX, arena, &ret_expectation->bytes,
                        &ret_expectation->length);
    if (status != STATUS_OK) {
        console_printf("assay: --expect=%s: %s\n", options->expect,
                       status == STATUS_NOT_FOUND ? "no such file on the boot medium"
                                                  : "cannot be read, or larger than 256 KB");
        return false;
    }
    ret_expectation->today_yyyymmdd = today_yyyymmdd();
    return true;
}

bool expectation_judge(const struct expectation *expectation, const struct platform *platform,
                       struct findings *findings)
{
    struct expect_error error = {0};

    if (expectation->bytes == NULL) {
        return true;
    }
    if (expect_judge((const char *)expectation->bytes, expectation->length, platform,
                     expectation->today_yyyymmdd, findings, &error) != STATUS_OK) {
        console_printf("assay: %s:%u: %s\n", expectation->path, error.line, error.text);
        return false;
    }
    return true;
}

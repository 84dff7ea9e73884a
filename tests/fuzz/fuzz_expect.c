#include "rules/expect.h"
#include "tests/sim/sim_report.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* An expectation file of any bytes is judged, or its first wrong line named. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct sim_report sample;
    struct expect_error error = {0};
    uint32_t before;

    sim_report_init(&sample);
    before = sample.findings.count;
    if (expect_judge((const char *)data, size, &sample.sim.platform, 20260101, &sample.findings,
                     &error) == STATUS_BAD_INPUT &&
        (error.line == 0 || error.text[0] == '\0' || sample.findings.count != before)) {
        abort();
    }
    sim_report_free(&sample);
    return 0;
}

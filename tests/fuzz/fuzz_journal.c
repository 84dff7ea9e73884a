#include "model/journal.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What parses comes back the same from its own records, and a run can start from it. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static uint8_t bytes[JOURNAL_BYTES];
    static uint8_t again[JOURNAL_BYTES];
    struct journal journal;
    struct journal copy;
    size_t length = size < sizeof(bytes) ? size : sizeof(bytes);

    /* Short inputs as records: the rest is blank, the line ends are in place. */
    memset(bytes, ' ', sizeof(bytes));
    memcpy(bytes, data, length);
    for (size_t end = JOURNAL_RECORD_BYTES - 1; end < sizeof(bytes); end += JOURNAL_RECORD_BYTES) {
        bytes[end] = '\n';
    }
    if (journal_parse(data, size, &journal) != STATUS_OK &&
        journal_parse(bytes, sizeof(bytes), &journal) != STATUS_OK) {
        return 0;
    }
    for (uint32_t i = 0; i < JOURNAL_RECORDS; i++) {
        journal_record(&journal, i, (char *)again + (size_t)i * JOURNAL_RECORD_BYTES);
    }
    if (journal_parse(again, sizeof(again), &copy) != STATUS_OK ||
        copy.machine != journal.machine || copy.is_running != journal.is_running ||
        copy.ended_count != journal.ended_count || strcmp(copy.current, journal.current) != 0) {
        abort();
    }
    (void)journal_begin(&journal, journal.machine, "2026-12-01 03:00");
    return 0;
}

#include "report/governor_input.h"

bool governor_input_of_view(const struct linux_view *view, uint64_t *row_khz,
                            struct governor_input *ret_input)
{
    const struct linux_table *table = &view->table;

    if (view->driver != LINUX_DRIVER_ACPI_CPUFREQ || table->count == 0 ||
        table->count > GOVERNOR_INPUT_ROWS) {
        return false;
    }
    for (uint32_t i = 0; i < table->count; i++) {
        row_khz[i] = table->rows[i].khz;
    }
    *ret_input = (struct governor_input){.rows_count = table->count,
                                         .row_khz = row_khz,
                                         .p0_row = table->p0_row,
                                         .reference_khz = view->governor.reference_khz,
                                         .is_invariant = view->governor.is_invariant,
                                         .invariance_khz = view->governor.invariance_khz,
                                         .delivered_khz = view->governor.delivered_khz,
                                         .form = view->governor.form};
    return true;
}

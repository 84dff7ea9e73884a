#include "model/columns.h"
#include "report/ranges.h"
#include "report/report_json_parts.h"

/* {"low","high"} with the row's unit in the key, or {"word"}; "known": false where the word is a reason. */
static void cell(struct json_out *json, const char *key, const struct column_row *row,
                 const struct column_cell *cell)
{
    static const char *const keys[][2] = {[COLUMN_WORD] = {"low", "high"},
                                          [COLUMN_KHZ] = {"low_khz", "high_khz"},
                                          [COLUMN_NS] = {"low_ns", "high_ns"}};

    json_out_flat_object(json, key);
    json_out_bool(json, "known", cell->avail == AVAIL_PRESENT);
    if (cell->word != NULL) {
        json_out_string(json, "word", cell->word);
    } else {
        json_out_u64(json, keys[row->unit][0], cell->low);
        json_out_u64(json, keys[row->unit][1], cell->high);
    }
    json_out_end(json);
}

static void cpus(struct json_out *json, const struct cpuset *set)
{
    if (json_out_open_string(json, "cpus")) {
        ranges_of_set(json->out, set);
        json_out_close_string(json);
    }
}

void report_json_columns(const struct report *report, struct json_out *json)
{
    const struct columns *columns = report->platform->columns;

    json_out_array(json, "columns");
    for (uint32_t i = 0; columns != NULL && i < columns->count; i++) {
        const struct column_row *row = &columns->rows[i];

        json_out_object(json, NULL);
        json_out_string(json, "part", column_part_name(row->part));
        json_out_string(json, "subject", row->subject);
        cpus(json, &row->cpus);
        cell(json, "claimed", row, &row->claimed);
        cell(json, "assumed", row, &row->assumed);
        cell(json, "measured", row, &row->measured);
        json_out_string(json, "mark", column_mark_name(row->mark));
        json_out_string(json, "why", row->why);
        json_out_end(json);
    }
    json_out_end(json);
}

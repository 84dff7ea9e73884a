#include "model/freq.h"
#include "report/report_json_parts.h"

static void energy(const struct platform *platform, const struct work_sample *sample,
                   struct json_out *json)
{
    if (sample->package_avail != AVAIL_PRESENT) {
        json_out_string(json, "no_energy_why", sample->no_energy_why);
        return;
    }
    json_out_u64(json, "energy_uj", sample->package_uj);
    json_out_u64(json, "energy_tsc", sample->energy_tsc);
    json_out_u64(json, "package_mw", work_package_mw(sample, platform->tsc_hz));
    json_out_u64(json, "uncertainty_ppm", sample->uncertainty_ppm);
    json_out_u64(json, "work_per_joule_milli", work_per_joule_milli(sample, platform->tsc_hz));
    if (sample->dram_avail == AVAIL_PRESENT) {
        json_out_u64(json, "dram_uj", sample->dram_uj);
    }
}

static void entry(const struct platform *platform, const struct work_sample *sample,
                  struct json_out *json)
{
    json_out_flat_object(json, NULL);
    json_out_string(json, "kernel", work_kernel_name(sample->kernel));
    if (sample->pss_index != FREQ_NO_ROW) {
        json_out_u64(json, "pss_index", sample->pss_index);
    }
    if (sample->requested_khz != 0) {
        json_out_u64(json, "requested_khz", sample->requested_khz);
    }
    json_out_bool(json, "boost_off", sample->is_boost_off);
    json_out_u64(json, "package", sample->package);
    json_out_u64(json, "active_cores", sample->active);
    json_out_u64(json, "cpu", sample->cpu);
    json_out_u64(json, "work", sample->pieces_per_s);
    if (sample->is_wrong) {
        json_out_bool(json, "wrong_result", true);
    }
    energy(platform, sample, json);
    if (platform->is_emulated) {
        json_out_bool(json, "emulated", true);
    }
    json_out_end(json);
}

void report_json_work(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_array(json, "work");
    for (uint32_t i = 0; i < platform->work_count; i++) {
        entry(platform, &platform->work[i], json);
    }
    json_out_end(json);
    json_out_string(json, "work_skipped", platform->work_skipped);
}

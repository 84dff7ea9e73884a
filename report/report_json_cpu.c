#include "model/msr_catalog.h"
#include "report/msr_fold.h"
#include "report/ranges.h"
#include "report/report_json_parts.h"

static void leaves(const struct cpuid_set *set, struct json_out *json)
{
    json_out_array(json, "leaves");
    for (uint32_t i = 0; i < set->count; i++) {
        const struct cpuid_leaf *leaf = &set->leaves[i];

        json_out_flat_object(json, NULL);
        json_out_hex(json, "leaf", leaf->leaf, 8);
        json_out_u64(json, "subleaf", leaf->subleaf);
        json_out_hex(json, "eax", leaf->eax, 8);
        json_out_hex(json, "ebx", leaf->ebx, 8);
        json_out_hex(json, "ecx", leaf->ecx, 8);
        json_out_hex(json, "edx", leaf->edx, 8);
        json_out_end(json);
    }
    json_out_end(json);
}

static void kind_cpus(const struct platform *platform, uint32_t kind, struct json_out *json)
{
    struct ranges ranges;

    if (!json_out_open_string(json, "cpus")) {
        return;
    }
    ranges_start(&ranges, json->out);
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        if (platform->cpus[cpu].kind == kind) {
            ranges_add(&ranges, cpu);
        }
    }
    ranges_end(&ranges);
    json_out_close_string(json);
}

void report_json_cpuid(const struct report *report, struct json_out *json)
{
    const struct platform *platform = report->platform;

    json_out_object(json, "cpuid");
    json_out_array(json, "kinds");
    for (uint32_t kind = 0; kind < platform->cpuid_kinds_count; kind++) {
        json_out_object(json, NULL);
        kind_cpus(platform, kind, json);
        leaves(&platform->cpuid_kinds[kind], json);
        json_out_end(json);
    }
    json_out_end(json);
    json_out_end(json);
}

static void one_msr(const struct platform *platform, uint32_t index, struct json_out *json)
{
    const struct msr_entry *entry =
        msr_catalog_find(platform->identity.vendor, platform->msrs[index]);
    struct msr_fold fold;
    struct msr_value value;

    msr_fold_start(platform, index, &fold);
    while (msr_fold_next(&fold, &value)) {
        json_out_flat_object(json, NULL);
        if (json_out_open_string(json, "cpus")) {
            msr_fold_cpus(&fold, &value, json->out);
            json_out_close_string(json);
        }
        json_out_hex(json, "msr", platform->msrs[index], 0);
        json_out_string(json, "name", entry == NULL ? NULL : entry->name);
        if (value.avail == AVAIL_PRESENT) {
            json_out_hex(json, "value", value.value, 0);
        } else {
            json_out_bool(json, "fault", true);
        }
        json_out_end(json);
    }
}

void report_json_msrs(const struct report *report, struct json_out *json)
{
    json_out_array(json, "msrs");
    for (uint32_t i = 0; i < report->platform->msrs_count; i++) {
        one_msr(report->platform, i, json);
    }
    json_out_end(json);
}

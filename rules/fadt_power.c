#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 5.2.9 Fixed ACPI Description Table (FADT)"

/* ACPI 6.5, Table 5.9: above these a system does not use the state. */
#define C2_LATENCY_MAX_US 100
#define C3_LATENCY_MAX_US 1000
#define PM_PROFILE_LAST 8

static bool has_fixed_hardware(struct judge *judge)
{
    const struct fadt *fadt = &judge->platform->fadt;

    if (fadt->avail != AVAIL_PRESENT) {
        judge_skip(judge, "no FADT in this set of tables");
        return false;
    }
    if (fadt_has_flag(fadt, FADT_FLAG_HW_REDUCED)) {
        judge_skip(judge, "hardware-reduced ACPI: no fixed hardware");
        return false;
    }
    return true;
}

static uint64_t field(const struct judge *judge, enum fadt_field index)
{
    return fadt_value(&judge->platform->fadt, index, 0);
}

static bool has_pblk(const struct platform *platform)
{
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        if (processor->pblk_address != 0 && processor->pblk_length >= 6) {
            return true;
        }
    }
    return false;
}

static bool has_cst_type(const struct platform *platform, uint64_t type)
{
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(platform, &index)) != NULL) {
        const struct object_set *set = platform_object(processor, OBJECT_CST);

        for (uint32_t i = 0; set != NULL && i < set->cst.states_count; i++) {
            if (set->cst.states[i].field[CST_TYPE] == type) {
                return true;
            }
        }
    }
    return false;
}

/* A processor in the ACPI namespace is needed to say that none has a P_BLK. */
static void check_latency_usable(struct judge *judge, enum fadt_field index, uint64_t limit_us,
                                 uint64_t type)
{
    struct judge_text expected;

    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (judge->platform->processors_count == 0) {
        judge_skip(judge, "no processor in the namespace");
    } else if (field(judge, index) <= limit_us && !has_pblk(judge->platform) &&
               !has_cst_type(judge->platform, type)) {
        judge_warn(judge,
                   judge_text(&expected,
                              "more than %llu: not supported, as there is neither P_BLK "
                              "nor _CST",
                              (unsigned long long)limit_us),
                   "%llu us", (unsigned long long)field(judge, index));
    }
}

static void c2_is_reachable(struct judge *judge)
{
    check_latency_usable(judge, FADT_P_LVL2_LAT, C2_LATENCY_MAX_US, 2);
}

static void c3_is_reachable(struct judge *judge)
{
    check_latency_usable(judge, FADT_P_LVL3_LAT, C3_LATENCY_MAX_US, 3);
}

static void latencies_ascend(struct judge *judge)
{
    uint64_t c2_us = field(judge, FADT_P_LVL2_LAT);
    uint64_t c3_us = field(judge, FADT_P_LVL3_LAT);

    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (c2_us > C2_LATENCY_MAX_US || c3_us > C3_LATENCY_MAX_US) {
        judge_skip(judge, "C2 or C3 is not supported by the FADT");
    } else if (c3_us < c2_us) {
        judge_warn(judge, "P_LVL3_LAT of at least P_LVL2_LAT", "%llu us for C3, %llu us for C2",
                   (unsigned long long)c3_us, (unsigned long long)c2_us);
    }
}

static void c2_works_on_all(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (field(judge, FADT_P_LVL2_LAT) > C2_LATENCY_MAX_US || judge->platform->cpus_count < 2 ||
        !has_pblk(judge->platform) || judge_count_with(judge->platform, OBJECT_CST) > 0) {
        judge_skip(judge, "C2 of the FADT is not used: one CPU, no P_BLK, no C2, or a _CST");
    } else if (!fadt_has_flag(&judge->platform->fadt, FADT_FLAG_P_LVL2_UP)) {
        judge_warn(judge, "flag P_LVL2_UP (bit 3) where C2 is offered to several processors",
                   "the flag is 0 with %u CPUs: C2 and C3 become C1", judge->platform->cpus_count);
    }
}

static void check_command(struct judge *judge, enum fadt_field index, const char *name)
{
    if (field(judge, index) != 0 && field(judge, FADT_SMI_CMD) == 0) {
        judge_fail(judge, "SMI_CMD, the port for the command", "%s 0x%llX, SMI_CMD 0", name,
                   (unsigned long long)field(judge, index));
    }
}

static void commands_have_a_port(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    check_command(judge, FADT_PSTATE_CNT, "PSTATE_CNT");
    check_command(judge, FADT_CST_CNT, "CST_CNT");
}

static void caches_can_be_flushed(struct judge *judge)
{
    const struct fadt *fadt = &judge->platform->fadt;

    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (!fadt_has_flag(fadt, FADT_FLAG_WBINVD) && !fadt_has_flag(fadt, FADT_FLAG_WBINVD_FLUSH)) {
        judge_warn(judge, "flag WBINVD (bit 0) or WBINVD_FLUSH (bit 1)", "flags 0x%llX",
                   (unsigned long long)field(judge, FADT_FLAGS));
    }
}

static void c1_is_claimed(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (!fadt_has_flag(&judge->platform->fadt, FADT_FLAG_PROC_C1)) {
        judge_note(judge, "flag PROC_C1 (bit 2): every processor has C1", "flags 0x%llX",
                   (unsigned long long)field(judge, FADT_FLAGS));
    }
}

static void profile_is_known(struct judge *judge)
{
    if (judge->platform->fadt.avail != AVAIL_PRESENT) {
        judge_skip(judge, "no FADT in this set of tables");
    } else if (field(judge, FADT_PREFERRED_PM_PROFILE) > PM_PROFILE_LAST) {
        judge_warn(judge, "a profile from 0 to 8", "%llu",
                   (unsigned long long)field(judge, FADT_PREFERRED_PM_PROFILE));
    }
}

const struct rule fadt_power_rules[] = {
    {
        .id = "FADT-020",
        .title = "P_LVL2_LAT promises C2 only where there is a way into it",
        .spec = SPEC ", P_LVL2_LAT",
        .why = "The system looks for a C2 that does not exist.",
        .advice =
            "Set P_LVL2_LAT to 101 (not supported), or give the processors a P_BLK or a _CST.",
        .known_as = "fwts: PLvl2LatDefinedButNotUsable",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = c2_is_reachable,
        .object = "FADT.p_lvl2_lat",
    },
    {
        .id = "FADT-021",
        .title = "P_LVL3_LAT promises C3 only where there is a way into it",
        .spec = SPEC ", P_LVL3_LAT",
        .why = "The system looks for a C3 that does not exist.",
        .advice =
            "Set P_LVL3_LAT to 1001 (not supported), or give the processors a P_BLK or a _CST.",
        .known_as = "fwts: PLvl3LatDefinedButNotUsable",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = c3_is_reachable,
        .object = "FADT.p_lvl3_lat",
    },
    {
        .id = "FADT-022",
        .title = "P_LVL3_LAT is not below P_LVL2_LAT",
        .spec = SPEC ", P_LVL2_LAT and P_LVL3_LAT",
        .why = "The deeper state looks cheaper than the shallow one and is always preferred.",
        .advice = "Correct the latencies.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = latencies_ascend,
        .object = "FADT.p_lvl3_lat",
    },
    {
        .id = "FADT-023",
        .title = "C2 of the FADT may be used with several processors",
        .spec = SPEC ", Table 5.10 flag P_LVL2_UP",
        .why = "Linux enters C1 instead: the processors idle less deeply than they could.",
        .advice = "Set the flag, or set P_LVL2_LAT to 101.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = c2_works_on_all,
        .object = "FADT.flags",
    },
    {
        .id = "FADT-024",
        .title = "Hand-over commands of the FADT have a port",
        .spec = SPEC ", SMI_CMD, PSTATE_CNT and CST_CNT",
        .why = "Linux writes CST_CNT to port 0, which belongs to the DMA controller.",
        .advice = "Set SMI_CMD, or PSTATE_CNT and CST_CNT to 0.",
        .known_as = "fwts: SMMHasExtraPstateCntCmd, SMMHasExtraCSTCntCmd; Linux: Failed to claim "
                    "processor _CST control",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = commands_have_a_port,
        .object = "FADT.smi_cmd",
    },
    {
        .id = "FADT-025",
        .title = "The FADT says how caches are flushed",
        .spec = SPEC ", Table 5.10 flags WBINVD and WBINVD_FLUSH; 8.2 Flushing Caches",
        .why = "Linux does not use C3 without bus-master arbitration.",
        .advice = "Set the WBINVD flag.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = caches_can_be_flushed,
        .object = "FADT.flags",
    },
    {
        .id = "FADT-026",
        .title = "The FADT says that every processor has C1",
        .spec = SPEC ", Table 5.10 flag PROC_C1",
        .why = "Nothing today: systems use HLT anyway.",
        .advice = "Set the flag PROC_C1.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = c1_is_claimed,
        .object = "FADT.flags",
    },
    {
        .id = "FADT-027",
        .title = "The preferred PM profile is one that is defined",
        .spec = "ACPI 6.5, 5.2.9.1 Preferred PM Profile System Types",
        .why = "Drivers choose the wrong defaults; amd-pstate does not load.",
        .advice = "Set the profile of the product: 1 desktop, 2 mobile, 4 server, ...",
        .known_as = "fwts: FADTPMProfile",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = profile_is_known,
        .object = "FADT.preferred_pm_profile",
    },
    {.id = NULL},
};

#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define TEXT_BYTES ((size_t)1024 * 1024)

struct aml_value sim_integer(uint64_t integer)
{
    return (struct aml_value){.type = AML_INTEGER, .integer = integer};
}

struct aml_value sim_string(const char *string)
{
    return (struct aml_value){
        .type = AML_STRING, .length = (uint32_t)strlen(string), .bytes = (const uint8_t *)string};
}

struct aml_value sim_package(const struct aml_value *elements, uint32_t count)
{
    return (struct aml_value){.type = AML_PACKAGE, .length = count, .elements = elements};
}

static struct aml_value *take_values(struct arena *arena, uint32_t count)
{
    struct aml_value *values = arena_array(arena, count, sizeof(*values));

    assert_non_null(values);
    return values;
}

static struct object_set *new_set(struct sim_report *sample, enum object_kind kind, uint32_t index)
{
    struct object_set *set = arena_take(&sample->sim.heap.arena, sizeof(*set));

    assert_non_null(set);
    set->kind = kind;
    set->index = index;
    return set;
}

/* Three rows: a good one, one with a String for its latency and a seventh element, one that is no row. */
static struct object_set *make_pss(struct sim_report *sample, uint64_t first_mhz)
{
    struct arena *arena = &sample->sim.heap.arena;
    struct object_set *set = new_set(sample, OBJECT_PSS, 0);
    struct aml_value *rows = take_values(arena, 4);
    struct aml_value *good = take_values(arena, 6);
    struct aml_value *odd = take_values(arena, 7);
    struct pss_row *decoded = arena_array(arena, 3, sizeof(*decoded));
    struct aml_value *raw = &rows[3];

    assert_non_null(decoded);
    decoded[0] = (struct pss_row){.elements = 6, .valid = 0x3F};
    decoded[1] = (struct pss_row){.elements = 7, .valid = 0x3B};
    for (unsigned i = 0; i < 7; i++) {
        odd[i] = sim_integer(UINT64_MAX - i);
        if (i < 6) {
            good[i] = sim_integer(i == 0 ? first_mhz : i);
            decoded[0].field[i] = good[i].integer;
            decoded[1].field[i] = odd[i].integer;
        }
    }
    odd[2] = sim_string(SIM_HOSTILE);
    decoded[1].field[2] = 0;
    rows[0] = sim_package(good, 6);
    rows[1] = sim_package(odd, 7);
    rows[2] = sim_string("row");
    *raw = sim_package(rows, 3);
    set->raw = raw;
    set->pss = (struct pss){.is_package = true, .count = 3, .rows = decoded};
    return set;
}

static struct object_set *make_cpc(struct sim_report *sample)
{
    struct arena *arena = &sample->sim.heap.arena;
    struct object_set *set = new_set(sample, OBJECT_CPC, 0);
    struct aml_value *elements = take_values(arena, 31);
    static const uint8_t bytes[3] = {0x82, 0x0C, 0x00};

    elements[0] = sim_integer(30);
    elements[1] = sim_integer(3);
    elements[2] = sim_integer(255);
    elements[3] = (struct aml_value){.type = AML_BUFFER, .length = 3, .bytes = bytes};
    elements[4] = (struct aml_value){.type = AML_NULL};
    elements[5] = (struct aml_value){.type = AML_REFERENCE, .length = 3, .bytes = bytes};
    elements[6] = (struct aml_value){.type = AML_OTHER};
    elements[30] = sim_package(elements, 30);
    set->raw = &elements[30];
    set->cpc.is_package = true;
    set->cpc.has_entries = true;
    set->cpc.entries = 30;
    set->cpc.has_revision = true;
    set->cpc.revision = 3;
    set->cpc.elements = 30;
    set->cpc.registers[0].kind = CPC_ELEMENT_INTEGER;
    set->cpc.registers[1].kind = CPC_ELEMENT_REGISTER;
    set->cpc.registers[1].reg.avail = AVAIL_PRESENT;
    set->cpc.registers[1].reg.gas = (struct gas){127, 255, 255, 255, UINT64_MAX};
    set->cpc.registers[2].kind = CPC_ELEMENT_NULL;
    set->cpc.registers[3].kind = CPC_ELEMENT_OTHER;
    return set;
}

static struct object_set *make_cst(struct sim_report *sample)
{
    struct arena *arena = &sample->sim.heap.arena;
    struct object_set *set = new_set(sample, OBJECT_CST, 0);
    struct aml_value *elements = take_values(arena, 4);
    struct aml_value *state = take_values(arena, 4);
    struct cst_state *decoded = arena_array(arena, 2, sizeof(*decoded));

    assert_non_null(decoded);
    state[1] = sim_integer(2);
    state[2] = sim_integer(UINT64_MAX);
    state[3] = sim_integer(0);
    elements[0] = sim_integer(7);
    elements[1] = sim_package(state, 4);
    elements[2] = sim_integer(1);
    elements[3] = sim_package(elements, 3);
    decoded[0] = (struct cst_state){.elements = 4, .valid = 7};
    decoded[0].field[0] = 2;
    decoded[0].field[1] = UINT64_MAX;
    set->raw = &elements[3];
    set->cst = (struct cst){
        .is_package = true, .has_count = true, .count = 7, .states_count = 2, .states = decoded};
    return set;
}

static struct object_set *make_lpi(struct sim_report *sample)
{
    struct object_set *set = new_set(sample, OBJECT_LPI, 0);
    struct lpi_state *state = arena_take(&sample->sim.heap.arena, sizeof(*state));
    struct aml_value *elements = take_values(&sample->sim.heap.arena, 5);

    assert_non_null(state);
    state->name = SIM_HOSTILE;
    state->valid = 1;
    elements[3] = sim_string("state");
    elements[4] = sim_package(elements, 4);
    set->raw = &elements[4];
    set->lpi.is_package = true;
    set->lpi.states_count = 1;
    set->lpi.states = state;
    return set;
}

static struct object_set *make_plain(struct sim_report *sample, enum object_kind kind,
                                     struct aml_value value)
{
    struct object_set *set = new_set(sample, kind, 0);
    struct aml_value *raw = take_values(&sample->sim.heap.arena, 1);

    *raw = value;
    set->raw = raw;
    return set;
}

static void put_objects(struct sim_report *sample)
{
    struct platform *platform = &sample->sim.platform;
    struct object_set *sets[] = {make_pss(sample, 100),
                                 make_cpc(sample),
                                 make_cst(sample),
                                 make_lpi(sample),
                                 make_plain(sample, OBJECT_PCT, sim_string(SIM_HOSTILE)),
                                 make_plain(sample, OBJECT_PSD, sim_integer(0)),
                                 make_plain(sample, OBJECT_PPC, sim_integer(UINT64_MAX)),
                                 make_plain(sample, OBJECT_CSD, sim_package(NULL, 0)),
                                 make_pss(sample, 3000)};
    const struct object_set **kept = arena_array(&sample->sim.heap.arena, 9, sizeof(*kept));

    assert_non_null(kept);
    for (uint32_t i = 0; i < 9; i++) {
        kept[i] = sets[i];
        for (uint32_t p = 0; p < 2 && i < 8; p++) {
            platform->processors[p].objects[sets[i]->kind].avail = AVAIL_PRESENT;
            platform->processors[p].objects[sets[i]->kind].set = sets[i];
        }
    }
    sets[8]->is_repaired = true;
    platform->sets = kept;
    platform->sets_count = 9;
    platform->processors[0].objects[OBJECT_PSS].repair = REPAIR_CHANGED;
    platform->processors[0].objects[OBJECT_PSS].repaired = sets[8];
    platform->processors[1].objects[OBJECT_CST].repair = REPAIR_UNSAFE;
    platform->processors[2].objects[OBJECT_CPC].avail = AVAIL_FAULTED;
    platform->processors[2].objects[OBJECT_CPC].error = "AE_AML_OPERAND_TYPE";
    platform->processors[2].objects[OBJECT_CPC].error_path = SIM_HOSTILE;
    platform->processors[0].cpc_avail[CPC_HIGHEST_PERF] = AVAIL_PRESENT;
    platform->processors[0].cpc_value[CPC_HIGHEST_PERF] = 255;
    platform->processors[1].cpc_avail[CPC_HIGHEST_PERF] = AVAIL_PRESENT;
    platform->processors[1].cpc_value[CPC_HIGHEST_PERF] = 254;
}

static void put_machine(struct sim_report *sample)
{
    static const struct acpi_table tables[2] = {
        {.signature = "DSDT",
         .length = UINT32_MAX,
         .read_bytes = 36,
         .revision = 255,
         .oem_id = "\"\\\x01??\xFF",
         .oem_table_id = "????????",
         .has_header = true,
         .origin = SIM_HOSTILE},
        {.signature = "FACS", .length = 64, .read_bytes = 64, .origin = NULL}};
    static const struct aml_message messages[1] = {{SIM_HOSTILE, UINT32_MAX}};
    struct platform *platform = &sample->sim.platform;

    platform->source = SOURCE_FIRMWARE;
    platform->vendor = SIM_HOSTILE;
    platform->product = SIM_HOSTILE;
    platform->firmware_version = SIM_HOSTILE;
    platform->mp_note = SIM_HOSTILE;
    platform->incomplete = "memory was short";
    platform->is_emulated = true;
    platform->tables = tables;
    platform->tables_count = 2;
    platform->aml_messages = messages;
    platform->aml_messages_count = 1;
    platform->aml.denied = UINT64_MAX;
    platform->aml.first_denied = SIM_HOSTILE;
    platform->handshake.is_done = true;
    platform->handshake.platform_error = SIM_HOSTILE;
    platform->processors[2].path = SIM_HOSTILE;
    platform->processors[2].uid_text = SIM_HOSTILE;
    platform->processors[2].is_enabled = false;
    platform->processors[2].cpu = CPU_NONE;
    platform->cpus[2].answer = CPU_DID_NOT_ANSWER;
    platform->clocks_count = 1;
    platform->clocks[0] = (struct clock){.name = "tsc",
                                         .hz = UINT64_MAX,
                                         .from = SIM_HOSTILE,
                                         .uncertainty_ppm = UINT64_MAX,
                                         .status = "used"};
    platform->tsc_hz = UINT64_C(2500000000);
}

static void put_tables(struct sim_report *sample)
{
    static const struct madt_entry entries[1] = {{9, UINT32_MAX, UINT32_MAX, UINT32_MAX, 44}};
    static const struct pcct_subspace subspaces[2] = {{.type = 2, .length = 62, .is_decoded = true},
                                                      {.type = 200, .length = 0}};
    struct platform *platform = &sample->sim.platform;

    platform->fadt.avail = AVAIL_PRESENT;
    platform->fadt.has_field[FADT_P_LVL2_LAT] = true;
    platform->fadt.field[FADT_P_LVL2_LAT] = 0xFFFF;
    platform->fadt.has_register[FADT_X_PM_TMR_BLK] = true;
    platform->madt.avail = AVAIL_MALFORMED;
    platform->madt.malformed = SIM_HOSTILE;
    platform->madt.count = 1;
    platform->madt.entries = entries;
    platform->pcct.avail = AVAIL_PRESENT;
    platform->pcct.count = 2;
    platform->pcct.subspaces = subspaces;
}

static void put_measured(struct sim_report *sample)
{
    static const struct idle_sample_set idle[1] = {
        {.state = "C2",
         .entry = IDLE_IO,
         .port = 0x414,
         .port_from = "P_BLK",
         .dummy_read = DUMMY_PM_TIMER,
         .dummy_port = 0x808,
         .samples = UINT64_MAX,
         .first_read_tsc = {100, 1000, 2000, 3000, 4000, 5000, 2200, 10},
         .dummy_read_tsc = {100, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX, UINT64_MAX,
                            UINT64_MAX, UINT64_MAX}}};
    static const struct port_cost costs[1] = {
        {.cpus = 1, .port = 0x808, .port_name = "PM timer", .read_tsc = {1, 1, 1, 1, 1, 1, 1, 0}}};
    struct platform *platform = &sample->sim.platform;

    platform->idle = idle;
    platform->idle_count = 1;
    platform->idle_skipped = SIM_HOSTILE;
    platform->port_costs = costs;
    platform->port_costs_count = 1;
}

static void put_findings(struct sim_report *sample)
{
    static const enum verdict verdicts[] = {VERDICT_PASS, VERDICT_FAIL, VERDICT_WARN, VERDICT_INFO,
                                            VERDICT_SKIP};

    assert_int_equal(findings_init(&sample->findings, &sample->sim.heap.arena, 16, 3), STATUS_OK);
    for (uint32_t i = 0; i < 5; i++) {
        struct finding finding = {.id = "TST-001",
                                  .verdict = verdicts[i],
                                  .severity = SEVERITY_HIGH,
                                  .title = "The title states the requirement",
                                  .object = SIM_HOSTILE,
                                  .expected = SIM_HOSTILE,
                                  .actual = SIM_HOSTILE,
                                  .spec = "ACPI 6.5, 8.4.5.2 _PSS",
                                  .why = "A reason that is long enough to need more than one line "
                                         "of eighty columns when it is printed on a console",
                                  .advice = "Change it"};

        findings_add(&sample->findings, &finding, i == 1 ? FINDING_NO_CPU : 0);
        findings_add(&sample->findings, &finding, i == 1 ? FINDING_NO_CPU : 2);
    }
    findings_sort(&sample->findings);
}

void sim_report_init(struct sim_report *sample)
{
    memset(sample, 0, sizeof(*sample));
    sim_platform_init(&sample->sim, 3);
    sim_platform_identity(&sample->sim, "AuthenticAMD", 0x19, 0x21);
    sim_platform_brand(&sample->sim, "A \"brand\" \\ of a CPU");
    sim_platform_msr(&sample->sim, SIM_ALL_CPUS, 0x8B, UINT64_C(0xFFFFFFFF0A20102E));
    sim_platform_msr(&sample->sim, 1, 0xC0010064, UINT64_MAX);
    sample->sim.platform.msr_values[2 * (size_t)sample->sim.platform.msrs_count].avail =
        AVAIL_FAULTED;
    put_objects(sample);
    put_machine(sample);
    put_tables(sample);
    put_measured(sample);
    put_findings(sample);
    sample->build = (struct build_info){"1.0", "v1.0-3-gabcdef", "20240827"};
    sample->report = (struct report){
        .build = &sample->build, .platform = &sample->sim.platform, .findings = &sample->findings};
    sample->text = malloc(TEXT_BYTES);
    assert_non_null(sample->text);
}

void sim_report_free(struct sim_report *sample)
{
    free(sample->text);
    sim_platform_free(&sample->sim);
}

const char *sim_report_write(struct sim_report *sample,
                             void (*writer)(const struct report *report, struct textbuf *out))
{
    struct textbuf out;

    textbuf_init(&out, sample->text, TEXT_BYTES, NULL, NULL);
    writer(&sample->report, &out);
    assert_false(out.has_failed);
    return sample->text;
}

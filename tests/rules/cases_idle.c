#include "tests/rules/cases.h"

#include <stddef.h>

/* Objects of idle states, their repair, and how they evaluate. */
#define C1 "({127 0 0 0 0} 1 1 100) "
#define C2 "({1 8 0 0 0x414} 2 18 50) "
#define C3 "({1 8 0 0 0x415} 3 350 0)"
#define LPI_1 "(2 1 1 0 0 0 {127 2 2 0 0} N N \"C1\") "
#define LPI_2 "(36 18 1 0 0 0 {1 8 0 1 0x414} N N \"C2\")"

static void set_pblk(struct fixture *fixture, uint32_t port)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].pblk_address = port;
        fixture->processors[i].pblk_length = 6;
    }
}

static void pblk_410(struct fixture *fixture)
{
    set_pblk(fixture, 0x410);
}

static void set_repair(struct fixture *fixture, enum object_kind kind, enum repair_outcome outcome)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].objects[kind].repair = outcome;
        fixture->processors[i].objects[kind].repair_error = "AE_AML_OPERAND_TYPE";
    }
}

static void unsafe(struct fixture *fixture)
{
    set_repair(fixture, OBJECT_CST, REPAIR_UNSAFE);
}

static void rescued(struct fixture *fixture)
{
    set_repair(fixture, OBJECT_PPC, REPAIR_RESCUED);
}

static void spoilt(struct fixture *fixture)
{
    set_repair(fixture, OBJECT_PCT, REPAIR_FAILED);
}

static void dump_with_reads(struct fixture *fixture)
{
    fixture->platform.source = SOURCE_FOLDER;
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].objects[OBJECT_CST].hardware_reads = 3;
    }
}

static void denied(struct fixture *fixture)
{
    fixture->platform.aml.denied = 2;
    fixture->platform.aml.first_denied = "write of 1 byte to port 0x71";
}

static void absent_memory(struct fixture *fixture)
{
    fixture->platform.aml.absent_memory = 1;
    fixture->platform.aml.first_absent = "read of 4 bytes at 0xFFFFFFFF000";
}

static void message(struct fixture *fixture)
{
    fixture->messages[0] = (struct aml_message){.text = "AE_ALREADY_EXISTS", .count = 1};
    fixture->platform.aml_messages = fixture->messages;
    fixture->platform.aml_messages_count = 1;
}

static uint64_t us_of(const struct fixture *fixture, uint64_t us)
{
    return us * (fixture->platform.tsc_hz / 1000000);
}

static void wake_after(struct fixture *fixture, uint32_t set, uint64_t us)
{
    struct distribution *exit_tsc = &fixture->idle[set].exit_tsc;

    exit_tsc->p50 = us_of(fixture, us);
    exit_tsc->p99 = us_of(fixture, us);
}

static void no_namespace(struct fixture *fixture)
{
    fixture->platform.acpi_error = "AE_BAD_HEADER";
}

static void say(struct fixture *fixture, const char *text)
{
    fixture->messages[0] = (struct aml_message){.text = text, .count = 1};
    fixture->platform.aml_messages = fixture->messages;
    fixture->platform.aml_messages_count = 1;
}

static void endless_init(struct fixture *fixture)
{
    say(fixture,
        "ACPI Error: Aborting method \\_SB._INI due to previous error (AE_AML_LOOP_TIMEOUT)");
}

static void endless_table(struct fixture *fixture)
{
    say(fixture, "Aborting table SSDT CpuSsdt due to previous error (AE_AML_LOOP_TIMEOUT)");
}

static void long_sleep(struct fixture *fixture)
{
    fixture->processors[0].objects[OBJECT_LPI].avail = AVAIL_FAULTED;
    fixture->processors[0].objects[OBJECT_LPI].error = AML_ERROR_SLEEPS;
}

static void sleep_in_init(struct fixture *fixture)
{
    say(fixture, "Aborting method \\_SB._INI due to previous error (" AML_ERROR_SLEEPS ")");
}

static void zero_in_table(struct fixture *fixture)
{
    say(fixture, "Aborting table DSDT BOARD due to previous error (AE_AML_DIVIDE_BY_ZERO)");
}

static void kept_mutex(struct fixture *fixture)
{
    say(fixture, "AML holds mutex MUTX at the end of \\_SB.C000._PSS");
}

static void second_load(struct fixture *fixture)
{
    say(fixture, "ACPI Error: AE_ALREADY_EXISTS, SSDT Table is already loaded");
}

static void second_name(struct fixture *fixture)
{
    say(fixture,
        "Firmware Error (ACPI): Failure creating named object [\\_SB.C000], AE_ALREADY_EXISTS");
}

static void endless_wait(struct fixture *fixture)
{
    say(fixture, "AML waits for ever for a mutex or event that nothing can release");
}

static void slow_dummy_read(struct fixture *fixture)
{
    fixture->idle[3].dummy_read_tsc.mean = us_of(fixture, 60);
}

static void needed_dummy_read(struct fixture *fixture)
{
    fixture->idle[2].stopped_in = STOPPED_NONE;
    fixture->idle[2].asleep_tsc.n = 0;
    fixture->idle[2].exit_tsc.n = 0;
    fixture->idle[2].ran_on_tsc = fixture->idle[2].first_read_tsc;
    fixture->idle[3].stopped_in = STOPPED_DUMMY_READ;
}

static void slow_contention(struct fixture *fixture)
{
    fixture->costs[2].read_tsc.p50 = us_of(fixture, 30);
}

static void gaps(struct fixture *fixture)
{
    fixture->platform.tsc_gaps.count = 3;
    fixture->platform.tsc_gaps.longest_tsc = us_of(fixture, 150);
    fixture->platform.tsc_gaps.lost_tsc = us_of(fixture, 400);
}

static void never_woke(struct fixture *fixture)
{
    fixture->idle[3].never_woke = 3;
}

static void never_entered(struct fixture *fixture)
{
    for (uint32_t i = 2; i < 4; i++) {
        fixture->idle[i].stopped_in = STOPPED_NONE;
        fixture->idle[i].asleep_tsc.n = 0;
        fixture->idle[i].exit_tsc.n = 0;
    }
}

static void fast_c2(struct fixture *fixture)
{
    wake_after(fixture, 2, 1);
    wake_after(fixture, 3, 1);
    fixture->idle[2].declared_latency_us = 400;
    fixture->idle[3].declared_latency_us = 400;
}

static void slower_c1(struct fixture *fixture)
{
    wake_after(fixture, 0, 15);
    wake_after(fixture, 1, 15);
}

static void one_state(struct fixture *fixture)
{
    wake_after(fixture, 0, 5);
    wake_after(fixture, 1, 5);
}

static void not_resident(struct fixture *fixture)
{
    fixture->idle[2].has_residency = true;
    fixture->idle[2].spent_tsc = us_of(fixture, 100000);
    fixture->idle[2].resident_tsc = us_of(fixture, 1000);
}

static void tsc_stops(struct fixture *fixture)
{
    fixture->idle[2].elapsed_tsc = us_of(fixture, 240);
    fixture->idle[3].elapsed_tsc = us_of(fixture, 240);
}

static void give_energy(struct fixture *fixture, uint64_t halt_uj, uint64_t port_uj)
{
    fixture->idle[0].requested_ns = 1000000;
    for (uint32_t i = 0; i < 3; i += 2) {
        fixture->idle[i].has_energy = true;
        fixture->idle[i].passes = 100;
        fixture->idle[i].energy_uj = i == 0 ? halt_uj : port_uj;
    }
}

static void never_pays(struct fixture *fixture)
{
    give_energy(fixture, 20000, 30000);
}

/* Twice as much as HLT in sleeps of 0.5 ms, half as much in those of 1 ms: from 667 us on, for a declared 18. */
static void pays_late(struct fixture *fixture)
{
    give_energy(fixture, 20000, 10000);
    fixture->idle[1] = fixture->idle[0];
    fixture->idle[1].requested_ns = 500000;
    fixture->idle[1].energy_uj = 10000;
    fixture->idle[3] = fixture->idle[2];
    fixture->idle[2].requested_ns = 500000;
    fixture->idle[2].energy_uj = 15000;
}

static void package_stays_up(struct fixture *fixture)
{
    fixture->idle[2].package_tsc = 0;
    fixture->idle[3].package_tsc = 0;
}

static void disturbed(struct fixture *fixture)
{
    fixture->idle[0].dropped = 60;
}

static void smis(struct fixture *fixture)
{
    fixture->idle[0].smi = 4;
}

static void slow_halt(struct fixture *fixture)
{
    wake_after(fixture, 0, 400);
}

static void slow_c2(struct fixture *fixture)
{
    wake_after(fixture, 2, 100);
    wake_after(fixture, 3, 100);
}

const struct rule_case cases_of_idle[] = {
    {"CST-001", MACHINE_BARE, "cst 3", NULL, NULL},
    {"CST-002", MACHINE_BARE, "cst (\"3\" " C1 C2 C3 ")", NULL, NULL},
    {"CST-003", MACHINE_BARE, "cst (5 " C1 C2 C3 ")", NULL, NULL},
    {"CST-003", MACHINE_BARE, "cst (2 " C1 C2 C3 ")", NULL, NULL},
    {"CST-004", MACHINE_BARE, "cst (0)", NULL, NULL},
    {"CST-005", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x414} 2 18) " C3 ")", NULL, NULL},
    {"CST-005", MACHINE_BARE, "cst (3 " C1 "7 " C3 ")", NULL, NULL},
    {"CST-006", MACHINE_BARE, "cst (3 " C1 "([47 01 14 04 14 04 01 01 79 00] 2 18 50) " C3 ")",
     NULL, NULL},
    {"CST-006", MACHINE_BARE, "cst (3 " C1 "(0 2 18 50) " C3 ")", NULL, NULL},
    {"CST-007", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x414} 2 \"18\" 50) " C3 ")", NULL, NULL},
    {"CST-008", MACHINE_BARE,
     "cst (9 " C1 C2 C3
     "({1 8 0 0 0x416} 3 351 0)({1 8 0 0 0x417} 3 352 0)({1 8 0 0 0x418} 3 353 0)"
     "({1 8 0 0 0x419} 3 354 0)({1 8 0 0 0x41A} 3 355 0)({1 8 0 0 0x41B} 3 356 0))",
     NULL, NULL},
    {"CST-009", MACHINE_BARE, "cst (3 " C1 C2 "({1 8 0 0 0x415} 7 350 0))", NULL, NULL},
    {"CST-009", MACHINE_BARE, "cst (3 " C1 C2 "({1 8 0 0 0x415} 0 350 0))", "CST-011", NULL},
    {"CST-010", MACHINE_BARE, "cst (2 " C2 C3 ")", NULL, NULL},
    {"CST-011", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x415} 3 350 50)({1 8 0 0 0x414} 2 350 50))",
     NULL, NULL},
    {"CST-012", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x414} 2 400 50) " C3 ")", NULL, NULL},
    {"CST-013", MACHINE_BARE, "cst (3 " C1 C2 "({1 8 0 0 0x415} 3 350 60))", NULL, NULL},
    {"CST-014", MACHINE_BARE, "cst (3 " C1 C2 "({1 8 0 0 0x415} 3 350000 0))", NULL, NULL},
    {"CST-015", MACHINE_BARE, "cst (3 ({127 0 0 0 0} 1 0 100) ({1 8 0 0 0x414} 2 0 50)" C3 ")",
     NULL, NULL},
    {"CST-016", MACHINE_BARE, "cst (3 ({127 0 0 0 0} 1 1 1000000) " C2 C3 ")", NULL, NULL},
    {"CST-017", MACHINE_BARE, "cst (3 " C1 C2 "({1 8 0 0 0x414} 3 350 0))", NULL, NULL},

    {"CST-020", MACHINE_BARE, "cst (3 " C1 "({0 8 0 0 0x414} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-021", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-022", MACHINE_BARE, "cst (3 " C1 "({1 32 0 0 0x414} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-023", MACHINE_BARE, "cst (3 ({1 8 0 0 0x413} 1 1 100) " C2 C3 ")", NULL, NULL},
    {"CST-024", MACHINE_BARE, "cst (3 " C1 "({127 1 0 0 0x10} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-024", MACHINE_BARE, "cst (3 ({127 1 3 0 0} 1 1 100) " C2 C3 ")", NULL, NULL},
    {"CST-024", MACHINE_BARE, "cst (3 ({127 1 1 0 0} 1 1 100) " C2 C3 ")", NULL, NULL},
    {"CST-025", MACHINE_BARE, "cst (3 ({127 8 2 0 0} 1 1 100) " C2 C3 ")", NULL, NULL},
    {"CST-026", MACHINE_BARE, "cst (2 " C1 "({127 1 2 0 0} 2 18 50))", "CST-017", NULL},
    {"CST-026", MACHINE_BARE, "cst (2 " C1 "({127 1 2 0 0x110} 2 18 50))", NULL, NULL},
    {"CST-027", MACHINE_INTEL, "cpuid 5 edx 0x20", NULL, NULL},
    {"CST-027", MACHINE_AMD, "cpuid 5 edx 0", NULL, NULL},
    {"CST-028", MACHINE_INTEL, "cpuid 5 ecx 0", NULL, NULL},
    {"CST-029", MACHINE_INTEL,
     "cst (3 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x20} 2 85 500) ({127 1 2 1 0x10} 3 200 200))",
     NULL, NULL},
    {"CST-030", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x416} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-031", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x64} 2 18 50) " C3 ")", NULL, NULL},
    {"CST-031", MACHINE_BARE, "cst (2 " C1 "({1 8 0 0 0xCF8} 2 18 50))", NULL, NULL},
    {"CST-032", MACHINE_BARE, "cst (3 ({127 1 2 0 0x20} 1 1 100) " C2 C3 ")", NULL, NULL},
    {"CST-040", MACHINE_BARE, "cst@1 absent", NULL, NULL},
    {"CST-041", MACHINE_BARE, "cst@1 (2 " C1 C2 ")", NULL, NULL},
    {"CST-042", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x415} 2 18 50) ({1 8 0 0 0x414} 3 350 0))",
     "CST-030", pblk_410},
    {"CST-042", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0x412} 2 18 50) " C3 ")", NULL, pblk_410},
    {"CST-043", MACHINE_PCC, "fadt p_lvl2_lat 90", NULL, NULL},

    {"CSD-001", MACHINE_AMD, "csd 5", NULL, NULL},
    {"CSD-002", MACHINE_AMD, "csd@0 ()", "CSD-010", NULL},
    {"CSD-003", MACHINE_AMD, "csd@0 ((6 0 0 0xFE 2))", NULL, NULL},
    {"CSD-004", MACHINE_AMD, "csd@0 ((5 0 0 0xFE 2 1))", NULL, NULL},
    {"CSD-005", MACHINE_AMD, "csd@0 ((6 0 0 0xFE 2 \"1\"))", NULL, NULL},
    {"CSD-006", MACHINE_AMD, "csd@0 ((6 1 0 0xFE 2 1))", NULL, NULL},
    {"CSD-007", MACHINE_AMD, "csd@0 ((6 0 0 0x10 2 1))", "CSD-009", NULL},
    {"CSD-008", MACHINE_AMD, "csd ((6 0 0 0xFE 0 1))", NULL, NULL},
    {"CSD-009", MACHINE_AMD, "csd@1 ((6 0 0 0xFD 2 1))", NULL, NULL},
    {"CSD-010", MACHINE_AMD, "csd ((6 0 0 0xFE 9 1))", NULL, NULL},
    {"CSD-011", MACHINE_AMD, "csd@0 ((6 0 0 0xFE 2 3))", NULL, NULL},
    {"CSD-012", MACHINE_AMD, "csd@0 ((6 0 0 0xFE 2 1)(6 0 0 0xFE 2 1))", NULL, NULL},
    {"CSD-013", MACHINE_AMD, "cst absent", NULL, NULL},

    {"CSD-014", MACHINE_AMD, "csd@3 absent", "CSD-010", NULL},

    {"LPI-010", MACHINE_PCC, "lpi@3 absent", NULL, NULL},
    {"LPI-001", MACHINE_PCC, "lpi 0", NULL, NULL},
    {"LPI-002", MACHINE_PCC, "lpi (0 \"0\" 2 " LPI_1 LPI_2 ")", NULL, NULL},
    {"LPI-003", MACHINE_PCC, "lpi (1 0 2 " LPI_1 LPI_2 ")", NULL, NULL},
    {"LPI-004", MACHINE_PCC, "lpi (0 0 3 " LPI_1 LPI_2 ")", NULL, NULL},
    {"LPI-005", MACHINE_PCC, "lpi (0 0 2 (2 1 1 0 0 0 {127 2 2 0 0}) " LPI_2 ")", NULL, NULL},
    {"LPI-006", MACHINE_PCC, "lpi (0 0 2 (\"2\" 1 1 0 0 0 {127 2 2 0 0} N N \"C1\") " LPI_2 ")",
     NULL, NULL},
    {"LPI-007", MACHINE_PCC, "lpi (0 0 2 (2 1 1 0 0 0 {0 32 0 3 0x100} N N \"C1\") " LPI_2 ")",
     NULL, NULL},
    {"LPI-008", MACHINE_PCC, "lpi (0 0 2 (99 1 1 0 0 0 {127 2 2 0 0} N N \"C1\") " LPI_2 ")", NULL,
     NULL},
    {"LPI-009", MACHINE_PCC, "lpi (0 0 2 (2 5 1 0 0 0 {127 2 2 0 0} N N \"C1\") " LPI_2 ")", NULL,
     NULL},

    {"REP-001", MACHINE_BARE,
     "pss ((1700 4500 0 0 0 0)(2800 3000 0 0 1 1)(3500 1500 0 0 2 2));"
     "repaired pss ((3500 1500 0 0 2 2)(2800 3000 0 0 1 1)(1700 4500 0 0 0 0))",
     "PSS-007", NULL},
    {"REP-002", MACHINE_BARE, "cst (5 " C1 C2 C3 ");repaired cst (3 " C1 C2 C3 ")", "CST-003",
     NULL},
    {"REP-003", MACHINE_BARE, "repaired cpc (22 3 166 126)", NULL, NULL},
    {"REP-004", MACHINE_BARE, "ppc \"0\";repaired ppc 0", "PPC-001", NULL},
    {"REP-005", MACHINE_BARE, NULL, NULL, unsafe},
    {"REP-006", MACHINE_BARE, NULL, NULL, rescued},
    {"REP-007", MACHINE_BARE, NULL, NULL, spoilt},
    {"REP-008", MACHINE_BARE, "pss ((3500 4500 0 0 0 0)(3500 4500 0 0 0 0)(1700 1500 0 0 2 2))",
     "PSS-009", NULL},
    {"REP-009", MACHINE_BARE, "cst (3 " C1 "({1 8 0 0 0} 2 18 50) " C3 ")", "CST-021", NULL},

    {"AML-001", MACHINE_BARE, "pss@1 AE_AML_PACKAGE_LIMIT", NULL, NULL},
    {"AML-001", MACHINE_AMD, "cpc AE_NOT_FOUND", NULL, NULL},
    {"AML-002", MACHINE_BARE, "pct AE_AML_LOOP_TIMEOUT", NULL, NULL},
    {"AML-003", MACHINE_AMD, NULL, NULL, denied},
    {"AML-004", MACHINE_AMD, NULL, NULL, absent_memory},
    {"AML-005", MACHINE_AMD, NULL, NULL, dump_with_reads},
    {"AML-006", MACHINE_AMD, NULL, NULL, message},
    {"AML-007", MACHINE_AMD, NULL, NULL, no_namespace},
    {"AML-008", MACHINE_AMD, NULL, NULL, endless_init},
    {"AML-008", MACHINE_AMD, NULL, NULL, endless_table},
    {"AML-009", MACHINE_AMD, NULL, NULL, endless_wait},
    {"AML-010", MACHINE_BARE, "pct AE_AML_METHOD_LIMIT", NULL, NULL},
    {"AML-011", MACHINE_AMD, NULL, NULL, long_sleep},
    {"AML-011", MACHINE_AMD, NULL, NULL, sleep_in_init},
    {"AML-012", MACHINE_BARE, "pct AE_NO_MEMORY", NULL, NULL},
    {"AML-013", MACHINE_BARE, "pct AE_AML_DIVIDE_BY_ZERO", NULL, NULL},
    {"AML-013", MACHINE_AMD, NULL, NULL, zero_in_table},
    {"AML-014", MACHINE_AMD, NULL, NULL, kept_mutex},
    {"AML-015", MACHINE_AMD, NULL, NULL, second_load},
    {"AML-016", MACHINE_AMD, NULL, NULL, second_name},

    {"IDL-001", MACHINE_AMD, NULL, NULL, slow_dummy_read},
    {"IDL-002", MACHINE_AMD, NULL, NULL, disturbed},
    {"IDL-003", MACHINE_AMD, NULL, NULL, smis},
    {"IDL-001", MACHINE_AMD, NULL, NULL, needed_dummy_read},
    {"IDL-004", MACHINE_AMD, NULL, "IDL-007", slow_halt},
    {"IDL-005", MACHINE_AMD, NULL, NULL, slow_c2},
    {"IDL-006", MACHINE_AMD, NULL, NULL, fast_c2},
    {"IDL-007", MACHINE_AMD, NULL, NULL, slower_c1},
    {"IDL-008", MACHINE_AMD, NULL, NULL, one_state},
    {"IDL-009", MACHINE_AMD, NULL, NULL, never_entered},
    {"IDL-010", MACHINE_AMD, NULL, NULL, never_woke},
    {"IDL-011", MACHINE_AMD, NULL, NULL, not_resident},
    {"IDL-012", MACHINE_AMD, NULL, NULL, gaps},
    {"IDL-013", MACHINE_AMD, NULL, NULL, slow_contention},
    {"IDL-014", MACHINE_AMD, NULL, NULL, tsc_stops},
    {"IDL-014", MACHINE_AMD, "cpuid 0x80000007 edx 0", NULL, tsc_stops},
    {"IDL-015", MACHINE_AMD, NULL, NULL, package_stays_up},
    {"IDL-016", MACHINE_AMD, NULL, NULL, never_pays},
    {"IDL-016", MACHINE_AMD, NULL, NULL, pays_late},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};

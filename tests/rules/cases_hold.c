#include "tests/rules/cases.h"

#include <stddef.h>

#define AMD_CPC(highest)                                                                           \
    "(23 3 " highest " 119 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} "                \
    "{127 8 0 4 0xC00102B3} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} {127 2 0 4 0xC00102B4} "     \
    "{127 1 0 4 0xC00102B1} 1 N {127 8 24 4 0xC00102B3} 119 570 3400)"

/* 200 uJ a millisecond in HLT, 100 uJ in C2. */
static void pays(struct fixture *fixture)
{
    fixture->idle[0].requested_ns = 1000000;
    for (unsigned i = 0; i < 3; i += 2) {
        fixture->idle[i].has_energy = true;
        fixture->idle[i].passes = 100;
        fixture->idle[i].energy_uj = i == 0 ? 20000 : 10000;
    }
}

static void extended_subspace(struct fixture *fixture)
{
    fixture->subspaces[0].type = 3;
}

static void both_kinds_of_objects(struct fixture *fixture)
{
    fixture->processors[2].kind = PROCESSOR_OBJECT;
    fixture->processors[2].uid = 0;
    fixture->processors[2].is_enabled = false;
    fixture->processors[2].cpu = CPU_NONE;
}

static void hypervisor(struct fixture *fixture)
{
    fixture_leaf(fixture, 1)->ecx |= 1U << 31;
}

/* SMT off in the setup: the second threads stay in the MADT, not enabled. */
static void second_threads_off(struct fixture *fixture)
{
    fixture->platform.madt.enabled_count = fixture->platform.madt.count / 2;
}

static void hardware_reduced(struct fixture *fixture)
{
    fixture->platform.fadt.field[FADT_FLAGS] = 1U << 20;
    fixture->platform.fadt.field[FADT_PM_TMR_LEN] = 0;
    fixture->platform.fadt.field[FADT_P_LVL2_LAT] = 0;
}

static struct pcc_account account;

/* Twice the nominal latency is not yet too long. */
static void commands_in_time(struct fixture *fixture)
{
    uint64_t ns = (uint64_t)fixture->subspaces[0].latency_us * 1000;

    account = (struct pcc_account){.commands = 4, .timed = 4, .sum_ns = 8 * ns, .longest_ns = ns};
    fixture->platform.pcc = &account;
    fixture->platform.pcc_count = 1;
}

static void requests_put_back(struct fixture *fixture)
{
    fixture->platform.requests =
        (struct request_account){.was_opened = true, .saved = 12, .writes = 300};
}

/* 99.8 MHz where 100 is nominal. */
static void nominal_bus_clock(struct fixture *fixture)
{
    fixture->platform.clocks[0].hz = fixture->platform.clocks[0].hz / 1000 * 1002;
    fixture->platform.clocks[0].from = "ratio MSR times bus clock";
    fixture->platform.clocks[0].tolerance_ppm = 5000;
}

static void work_well_done(struct fixture *fixture)
{
    static struct work_sample work[] = {
        {.kernel = WORK_INTEGER, .active = 1, .pieces_per_s = 1000}};

    fixture->platform.work = work;
    fixture->platform.work_count = 1;
}

static void tscs_alike(struct fixture *fixture)
{
    fixture->platform.tsc_sync = (struct tsc_sync){.compared = 3, .widest_tsc = 400};
}

static void allowed(struct fixture *fixture)
{
    fixture->options.allow_cppc_enable = true;
}

static void dump_of_registers(struct fixture *fixture)
{
    fixture->platform.source = SOURCE_FOLDER;
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].objects[OBJECT_CST].hardware_reads = 2;
    }
}

const struct rule_case cases_that_hold[] = {
    {"PCT-006", MACHINE_BARE, "pct ({1 16 0 0 0x880} {1 16 0 0 0x882})", NULL, NULL},
    {"IDL-016", MACHINE_AMD, NULL, NULL, pays},
    {"REQ-001", MACHINE_AMD, NULL, NULL, requests_put_back},
    {"PCC-005", MACHINE_PCC, NULL, NULL, commands_in_time},
    {"PCC-006", MACHINE_PCC, NULL, NULL, commands_in_time},
    {"CLK-002", MACHINE_AMD, NULL, NULL, nominal_bus_clock},
    {"CLK-008", MACHINE_AMD, NULL, NULL, tscs_alike},
    {"WRK-001", MACHINE_AMD, NULL, NULL, work_well_done},
    {"REQ-002", MACHINE_AMD, "msr 0xC00102B1 0", NULL, allowed},
    {"FADT-023", MACHINE_PCC, "cst absent;csd absent", NULL, NULL},
    {"PCC-004", MACHINE_PCC,
     "cpc (23 3 {10 32 0 0 8} {10 32 0 0 12} {10 32 0 0 16} {10 32 0 0 20} N {10 32 0 0 28} "
     "{10 32 0 0 32} {10 32 0 0 36} N N N {127 64 0 4 0xE7} {127 64 0 4 0xE8} {10 32 0 0 60} "
     "{10 32 0 0 64} {10 32 0 0 68} N {10 32 0 0 76} N 560 3400)",
     NULL, extended_subspace},
    {"AMC-002", MACHINE_AMD, "cpuid 1 eax 0x00A60F12", NULL, NULL},
    /* All ones: the counter never wraps (public report 7). */
    {"CPC-056", MACHINE_BARE,
     "cpc (23 3 166 126 60 20 N {127 8 16 4 0xC00102B3} {127 8 8 4 0xC00102B3} "
     "{127 8 0 4 0xC00102B3} N N 0xFFFFFFFFFFFFFFFF {127 64 0 4 0xE7} {127 64 0 4 0xE8} "
     "{127 2 0 4 0xC00102B4} {127 1 0 4 0xC00102B1} 1 N {127 8 24 4 0xC00102B3} 126 550 3500)",
     NULL, NULL},

    /* Conventions that are not faults. Turbo as P0 = P1 + 1 MHz with equal power: MACHINE_INTEL. Zero
     * latencies, null registers for what is not supported, and FADT latencies that mean "none":
     * MACHINE_AMD. Two kinds of core: MACHINE_HYBRID. */
    {"PSS-010", MACHINE_INTEL,
     "pss ((3601 91000 10 10 0x2400 0x2400) (3600 91000 10 10 0x2400 0x2400) "
     "(2400 50000 10 10 0x1800 0x1800) (800 12000 10 10 0x800 0x800))",
     NULL, NULL},
    {"PSS-011", MACHINE_INTEL,
     "pss ((3601 91000 10 10 0x2A00 0x2A00) (3600 91000 10 10 0x2400 0x2400) "
     "(800 50000 10 10 0x800 0x800) (782 12000 10 10 0x700 0x800))",
     NULL, NULL},
    {"PSS-006", MACHINE_INTEL,
     "pss ((3600 9000 9 9 0x2400 0x2400)(3500 9000 9 9 0x2300 0x2300)(3400 9000 9 9 0x2200 0x2200)"
     "(3300 9000 9 9 0x2100 0x2100)(3200 9000 9 9 0x2000 0x2000)(3100 9000 9 9 0x1F00 0x1F00)"
     "(3000 9000 9 9 0x1E00 0x1E00)(2900 9000 9 9 0x1D00 0x1D00)(2800 9000 9 9 0x1C00 0x1C00)"
     "(2700 9000 9 9 0x1B00 0x1B00)(2600 9000 9 9 0x1A00 0x1A00)(2500 9000 9 9 0x1900 0x1900)"
     "(2400 9000 9 9 0x1800 0x1800)(2300 9000 9 9 0x1700 0x1700)(2200 9000 9 9 0x1600 0x1600)"
     "(2100 9000 9 9 0x1500 0x1500)(2000 9000 9 9 0x1400 0x1400))",
     NULL, NULL},
    {"PPC-002", MACHINE_AMD, "ppc 2", NULL, NULL},
    {"CPC-061", MACHINE_AMD,
     "cpc@0 " AMD_CPC("166") ";cpc@1 " AMD_CPC("161") ";cpc@2 " AMD_CPC(
         "156") ";"
                "msr@1 0xC00102B0 0xA1773C14;msr@2 0xC00102B0 0x9C773C14",
     NULL, NULL},
    {"LPI-004", MACHINE_PCC, "cst absent;csd absent", NULL, NULL},
    {"PSD-009", MACHINE_AMD,
     "psd@0 ((5 0 0 0xFE 2));psd@1 ((5 0 1 0xFE 2));psd@2 ((5 0 2 0xFE 2));psd@3 ((5 0 3 0xFE 2))",
     NULL, second_threads_off},
    {"CST-009", MACHINE_BARE, "cst (1 ({1 8 0 1 0x815} 2 100 0))", NULL, NULL},
    {"CST-009", MACHINE_INTEL,
     "cst (4 ({127 1 2 1 0} 1 1 1000) ({127 1 2 1 0x10} 3 70 500) ({127 1 2 1 0x20} 3 85 300) "
     "({127 1 2 1 0x60} 3 900 10))",
     NULL, NULL},
    {"CST-003", MACHINE_AMD, NULL, NULL, dump_of_registers},
    {"FADT-001", MACHINE_AMD, NULL, NULL, hardware_reduced},
    {"FADT-008", MACHINE_AMD,
     "fadt gpe0_blk 0x820;fadt gpe0_blk_len 16;fadt x_gpe0_blk 1 0 0 0x820", NULL, NULL},
    {"PROC-003", MACHINE_AMD, NULL, NULL, both_kinds_of_objects},
    {"PSS-007", MACHINE_AMD,
     "msr 0xC0010015 0;cpuid 5 edx 0;pss@3 ((3400 4500 0 0 0 0) (2800 3000 "
     "0 0 1 1) (2200 1500 0 0 2 2))",
     NULL, hypervisor},
    {"INT-001", MACHINE_INTEL, "msr 0x19A fault;msr 0x64F fault;msr 0x771 fault", NULL, NULL},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};

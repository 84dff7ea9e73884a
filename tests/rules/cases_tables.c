#include "tests/rules/cases.h"

#include <string.h>

static void no_tables(struct fixture *fixture)
{
    fixture->platform.acpi_error = "no RSDP in the configuration table";
    fixture->platform.tables_count = 0;
}

static void bad_rsdp(struct fixture *fixture)
{
    fixture->platform.is_rsdp_checksum_ok = false;
}

static void bad_checksum(struct fixture *fixture)
{
    fixture->tables[2].checksum_ok = false;
}

static void cut_table(struct fixture *fixture)
{
    fixture->tables[2].read_bytes = 100;
}

static void two_madts(struct fixture *fixture)
{
    memcpy(fixture->tables[3].signature, "APIC", 5);
}

static void no_dsdt(struct fixture *fixture)
{
    memcpy(fixture->tables[3].signature, "DSDT", 5);
    fixture->tables[3].origin = "synthetic";
}

static void no_fadt(struct fixture *fixture)
{
    fixture->platform.fadt.avail = AVAIL_ABSENT;
}

static void stub_fadt(struct fixture *fixture)
{
    fixture->platform.fadt.avail = AVAIL_MALFORMED;
}

static void old_length(struct fixture *fixture)
{
    fixture->platform.fadt.length = 244;
}

static void no_pblk(struct fixture *fixture)
{
    for (uint32_t i = 0; i < fixture->platform.processors_count; i++) {
        fixture->processors[i].pblk_address = 0;
        fixture->processors[i].pblk_length = 0;
    }
}

static void broken_madt(struct fixture *fixture)
{
    fixture->platform.madt.malformed = "an entry of length 0";
    fixture->platform.madt.malformed_offset = 60;
}

static void all_disabled(struct fixture *fixture)
{
    for (uint32_t i = 0; i < FIXTURE_CPUS; i++) {
        fixture->entries[i].flags = 0;
    }
}

static void same_apic_id(struct fixture *fixture)
{
    fixture->entries[3].apic_id = 2;
}

static void same_uid(struct fixture *fixture)
{
    fixture->entries[3].uid = 2;
}

static void broadcast_id(struct fixture *fixture)
{
    fixture->entries[3].apic_id = 0xFF;
}

static void low_x2apic(struct fixture *fixture)
{
    fixture->entries[3].type = 9;
}

static void both_flags(struct fixture *fixture)
{
    fixture->entries[3].flags = 3;
}

static void online_capable(struct fixture *fixture)
{
    fixture->entries[3].flags = 2;
    fixture->platform.fadt.field[FADT_MINOR_VERSION] = 1;
}

static void no_lapic_address(struct fixture *fixture)
{
    fixture->platform.madt.lapic_address = 0;
}

static void boot_cpu_last(struct fixture *fixture)
{
    fixture->entries[0].apic_id = 9;
}

static void cpu_without_object(struct fixture *fixture)
{
    fixture->cpus[3].processor = PROCESSOR_NONE;
}

static void broken_pcct(struct fixture *fixture)
{
    fixture->platform.pcct.malformed = "a subspace beyond the end";
    fixture->platform.pcct.malformed_offset = 110;
}

static void empty_pcct(struct fixture *fixture)
{
    fixture->platform.pcct.count = 0;
}

static void unknown_subspace(struct fixture *fixture)
{
    fixture->subspaces[1].type = 7;
    fixture->subspaces[1].is_decoded = false;
}

static void register_subspace(struct fixture *fixture)
{
    fixture->subspaces[1].type = 5;
}

static void no_memory(struct fixture *fixture)
{
    fixture->subspaces[1].base_paddr = 0;
}

static void overlap(struct fixture *fixture)
{
    fixture->subspaces[1].base_paddr = fixture->subspaces[0].base_paddr + 8;
}

static void no_doorbell(struct fixture *fixture)
{
    fixture->subspaces[1].write_mask = 0;
}

static void odd_doorbell(struct fixture *fixture)
{
    fixture->subspaces[1].doorbell.width_bits = 24;
}

static void no_interrupt_flag(struct fixture *fixture)
{
    fixture->subspaces[1].type = 4;
    fixture->subspaces[1].length_bytes = 4096;
}

static void level_interrupt(struct fixture *fixture)
{
    fixture->platform.pcct.flags |= 1;
    for (uint32_t i = 0; i < fixture->platform.pcct.count; i++) {
        fixture->subspaces[i].type = 1;
        fixture->subspaces[i].gsi = 5;
        fixture->subspaces[i].interrupt_flags = 0;
    }
}

static void no_gsi(struct fixture *fixture)
{
    fixture->platform.pcct.flags = 1;
    fixture->subspaces[1].type = 2;
}

static void slow_channel(struct fixture *fixture)
{
    fixture->subspaces[1].max_access_rate = 5;
}

static void hpet_in_io(struct fixture *fixture)
{
    fixture->platform.hpet.base.space = GAS_SYSTEM_IO;
}

static void hpet_shifted(struct fixture *fixture)
{
    fixture->platform.hpet.base.address = 0xFED0000000000000;
}

const struct rule_case cases_of_tables[] = {
    {"TBL-001", MACHINE_AMD, NULL, NULL, no_tables},
    {"TBL-002", MACHINE_AMD, NULL, NULL, bad_rsdp},
    {"TBL-003", MACHINE_AMD, NULL, NULL, bad_checksum},
    {"TBL-004", MACHINE_AMD, NULL, NULL, cut_table},
    {"TBL-005", MACHINE_AMD, NULL, NULL, two_madts},
    {"TBL-006", MACHINE_AMD, NULL, NULL, no_dsdt},

    {"FADT-001", MACHINE_AMD, NULL, NULL, no_fadt},
    {"FADT-001", MACHINE_AMD, NULL, NULL, stub_fadt},
    {"FADT-002", MACHINE_AMD, NULL, NULL, old_length},
    {"FADT-003", MACHINE_AMD, "fadt pm_tmr_blk 0;fadt x_pm_tmr_blk 0 0 0 0", "FADT-010", NULL},
    {"FADT-004", MACHINE_AMD, "fadt pm_tmr_len 3", NULL, NULL},
    {"FADT-005", MACHINE_AMD, "fadt x_pm_tmr_blk 1 8 0 0x808", NULL, NULL},
    {"FADT-006", MACHINE_AMD, "fadt pm_tmr_blk 0;fadt x_pm_tmr_blk 0 32 0 0xFED80808", NULL, NULL},
    {"FADT-007", MACHINE_AMD, "fadt pm_tmr_blk 0x1808", NULL, NULL},
    {"FADT-008", MACHINE_AMD, "fadt pm1_cnt_len 4", NULL, NULL},
    {"FADT-009", MACHINE_AMD, "fadt pm1_evt_len 0", "FADT-008", NULL},
    {"FADT-010", MACHINE_AMD, "fadt pm2_cnt_len 1", NULL, NULL},
    {"FADT-011", MACHINE_AMD, "fadt dsdt 0x7E000000", NULL, NULL},

    {"FADT-020", MACHINE_AMD, "fadt p_lvl2_lat 90;cst absent;csd absent", NULL, NULL},
    {"FADT-021", MACHINE_AMD, "fadt p_lvl3_lat 900;cst absent;csd absent", NULL, NULL},
    {"FADT-020", MACHINE_PCC, "cst absent;csd absent", "FADT-021", no_pblk},
    {"FADT-022", MACHINE_PCC, "fadt p_lvl2_lat 90;fadt p_lvl3_lat 50", NULL, NULL},
    {"FADT-023", MACHINE_PCC, "fadt flags 5;cst absent;csd absent", NULL, NULL},
    {"FADT-024", MACHINE_AMD, "fadt smi_cmd 0;fadt cst_cnt 0x85", NULL, NULL},
    {"FADT-024", MACHINE_AMD, "fadt smi_cmd 0;fadt pstate_cnt 0x80", NULL, NULL},
    {"FADT-025", MACHINE_AMD, "fadt flags 4", NULL, NULL},
    {"FADT-026", MACHINE_AMD, "fadt flags 1", NULL, NULL},
    {"FADT-027", MACHINE_AMD, "fadt preferred_pm_profile 9", NULL, NULL},

    {"MADT-001", MACHINE_AMD, NULL, NULL, broken_madt},
    {"MADT-002", MACHINE_AMD, NULL, NULL, all_disabled},
    {"MADT-003", MACHINE_AMD, NULL, NULL, same_apic_id},
    {"MADT-004", MACHINE_AMD, NULL, NULL, same_uid},
    {"MADT-005", MACHINE_AMD, NULL, NULL, broadcast_id},
    {"MADT-006", MACHINE_AMD, NULL, NULL, low_x2apic},
    {"MADT-007", MACHINE_AMD, NULL, NULL, both_flags},
    {"MADT-008", MACHINE_AMD, NULL, NULL, online_capable},
    {"MADT-009", MACHINE_AMD, NULL, NULL, no_lapic_address},
    {"MADT-010", MACHINE_AMD, NULL, NULL, boot_cpu_last},
    {"MADT-011", MACHINE_AMD, NULL, NULL, cpu_without_object},

    {"PCCT-001", MACHINE_PCC, NULL, NULL, broken_pcct},
    {"PCCT-002", MACHINE_PCC, NULL, "PCC-001", empty_pcct},
    {"PCCT-003", MACHINE_PCC, NULL, NULL, unknown_subspace},
    {"PCCT-003", MACHINE_PCC, NULL, NULL, register_subspace},
    {"PCCT-004", MACHINE_PCC, NULL, NULL, no_memory},
    {"PCCT-005", MACHINE_PCC, NULL, NULL, overlap},
    {"PCCT-006", MACHINE_PCC, NULL, NULL, no_doorbell},
    {"PCCT-007", MACHINE_PCC, NULL, NULL, odd_doorbell},
    {"PCCT-008", MACHINE_PCC, NULL, NULL, no_interrupt_flag},
    {"PCCT-008", MACHINE_PCC, NULL, NULL, no_gsi},
    {"PCCT-008", MACHINE_PCC, NULL, NULL, level_interrupt},
    {"PCCT-009", MACHINE_PCC, NULL, NULL, slow_channel},

    {"HPET-001", MACHINE_AMD, NULL, NULL, hpet_in_io},
    {"HPET-002", MACHINE_AMD, NULL, NULL, hpet_shifted},
    {NULL, MACHINE_BARE, NULL, NULL, NULL},
};

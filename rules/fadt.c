#include "rules/judge.h"
#include "rules/subjects.h"

#define SPEC "ACPI 6.5, 5.2.9 Fixed ACPI Description Table (FADT)"

/* ACPI 1.0 to 6.5, FADT: the length that each revision has. */
#define FADT_V1_BYTES 116
#define FADT_V3_BYTES 244
#define FADT_V5_BYTES 268
#define FADT_V6_BYTES 276

#define NO_FADT "no FADT in this set of tables"

static bool has_fadt(struct judge *judge)
{
    if (judge->platform->fadt.avail == AVAIL_PRESENT) {
        return true;
    }
    judge_skip(judge, NO_FADT);
    return false;
}

/* ACPI 6.5, Table 5.10, bit 20: the fixed hardware and its fields do not exist. */
static bool has_fixed_hardware(struct judge *judge)
{
    if (!has_fadt(judge)) {
        return false;
    }
    if (fadt_has_flag(&judge->platform->fadt, FADT_FLAG_HW_REDUCED)) {
        judge_skip(judge, "hardware-reduced ACPI: no fixed hardware");
        return false;
    }
    return true;
}

static uint64_t field(const struct judge *judge, enum fadt_field index)
{
    return fadt_value(&judge->platform->fadt, index, 0);
}

static void is_there(struct judge *judge)
{
    const struct fadt *fadt = &judge->platform->fadt;

    if (fadt->avail == AVAIL_MALFORMED) {
        judge_fail(judge, "at least the fields of revision 1", "%u bytes", fadt->length);
    } else if (fadt->avail != AVAIL_PRESENT && platform_is_firsthand(judge->platform)) {
        judge_fail(judge, "a FADT", "none");
    } else if (fadt->avail != AVAIL_PRESENT) {
        judge_skip(judge, NO_FADT);
    }
}

static void length_fits_revision(struct judge *judge)
{
    const struct fadt *fadt = &judge->platform->fadt;
    uint32_t expected = FADT_V1_BYTES;
    struct judge_text text;

    if (!has_fadt(judge)) {
        return;
    }
    if (fadt->revision >= 3) {
        expected = fadt->revision >= 6   ? FADT_V6_BYTES
                   : fadt->revision == 5 ? FADT_V5_BYTES
                                         : FADT_V3_BYTES;
    }
    if (fadt->length < expected) {
        judge_warn(judge, judge_text(&text, "%u bytes in revision %u", expected, fadt->revision),
                   "%u bytes", fadt->length);
    }
}

static bool is_gas_used(const struct judge *judge, enum fadt_register index)
{
    const struct fadt *fadt = &judge->platform->fadt;

    return fadt->has_register[index] && fadt->reg[index].address != 0;
}

static void has_pm_timer(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (field(judge, FADT_PM_TMR_BLK) == 0 && !is_gas_used(judge, FADT_X_PM_TMR_BLK)) {
        judge_warn(judge, "PM_TMR_BLK or X_PM_TMR_BLK", "both are 0");
    }
}

static void pm_timer_has_four_bytes(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (field(judge, FADT_PM_TMR_BLK) == 0) {
        judge_skip(judge, "no PM_TMR_BLK");
    } else if (field(judge, FADT_PM_TMR_LEN) != 4) {
        judge_warn(judge, "PM_TMR_LEN 4", "%llu",
                   (unsigned long long)field(judge, FADT_PM_TMR_LEN));
    }
}

/* A width of 0 beside a legacy length is how older firmware fills the X fields: not reported. */
static void pm_timer_has_32_bits(struct judge *judge)
{
    const struct gas *gas = &judge->platform->fadt.reg[FADT_X_PM_TMR_BLK];
    struct judge_text text;

    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (!is_gas_used(judge, FADT_X_PM_TMR_BLK)) {
        judge_skip(judge, "no X_PM_TMR_BLK");
    } else if ((gas->width_bits != 32 && gas->width_bits != 0) || gas->offset_bits != 0) {
        judge_warn(judge, "32 bits at offset 0; Linux uses 32", "%s", judge_register(&text, gas));
    }
}

static void pm_timer_is_a_port(struct judge *judge)
{
    const struct gas *gas = &judge->platform->fadt.reg[FADT_X_PM_TMR_BLK];

    if (!has_fixed_hardware(judge)) {
        return;
    }
    if (!is_gas_used(judge, FADT_X_PM_TMR_BLK)) {
        judge_skip(judge, "no X_PM_TMR_BLK");
    } else if (gas->space != GAS_SYSTEM_IO) {
        judge_warn(judge, "SystemIO: Linux on x86 reads the timer by port", "%s",
                   gas_space_name(gas->space));
    } else if (gas->address > 0xFFFF) {
        judge_fail(judge, "an I/O port", "0x%llX", (unsigned long long)gas->address);
    }
}

/* The blocks that are described twice: legacy address and length, and an X register. */
struct block {
    const char *name;
    enum fadt_field address;
    enum fadt_field length;
    enum fadt_register reg;
    bool is_required;
};

static const struct block blocks[] = {
    {"pm1a_evt_blk", FADT_PM1A_EVT_BLK, FADT_PM1_EVT_LEN, FADT_X_PM1A_EVT_BLK, true},
    {"pm1a_cnt_blk", FADT_PM1A_CNT_BLK, FADT_PM1_CNT_LEN, FADT_X_PM1A_CNT_BLK, true},
    {"pm2_cnt_blk", FADT_PM2_CNT_BLK, FADT_PM2_CNT_LEN, FADT_X_PM2_CNT_BLK, false},
    {"pm_tmr_blk", FADT_PM_TMR_BLK, FADT_PM_TMR_LEN, FADT_X_PM_TMR_BLK, false},
    {"gpe0_blk", FADT_GPE0_BLK, FADT_GPE0_BLK_LEN, FADT_X_GPE0_BLK, false},
    {"gpe1_blk", FADT_GPE1_BLK, FADT_GPE1_BLK_LEN, FADT_X_GPE1_BLK, false},
};

#define BLOCKS (sizeof(blocks) / sizeof(blocks[0]))

static void addresses_agree(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        const struct gas *gas = &judge->platform->fadt.reg[blocks[i].reg];
        uint64_t legacy = field(judge, blocks[i].address);

        if (legacy != 0 && is_gas_used(judge, blocks[i].reg) &&
            (gas->address != legacy || gas->space != GAS_SYSTEM_IO)) {
            judge_warn(judge, "the same port in both fields; Linux takes the X field",
                       "%s 0x%llX, x_%s 0x%llX in %s", blocks[i].name, (unsigned long long)legacy,
                       blocks[i].name, (unsigned long long)gas->address,
                       gas_space_name(gas->space));
        }
    }
}

static void lengths_agree(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        const struct gas *gas = &judge->platform->fadt.reg[blocks[i].reg];
        uint64_t bits = field(judge, blocks[i].length) * 8;

        if (blocks[i].reg == FADT_X_PM_TMR_BLK || !is_gas_used(judge, blocks[i].reg) ||
            gas->width_bits == 0 || bits > 255 || field(judge, blocks[i].address) == 0) {
            continue;
        }
        if (gas->width_bits != bits) {
            judge_warn(judge, "the same size in both fields", "%s has %llu bits, x_%s %u",
                       blocks[i].name, (unsigned long long)bits, blocks[i].name, gas->width_bits);
        }
    }
}

static void required_blocks_are_there(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        bool has_address =
            field(judge, blocks[i].address) != 0 || is_gas_used(judge, blocks[i].reg);

        if (blocks[i].is_required && (!has_address || field(judge, blocks[i].length) == 0)) {
            judge_fail(judge, "address and length of the required blocks",
                       "%s: address 0x%llX, length %llu", blocks[i].name,
                       (unsigned long long)field(judge, blocks[i].address),
                       (unsigned long long)field(judge, blocks[i].length));
        }
    }
}

/* ACPICA's "Optional FADT field has valid Length but zero Address": harmless, and common for PM2. */
static void optional_blocks_are_whole(struct judge *judge)
{
    if (!has_fixed_hardware(judge)) {
        return;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        bool has_address =
            field(judge, blocks[i].address) != 0 || is_gas_used(judge, blocks[i].reg);
        bool has_length = field(judge, blocks[i].length) != 0;

        if (!blocks[i].is_required && has_address != has_length) {
            judge_warn(judge, "address and length together, or neither (harmless)",
                       "%s: %s address, length %llu", blocks[i].name, has_address ? "an" : "no",
                       (unsigned long long)field(judge, blocks[i].length));
        }
    }
}

static void dsdt_addresses_agree(struct judge *judge)
{
    uint64_t legacy = field(judge, FADT_DSDT);
    uint64_t wide = field(judge, FADT_X_DSDT);

    if (!has_fadt(judge)) {
        return;
    }
    if (legacy != 0 && wide != 0 && legacy != wide) {
        judge_warn(judge, "one DSDT", "dsdt 0x%llX, x_dsdt 0x%llX", (unsigned long long)legacy,
                   (unsigned long long)wide);
    }
}

const struct rule fadt_rules[] = {
    {
        .id = "FADT-001",
        .title = "The machine has a FADT that is long enough",
        .spec = SPEC,
        .why = "Without it there is no ACPI: no power management at all.",
        .advice = "Publish a FADT of revision 6 with 276 bytes.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = is_there,
        .object = "FADT",
    },
    {
        .id = "FADT-002",
        .title = "The length of the FADT is that of its revision",
        .spec = SPEC,
        .why = "The fields beyond the end are taken as zero: the system misses registers.",
        .advice = "Extend the table, or give the revision that fits its length.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = length_fits_revision,
        .object = "FADT.length",
    },
    {
        .id = "FADT-003",
        .title = "The FADT names a PM timer",
        .spec = SPEC "; 4.8.3.3 Power Management Timer (PM_TMR)",
        .why = "Clocks cannot be calibrated or watched against an independent timer.",
        .advice = "Fill in X_PM_TMR_BLK and PM_TMR_BLK.",
        .known_as = "fwts: FADTPm2CntBlkNotSet (PM timer)",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = has_pm_timer,
        .object = "FADT.pm_tmr_blk",
    },
    {
        .id = "FADT-004",
        .title = "The PM timer block has four bytes",
        .spec = SPEC ", PM_TMR_LEN",
        .why = "Systems that check the length do not use the timer.",
        .advice = "Set PM_TMR_LEN to 4.",
        .known_as = "fwts: FADTBadPMTMRLEN",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = pm_timer_has_four_bytes,
        .object = "FADT.pm_tmr_len",
    },
    {
        .id = "FADT-005",
        .title = "X_PM_TMR_BLK is 32 bits wide",
        .spec = SPEC ", X_PM_TMR_BLK",
        .why = "A system that honours the width reads a timer of 8 or 16 bits.",
        .advice = "Set the bit width to 32.",
        .known_as = "ACPICA: Invalid length for FADT/PmTimer",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = pm_timer_has_32_bits,
        .object = "FADT.x_pm_tmr_blk",
    },
    {
        .id = "FADT-006",
        .title = "X_PM_TMR_BLK is an I/O port",
        .spec = "Linux 6.12 arch/x86/kernel/acpi/boot.c acpi_parse_fadt",
        .why = "Linux does not use the timer: no fallback when the TSC is unreliable.",
        .advice = "Describe the timer in SystemIO.",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = pm_timer_is_a_port,
        .object = "FADT.x_pm_tmr_blk",
    },
    {
        .id = "FADT-007",
        .title = "Legacy and X addresses of the FADT agree",
        .spec = SPEC,
        .why = "Systems that prefer the other field use a wrong register: lost events, a timer "
               "that does "
               "not count.",
        .advice = "Put the same port into both fields, or 0 into the legacy one.",
        .known_as = "ACPICA: 32/64X address mismatch in FADT; fwts: FADTPM1CNTAddrMismatch",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = addresses_agree,
        .object = "FADT",
    },
    {
        .id = "FADT-008",
        .title = "Legacy lengths and X widths of the FADT agree",
        .spec = SPEC,
        .why = "Register halves are read from wrong places.",
        .advice = "Set the bit width to eight times the length.",
        .known_as = "ACPICA: 32/64X length mismatch in FADT",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = lengths_agree,
        .object = "FADT",
    },
    {
        .id = "FADT-009",
        .title = "The FADT names the PM1a event and control blocks",
        .spec = SPEC,
        .why = "The system cannot enter ACPI mode, sleep or power off.",
        .advice = "Fill in address and length of both blocks.",
        .known_as = "ACPICA: Required FADT field has zero address and/or length; fwts: "
                    "FADTPm1aEvtBlkNotSet",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = required_blocks_are_there,
        .object = "FADT",
    },
    {
        .id = "FADT-010",
        .title = "Optional blocks of the FADT have both address and length",
        .spec = SPEC,
        .why = "The block is not used; the kernel log shows a warning at each boot.",
        .advice = "Set both fields, or both to 0.",
        .known_as = "ACPICA: Optional FADT field has valid Length but zero Address; fwts: "
                    "FADTPm2CntLenInconsistent",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = optional_blocks_are_whole,
        .object = "FADT",
    },
    {
        .id = "FADT-011",
        .title = "DSDT and X_DSDT of the FADT agree",
        .spec = SPEC ", DSDT and X_DSDT",
        .why = "Two systems load two different tables on one machine.",
        .advice = "Put the same address into both, or 0 into DSDT.",
        .known_as = "ACPICA: 32/64X DSDT address mismatch in FADT; fwts: FADT32And64Mismatch",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = dsdt_addresses_agree,
        .object = "FADT.dsdt",
    },
    {.id = NULL},
};

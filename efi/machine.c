#include "efi/machine.h"

#include "efi/crash.h"
#include "efi/firmware.h"
#include "model/msr_catalog.h"
#include "model/smbios.h"
#include "model/units.h"

#include <stddef.h>

#define MSR_SMI_COUNT 0x34U
#define STALL_US UINT64_C(2000)
#define REST_US UINT64_C(2000) /* what the firmware gets between two stretches of timing */

static bool has_memory(void *context, uint64_t paddr, unsigned bytes, bool is_write)
{
    struct machine *machine = context;

    return memory_map_is_mapped(&machine->map, paddr, bytes) &&
           (!is_write || memory_map_may_write(&machine->map, paddr, bytes));
}

/* Seven parameters are the contract of hw.h. NOLINTNEXTLINE(readability-function-size) */
static enum status run_on_cpus(void *context, const struct hw *hw, uint32_t count,
                               const uint8_t *wanted, hw_procedure procedure, void *argument,
                               uint32_t timeout_ms, enum hw_run *ret_run)
{
    struct machine *machine = context;

    return mp_run(&machine->mp, hw, count, wanted, procedure, argument, timeout_ms, ret_run);
}

static void stall_us(void *context, uint64_t us)
{
    (void)context;
    firmware_stall_us(us);
}

static void raise_tpl(void *context)
{
    struct machine *machine = context;

    machine->old_tpl = firmware_services()->RaiseTPL(TPL_HIGH_LEVEL);
}

static void restore_tpl(void *context)
{
    const struct machine *machine = context;

    firmware_services()->RestoreTPL(machine->old_tpl);
}

/* OVMF's clock stands still while one of its events runs: mp.c looks at it after that. */
static bool ticks(void *context)
{
    (void)context;
    return firmware_is_in_callback() || firmware_ticks();
}

static void rest(void *context)
{
    (void)context;
    firmware_stall_us(REST_US);
}

/* The SMI counter only where the vendor documents it, like every other MSR. */
static bool may_count_smi(const struct hw *hw)
{
    struct cpuid_leaf leaves[2];
    const struct cpuid_set set = {.count = 2, .leaves = leaves};
    struct cpu_identity identity;

    hw->ops->cpuid(hw, 0, 0, &leaves[0]);
    hw->ops->cpuid(hw, 1, 0, &leaves[1]);
    cpu_identity_decode(&set, &identity);
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        if (msr_catalog_at(i)->msr == MSR_SMI_COUNT && msr_catalog_allows(i, &identity, &set)) {
            return true;
        }
    }
    return false;
}

static uint64_t find_rsdp(void)
{
    static const EFI_GUID guid_2 = ACPI_20_TABLE_GUID;
    static const EFI_GUID guid_1 = ACPI_TABLE_GUID;
    const void *rsdp = firmware_table(&guid_2);

    rsdp = rsdp == NULL ? firmware_table(&guid_1) : rsdp;
    return (uint64_t)(uintptr_t)rsdp;
}

static uint32_t find_windows(const struct early_tables *early, struct pci_window *windows)
{
    struct early_pci_range ranges[NATIVE_WINDOWS];
    uint32_t count = early_tables_pci(early, NATIVE_WINDOWS, ranges);

    for (uint32_t i = 0; i < count; i++) {
        windows[i] = (struct pci_window){.base_paddr = ranges[i].base_paddr,
                                         .segment = ranges[i].segment,
                                         .first_bus = ranges[i].first_bus,
                                         .last_bus = ranges[i].last_bus};
    }
    return count;
}

static void open_native(struct machine *machine, const struct platform *platform, bool is_read_only)
{
    struct native_services services = {.context = machine,
                                       .has_memory = has_memory,
                                       .run_on_cpus = run_on_cpus,
                                       .stall_us = stall_us};
    const struct timing_firmware firmware = {.context = machine,
                                             .raise = raise_tpl,
                                             .restore = restore_tpl,
                                             .ticks = ticks,
                                             .rest = rest};

    services.windows_count = find_windows(&machine->early, services.windows);
    native_init(&machine->native, &services, is_read_only);
    timing_native_init(&machine->timing, &firmware, may_count_smi(&machine->native.hw));
    timing_native_set_guard(&machine->timing, &machine->native.hw, platform);
    native_crew_init(&machine->crew, &machine->timing, platform, platform->arena);
}

struct machine *machine_open(struct platform *platform, bool is_read_only)
{
    struct machine *machine = arena_take(platform->arena, sizeof(*machine));
    enum status status;

    if (machine == NULL) {
        return NULL;
    }
    status = memory_map_open(&machine->map, platform->arena);
    if (status != STATUS_OK) {
        platform->incomplete = status == STATUS_NO_MEMORY
                                   ? "no memory for the memory map: no table could be read"
                                   : "the firmware gave no memory map: no table could be read";
    }
    machine->early = (struct early_tables){
        .rsdp_paddr = find_rsdp(), .map = memory_map_pointer, .map_context = &machine->map};
    open_native(machine, platform, is_read_only);
    mp_open(&machine->mp, platform, platform->arena);
    machine->fault.on_exception = crash_page;
    /* The handler only reads it; the field has no const. */
    machine->fault.context = (void *)(uintptr_t)platform->options;
    return machine;
}

void machine_attach(struct machine *machine)
{
    const struct hw *hw = &machine->native.hw;
    uint64_t start_tsc = hw->ops->tsc(hw);

    firmware_stall_us(STALL_US);
    machine->stall_tsc = hw->ops->tsc(hw) - start_tsc;
    machine->is_attached = fault_attach(&machine->fault, FAULT_EXCEPTIONS);
}

void machine_detach(struct machine *machine, struct platform *platform)
{
    if (machine->is_attached) {
        (void)fault_detach(&machine->fault);
        platform->nmi_count = machine->fault.nmi_count;
    }
    machine->is_attached = false;
}

uint64_t machine_now_100ns(void *context)
{
    const struct machine *machine = context;
    const struct hw *hw = &machine->native.hw;

    if (machine->stall_tsc == 0) {
        return 0;
    }
    return mul_div_u64(hw->ops->tsc(hw), STALL_US * 10, machine->stall_tsc);
}

static bool read_identity(const struct machine *machine, const EFI_GUID *guid, struct arena *arena,
                          struct smbios_identity *ret_identity)
{
    const uint8_t *entry = firmware_table(guid);
    struct smbios_table table;
    const uint8_t *bytes;

    if (entry == NULL || smbios_entry_decode(entry, SMBIOS_ENTRY_BYTES, &table) != STATUS_OK) {
        return false;
    }
    bytes = memory_map_pointer((void *)(uintptr_t)&machine->map, table.paddr, table.length_bytes);
    if (bytes == NULL) {
        return false;
    }
    smbios_identity_decode(bytes, table.length_bytes, arena, ret_identity);
    return true;
}

void machine_identify(const struct machine *machine, struct platform *platform)
{
    static const EFI_GUID guid_3 = SMBIOS3_TABLE_GUID;
    static const EFI_GUID guid_2 = SMBIOS_TABLE_GUID;
    struct smbios_identity identity = {0};

    if (read_identity(machine, &guid_3, platform->arena, &identity) ||
        read_identity(machine, &guid_2, platform->arena, &identity)) {
        platform->vendor = identity.vendor;
        platform->product = identity.product;
        platform->firmware_version = identity.firmware_version;
        platform->firmware_date = identity.firmware_date;
        platform->has_smbios = true;
        platform->smbios_max_mhz = identity.max_mhz;
    }
}

#include "tests/lab/firmware/lab.h"

#include <string.h>

/*
 * What of the machine a program could leave changed. A register that runs by itself (a counter, a pending bit) is left
 * out or masked; everything else has to be what it was.
 */
#define RECORDS_MAX 2048U
#define OTHER_MAX 64U
#define NAME_BYTES 40U
#define CPUS_MAX 16U

struct record {
    char name[NAME_BYTES];
    uint64_t value;
};

struct dump {
    uint32_t count;
    uint32_t room;
    struct record *records;
};

static struct record records[2][RECORDS_MAX];
static struct dump before = {.room = RECORDS_MAX};
static struct dump after = {.room = RECORDS_MAX};

static void add(struct dump *dump, const char *name, uint32_t number, uint64_t value)
{
    static const char digits[] = "0123456789abcdef";
    struct record *record = &dump->records[dump->count % dump->room];
    size_t length = 0;

    while (name[length] != '\0' && length < NAME_BYTES - 10) {
        record->name[length] = name[length];
        length++;
    }
    for (unsigned shift = 32; shift > 0; shift -= 4) {
        record->name[length++] = digits[number >> (shift - 4) & 0xFU];
    }
    record->name[length] = '\0';
    record->value = value;
    dump->count += dump->count < dump->room - 1 ? 1U : 0U;
}

/* FNV-1a, for what is too long to keep. */
static uint64_t hash(const volatile uint8_t *bytes, uint64_t length)
{
    uint64_t value = UINT64_C(0xcbf29ce484222325);

    for (uint64_t i = 0; i < length; i++) {
        value = (value ^ bytes[i]) * UINT64_C(0x100000001b3);
    }
    return value;
}

/* --- What each CPU has of its own. */

struct descriptor {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

/* Those that the application writes or could: SDM vol. 4, table 2-2, and APM vol. 2, appendix A. No emulator that this
 * runs in faults on them. */
static const uint32_t msrs[] = {
    0x10A, 0x1B,  0x3A,  0xE2,  0x198, 0x199, 0x19A, 0x1A0,      0x1A4,      0x1AD,      0x1B0,
    0x1FC, 0x277, 0x2FF, 0x6E0, 0x770, 0x771, 0x774, 0xC0000080, 0xC0000081, 0xC0000082, 0xC0000084,
};

/* SDM vol. 3A, table 11-1: id, TPR, LDR, DFR, SVR, the LVT, the timer's initial count and divider. */
static const uint32_t lapic_offsets[] = {0x20,  0x80,  0xD0,  0xE0,  0xF0,  0x2F0, 0x320,
                                         0x330, 0x340, 0x350, 0x360, 0x370, 0x380, 0x3E0};

#define APIC_BASE_MSR 0x1BU
#define APIC_X2 (UINT64_C(1) << 10)
#define APIC_ON (UINT64_C(1) << 11)
#define APIC_DELIVERY_STATUS (UINT64_C(1) << 12)
#define LAPIC_DFR 0xE0U /* none in x2APIC mode */

static uint64_t read_msr(uint32_t msr)
{
    uint32_t low;
    uint32_t high;

    __asm__ volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
    return (uint64_t)high << 32 | low;
}

/* edk2 copies the boot CPU's running count to the others at each start (SyncLocalApicTimerSetting), so that one says
 * nothing there. */
#define LAPIC_INITIAL_COUNT 0x380U

static void add_lapic(struct dump *dump, bool is_boot)
{
    uint64_t base = read_msr(APIC_BASE_MSR);

    for (size_t i = 0; i < sizeof(lapic_offsets) / sizeof(lapic_offsets[0]); i++) {
        uint32_t at = lapic_offsets[i];
        uint64_t value = 0;

        if ((base & APIC_ON) == 0 || ((base & APIC_X2) != 0 && at == LAPIC_DFR) ||
            (at == LAPIC_INITIAL_COUNT && !is_boot)) {
            continue;
        }
        if ((base & APIC_X2) != 0) {
            value = read_msr(0x800U + at / 16U);
        } else {
            value = *(const volatile uint32_t *)(uintptr_t)((base & ~UINT64_C(0xFFF)) + at);
        }
        add(dump, "local APIC register ", at, value & ~APIC_DELIVERY_STATUS);
    }
}

static void add_control(struct dump *dump)
{
    uint64_t value;

    __asm__ volatile("mov %%cr0, %0" : "=r"(value));
    add(dump, "CR", 0, value);
    __asm__ volatile("mov %%cr3, %0" : "=r"(value));
    add(dump, "CR", 3, value);
    __asm__ volatile("mov %%cr4, %0" : "=r"(value));
    add(dump, "CR", 4, value);
    __asm__ volatile("mov %%cr8, %0" : "=r"(value));
    add(dump, "CR", 8, value);
    __asm__ volatile("mov %%dr7, %0" : "=r"(value));
    add(dump, "DR", 7, value);
    __asm__ volatile("pushfq; popq %0" : "=r"(value));
    /* IF, DF, TF, NT, AC: the others follow from arithmetic. SDM vol. 1, figure 3-8. */
    add(dump, "RFLAGS ", 0, value & 0x44700U);
}

static void add_tables(struct dump *dump)
{
    struct descriptor table;
    uint16_t selector;

    __asm__ volatile("sidt %0" : "=m"(table));
    add(dump, "IDT limit ", 0, table.limit);
    add(dump, "IDT base ", 0, table.base);
    add(dump, "IDT gates ", 0,
        hash((const volatile uint8_t *)(uintptr_t)table.base, (uint64_t)table.limit + 1));
    __asm__ volatile("sgdt %0" : "=m"(table));
    add(dump, "GDT limit ", 0, table.limit);
    add(dump, "GDT base ", 0, table.base);
    add(dump, "GDT entries ", 0,
        hash((const volatile uint8_t *)(uintptr_t)table.base, (uint64_t)table.limit + 1));
    __asm__ volatile("str %0" : "=r"(selector));
    add(dump, "TR ", 0, selector);
    __asm__ volatile("mov %%cs, %0" : "=r"(selector));
    add(dump, "CS ", 0, selector);
    __asm__ volatile("mov %%ss, %0" : "=r"(selector));
    add(dump, "SS ", 0, selector);
}

static void add_cpu(struct dump *dump, bool is_boot)
{
    add_lapic(dump, is_boot);
    for (size_t i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++) {
        add(dump, "MSR ", msrs[i], read_msr(msrs[i]));
    }
}

/* --- Other CPUs. The firmware gives them its own control registers and IDT at each start, so what the application
 * could leave are the registers that no start sets. */

static struct record other_records[CPUS_MAX][OTHER_MAX];
static struct dump others[CPUS_MAX];
static uint32_t others_count;

static void EFIAPI take_other(void *buffer)
{
    uint32_t slot = __atomic_fetch_add((uint32_t *)buffer, 1, __ATOMIC_ACQ_REL);

    if (slot < CPUS_MAX) {
        others[slot] = (struct dump){.room = OTHER_MAX, .records = other_records[slot]};
        add_cpu(&others[slot], false);
    }
}

/* They arrive in any order: each goes to the place of its APIC id, which is its first record. */
static void add_others(struct dump *dump)
{
    others_count = 0;
    if (lab.mp == NULL || lab.mp->startup_all_aps(lab.mp, take_other, FALSE, NULL, 0, &others_count,
                                                  NULL) != EFI_SUCCESS) {
        return;
    }
    for (uint32_t id = 0; id < CPUS_MAX; id++) {
        for (uint32_t i = 0; i < others_count && i < CPUS_MAX; i++) {
            uint64_t own = others[i].records[0].value;

            for (uint32_t r = 0; (own == id || own == (uint64_t)id << 24) && r < others[i].count;
                 r++) {
                add(dump, others[i].records[r].name, id, others[i].records[r].value);
            }
        }
    }
}

/* --- The chipset. */

static uint8_t in8(uint16_t port)
{
    uint8_t value;

    __asm__ volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void out8(uint16_t port, uint8_t value)
{
    __asm__ volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

static uint32_t in32(uint16_t port)
{
    uint32_t value;

    __asm__ volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
    return value;
}

static void out32(uint16_t port, uint32_t value)
{
    __asm__ volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

/* Q35's PM base as QEMU and its firmware place it: PM1 enable, PM1 control, GPE enable, SMI enable. */
#define PM_BASE 0x600U

static void add_ports(struct dump *dump)
{
    add(dump, "PIC mask, port ", 0x21, in8(0x21));
    add(dump, "PIC mask, port ", 0xA1, in8(0xA1));
    add(dump, "PIC edge or level, port ", 0x4D0, in8(0x4D0));
    add(dump, "PIC edge or level, port ", 0x4D1, in8(0x4D1));
    /* 8254 read-back of the status: the mode, without the output pin and the null-count bit. Channel 2 belongs to
     * nobody; the application times with it and leaves it in mode 0. */
    out8(0x43, 0xE2);
    add(dump, "PIT mode, channel ", 0, in8(0x40) & 0x3FU);
    add(dump, "speaker gate, port ", 0x61, in8(0x61) & 3U);
    add(dump, "PM1 enable, port ", PM_BASE + 2, in32(PM_BASE) >> 16);
    add(dump, "PM1 control, port ", PM_BASE + 4, in32(PM_BASE + 4) & 0xFFFFU);
    add(dump, "GPE0 enable, port ", PM_BASE + 0x28, in32(PM_BASE + 0x28));
    add(dump, "SMI enable, port ", PM_BASE + 0x30, in32(PM_BASE + 0x30));
    add(dump, "reset control, port ", 0xCF9, in8(0xCF9));
}

/* Registers A, B and D and the battery-backed bytes; the time itself runs, and C is cleared by reading. */
static void add_cmos(struct dump *dump)
{
    for (uint8_t i = 0xA; i < 0x80; i++) {
        if (i == 0xC || i == 0x32) {
            continue;
        }
        out8(0x70, i);
        add(dump, "CMOS ", i, in8(0x71) & (i == 0xA ? 0x7FU : 0xFFU));
    }
}

#define PCI_ADDRESS 0xCF8U
#define PCI_DATA 0xCFCU

/* Bus 0, every function, the whole header but the status word. */
static void add_pci(struct dump *dump)
{
    uint32_t selected = in32(PCI_ADDRESS);

    for (uint32_t function = 0; function < 256; function++) {
        for (uint32_t at = 0; at < 0x40; at += 4) {
            uint32_t address = UINT32_C(0x80000000) | function << 8 | at;
            uint32_t value;

            out32(PCI_ADDRESS, address);
            value = in32(PCI_DATA);
            if (at == 0 && value == UINT32_MAX) {
                break;
            }
            add(dump, "PCI ", function << 8 | at, at == 4 ? value & 0xFFFFU : value);
        }
    }
    out32(PCI_ADDRESS, selected);
}

#define HPET_PADDR UINT64_C(0xFED00000)
#define IO_APIC_PADDR UINT64_C(0xFEC00000)
#define IO_APIC_PINS 24U

static void add_memory_mapped(struct dump *dump)
{
    volatile uint32_t *io_apic = (volatile uint32_t *)(uintptr_t)IO_APIC_PADDR;
    const volatile uint64_t *hpet = (const volatile uint64_t *)(uintptr_t)HPET_PADDR;

    /* HPET specification 1.0a, 2.3: configuration, and each comparator's. */
    add(dump, "HPET configuration ", 0x10, hpet[0x10 / 8]);
    for (uint32_t timer = 0; timer < 3; timer++) {
        add(dump, "HPET timer ", timer, hpet[(0x100 + 0x20 * timer) / 8] & 0xFFFFU);
    }
    for (uint32_t pin = 0; pin < 2 * IO_APIC_PINS; pin++) {
        io_apic[0] = 0x10 + pin;
        /* Delivery status and remote IRR run by themselves: 82093AA, 3.2.4. */
        add(dump, "I/O APIC ", 0x10 + pin, io_apic[4] & ~UINT32_C(0x5000));
    }
}

/* --- What the firmware keeps. */

static void add_variables(struct dump *dump)
{
    static CHAR16 name[512];
    static uint8_t value[16384];
    EFI_RUNTIME_SERVICES *services = lab.system->RuntimeServices;
    EFI_GUID vendor;
    UINT32 number = 0;

    name[0] = 0;
    for (;;) {
        UINTN bytes = sizeof(name);
        UINTN value_bytes = sizeof(value);
        UINT32 attributes = 0;

        if (services->GetNextVariableName(&bytes, name, &vendor) != EFI_SUCCESS) {
            return;
        }
        if (services->GetVariable(name, &vendor, &attributes, &value_bytes, value) == EFI_SUCCESS) {
            uint64_t sum = hash((const volatile uint8_t *)name, bytes) ^
                           hash((const volatile uint8_t *)&vendor, sizeof(vendor)) * 3 ^
                           hash(value, value_bytes) * 7;

            add(dump, "variable ", number++, sum + attributes);
        }
    }
}

static void add_acpi_memory(const EFI_MEMORY_DESCRIPTOR *one, void *context)
{
    if (one->Type == EfiACPIReclaimMemory || one->Type == EfiACPIMemoryNVS ||
        one->Type == EfiRuntimeServicesCode) {
        add(context, "memory at ", (uint32_t)one->PhysicalStart,
            hash((const volatile uint8_t *)(uintptr_t)one->PhysicalStart,
                 one->NumberOfPages * EFI_PAGE_SIZE));
    }
}

static void add_level(struct dump *dump)
{
    EFI_TPL level = lab.services->RaiseTPL(TPL_HIGH_LEVEL);

    lab.services->RestoreTPL(level);
    add(dump, "TPL ", 0, level);
}

static void take(struct dump *dump)
{
    dump->count = 0;
    dump->records = records[dump == &after ? 1 : 0];
    add_control(dump);
    add_level(dump);
    add_tables(dump);
    add_cpu(dump, true);
    add_others(dump);
    add_ports(dump);
    add_cmos(dump);
    add_pci(dump);
    add_memory_mapped(dump);
    add_variables(dump);
    lab_each_memory(add_acpi_memory, dump);
}

void registers_take(void)
{
    take(&before);
    lab_say("lab: %u registers and other things noted, %u other CPUs among them\n", before.count,
            others_count);
}

uint32_t registers_compare(void)
{
    uint32_t different = 0;

    take(&after);
    for (uint32_t i = 0; i < before.count && i < after.count; i++) {
        if (before.records[i].value != after.records[i].value ||
            strcmp(before.records[i].name, after.records[i].name) != 0) {
            lab_say("lab: %s was %llx, is %llx\n", before.records[i].name,
                    (unsigned long long)before.records[i].value,
                    (unsigned long long)after.records[i].value);
            different++;
        }
    }
    return different + (before.count == after.count ? 0U : 1U);
}

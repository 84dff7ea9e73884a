#include "drivers/wake_guard.h"

#include "model/units.h"

#include <stddef.h>

/* IA-PC HPET specification 1.0a, 2.3.4 to 2.3.10. */
#define HPET_CAPABILITY 0x00U
#define HPET_PERIOD 0x04U /* the upper half */
#define HPET_CONFIGURATION 0x10U
#define HPET_COUNTER 0xF0U
#define HPET_TIMER(n) (UINT64_C(0x100) + UINT64_C(0x20) * (n))
#define TIMER_ROUTE_CAPABILITY 0x04U /* the upper half of Tn_CONF */
#define TIMER_COMPARATOR 0x08U
#define TIMER_FSB 0x10U

#define HPET_LAST_TIMER(capability) ((capability) >> 8 & 0x1FU)
#define HPET_MAX_PERIOD_FS UINT64_C(100000000)
#define HPET_ENABLE UINT32_C(1)
#define HPET_LEGACY UINT32_C(2) /* timers 0 and 1 then replace the PIT and the RTC */

#define TIMER_IS_LEVEL (UINT32_C(1) << 1)
#define TIMER_ENABLE (UINT32_C(1) << 2)
#define TIMER_IS_PERIODIC (UINT32_C(1) << 3)
#define TIMER_32_BIT (UINT32_C(1) << 8)
#define TIMER_INPUT_SHIFT 9U
#define TIMER_INPUT_MASK (UINT32_C(0x1F) << TIMER_INPUT_SHIFT)
#define TIMER_FSB_ENABLE (UINT32_C(1) << 14)
#define TIMER_HAS_FSB (UINT32_C(1) << 15)
/* What is put back and compared: the rest is read-only or not ours. */
#define TIMER_WRITABLE                                                                             \
    (TIMER_IS_LEVEL | TIMER_ENABLE | TIMER_IS_PERIODIC | TIMER_32_BIT | TIMER_INPUT_MASK |         \
     TIMER_FSB_ENABLE)

/* Intel 82093AA data sheet, 3.1 and 3.2. */
#define IOAPIC_SELECT 0x00U
#define IOAPIC_WINDOW 0x10U
#define IOAPIC_VERSION 0x01U
#define IOAPIC_LAST_ENTRY(version) ((version) >> 16 & 0xFFU)
#define IOAPIC_ENTRY(n) (0x10U + 2U * (n))
#define PIT_INPUT 2U
#define ENTRY_MASKED (UINT32_C(1) << 16)
/* Delivery status and remote IRR are read-only. */
#define ENTRY_WRITABLE (~(UINT32_C(1) << 12 | UINT32_C(1) << 14))

/* SDM vol. 3A, 11.11.1 and 11.11.2: physical destination, fixed delivery, edge. */
#define MESSAGE_ADDRESS UINT32_C(0xFEE00000)
#define MESSAGE_DESTINATION_SHIFT 12U
#define PHYSICAL_ID_MAX 0xFFU

#define MIN_NS UINT64_C(1000)
#define MAX_NS UINT64_C(1000000000)

/* A register that cannot be reached reads as 0, which no route survives. */
static uint32_t read32(const struct wake_guard *guard, uint64_t paddr)
{
    uint64_t value = 0;

    return guard->hw->ops->memory_read(guard->hw, paddr, 4, &value) == STATUS_OK ? (uint32_t)value
                                                                                 : 0;
}

static bool write32(const struct wake_guard *guard, uint64_t paddr, uint32_t value)
{
    return guard->hw->ops->memory_write(guard->hw, paddr, 4, value) == STATUS_OK;
}

static uint64_t timer_at(const struct wake_guard *guard, uint32_t timer)
{
    return guard->hpet_paddr + HPET_TIMER(timer);
}

static uint32_t read_ioapic(const struct wake_guard *guard, uint32_t reg)
{
    return write32(guard, guard->ioapic_paddr + IOAPIC_SELECT, reg)
               ? read32(guard, guard->ioapic_paddr + IOAPIC_WINDOW)
               : 0;
}

static bool write_ioapic(const struct wake_guard *guard, uint32_t reg, uint32_t value)
{
    return write32(guard, guard->ioapic_paddr + IOAPIC_SELECT, reg) &&
           write32(guard, guard->ioapic_paddr + IOAPIC_WINDOW, value);
}

static void add_route(struct wake_guard *guard, uint32_t timer, bool is_fsb, uint32_t input)
{
    if (guard->routes_count < WAKE_GUARD_ROUTES) {
        guard->routes[guard->routes_count++] =
            (struct wake_guard_route){.timer = timer, .is_fsb = is_fsb, .input = input};
    }
}

/* One that nobody uses: no interrupt enabled, and not left in a mode in which its comparator moves. */
static bool is_free(const struct wake_guard *guard, uint32_t timer, bool is_legacy)
{
    uint32_t config = read32(guard, timer_at(guard, timer));

    return (config & (TIMER_ENABLE | TIMER_IS_PERIODIC | TIMER_FSB_ENABLE)) == 0 &&
           (!is_legacy || timer > 1);
}

/*
 * An input that the comparator may use and that is masked, so that nobody waits for it. From the last one down: the
 * first 16 are wired to ISA devices that may be at work. The PIT arrives at 0 or 2 (ACPI 6.5, 5.2.12.5) and would end
 * every sleep.
 */
static void add_inputs(struct wake_guard *guard, uint32_t timer, uint32_t inputs)
{
    uint32_t last = IOAPIC_LAST_ENTRY(read_ioapic(guard, IOAPIC_VERSION));

    for (uint32_t input = last < 31 ? last : 31; input > PIT_INPUT; input--) {
        if ((inputs >> input & 1U) != 0 &&
            (read_ioapic(guard, IOAPIC_ENTRY(input)) & ENTRY_MASKED) != 0) {
            add_route(guard, timer, false, input);
            return;
        }
    }
}

static void find_routes(struct wake_guard *guard, uint32_t last_timer, bool is_legacy)
{
    uint32_t select = 0;

    for (uint32_t timer = 0; timer <= last_timer; timer++) {
        if (is_free(guard, timer, is_legacy) &&
            (read32(guard, timer_at(guard, timer)) & TIMER_HAS_FSB) != 0) {
            add_route(guard, timer, true, 0);
        }
    }
    if (guard->ioapic_paddr == 0) {
        return;
    }
    select = read32(guard, guard->ioapic_paddr + IOAPIC_SELECT);
    for (uint32_t timer = 0; timer <= last_timer; timer++) {
        if (is_free(guard, timer, is_legacy)) {
            add_inputs(guard, timer,
                       read32(guard, timer_at(guard, timer) + TIMER_ROUTE_CAPABILITY));
        }
    }
    (void)write32(guard, guard->ioapic_paddr + IOAPIC_SELECT, select);
}

/* With the counter off, switching it on would set every enabled comparator going. */
static bool may_run(const struct wake_guard *guard, uint32_t last_timer)
{
    if ((read32(guard, guard->hpet_paddr + HPET_CONFIGURATION) & HPET_ENABLE) != 0) {
        return true;
    }
    for (uint32_t timer = 0; timer <= last_timer; timer++) {
        if ((read32(guard, timer_at(guard, timer)) & TIMER_ENABLE) != 0) {
            return false;
        }
    }
    return true;
}

const char *wake_guard_find(struct wake_guard *guard, const struct hw *hw,
                            const struct platform *platform)
{
    const struct hpet *table = &platform->hpet;
    uint32_t capability;

    *guard = (struct wake_guard){.hw = hw};
    if (platform->options != NULL && platform->options->is_read_only) {
        return "--read-only leaves the HPET alone";
    }
    if (platform->is_tables_from_medium || table->avail != AVAIL_PRESENT ||
        table->base.space != GAS_SYSTEM_MEMORY || table->base.address == 0) {
        return "the firmware names no HPET";
    }
    guard->hpet_paddr = table->base.address;
    guard->ioapic_paddr = platform->madt.ioapic_paddr;
    capability = read32(guard, guard->hpet_paddr + HPET_CAPABILITY);
    guard->period_fs = read32(guard, guard->hpet_paddr + HPET_PERIOD);
    if (guard->period_fs == 0 || guard->period_fs > HPET_MAX_PERIOD_FS) {
        return "the HPET is not readable, or states no valid period";
    }
    if (!may_run(guard, HPET_LAST_TIMER(capability))) {
        return "the HPET is off, with comparators that would start with it";
    }
    find_routes(guard, HPET_LAST_TIMER(capability),
                (read32(guard, guard->hpet_paddr + HPET_CONFIGURATION) & HPET_LEGACY) != 0);
    return guard->routes_count == 0 ? "no comparator of the HPET is free, with a way to this CPU"
                                    : NULL;
}

static void save(struct wake_guard *guard)
{
    struct wake_guard_saved *saved = &guard->saved;
    uint64_t timer = timer_at(guard, guard->route->timer);

    saved->general = read32(guard, guard->hpet_paddr + HPET_CONFIGURATION);
    saved->config = read32(guard, timer);
    for (uint64_t half = 0; half < 2; half++) {
        saved->comparator[half] = read32(guard, timer + TIMER_COMPARATOR + 4 * half);
        saved->fsb[half] = read32(guard, timer + TIMER_FSB + 4 * half);
    }
    if (!guard->route->is_fsb) {
        uint32_t entry = IOAPIC_ENTRY(guard->route->input);

        saved->select = read32(guard, guard->ioapic_paddr + IOAPIC_SELECT);
        saved->entry[0] = read_ioapic(guard, entry);
        saved->entry[1] = read_ioapic(guard, entry + 1);
    }
}

static bool set_route(struct wake_guard *guard, uint32_t apic_id, uint8_t vector)
{
    uint64_t timer = timer_at(guard, guard->route->timer);
    uint32_t entry = IOAPIC_ENTRY(guard->route->input);

    guard->config = (guard->saved.config & ~TIMER_WRITABLE) | TIMER_32_BIT;
    if (guard->route->is_fsb) {
        guard->config |= TIMER_FSB_ENABLE;
        return write32(guard, timer + TIMER_FSB, vector) &&
               write32(guard, timer + TIMER_FSB + 4,
                       MESSAGE_ADDRESS | apic_id << MESSAGE_DESTINATION_SHIFT);
    }
    guard->config |= guard->route->input << TIMER_INPUT_SHIFT;
    /* Fixed, physical, active high, edge. The destination first: the other half unmasks. */
    return write_ioapic(guard, entry + 1, apic_id << 24) && write_ioapic(guard, entry, vector);
}

bool wake_guard_open(struct wake_guard *guard, uint32_t route, uint32_t apic_id, uint8_t vector)
{
    uint64_t timer;
    bool is_set;

    if (route >= guard->routes_count || apic_id > PHYSICAL_ID_MAX || guard->is_open) {
        return false;
    }
    guard->route = &guard->routes[route];
    timer = timer_at(guard, guard->route->timer);
    save(guard);
    guard->is_open = true;
    is_set = set_route(guard, apic_id, vector) && write32(guard, timer, guard->config) &&
             write32(guard, guard->hpet_paddr + HPET_CONFIGURATION,
                     guard->saved.general | HPET_ENABLE) &&
             /* An input that the comparator does not take is read back as another: 2.3.8. */
             (read32(guard, timer) & (TIMER_INPUT_MASK | TIMER_FSB_ENABLE)) ==
                 (guard->config & (TIMER_INPUT_MASK | TIMER_FSB_ENABLE));
    if (!is_set) {
        (void)wake_guard_close(guard);
    }
    return is_set;
}

void wake_guard_arm(const struct wake_guard *guard, uint64_t ns)
{
    uint64_t timer;
    uint64_t counts;

    if (!guard->is_open) {
        return;
    }
    timer = timer_at(guard, guard->route->timer);
    (void)write32(guard, timer, guard->config);
    if (ns == 0) {
        return;
    }
    ns = ns < MIN_NS ? MIN_NS : ns;
    counts = mul_div_u64(ns < MAX_NS ? ns : MAX_NS, 1000000, guard->period_fs) + 1;
    /* The comparator matches when the counter is equal, in 32 bits: 2.3.9.1. */
    (void)write32(guard, timer + TIMER_COMPARATOR,
                  read32(guard, guard->hpet_paddr + HPET_COUNTER) + (uint32_t)counts);
    (void)write32(guard, timer, guard->config | TIMER_ENABLE);
}

/* The input is masked again before its vector changes, and the select register last of all. */
static bool put_back_input(const struct wake_guard *guard)
{
    const struct wake_guard_saved *saved = &guard->saved;
    uint32_t entry = IOAPIC_ENTRY(guard->route->input);
    bool is_same;

    (void)write_ioapic(guard, entry, saved->entry[0]);
    (void)write_ioapic(guard, entry + 1, saved->entry[1]);
    is_same = ((read_ioapic(guard, entry) ^ saved->entry[0]) & ENTRY_WRITABLE) == 0 &&
              read_ioapic(guard, entry + 1) == saved->entry[1];
    return write32(guard, guard->ioapic_paddr + IOAPIC_SELECT, saved->select) && is_same;
}

/* The comparator while its interrupt is off and in its own width: setting 32 bits has cut its upper half. */
static bool put_back_timer(const struct wake_guard *guard)
{
    const struct wake_guard_saved *saved = &guard->saved;
    uint64_t timer = timer_at(guard, guard->route->timer);
    bool is_same;

    (void)write32(guard, timer, saved->config);
    for (uint64_t half = 0; half < 2; half++) {
        (void)write32(guard, timer + TIMER_COMPARATOR + 4 * half, saved->comparator[half]);
        if (guard->route->is_fsb) {
            (void)write32(guard, timer + TIMER_FSB + 4 * half, saved->fsb[half]);
        }
    }
    is_same = ((read32(guard, timer) ^ saved->config) & TIMER_WRITABLE) == 0;
    for (uint64_t half = 0; half < 2; half++) {
        is_same = is_same &&
                  read32(guard, timer + TIMER_COMPARATOR + 4 * half) == saved->comparator[half] &&
                  read32(guard, timer + TIMER_FSB + 4 * half) == saved->fsb[half];
    }
    return is_same;
}

bool wake_guard_close(struct wake_guard *guard)
{
    uint64_t general = guard->hpet_paddr + HPET_CONFIGURATION;
    bool is_same;

    if (!guard->is_open) {
        return true;
    }
    wake_guard_arm(guard, 0);
    is_same = guard->route->is_fsb || put_back_input(guard);
    is_same = put_back_timer(guard) && is_same;
    is_same = write32(guard, general, guard->saved.general) &&
              read32(guard, general) == guard->saved.general && is_same;
    guard->is_open = false;
    return is_same;
}

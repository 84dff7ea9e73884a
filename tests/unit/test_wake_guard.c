#include "drivers/wake_guard.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

/*
 * An HPET and an I/O APIC as their specifications have them, stricter than the real ones: a write to the counter, to a
 * comparator that is in use or to an input that is not masked is a failure. Time goes on with every access.
 */
#define HPET UINT64_C(0xFED00000)
#define IOAPIC UINT64_C(0xFEC00000)
#define TIMERS 4U
#define INPUTS 24U
#define PERIOD_FS UINT64_C(69841279) /* 14.318 MHz */
#define ACCESS_COUNTS 10U
#define MASKED UINT32_C(0x10000)
#define VECTOR 0xF4U
#define ENABLED UINT32_C(4)
#define FSB_ON UINT32_C(0x4000)
#define FSB_CAPABLE UINT32_C(0x8000)
#define WIDE UINT32_C(0x100)

struct comparator {
    uint32_t config;
    uint32_t inputs; /* capability */
    uint64_t value;
    uint32_t fsb[2];
    bool is_used; /* the firmware's */
    bool takes_no_config;
};

struct devices {
    uint64_t counter;
    uint32_t general;
    struct comparator timers[TIMERS];
    uint32_t select;
    uint32_t entries[INPUTS][2];
    bool is_stuck;   /* the first comparator keeps what was written last */
    uint32_t vector; /* of the last interrupt ... */
    uint32_t target; /* ... and the local APIC it went to */
    uint64_t fired_at;
    unsigned interrupts;
};

static struct devices devices;
static struct sim_platform sim;
static struct hw hw;

static void fire(const struct comparator *timer)
{
    const uint32_t *entry = devices.entries[timer->config >> 9 & 0x1F];

    devices.interrupts++;
    devices.fired_at = devices.counter;
    if ((timer->config & FSB_ON) != 0) {
        devices.vector = timer->fsb[0];
        devices.target = timer->fsb[1] >> 12 & 0xFF;
        assert_int_equal(timer->fsb[1] >> 20, 0xFEE);
    } else {
        assert_int_equal(entry[0] & MASKED, 0);
        devices.vector = entry[0] & 0xFF;
        devices.target = entry[1] >> 24;
    }
}

static void go_on(uint64_t counts)
{
    for (unsigned i = 0; i < TIMERS && (devices.general & 1) != 0; i++) {
        const struct comparator *timer = &devices.timers[i];
        uint32_t left = (uint32_t)timer->value - (uint32_t)devices.counter;

        if ((timer->config & ENABLED) != 0 && left != 0 && left <= counts && !timer->is_used) {
            fire(timer);
        }
    }
    devices.counter += (devices.general & 1) != 0 ? counts : 0;
}

static uint32_t half_of(uint64_t value, unsigned offset)
{
    return (uint32_t)(offset % 8 == 0 ? value : value >> 32);
}

static uint32_t read_timer(const struct comparator *timer, unsigned offset)
{
    switch (offset) {
    case 0:
        return timer->config;
    case 4:
        return timer->inputs;
    case 8:
    case 12:
        return half_of(timer->value, offset);
    default:
        return timer->fsb[offset == 16 ? 0 : 1];
    }
}

static enum status fake_read(const struct hw *self, uint64_t paddr, unsigned bytes,
                             uint64_t *ret_value)
{
    (void)self;
    assert_int_equal(bytes, 4);
    go_on(ACCESS_COUNTS);
    if (paddr == IOAPIC) {
        *ret_value = devices.select;
    } else if (paddr == IOAPIC + 0x10) {
        *ret_value = devices.select == 1
                         ? (INPUTS - 1) << 16 | 0x20
                         : devices.entries[(devices.select - 0x10) / 2][devices.select % 2];
    } else if (paddr == HPET) {
        *ret_value = (TIMERS - 1) << 8 | 1U << 13;
    } else if (paddr == HPET + 4) {
        *ret_value = PERIOD_FS;
    } else if (paddr == HPET + 0x10) {
        *ret_value = devices.general;
    } else if (paddr == HPET + 0xF0) {
        *ret_value = (uint32_t)devices.counter;
    } else if (paddr >= HPET + 0x100 && paddr < HPET + 0x100 + 0x20 * TIMERS) {
        *ret_value = read_timer(&devices.timers[(paddr - HPET - 0x100) / 0x20], paddr % 0x20);
    } else {
        fail_msg("an undeclared register was read: %lx", (unsigned long)paddr);
    }
    return STATUS_OK;
}

static void write_config(struct comparator *timer, uint32_t value)
{
    const uint32_t writable = 0x1E | WIDE | 0x3E00 | FSB_ON;
    uint32_t input = value >> 9 & 0x1F;

    if (timer->takes_no_config) {
        return;
    }
    value = (timer->config & ~writable) | (value & writable);
    if ((timer->inputs >> input & 1) == 0) {
        value &= ~UINT32_C(0x3E00);
    }
    if ((timer->config & FSB_CAPABLE) == 0) {
        value &= ~FSB_ON;
    }
    timer->config = value;
    if ((value & WIDE) != 0) {
        timer->value = (uint32_t)timer->value;
    }
}

static void write_timer(struct comparator *timer, unsigned offset, uint32_t value)
{
    assert_false(timer->is_used);
    switch (offset) {
    case 0:
        write_config(timer, value);
        break;
    case 8:
        timer->value = (timer->value & ~UINT64_C(0xFFFFFFFF)) | value;
        break;
    case 12:
        if ((timer->config & WIDE) == 0 && !devices.is_stuck) {
            timer->value = (uint32_t)timer->value | (uint64_t)value << 32;
        }
        break;
    case 16:
    case 20:
        timer->fsb[offset == 16 ? 0 : 1] = value;
        break;
    default:
        fail_msg("a read-only register was written");
    }
}

static void write_entry(uint32_t value)
{
    uint32_t *entry = devices.entries[(devices.select - 0x10) / 2];

    assert_true(devices.select >= 0x10 && devices.select < 0x10 + 2 * INPUTS);
    /* Ours, or one that nobody waits for. */
    assert_true((entry[0] & MASKED) != 0 || (entry[0] & 0xFF) == VECTOR);
    entry[devices.select % 2] = value;
}

static enum status fake_write(const struct hw *self, uint64_t paddr, unsigned bytes, uint64_t value)
{
    (void)self;
    assert_int_equal(bytes, 4);
    go_on(ACCESS_COUNTS);
    if (paddr == IOAPIC) {
        devices.select = (uint32_t)value;
    } else if (paddr == IOAPIC + 0x10) {
        write_entry((uint32_t)value);
    } else if (paddr == HPET + 0x10) {
        devices.general = (uint32_t)value;
    } else if (paddr >= HPET + 0x100 && paddr < HPET + 0x100 + 0x20 * TIMERS) {
        write_timer(&devices.timers[(paddr - HPET - 0x100) / 0x20], paddr % 0x20, (uint32_t)value);
    } else {
        fail_msg("an undeclared register was written: %lx", (unsigned long)paddr);
    }
    return STATUS_OK;
}

static const struct hw_ops ops = {.memory_read = fake_read, .memory_write = fake_write};

/* The firmware's clock is comparator 0; the others are free, comparator 2 can send messages. */
static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 1);
    hw = (struct hw){.ops = &ops, .name = "simulated", .is_live = true};
    devices = (struct devices){.counter = UINT64_C(0x1FFFFFF00), .general = 1, .select = 0x2A};
    for (unsigned i = 0; i < TIMERS; i++) {
        devices.timers[i] = (struct comparator){.config = 0x30,
                                                .inputs = 0x00F00000,
                                                .value = UINT64_C(0xFFFFFFFFFFFFFFFF),
                                                .fsb = {0x11, 0xFEE01000}};
    }
    devices.timers[0].config |= ENABLED | 8;
    devices.timers[0].is_used = true;
    devices.timers[2].config |= FSB_CAPABLE;
    for (unsigned i = 0; i < INPUTS; i++) {
        devices.entries[i][0] = MASKED | 0xA000 | i;
        devices.entries[i][1] = i << 24;
    }
    devices.entries[23][0] = 0x51; /* in use */
    sim.platform.hpet.avail = AVAIL_PRESENT;
    sim.platform.hpet.base = (struct gas){.address = HPET};
    sim.platform.madt.ioapic_paddr = IOAPIC;
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

/* One interrupt, when it was asked for, at the right place; and then all is as it was, but for the time. */
static void use(uint32_t route)
{
    struct wake_guard guard;
    struct devices before = devices;

    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    before.counter = devices.counter;
    assert_memory_equal(&before, &devices, sizeof(devices));
    assert_true(wake_guard_open(&guard, route, 3, VECTOR));
    go_on(1000000);
    assert_int_equal(devices.interrupts, 0);
    for (unsigned i = 0; i < 3; i++) {
        uint64_t start = devices.counter;
        uint64_t counts;

        wake_guard_arm(&guard, 22000000);
        go_on(200000);
        assert_int_equal(devices.interrupts, i);
        wake_guard_arm(&guard, 22000000); /* anew, in its place */
        start = devices.counter;
        go_on(400000);
        assert_int_equal(devices.interrupts, i + 1);
        counts = devices.fired_at - start;
        assert_true(counts <= UINT64_C(220000000) / 698);
        assert_int_equal(devices.vector, VECTOR);
        assert_int_equal(devices.target, 3);
    }
    wake_guard_arm(&guard, 1000000);
    wake_guard_arm(&guard, 0);
    go_on(1000000);
    assert_int_equal(devices.interrupts, 3);
    assert_true(wake_guard_close(&guard));
    before.counter = devices.counter;
    before.interrupts = devices.interrupts;
    before.fired_at = devices.fired_at;
    before.vector = devices.vector;
    before.target = devices.target;
    assert_memory_equal(&before, &devices, sizeof(devices));
}

static void messages_come_first(void **state)
{
    struct wake_guard guard;

    (void)state;
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    assert_int_equal(guard.routes_count, 4);
    assert_int_equal(guard.routes[0].timer, 2);
    assert_true(guard.routes[0].is_fsb);
    use(0);
}

/* Input 23 is somebody's. */
static void an_input_that_is_masked_is_used(void **state)
{
    struct wake_guard guard;

    (void)state;
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    assert_int_equal(guard.routes[1].timer, 1);
    assert_false(guard.routes[1].is_fsb);
    assert_int_equal(guard.routes[1].input, 22);
    use(1);
}

static void a_counter_that_is_off_is_switched_on_and_off(void **state)
{
    (void)state;
    devices.general = 0;
    devices.timers[0].config &= ~ENABLED;
    use(0);
    devices.timers[0].config |= ENABLED;
    assert_string_equal(wake_guard_find(&(struct wake_guard){0}, &hw, &sim.platform),
                        "the HPET is off, with comparators that would start with it");
}

/* In legacy replacement the first two comparators are the PIT's and the clock's. */
static void legacy_comparators_are_left_alone(void **state)
{
    struct wake_guard guard;

    (void)state;
    devices.general = 3;
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    for (uint32_t i = 0; i < guard.routes_count; i++) {
        assert_true(guard.routes[i].timer > 1);
    }
}

static void what_is_not_free_is_not_taken(void **state)
{
    (void)state;
    for (unsigned i = 1; i < TIMERS; i++) {
        devices.timers[i].config |= ENABLED;
    }
    assert_string_equal(wake_guard_find(&(struct wake_guard){0}, &hw, &sim.platform),
                        "no comparator of the HPET is free, with a way to this CPU");
    sim.platform.hpet.avail = AVAIL_ABSENT;
    assert_string_equal(wake_guard_find(&(struct wake_guard){0}, &hw, &sim.platform),
                        "the firmware names no HPET");
    sim.platform.hpet.avail = AVAIL_PRESENT;
    sim.options.is_read_only = true;
    assert_string_equal(wake_guard_find(&(struct wake_guard){0}, &hw, &sim.platform),
                        "--read-only leaves the HPET alone");
}

/* QEMU's i440FX offers only the input where the PIT arrives, too. */
static void the_pit_s_input_is_left_alone(void **state)
{
    struct wake_guard guard;

    (void)state;
    for (unsigned i = 0; i < TIMERS; i++) {
        devices.timers[i].inputs = 4;
    }
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    assert_int_equal(guard.routes_count, 1);
    assert_true(guard.routes[0].is_fsb);
}

static void a_comparator_that_takes_no_route_is_put_back(void **state)
{
    struct wake_guard guard;
    struct devices before;

    (void)state;
    devices.timers[2].takes_no_config = true;
    before = devices;
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    assert_false(wake_guard_open(&guard, 0, 3, VECTOR));
    assert_false(wake_guard_open(&guard, 0, 256, VECTOR));
    assert_false(guard.is_open);
    before.counter = devices.counter;
    assert_memory_equal(&before, &devices, sizeof(devices));
}

static void what_stays_wrong_is_said(void **state)
{
    struct wake_guard guard;

    (void)state;
    assert_null(wake_guard_find(&guard, &hw, &sim.platform));
    assert_true(wake_guard_open(&guard, 0, 3, VECTOR));
    devices.is_stuck = true;
    assert_false(wake_guard_close(&guard));
    assert_false(guard.is_open);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(messages_come_first),
        TEST(an_input_that_is_masked_is_used),
        TEST(a_counter_that_is_off_is_switched_on_and_off),
        TEST(legacy_comparators_are_left_alone),
        TEST(what_is_not_free_is_not_taken),
        TEST(the_pit_s_input_is_left_alone),
        TEST(a_comparator_that_takes_no_route_is_put_back),
        TEST(what_stays_wrong_is_said),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tests/sim/sim_machine.h"

#include "model/units.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define PS_PER_S UINT64_C(1000000000000)
#define PS_PER_US UINT64_C(1000000)

static struct sim_machine *machine_of(const struct hw *hw)
{
    return hw->context;
}

uint64_t sim_machine_tsc_of(const struct sim_machine *machine, uint64_t ps)
{
    return mul_div_u64(ps, machine->tsc_hz, PS_PER_S);
}

static uint64_t tsc_now(const struct sim_machine *machine)
{
    bool is_stolen = machine->steal_at_ps != 0 && machine->now_ps >= machine->steal_at_ps;

    return sim_machine_tsc_of(machine, machine->now_ps) + (is_stolen ? machine->steal_tsc : 0);
}

static void begin_access(struct sim_machine *machine)
{
    machine->accesses++;
    machine->now_ps += machine->access_ps / 2;
}

static void end_access(struct sim_machine *machine)
{
    machine->now_ps += machine->access_ps / 2;
}

static uint64_t sim_tsc(const struct hw *hw)
{
    struct sim_machine *machine = machine_of(hw);

    machine->now_ps += machine->access_ps == 0 ? 0 : 5000;
    return tsc_now(machine);
}

static enum avail sim_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    (void)hw;
    (void)ret_value;
    fail_msg("MSR %#x was read", (unsigned)msr);
    return AVAIL_UNTRIED;
}

static uint32_t pm_count(struct sim_machine *machine)
{
    uint64_t count = machine->pm_start + mul_div_u64(machine->now_ps, machine->pm_hz, PS_PER_S);

    machine->pm_reads++;
    if (machine->is_pm_stuck) {
        return 0x123456;
    }
    if (machine->pm_back_every != 0 && machine->pm_reads % machine->pm_back_every == 0) {
        count -= 3;
    }
    return (uint32_t)(count & 0xFFFFFF);
}

static uint32_t pit_byte(struct sim_machine *machine)
{
    machine->is_pit_high_next = !machine->is_pit_high_next;
    return machine->is_pit_high_next ? machine->pit_latch & 0xFF : machine->pit_latch >> 8;
}

static enum status sim_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                 uint32_t *ret_value)
{
    struct sim_machine *machine = machine_of(hw);

    begin_access(machine);
    if (port == machine->pm_port) {
        assert_int_equal(bytes, 4);
        *ret_value = pm_count(machine);
    } else if (machine->has_pit && port == 0x61) {
        assert_int_equal(bytes, 1);
        *ret_value = machine->pit_gate;
    } else if (machine->has_pit && port == 0x42) {
        assert_int_equal(bytes, 1);
        *ret_value = pit_byte(machine);
    } else {
        fail_msg("port %#x was read", (unsigned)port);
    }
    end_access(machine);
    return STATUS_OK;
}

static enum status sim_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                  uint32_t value)
{
    struct sim_machine *machine = machine_of(hw);

    begin_access(machine);
    assert_true(machine->has_pit);
    assert_int_equal(bytes, 1);
    if (port == 0x61) {
        machine->pit_gate = value;
    } else if (port == 0x43 && value == 0x80) {
        uint64_t count = machine->is_pit_stuck || (machine->pit_gate & 1) == 0
                             ? 0
                             : mul_div_u64(machine->now_ps, PIT_HZ, PS_PER_S);

        machine->pit_latch = (uint32_t)(0xFFFF - count) & 0xFFFF;
        machine->is_pit_high_next = false;
    } else {
        assert_true((port == 0x43 && value == 0xB0) || (port == 0x42 && value == 0xFF));
    }
    end_access(machine);
    return STATUS_OK;
}

static enum status sim_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                   uint64_t *ret_value)
{
    struct sim_machine *machine = machine_of(hw);

    assert_true(machine->hpet_paddr != 0);
    begin_access(machine);
    if (paddr == machine->hpet_paddr) {
        *ret_value = machine->hpet_period_fs << 32;
    } else if (paddr == machine->hpet_paddr + 0x10) {
        *ret_value = machine->is_hpet_running ? 1 : 0;
    } else {
        assert_int_equal(paddr, machine->hpet_paddr + 0xF0);
        assert_int_equal(bytes, 4);
        *ret_value = mul_div_u64(machine->now_ps, 1000, machine->hpet_period_fs) & UINT32_MAX;
    }
    end_access(machine);
    return STATUS_OK;
}

static const struct hw_ops sim_ops = {.tsc = sim_tsc,
                                      .rdmsr = sim_rdmsr,
                                      .port_read = sim_port_read,
                                      .port_write = sim_port_write,
                                      .memory_read = sim_memory_read};

static enum status sim_take(const struct timing *timing, const char **ret_why)
{
    struct sim_machine *machine = timing->context;

    assert_false(machine->is_taken);
    if (machine->take_why != NULL) {
        *ret_why = machine->take_why;
        return STATUS_UNSUPPORTED;
    }
    machine->is_taken = true;
    machine->taken_ps = machine->now_ps;
    machine->stretches++;
    return STATUS_OK;
}

static bool sim_give(const struct timing *timing)
{
    struct sim_machine *machine = timing->context;

    assert_true(machine->is_taken);
    assert_true(machine->now_ps - machine->taken_ps <= TIMING_STRETCH_US * PS_PER_US);
    machine->is_taken = false;
    machine->now_ps += 10000 * PS_PER_US;
    return !machine->is_clock_lost;
}

/* Sleeps to the wake-up, if it is still to come. */
static void sleep_until(struct sim_machine *machine, uint64_t due_ps)
{
    if (due_ps > machine->now_ps) {
        machine->now_ps = due_ps + machine->exit_ps;
    }
}

static void run_first(struct sim_machine *machine, const struct port_sequence *sequence,
                      uint64_t due_ps)
{
    machine->now_ps += machine->overhead_ps;
    if (sequence->entry != TIMING_NOTHING) {
        assert_int_equal(sequence->entry, TIMING_IO);
        assert_int_equal(sequence->first_port, machine->idle_port);
        assert_true(sequence->sleep_tsc != 0 || sequence->is_wake_pending);
        machine->now_ps += machine->idle_port_ps;
        if (machine->stop == SIM_STOPS_IN_FIRST) {
            sleep_until(machine, due_ps);
        }
    }
}

static void run_dummy(struct sim_machine *machine, const struct port_sequence *sequence,
                      uint64_t due_ps)
{
    if (sequence->has_dummy_read) {
        assert_int_equal(sequence->dummy_port, machine->pm_port);
        machine->now_ps += machine->overhead_ps + machine->access_ps;
        if (machine->stop == SIM_STOPS_IN_SECOND && sequence->entry == TIMING_IO) {
            sleep_until(machine, due_ps);
        }
    }
}

static void sim_watch(const struct timing *timing, uint64_t duration_tsc, uint64_t threshold_tsc,
                      struct tsc_gaps *ret_gaps)
{
    struct sim_machine *machine = timing->context;

    assert_true(machine->is_taken);
    *ret_gaps = (struct tsc_gaps){.watched_tsc = duration_tsc,
                                  .threshold_tsc = threshold_tsc,
                                  .count = machine->gaps,
                                  .longest_tsc = machine->gaps == 0 ? 30 : 300000};
    machine->now_ps += mul_div_u64(duration_tsc, PS_PER_S, machine->tsc_hz);
}

static enum status sim_pass(const struct timing *timing, const struct port_sequence *sequence,
                            struct port_stamps *ret_stamps)
{
    struct sim_machine *machine = timing->context;
    uint64_t sleep_ps = mul_div_u64(sequence->sleep_tsc, PS_PER_S, machine->tsc_hz);
    uint64_t due_ps = sleep_ps == 0 ? 0 : machine->now_ps + sleep_ps;

    assert_true(machine->is_taken);
    machine->passes++;
    if (machine->timeout_every != 0 && machine->passes % machine->timeout_every == 0) {
        machine->now_ps += 100 * PS_PER_US;
        return STATUS_TIMEOUT;
    }
    ret_stamps->is_disturbed =
        machine->disturb_every != 0 && machine->passes % machine->disturb_every == 0;
    ret_stamps->before = tsc_now(machine);
    ret_stamps->due = sleep_ps == 0 ? 0 : ret_stamps->before + sequence->sleep_tsc;
    machine->now_ps += ret_stamps->is_disturbed ? 100 * PS_PER_US : 0;
    run_first(machine, sequence, due_ps);
    ret_stamps->after_first = tsc_now(machine);
    run_dummy(machine, sequence, due_ps);
    ret_stamps->after_dummy = tsc_now(machine);
    ret_stamps->in_handler = due_ps != 0 && machine->now_ps >= due_ps ? tsc_now(machine) : 0;
    machine->now_ps += 2 * PS_PER_US;
    return STATUS_OK;
}

void sim_machine_init(struct sim_machine *machine)
{
    memset(machine, 0, sizeof(*machine));
    machine->hw =
        (struct hw){.ops = &sim_ops, .context = machine, .name = "simulated", .is_live = true};
    machine->timing = (struct timing){.take = sim_take,
                                      .pass = sim_pass,
                                      .give = sim_give,
                                      .watch = sim_watch,
                                      .context = machine};
    machine->tsc_hz = UINT64_C(3000000000);
    machine->access_ps = PS_PER_US;
    machine->pm_port = 0x608;
    machine->pm_hz = PM_TIMER_HZ;
    machine->overhead_ps = 10000;
}

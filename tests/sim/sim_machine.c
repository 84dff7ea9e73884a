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
    struct sim_machine *machine = machine_of(hw);

    if (machine->read_msr == NULL) {
        fail_msg("MSR %#x was read", (unsigned)msr);
        return AVAIL_UNTRIED;
    }
    machine->now_ps += PS_PER_US / 2;
    return machine->read_msr(machine, msr, ret_value);
}

static enum avail sim_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    struct sim_machine *machine = machine_of(hw);

    if (machine->write_msr == NULL) {
        fail_msg("MSR %#x was written", (unsigned)msr);
        return AVAIL_UNTRIED;
    }
    machine->now_ps += PS_PER_US / 2;
    return machine->write_msr(machine, msr, value);
}

static uint32_t pm_count(struct sim_machine *machine)
{
    uint64_t count = machine->pm_start + mul_div_u64(machine->now_ps, machine->pm_hz, PS_PER_S);

    machine->pm_reads++;
    if (machine->is_pm_stuck) {
        return 0x123456;
    }
    if (machine->pm_torn_every != 0 && machine->pm_reads % machine->pm_torn_every == 0) {
        count += (uint64_t)machine->pm_torn_by;
    }
    return machine->is_pm_wide ? (uint32_t)count
                               : (uint32_t)(count & 0xFFFFFF) | machine->pm_high_bits;
}

static uint32_t pit_byte(struct sim_machine *machine)
{
    machine->is_pit_high_next = !machine->is_pit_high_next;
    return machine->is_pit_high_next ? machine->pit_latch & 0xFF : machine->pit_latch >> 8;
}

/* The update ends at each full second and is announced 2 ms before. */
static uint32_t rtc_register_a(struct sim_machine *machine)
{
    machine->now_ps += 20 * PS_PER_US; /* a slow bus */
    machine->rtc_reads++;
    return !machine->is_rtc_stuck && machine->now_ps % PS_PER_S >= UINT64_C(998000000000) ? 0xA6
                                                                                          : 0x26;
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
    } else if (machine->has_rtc && port == 0x71) {
        assert_int_equal(bytes, 1);
        *ret_value = rtc_register_a(machine);
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
    assert_int_equal(bytes, 1);
    if (machine->has_rtc && port == 0x70) {
        assert_int_equal(value, 0x0A);
        end_access(machine);
        return STATUS_OK;
    }
    assert_true(machine->has_pit);
    if (port == 0x61) {
        machine->pit_gate = value;
    } else if (port == 0x43 && value == 0x80) {
        uint64_t count = machine->is_pit_stuck || (machine->pit_gate & 1) == 0
                             ? 0
                             : mul_div_u64(machine->now_ps, machine->pit_hz, PS_PER_S);

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

    begin_access(machine);
    if (machine->pm_paddr != 0 && paddr == machine->pm_paddr) {
        assert_int_equal(bytes, 4);
        *ret_value = pm_count(machine);
        end_access(machine);
        return STATUS_OK;
    }
    assert_true(machine->hpet_paddr != 0);
    if (paddr == machine->hpet_paddr) {
        *ret_value = machine->hpet_period_fs << 32;
    } else if (paddr == machine->hpet_paddr + 0x10) {
        *ret_value = machine->is_hpet_running ? 1 : 0;
    } else {
        assert_int_equal(paddr, machine->hpet_paddr + 0xF0);
        assert_int_equal(bytes, 4);
        *ret_value = mul_div_u64(machine->now_ps, 1000,
                                 machine->hpet_real_period_fs != 0 ? machine->hpet_real_period_fs
                                                                   : machine->hpet_period_fs) &
                     UINT32_MAX;
    }
    end_access(machine);
    return STATUS_OK;
}

static const struct hw_ops sim_ops = {.tsc = sim_tsc,
                                      .rdmsr = sim_rdmsr,
                                      .wrmsr = sim_wrmsr,
                                      .port_read = sim_port_read,
                                      .port_write = sim_port_write,
                                      .memory_read = sim_memory_read};

void sim_machine_init(struct sim_machine *machine)
{
    memset(machine, 0, sizeof(*machine));
    machine->hw =
        (struct hw){.ops = &sim_ops, .context = machine, .name = "simulated", .is_live = true};
    machine->tsc_hz = UINT64_C(3000000000);
    machine->access_ps = PS_PER_US;
    machine->pm_port = 0x608;
    machine->pm_hz = PM_TIMER_HZ;
    machine->pit_hz = PIT_HZ;
}

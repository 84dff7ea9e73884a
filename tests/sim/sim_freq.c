#include "tests/sim/sim_freq.h"

#include "model/units.h"
#include "tests/sim/sim_freq_pcc.h"

#include <stddef.h>
#include <string.h>

#define PS_PER_US UINT64_C(1000000)
#define PS_PER_KHZ UINT64_C(1000000000) /* 1 kHz ticks once in 10^9 ps */
#define NEVER UINT64_MAX
#define CHAIN_EXTRA 60U /* clocks of a stamp */

#define MSR_MPERF 0xE7U
#define MSR_APERF 0xE8U
#define MSR_THERM_STATUS 0x19CU
#define MSR_PACKAGE_THERM_STATUS 0x1B1U
#define MSR_LIMITS 0x64FU
#define MSR_C6_RESIDENCY 0x3FDU

/* Which CPU the calling thread is. */
static _Thread_local uint32_t here;

static struct sim_freq *machine_of(const struct hw *hw)
{
    return hw->context;
}

static struct sim_freq_cpu *caller(const struct hw *hw)
{
    return &machine_of(hw)->cpus[here];
}

static void refuse(struct sim_freq *machine, const char *why)
{
    if (machine->failure == NULL) {
        machine->failure = why;
    }
}

/* xorshift64*: Marsaglia 2003, Vigna 2016. */
static uint64_t draw(struct sim_freq_cpu *cpu, uint64_t below)
{
    cpu->random ^= cpu->random >> 12;
    cpu->random ^= cpu->random << 25;
    cpu->random ^= cpu->random >> 27;
    return below == 0 ? 0 : cpu->random * UINT64_C(0x2545F4914F6CDD1D) % below;
}

static struct sim_freq_cpu *who_is_next(struct sim_freq *machine)
{
    struct sim_freq_cpu *next = NULL;

    for (uint32_t i = 0; i < machine->count; i++) {
        struct sim_freq_cpu *cpu = &machine->cpus[i];

        if (cpu->is_alive && (next == NULL || cpu->ready_ps < next->ready_ps)) {
            next = cpu;
        }
    }
    return next;
}

static void wait_turn(struct sim_freq_cpu *cpu)
{
    struct sim_freq *machine = cpu->machine;
    struct sim_freq_cpu *next;

    if (machine->count == 1) {
        return;
    }
    pthread_mutex_lock(&machine->lock);
    for (;;) {
        next = who_is_next(machine);
        if (next == cpu) {
            break;
        }
        pthread_cond_signal(&next->turn);
        pthread_cond_wait(&cpu->turn, &machine->lock);
    }
    pthread_mutex_unlock(&machine->lock);
}

static uint32_t package_of(const struct sim_freq *machine, uint32_t cpu)
{
    return cpu / (machine->count / machine->packages);
}

/* Cores of the CPU's package of which a thread is awake. */
static uint32_t active_cores(const struct sim_freq *machine, uint32_t cpu)
{
    uint32_t cores = 0;
    uint32_t last = UINT32_MAX;

    for (uint32_t i = 0; i < machine->count; i++) {
        const struct sim_freq_cpu *other = &machine->cpus[i];
        bool is_active =
            other->is_alive && (!other->is_asleep || (machine->is_c1_active && !other->is_deep));

        if (is_active && package_of(machine, i) == package_of(machine, cpu) &&
            i / machine->threads != last) {
            last = i / machine->threads;
            cores++;
        }
    }
    return cores == 0 ? 1 : cores;
}

uint64_t sim_freq_boost_khz(const struct sim_freq *machine, uint32_t cpu, uint32_t cores)
{
    return (uint64_t)((int64_t)machine->boost_khz[cores - 1] + machine->core_khz[cpu]);
}

static bool is_boosting(const struct sim_freq *machine, const struct sim_freq_cpu *cpu)
{
    return machine->has_boost && cpu->row == 0 &&
           (machine->boost_msr == 0 || (machine->boost_value & machine->boost_off_mask) == 0);
}

static bool is_throttled(const struct sim_freq *machine, uint64_t ps)
{
    return ps >= machine->throttle_from_ps && ps < machine->throttle_until_ps;
}

static uint64_t khz_now(const struct sim_freq_cpu *cpu, uint32_t cores)
{
    const struct sim_freq *machine = cpu->machine;
    uint64_t khz = is_boosting(machine, cpu) ? sim_freq_boost_khz(machine, cpu->number, cores)
                                             : machine->true_khz[cpu->row];

    return is_throttled(machine, cpu->now_ps) && khz > machine->throttle_khz ? machine->throttle_khz
                                                                             : khz;
}

/* The next moment after now at which this CPU's clock may change by itself. */
static uint64_t next_edge(const struct sim_freq_cpu *cpu)
{
    const struct sim_freq *machine = cpu->machine;
    uint64_t edge_ps = cpu->change_ps;

    if (machine->throttle_from_ps > cpu->now_ps && machine->throttle_from_ps < edge_ps) {
        edge_ps = machine->throttle_from_ps;
    }
    if (machine->throttle_until_ps > cpu->now_ps && machine->throttle_until_ps < edge_ps) {
        edge_ps = machine->throttle_until_ps;
    }
    return edge_ps;
}

static void count(uint64_t *counter, uint64_t *rest, uint64_t khz, uint64_t ps)
{
    uint64_t whole = mul_div_u64(khz, ps, PS_PER_KHZ);

    /* The rest in kHz * ps: below 2^64 for what is less than a clock. */
    *rest += khz * ps - whole * PS_PER_KHZ;
    *counter += whole + *rest / PS_PER_KHZ;
    *rest %= PS_PER_KHZ;
}

static void come_into_force(struct sim_freq_cpu *cpu)
{
    if (cpu->change_ps <= cpu->now_ps) {
        cpu->row = cpu->next_row;
        cpu->change_ps = NEVER;
        cpu->now_ps += cpu->stall_ps;
        cpu->stall_ps = 0;
    }
}

/* Awake for `ps`, with an edge of the clock no earlier than at its end. */
static void run_evenly(struct sim_freq_cpu *cpu, uint64_t khz, uint64_t ps)
{
    const struct sim_freq *machine = cpu->machine;

    if (cpu->now_ps < machine->stop_from_ps) {
        count(&cpu->aperf, &cpu->aperf_rest, khz, ps);
    }
    count(&cpu->mperf, &cpu->mperf_rest, machine->mperf_khz, ps);
    cpu->now_ps += ps;
}

static void run_for(struct sim_freq_cpu *cpu, uint64_t ps)
{
    uint32_t cores = active_cores(cpu->machine, cpu->number);
    uint64_t until_ps = cpu->now_ps + ps;

    while (cpu->now_ps < until_ps) {
        uint64_t edge_ps;

        come_into_force(cpu);
        edge_ps = next_edge(cpu);
        edge_ps = edge_ps < until_ps ? edge_ps : until_ps;
        if (edge_ps > cpu->now_ps) {
            run_evenly(cpu, khz_now(cpu, cores), edge_ps - cpu->now_ps);
        }
    }
    come_into_force(cpu);
    cpu->ready_ps = cpu->now_ps;
}

/* So many clocks of work, whatever time they take. */
static void run_clocks(struct sim_freq_cpu *cpu, uint64_t clocks, uint32_t cores)
{
    uint64_t left = clocks * PS_PER_KHZ;

    while (left > 0) {
        uint64_t khz, edge_ps, need_ps;

        come_into_force(cpu);
        khz = khz_now(cpu, cores);
        need_ps = (left + khz - 1) / khz;
        edge_ps = next_edge(cpu);
        if (edge_ps != NEVER && edge_ps - cpu->now_ps < need_ps) {
            need_ps = edge_ps - cpu->now_ps;
        }
        run_evenly(cpu, khz, need_ps);
        left -= khz * need_ps < left ? khz * need_ps : left;
    }
    cpu->ready_ps = cpu->now_ps;
}

/* An SMI that falls into the next `ps`. */
static uint64_t smi_in(struct sim_freq_cpu *cpu, uint64_t ps)
{
    struct sim_freq *machine = cpu->machine;

    if (machine->smi_every_ps == 0 || cpu->now_ps + ps < machine->smi_next_ps) {
        return 0;
    }
    machine->smi_next_ps = cpu->now_ps + 1 + draw(&machine->cpus[0], 2 * machine->smi_every_ps);
    return machine->smi_ps;
}

static uint64_t tsc_of(const struct sim_freq_cpu *cpu)
{
    return mul_div_u64(cpu->now_ps, cpu->machine->tsc_khz, PS_PER_KHZ);
}

static uint64_t sim_tsc(const struct hw *hw)
{
    struct sim_freq_cpu *cpu = caller(hw);
    uint64_t tsc = tsc_of(cpu);

    run_for(cpu, 8000 + draw(cpu, 2000) + smi_in(cpu, 10000));
    return tsc;
}

static uint64_t cut(const struct sim_freq *machine, uint64_t counter)
{
    uint64_t value = machine->counter_start + counter;

    return machine->counter_bits >= 64 ? value
                                       : value & ((UINT64_C(1) << machine->counter_bits) - 1);
}

static uint64_t throttle_bits(const struct sim_freq_cpu *cpu, uint32_t msr)
{
    static const uint64_t core_bits[] = {1U << 0, 1U << 2, 1U << 10, 1U << 12};
    static const uint64_t limit_bits[] = {1U << 1, 1U << 0, 1U << 10, 0};
    const struct sim_freq *machine = cpu->machine;

    if (!is_throttled(machine, cpu->now_ps)) {
        return 0;
    }
    if (msr == MSR_LIMITS) {
        return limit_bits[machine->throttle];
    }
    return msr == MSR_PACKAGE_THERM_STATUS && machine->throttle == SIM_FREQ_CURRENT
               ? 0
               : core_bits[machine->throttle];
}

static uint64_t status_of(const struct sim_freq_cpu *cpu)
{
    const struct sim_freq *machine = cpu->machine;

    return machine->control[machine->is_status_late ? 0 : cpu->row];
}

/* Power follows the row in force from the first look after it changed. */
static uint64_t energy_of(struct sim_freq_cpu *cpu)
{
    struct sim_freq *machine = cpu->machine;

    come_into_force(cpu);
    if (machine->energy.mw != machine->row_mw[cpu->row]) {
        sim_energy_set_mw(&machine->energy, cpu->now_ps, machine->row_mw[cpu->row]);
    }
    return sim_energy_raw(&machine->energy, cpu->now_ps);
}

#define MSR_PM_ENABLE 0x770U
#define MSR_HWP_CAPABILITIES 0x771U
#define MSR_HWP_REQUEST 0x774U

static bool is_hwp(const struct sim_freq *machine, uint32_t msr)
{
    return machine->has_hwp &&
           (msr == MSR_PM_ENABLE || msr == MSR_HWP_CAPABILITIES || msr == MSR_HWP_REQUEST);
}

static enum avail read_hwp(const struct sim_freq *machine, const struct sim_freq_cpu *cpu,
                           uint32_t msr, uint64_t *ret_value)
{
    if (msr == MSR_PM_ENABLE) {
        *ret_value = machine->is_hwp_on ? 1 : 0;
    } else if (!machine->is_hwp_on) {
        return AVAIL_FAULTED;
    } else if (msr == MSR_HWP_CAPABILITIES) {
        *ret_value = machine->hwp_level[0] | machine->hwp_level[1] << 8 |
                     machine->hwp_level[machine->rows - 1] << 16 |
                     machine->hwp_level[machine->rows - 1] << 24;
    } else {
        *ret_value = machine->hwp_request[cpu->number];
    }
    return AVAIL_PRESENT;
}

static enum avail sim_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    struct sim_freq *machine = machine_of(hw);
    struct sim_freq_cpu *cpu = caller(hw);

    run_for(cpu, 30000 + draw(cpu, 10000) + smi_in(cpu, 40000));
    if (msr == MSR_APERF) {
        *ret_value = cut(machine, cpu->aperf);
    } else if (msr == MSR_MPERF) {
        *ret_value = cut(machine, cpu->mperf);
    } else if (is_hwp(machine, msr)) {
        return read_hwp(machine, cpu, msr, ret_value);
    } else if (msr == machine->control_msr) {
        *ret_value = cpu->control;
    } else if (msr == machine->status_msr) {
        *ret_value = status_of(cpu);
    } else if (machine->boost_msr != 0 && msr == machine->boost_msr) {
        *ret_value = machine->boost_value;
    } else if (machine->energy.msr != 0 && msr == machine->energy.msr) {
        *ret_value = energy_of(cpu);
    } else if (machine->has_residency && msr == MSR_C6_RESIDENCY) {
        *ret_value = cpu->deep_tsc;
    } else if (machine->has_status &&
               (msr == MSR_THERM_STATUS || msr == MSR_LIMITS || msr == MSR_PACKAGE_THERM_STATUS)) {
        *ret_value = throttle_bits(cpu, msr);
    } else {
        refuse(machine, "an MSR was read that the machine does not have");
        return AVAIL_FAULTED;
    }
    return AVAIL_PRESENT;
}

static uint32_t row_of(struct sim_freq *machine, uint64_t control)
{
    for (uint32_t i = 0; i < machine->rows; i++) {
        if ((machine->control[i] & machine->control_mask) == (control & machine->control_mask)) {
            return i;
        }
    }
    refuse(machine, "a request that no row has");
    return 0;
}

/* The highest request of the domain counts. */
static uint32_t domain_row(struct sim_freq *machine, uint32_t cpu)
{
    uint32_t first = cpu / machine->domain * machine->domain;
    uint32_t row = SIM_FREQ_ROWS;

    for (uint32_t i = first; i < first + machine->domain && i < machine->count; i++) {
        uint32_t own = row_of(machine, machine->cpus[i].control);

        row = own < row ? own : row;
    }
    return row;
}

static void start_change(struct sim_freq_cpu *cpu, uint32_t row, uint64_t from_ps)
{
    const struct sim_freq *machine = cpu->machine;
    uint32_t old = cpu->change_ps == NEVER ? cpu->row : cpu->next_row;
    uint64_t settle_ps;

    if (row == old) {
        return;
    }
    settle_ps = row < old ? machine->up_ps : machine->down_ps;
    settle_ps += draw(cpu, settle_ps * machine->settle_jitter_permille / 1000 + 1);
    cpu->next_row = row;
    cpu->change_ps = from_ps + settle_ps;
    cpu->stall_ps = machine->stall_ps;
}

static void request(struct sim_freq_cpu *cpu, uint64_t control)
{
    struct sim_freq *machine = cpu->machine;
    uint32_t first = cpu->number / machine->domain * machine->domain;
    uint32_t row;

    cpu->control = control;
    row = domain_row(machine, cpu->number);
    for (uint32_t i = first; i < first + machine->domain && i < machine->count; i++) {
        if (!machine->is_ignoring) {
            start_change(&machine->cpus[i], row, cpu->now_ps);
        }
    }
}

static enum avail write_hwp(struct sim_freq *machine, struct sim_freq_cpu *cpu, uint32_t msr,
                            uint64_t value)
{
    uint64_t level = value & 0xFF;

    if (msr == MSR_PM_ENABLE) {
        machine->is_hwp_on = machine->is_hwp_on || (value & 1) != 0;
        return AVAIL_PRESENT;
    }
    if (msr != MSR_HWP_REQUEST || !machine->is_hwp_on) {
        refuse(machine, "a register of HWP was written that cannot be");
        return AVAIL_FAULTED;
    }
    machine->hwp_request[cpu->number] = value;
    for (uint32_t row = 0; row < machine->rows; row++) {
        if (machine->hwp_level[row] == level && (value >> 8 & 0xFF) == level &&
            (value >> 16 & 0xFF) == level) {
            start_change(cpu, row, cpu->now_ps);
        }
    }
    return AVAIL_PRESENT;
}

void sim_freq_ask_at(struct sim_freq *machine, uint32_t cpu, uint64_t control, uint64_t from_ps)
{
    machine->cpus[cpu].control = control;
    if (!machine->is_ignoring) {
        start_change(&machine->cpus[cpu], row_of(machine, control), from_ps);
    }
}

static enum status sim_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                   uint64_t *ret_value)
{
    struct sim_freq_cpu *cpu = caller(hw);

    run_for(cpu, PS_PER_US);
    if (cpu->number != 0) {
        refuse(machine_of(hw), "another CPU than the boot CPU read memory");
    }
    return sim_pcc_read(machine_of(hw), cpu->now_ps, paddr, bytes, ret_value);
}

static enum status sim_memory_write(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                    uint64_t value)
{
    struct sim_freq_cpu *cpu = caller(hw);

    run_for(cpu, PS_PER_US / 4);
    if (cpu->number != 0) {
        refuse(machine_of(hw), "another CPU than the boot CPU wrote memory");
    }
    return sim_pcc_write(machine_of(hw), cpu->now_ps, paddr, bytes, value);
}

static enum avail sim_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    struct sim_freq *machine = machine_of(hw);
    struct sim_freq_cpu *cpu = caller(hw);

    if (machine->is_read_only) {
        return AVAIL_UNTRIED;
    }
    run_for(cpu, 100000);
    if (is_hwp(machine, msr)) {
        return write_hwp(machine, cpu, msr, value);
    }
    if (machine->is_hwp_on && msr == machine->control_msr) {
        cpu->control = value;
        return AVAIL_PRESENT;
    }
    if (msr == machine->control_msr && machine->control_port == 0) {
        request(cpu, value);
    } else if (machine->boost_msr != 0 && msr == machine->boost_msr) {
        machine->boost_value = value;
    } else {
        refuse(machine, "an MSR was written that the machine does not have");
        return AVAIL_FAULTED;
    }
    return AVAIL_PRESENT;
}

static enum status sim_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                 uint32_t *ret_value)
{
    struct sim_freq *machine = machine_of(hw);
    struct sim_freq_cpu *cpu = caller(hw);

    if (machine->pcc.is_bell_port && port == SIM_PCC_PORT && bytes == 1) {
        *ret_value = (uint32_t)machine->pcc.bell;
        return STATUS_OK;
    }
    if (port != machine->control_port || port == 0 || bytes != 2) {
        refuse(machine, "an undeclared port was read");
        return STATUS_IO;
    }
    run_for(cpu, PS_PER_US);
    *ret_value = (uint32_t)cpu->control;
    return STATUS_OK;
}

static enum status sim_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                  uint32_t value)
{
    struct sim_freq *machine = machine_of(hw);

    if (machine->pcc.is_bell_port && port == SIM_PCC_PORT && bytes == 1) {
        sim_pcc_ring(machine, caller(hw)->now_ps, value);
        return STATUS_OK;
    }
    if (port != machine->control_port || port == 0 || bytes != 2) {
        refuse(machine, "an undeclared port was written");
        return STATUS_IO;
    }
    run_for(caller(hw), PS_PER_US);
    request(caller(hw), value);
    return STATUS_OK;
}

static enum status sim_take(const struct timing *timing, const char **ret_why)
{
    struct sim_freq_cpu *cpu = timing->context;

    (void)ret_why;
    if (cpu->number != here || cpu->is_taken) {
        refuse(cpu->machine, "a core was taken twice, or on another CPU");
    }
    cpu->is_taken = true;
    cpu->taken_ps = cpu->now_ps;
    return STATUS_OK;
}

static void check_stretch(struct sim_freq_cpu *cpu)
{
    if (!cpu->is_taken || cpu->number != here) {
        refuse(cpu->machine, "a core was used without being taken, or on another CPU");
    }
    if (cpu->number == 0 && cpu->now_ps - cpu->taken_ps > TIMING_STRETCH_US * PS_PER_US) {
        refuse(cpu->machine, "a stretch of the boot CPU lasted more than 50 ms");
    }
}

static bool sim_give(const struct timing *timing, const char **ret_why)
{
    struct sim_freq_cpu *cpu = timing->context;

    (void)ret_why;
    check_stretch(cpu);
    cpu->is_taken = false;
    run_for(cpu, 10000 * PS_PER_US);
    wait_turn(cpu);
    return true;
}

static enum status sim_breathe(const struct timing *timing, const char **ret_why)
{
    struct sim_freq_cpu *cpu = timing->context;

    check_stretch(cpu);
    if (cpu->number != 0) {
        return STATUS_OK;
    }
    cpu->is_taken = false;
    run_for(cpu, 2000 * PS_PER_US);
    wait_turn(cpu);
    return sim_take(timing, ret_why);
}

static void sleep_until(struct sim_freq_cpu *cpu, uint64_t due_ps)
{
    const struct sim_freq *machine = cpu->machine;
    uint64_t start_ps = cpu->now_ps;

    if (!cpu->is_woken) {
        cpu->is_asleep = true;
        cpu->ready_ps = due_ps;
        wait_turn(cpu);
        cpu->is_asleep = false;
        cpu->now_ps = cpu->ready_ps > cpu->now_ps ? cpu->ready_ps : cpu->now_ps;
    }
    if (cpu->is_deep) {
        cpu->deep_tsc += mul_div_u64(cpu->now_ps - start_ps, machine->tsc_khz, PS_PER_KHZ);
    }
    cpu->is_woken = false;
    come_into_force(cpu);
}

static enum status sim_pass(const struct timing *timing, const struct port_sequence *sequence,
                            struct port_stamps *ret_stamps)
{
    struct sim_freq_cpu *cpu = timing->context;

    check_stretch(cpu);
    if (sequence->sleep_tsc == 0 ||
        (sequence->entry != TIMING_HLT && sequence->entry != TIMING_MWAIT)) {
        refuse(cpu->machine, "a sleep that nothing would end");
        return STATUS_UNSUPPORTED;
    }
    ret_stamps->is_rescued = cpu->is_woken;
    cpu->is_deep = sequence->entry == TIMING_MWAIT && sequence->mwait_hint >= 0x10;
    sleep_until(cpu,
                cpu->now_ps + mul_div_u64(sequence->sleep_tsc, PS_PER_KHZ, cpu->machine->tsc_khz));
    ret_stamps->is_rescued = true;
    run_for(cpu, 500000);
    return STATUS_OK;
}

/* Chains up to the next edge of the clock, all of one length. Gives how many. */
static uint32_t run_chains(struct sim_freq_cpu *cpu, uint64_t khz, uint64_t clocks,
                           uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc)
{
    const struct sim_freq *machine = cpu->machine;
    uint64_t chain_ps = (clocks * PS_PER_KHZ + khz - 1) / khz;
    uint64_t edge_ps = next_edge(cpu);
    uint64_t tsc = tsc_of(cpu);
    uint64_t rest = cpu->now_ps * machine->tsc_khz - tsc * PS_PER_KHZ;
    uint64_t at_ps = cpu->now_ps;
    uint32_t done = 0;

    while (done < room && tsc < until_tsc && edge_ps - at_ps > chain_ps) {
        uint64_t step_tsc;

        rest += chain_ps * machine->tsc_khz;
        step_tsc = rest / PS_PER_KHZ;
        rest %= PS_PER_KHZ;
        tsc += step_tsc;
        at_ps += chain_ps;
        ret_step_tsc[done++] = (uint32_t)step_tsc;
    }
    run_evenly(cpu, khz, at_ps - cpu->now_ps);
    return done;
}

/* NOLINTNEXTLINE(readability-function-size): the seam gives the parameters. */
uint64_t sim_freq_pieces(const struct timing *timing, enum work_kernel kernel,
                         const uint64_t *buffer, uint64_t first, uint64_t until_tsc,
                         bool *ret_is_wrong)
{
    struct sim_freq_cpu *cpu = timing->context;
    struct sim_freq *machine = cpu->machine;
    uint64_t start_ps = cpu->now_ps;
    uint64_t start_aperf = cpu->aperf;
    uint64_t now_tsc = tsc_of(cpu);

    check_stretch(cpu);
    if (buffer == NULL && kernel == WORK_MEMORY) {
        refuse(machine, "the memory kernel without a buffer");
    }
    (void)first;
    come_into_force(cpu);
    *ret_is_wrong = *ret_is_wrong || (machine->has_wrong_row && cpu->row == machine->wrong_row);
    if (until_tsc > now_tsc) {
        run_for(cpu, mul_div_u64(until_tsc - now_tsc, PS_PER_KHZ, machine->tsc_khz) + 1);
        wait_turn(cpu);
    }
    return kernel == WORK_INTEGER ? (cpu->aperf - start_aperf) / SIM_FREQ_PIECE_CLOCKS
                                  : (cpu->now_ps - start_ps) / SIM_FREQ_PIECE_PS;
}

static uint32_t sim_work(const struct timing *timing, uint32_t additions, uint64_t until_tsc,
                         uint32_t room, uint32_t *ret_step_tsc)
{
    struct sim_freq_cpu *cpu = timing->context;
    const struct sim_freq *machine = cpu->machine;
    uint32_t cores = active_cores(cpu->machine, cpu->number);
    uint32_t done = 0;

    check_stretch(cpu);
    if (ret_step_tsc == NULL) {
        uint64_t now_tsc = tsc_of(cpu);

        if (until_tsc > now_tsc) {
            run_for(cpu, mul_div_u64(until_tsc - now_tsc, PS_PER_KHZ, cpu->machine->tsc_khz) + 1);
            wait_turn(cpu);
        }
        return 1;
    }
    while (done < room && tsc_of(cpu) < until_tsc) {
        uint64_t clocks = (uint64_t)additions + CHAIN_EXTRA;
        uint64_t start_tsc;

        if (machine->smi_every_ps == 0) {
            come_into_force(cpu);
            done += run_chains(cpu, khz_now(cpu, cores), clocks, until_tsc, room - done,
                               ret_step_tsc + done);
            if (done == room || tsc_of(cpu) >= until_tsc) {
                break;
            }
        }
        start_tsc = tsc_of(cpu);
        run_clocks(cpu, clocks, cores);
        run_for(cpu, smi_in(cpu, 500000));
        ret_step_tsc[done++] = (uint32_t)(tsc_of(cpu) - start_tsc);
    }
    wait_turn(cpu);
    return done;
}

static const char *sim_source(const struct timing *timing)
{
    (void)timing;
    return "TSC deadline";
}

static const struct timing *sim_core(const struct timing_crew *crew, uint32_t cpu)
{
    struct sim_freq *machine = crew->context;

    return cpu < machine->count ? &machine->cpus[cpu].core : NULL;
}

static void sim_wake(const struct timing_crew *crew, uint32_t from, uint32_t target)
{
    struct sim_freq *machine = crew->context;
    struct sim_freq_cpu *cpu = &machine->cpus[target];

    if (from != here) {
        refuse(machine, "an interrupt in another CPU's name");
    }
    pthread_mutex_lock(&machine->lock);
    if (!cpu->is_taken) {
        refuse(machine, "an interrupt to a CPU that has not taken its machine");
    }
    cpu->is_woken = true;
    if (cpu->is_asleep && cpu->ready_ps > machine->cpus[here].now_ps) {
        cpu->ready_ps = machine->cpus[here].now_ps;
    }
    pthread_mutex_unlock(&machine->lock);
}

static void sim_relax(const struct timing_crew *crew, uint32_t cpu)
{
    struct sim_freq *machine = crew->context;

    run_for(&machine->cpus[cpu], 20 * PS_PER_US);
    wait_turn(&machine->cpus[cpu]);
}

struct entry {
    struct sim_freq_cpu *cpu;
    hw_procedure procedure;
    void *argument;
};

static void leave(struct sim_freq_cpu *cpu)
{
    struct sim_freq *machine = cpu->machine;
    struct sim_freq_cpu *next;

    pthread_mutex_lock(&machine->lock);
    cpu->is_alive = false;
    next = who_is_next(machine);
    if (next != NULL) {
        pthread_cond_signal(&next->turn);
    }
    pthread_mutex_unlock(&machine->lock);
}

static void *enter(void *argument)
{
    struct entry *entry = argument;

    here = entry->cpu->number;
    wait_turn(entry->cpu);
    entry->procedure(&entry->cpu->machine->hw, entry->cpu->number, entry->argument);
    leave(entry->cpu);
    return NULL;
}

static void start_others(struct sim_freq *machine, struct entry *entries, const uint8_t *wanted)
{
    pthread_attr_t attributes;

    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 256 * 1024);
    for (uint32_t i = 1; i < machine->count; i++) {
        struct sim_freq_cpu *cpu = &machine->cpus[i];

        cpu->is_alive = wanted[i] != 0 && !cpu->never_comes;
        cpu->now_ps = machine->cpus[0].now_ps + 20 * PS_PER_US * i;
        cpu->ready_ps = cpu->now_ps;
    }
    for (uint32_t i = 1; i < machine->count; i++) {
        if (machine->cpus[i].is_alive &&
            pthread_create(&machine->cpus[i].thread, &attributes, enter, &entries[i]) != 0) {
            refuse(machine, "no thread");
            machine->cpus[i].is_alive = false;
            machine->cpus[i].never_comes = true;
        }
    }
    pthread_attr_destroy(&attributes);
}

static void join_others(struct sim_freq *machine, const uint8_t *wanted, enum hw_run *ret_run)
{
    for (uint32_t i = 1; i < machine->count; i++) {
        if (wanted[i] != 0 && !machine->cpus[i].never_comes) {
            (void)pthread_join(machine->cpus[i].thread, NULL);
            ret_run[i] = HW_RUN_DONE;
        } else {
            ret_run[i] = wanted[i] != 0 ? HW_RUN_NO_ANSWER : HW_RUN_NOT_STARTED;
        }
    }
}

static enum status sim_run(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                           hw_procedure procedure, void *argument, uint32_t timeout_ms,
                           enum hw_run *ret_run)
{
    static struct entry entries[SIM_FREQ_CPUS];
    struct sim_freq *machine = machine_of(hw);

    (void)count;
    (void)timeout_ms;
    for (uint32_t i = 0; i < machine->count; i++) {
        entries[i] = (struct entry){&machine->cpus[i], procedure, argument};
    }
    ret_run[0] = HW_RUN_DONE;
    machine->cpus[0].is_alive = true;
    if (machine->is_serial) {
        procedure(hw, 0, argument);
        machine->cpus[0].is_alive = false;
        start_others(machine, entries, wanted);
    } else {
        start_others(machine, entries, wanted);
        procedure(hw, 0, argument);
        leave(&machine->cpus[0]);
    }
    join_others(machine, wanted, ret_run);
    machine->cpus[0].is_alive = true;
    return STATUS_OK;
}

static const struct hw_ops sim_ops = {.tsc = sim_tsc,
                                      .rdmsr = sim_rdmsr,
                                      .wrmsr = sim_wrmsr,
                                      .port_read = sim_port_read,
                                      .port_write = sim_port_write,
                                      .memory_read = sim_memory_read,
                                      .memory_write = sim_memory_write,
                                      .run_on_cpus = sim_run};

static void init_cpu(struct sim_freq *machine, uint32_t number, uint64_t seed)
{
    struct sim_freq_cpu *cpu = &machine->cpus[number];

    cpu->core = (struct timing){.take = sim_take,
                                .pass = sim_pass,
                                .give = sim_give,
                                .breathe = sim_breathe,
                                .work = sim_work,
                                .source = sim_source,
                                .context = cpu};
    cpu->machine = machine;
    cpu->number = number;
    cpu->change_ps = NEVER;
    cpu->random = seed * 2 + (uint64_t)number * 977 + 1;
    pthread_cond_init(&cpu->turn, NULL);
}

void sim_freq_init(struct sim_freq *machine, uint32_t cpus, uint64_t seed)
{
    memset(machine, 0, sizeof(*machine));
    here = 0;
    machine->hw =
        (struct hw){.ops = &sim_ops, .context = machine, .name = "simulated", .is_live = true};
    machine->crew = (struct timing_crew){
        .core = sim_core, .wake = sim_wake, .relax = sim_relax, .context = machine};
    machine->count = cpus;
    machine->threads = 1;
    machine->packages = 1;
    machine->domain = 1;
    pthread_mutex_init(&machine->lock, NULL);
    for (uint32_t i = 0; i < cpus; i++) {
        init_cpu(machine, i, seed);
    }
    machine->cpus[0].is_alive = true;
    machine->tsc_khz = 2400000;
    machine->mperf_khz = 2400000;
    machine->control_msr = 0x199;
    machine->status_msr = 0x198;
    machine->control_mask = 0xFFFF;
    machine->rows = 4;
    for (uint32_t i = 0; i < 4; i++) {
        machine->control[i] = i;
        machine->true_khz[i] = 2400000 - i * 400000;
    }
    machine->up_ps = 10 * PS_PER_US;
    machine->down_ps = 10 * PS_PER_US;
    machine->counter_bits = 64;
    machine->stop_from_ps = NEVER;
    machine->throttle_from_ps = NEVER;
    machine->throttle_until_ps = NEVER;
    machine->smi_ps = 150 * PS_PER_US;
}

void sim_freq_free(struct sim_freq *machine)
{
    for (uint32_t i = 0; i < machine->count; i++) {
        pthread_cond_destroy(&machine->cpus[i].turn);
    }
    pthread_mutex_destroy(&machine->lock);
}

void sim_freq_make_amd(struct sim_freq *machine)
{
    machine->is_amd = true;
    machine->control_msr = 0xC0010062;
    machine->status_msr = 0xC0010063;
    machine->control_mask = 7;
    machine->boost_msr = 0xC0010015;
    machine->boost_off_mask = UINT64_C(1) << 25;
    for (uint32_t i = 0; i < SIM_FREQ_ROWS; i++) {
        machine->control[i] = i;
    }
}

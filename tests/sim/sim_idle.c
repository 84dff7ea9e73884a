#include "tests/sim/sim_idle.h"

#include "model/idle.h"
#include "model/units.h"

#include <stddef.h>
#include <string.h>

#define PS_PER_S UINT64_C(1000000000000)
#define PS_PER_US UINT64_C(1000000)
#define NEVER UINT64_MAX
#define SLACK_PS (20 * PS_PER_US)

/* Which CPU the calling thread is. */
static _Thread_local uint32_t here;

static struct sim_idle *machine_of(const struct hw *hw)
{
    return hw->context;
}

static void refuse(struct sim_idle *machine, const char *why)
{
    if (machine->failure == NULL) {
        machine->failure = why;
    }
}

static uint64_t draw(struct sim_idle_cpu *cpu, uint64_t below)
{
    /* xorshift64*: Marsaglia 2003, Vigna 2016. */
    cpu->random ^= cpu->random >> 12;
    cpu->random ^= cpu->random << 25;
    cpu->random ^= cpu->random >> 27;
    return below == 0 ? 0 : cpu->random * UINT64_C(0x2545F4914F6CDD1D) % below;
}

static struct sim_idle_cpu *who_is_next(struct sim_idle *machine)
{
    struct sim_idle_cpu *next = NULL;

    for (uint32_t i = 0; i < machine->count; i++) {
        struct sim_idle_cpu *cpu = &machine->cpus[i];

        if (cpu->is_alive && (next == NULL || cpu->ready_ps < next->ready_ps)) {
            next = cpu;
        }
    }
    return next;
}

/* The lock is held. */
static void hand_over(struct sim_idle *machine, struct sim_idle_cpu *next)
{
    machine->turn_of = next->number;
    pthread_cond_signal(&next->turn);
}

static void await_turn(struct sim_idle_cpu *cpu)
{
    struct sim_idle *machine = cpu->machine;

    while (machine->turn_of != cpu->number) {
        pthread_cond_wait(&cpu->turn, &machine->lock);
    }
}

/* Goes on when this CPU's clock is the furthest behind, or nearly: a switch of threads costs more than a step. Where
 * all queue for one bus the order counts. */
static void wait_turn(struct sim_idle_cpu *cpu)
{
    struct sim_idle *machine = cpu->machine;
    uint64_t slack_ps = machine->is_bus_shared ? 0 : SLACK_PS;
    struct sim_idle_cpu *next;

    if (machine->count == 1) {
        return;
    }
    pthread_mutex_lock(&machine->lock);
    next = who_is_next(machine);
    if (next != cpu && next->ready_ps + slack_ps < cpu->ready_ps) {
        hand_over(machine, next);
        await_turn(cpu);
    }
    pthread_mutex_unlock(&machine->lock);
}

#define MS_PS UINT64_C(1000000000)
#define ENERGY_STEP_FJ UINT64_C(61035156250) /* 2^-14 J */

/* A femtojoule is a milliwatt for a picosecond. */
static void use_energy(struct sim_idle *machine, uint64_t now_ps, uint64_t ps)
{
    uint64_t end_ps = now_ps + ps;
    uint64_t shown_ps = end_ps - end_ps % MS_PS;
    uint64_t mw = machine->now_mw == 0 ? machine->awake_mw : machine->now_mw;

    if (shown_ps > now_ps) {
        machine->shown_fj = machine->energy_fj + mw * (shown_ps - now_ps);
    }
    machine->energy_fj += mw * ps;
}

static void pass_time(struct sim_idle_cpu *cpu, uint64_t ps)
{
    use_energy(cpu->machine, cpu->now_ps, ps);
    cpu->now_ps += ps;
    cpu->ready_ps = cpu->now_ps;
    wait_turn(cpu);
}

static uint64_t tsc_at(const struct sim_idle *machine, uint64_t ps)
{
    return mul_div_u64(ps, machine->tsc_hz, PS_PER_S);
}

static uint64_t tsc_of(const struct sim_idle_cpu *cpu)
{
    return tsc_at(cpu->machine, cpu->now_ps - cpu->machine->tsc_lost_ps);
}

static uint64_t sim_tsc(const struct hw *hw)
{
    struct sim_idle_cpu *cpu = &machine_of(hw)->cpus[here];

    pass_time(cpu, 5000);
    return tsc_of(cpu);
}

static enum avail sim_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    struct sim_idle *machine = machine_of(hw);

    if (msr == 0x611 && machine->awake_mw != 0) {
        *ret_value = machine->shown_fj / ENERGY_STEP_FJ & UINT32_MAX;
        return AVAIL_PRESENT;
    }
    if (msr != 0 && msr == machine->package_msr) {
        *ret_value = tsc_at(machine, machine->package_ps);
        return AVAIL_PRESENT;
    }
    if (msr != 0 && msr == machine->core_msr) {
        *ret_value = tsc_at(machine, machine->core_ps);
        return AVAIL_PRESENT;
    }
    if (msr != 0x34 || !machine->has_smi_count) {
        refuse(machine, "an MSR was read that the machine does not have");
        return AVAIL_FAULTED;
    }
    *ret_value = machine->smi.count;
    return AVAIL_PRESENT;
}

/* The PM timer counts on whatever the CPUs do: 3.579545 MHz, ACPI 6.5, 4.8.3.3. */
static uint32_t pm_count(const struct sim_idle_cpu *cpu)
{
    return (uint32_t)mul_div_u64(cpu->now_ps, 3579545, PS_PER_S) & 0xFFFFFFU;
}

static enum status sim_port_read(const struct hw *hw, uint16_t port, unsigned bytes,
                                 uint32_t *ret_value)
{
    struct sim_idle *machine = machine_of(hw);

    pass_time(&machine->cpus[here], machine->pm_ps);
    if (port == machine->pm_port && bytes == 4) {
        *ret_value = pm_count(&machine->cpus[here]);
    } else if (port == machine->status_port && bytes == 2) {
        machine->checks++;
        *ret_value = draw(&machine->cpus[here], 1000) < machine->busy_permille ? 0x11 : 0x01;
    } else if (port == machine->control_port && bytes == 2) {
        *ret_value = machine->control;
    } else if (port == machine->arbiter_port && bytes == 1) {
        *ret_value = machine->arbiter;
    } else {
        refuse(machine, "a port was read that is not declared");
    }
    return STATUS_OK;
}

static enum status sim_port_write(const struct hw *hw, uint16_t port, unsigned bytes,
                                  uint32_t value)
{
    struct sim_idle *machine = machine_of(hw);

    if (port == machine->status_port && bytes == 2 && value == 0x10) {
        return STATUS_OK;
    }
    if (port == machine->control_port && bytes == 2 && ((value ^ machine->control) & ~2U) == 0) {
        machine->control = value;
    } else if (port == machine->arbiter_port && bytes == 1 &&
               ((value ^ machine->arbiter) & ~1U) == 0) {
        machine->arbiter = value | (machine->is_arbiter_stuck ? machine->arbiter : 0);
    } else {
        refuse(machine, "a port was written that is not declared, or another bit than one may");
    }
    return STATUS_OK;
}

static enum status sim_memory_read(const struct hw *hw, uint64_t paddr, unsigned bytes,
                                   uint64_t *ret_value)
{
    struct sim_idle *machine = machine_of(hw);

    if (paddr != machine->hpet_paddr && paddr != machine->pm_paddr) {
        return STATUS_NOT_FOUND;
    }
    if (bytes != 4) {
        refuse(machine, "a counter was read at another width");
    }
    *ret_value = 0;
    return STATUS_OK;
}

/* How much of the next `ps`, and more, it takes. */
static uint64_t taken_by(struct sim_idle_taker *taker, struct sim_idle_cpu *cpu, uint64_t ps)
{
    if (taker->every_ps == 0 || cpu->now_ps + ps < taker->next_ps) {
        return 0;
    }
    taker->count++;
    taker->next_ps =
        cpu->now_ps + ps + taker->lasts_ps + 1 + draw(&cpu->machine->cpus[0], 2 * taker->every_ps);
    return taker->lasts_ps;
}

static uint64_t taken_in(struct sim_idle_cpu *cpu, uint64_t ps)
{
    return taken_by(&cpu->machine->smi, cpu, ps) + taken_by(&cpu->machine->intruder, cpu, ps);
}

/* Time of which something may take a part; true when it did. */
static bool work(struct sim_idle_cpu *cpu, uint64_t ps)
{
    uint64_t taken_ps = taken_in(cpu, ps);

    pass_time(cpu, ps + taken_ps);
    return taken_ps != 0;
}

static uint64_t jittered(struct sim_idle_cpu *cpu, uint64_t ps)
{
    return ps + draw(cpu, ps * cpu->machine->jitter_permille / 1000 + 1);
}

static uint64_t bus_wait(struct sim_idle_cpu *cpu, uint64_t ps)
{
    struct sim_idle *machine = cpu->machine;
    uint64_t start_ps = cpu->now_ps;

    if (!machine->is_bus_shared) {
        return ps;
    }
    start_ps = machine->bus_free_ps > start_ps ? machine->bus_free_ps : start_ps;
    machine->bus_free_ps = start_ps + (machine->bus_readers == 0 ? ps : ps / machine->bus_readers);
    return start_ps + ps - cpu->now_ps;
}

static enum status sim_take(const struct timing *timing, const char **ret_why)
{
    struct sim_idle_cpu *cpu = timing->context;

    if (cpu->take_why != NULL) {
        *ret_why = cpu->take_why;
        return STATUS_UNSUPPORTED;
    }
    if (cpu->number != here || cpu->is_taken) {
        refuse(cpu->machine, "a core was taken twice, or on another CPU");
    }
    cpu->is_taken = true;
    cpu->taken_ps = cpu->now_ps;
    cpu->machine->is_warm = false;
    return STATUS_OK;
}

static void check_stretch(struct sim_idle_cpu *cpu)
{
    if (!cpu->is_taken) {
        refuse(cpu->machine, "a core was used without being taken");
    }
    /* What was taken away is nobody's to bound; two SMIs and some interrupts may fall into one stretch. */
    if (cpu->number == 0 && cpu->now_ps - cpu->taken_ps >
                                TIMING_STRETCH_US * PS_PER_US + 2 * cpu->machine->smi.lasts_ps +
                                    64 * cpu->machine->intruder.lasts_ps) {
        refuse(cpu->machine, "a stretch of the boot CPU lasted more than 50 ms");
    }
}

/* An interrupt that was not asked for any more would end the next sleep. */
static void end_guard(struct sim_idle_cpu *cpu)
{
    if (cpu->number == 0) {
        cpu->machine->guard_due_ps = 0;
    }
}

static const char *sim_guard(const struct timing *timing, uint64_t ns, const char **ret_why)
{
    struct sim_idle_cpu *cpu = timing->context;
    struct sim_idle *machine = cpu->machine;

    check_stretch(cpu);
    pass_time(cpu, 3 * PS_PER_US);
    machine->guards++;
    if (machine->guard == NULL || (machine->is_guard_lost && machine->guards > 1)) {
        *ret_why =
            machine->guard == NULL ? machine->guard_why : "the HPET could not be set up again";
        return NULL;
    }
    machine->guard_due_ps = ns == 0 ? 0 : cpu->now_ps + ns * 1000;
    return machine->guard;
}

static bool sim_give(const struct timing *timing, const char **ret_why)
{
    struct sim_idle_cpu *cpu = timing->context;

    check_stretch(cpu);
    end_guard(cpu);
    cpu->is_taken = false;
    pass_time(cpu, 10000 * PS_PER_US);
    if (cpu->give_why != NULL) {
        *ret_why = cpu->give_why;
    }
    return cpu->give_why == NULL;
}

static enum status sim_breathe(const struct timing *timing, const char **ret_why)
{
    struct sim_idle_cpu *cpu = timing->context;

    check_stretch(cpu);
    end_guard(cpu);
    if (cpu->number == 0) {
        cpu->is_taken = false;
        pass_time(cpu, 2000 * PS_PER_US);
    }
    return cpu->is_taken ? STATUS_OK : sim_take(timing, ret_why);
}

static void sim_watch(const struct timing *timing, uint64_t duration_tsc, struct tsc_gaps *ret_gaps)
{
    struct sim_idle_cpu *cpu = timing->context;
    uint64_t ps = mul_div_u64(duration_tsc, PS_PER_S, cpu->machine->tsc_hz) + 1000;

    check_stretch(cpu);
    ret_gaps->watched_tsc += duration_tsc;
    if (work(cpu, ps)) {
        ret_gaps->count++;
        ret_gaps->longest_tsc = tsc_at(cpu->machine, cpu->machine->smi.lasts_ps);
        ret_gaps->lost_tsc += ret_gaps->longest_tsc;
    }
}

/* Sleeps to the timer or to another CPU's interrupt, and comes back after exit_ps. False when an SMI ended
 * it (true to life, that ends all but HLT), or an intruder. */
static bool sleep_until(struct sim_idle_cpu *cpu, uint64_t due_ps, uint64_t exit_ps,
                        uint64_t asleep_mw)
{
    uint64_t taken_ps;

    if (cpu->is_woken) {
        return true;
    }
    if (cpu->number == 0 && cpu->machine->guard_due_ps != 0 &&
        cpu->machine->guard_due_ps < due_ps) {
        due_ps = cpu->machine->guard_due_ps;
        cpu->machine->guard_due_ps = 0;
        cpu->is_woken = true;
    }
    cpu->is_asleep = true;
    cpu->ready_ps = due_ps;
    wait_turn(cpu);
    cpu->is_asleep = false;
    due_ps = cpu->ready_ps;
    if (due_ps == NEVER) {
        refuse(cpu->machine, "a sleep that nothing ends");
        due_ps = cpu->now_ps;
    }
    if (due_ps <= cpu->now_ps) {
        return true;
    }
    cpu->machine->asleep_ps += due_ps - cpu->now_ps + exit_ps;
    taken_ps = taken_in(cpu, due_ps - cpu->now_ps);
    if (taken_ps != 0) {
        pass_time(cpu, draw(cpu, due_ps - cpu->now_ps) + taken_ps);
        return false;
    }
    cpu->machine->package_ps += (due_ps - cpu->now_ps) / 1000 * cpu->machine->package_permille;
    cpu->machine->now_mw = asleep_mw;
    pass_time(cpu, due_ps - cpu->now_ps);
    cpu->machine->now_mw = 0;
    pass_time(cpu, exit_ps);
    return true;
}

struct pass {
    struct sim_idle_cpu *cpu;
    const struct port_sequence *sequence;
    struct port_stamps *stamps;
    struct sim_idle_truth truth;
    uint64_t due_ps;
    uint64_t stop_ps; /* when the CPU will stop; NEVER: it will not */
    uint64_t exit_ps;
};

static uint64_t draw_exit(struct sim_idle_cpu *cpu, const struct port_sequence *sequence,
                          uint64_t left_ps)
{
    const struct sim_idle *machine = cpu->machine;
    uint64_t spread_ps = draw(cpu, machine->exit_spread_ps + 1);

    if (sequence->entry == TIMING_HLT) {
        return machine->halt_exit_ps + spread_ps / 8;
    }
    if (sequence->entry == TIMING_MWAIT) {
        return machine->mwait_exit_ps + spread_ps / 8;
    }
    if (left_ps < machine->enter_from_ps) {
        return machine->shallow_exit_ps + spread_ps / 8;
    }
    return machine->exit_ps + spread_ps + (draw(cpu, 32) == 0 ? machine->exit_tail_ps : 0);
}

/*
 * Time in which somebody sleeps to be measured. Rests are longer than the longest such sleep, but for those of the
 * boot CPU of 100 us, in the way it rests.
 */
static void cover(const struct pass *pass)
{
    struct sim_idle_cpu *cpu = pass->cpu;
    struct sim_idle *machine = cpu->machine;
    uint64_t asked_us = (pass->due_ps - cpu->now_ps + PS_PER_US / 2) / PS_PER_US;
    uint64_t end_ps = pass->due_ps + pass->exit_ps;
    uint64_t start_ps =
        cpu->now_ps > machine->covered_until_ps ? cpu->now_ps : machine->covered_until_ps;
    bool is_rest = asked_us > 11000 ||
                   (cpu->number == 0 && asked_us == 100 && pass->sequence->entry == TIMING_MWAIT);

    if (!is_rest && end_ps > start_ps) {
        machine->covered_ps += end_ps - start_ps;
        machine->covered_until_ps = end_ps;
    }
}

static void stop_here(struct pass *pass, uint32_t stopped)
{
    struct sim_idle_cpu *cpu = pass->cpu;

    if (pass->due_ps == 0 || pass->stop_ps == NEVER || cpu->now_ps >= pass->due_ps) {
        pass->stop_ps = NEVER;
        return;
    }
    pass->truth.stopped = stopped;
    pass->truth.asleep = pass->due_ps - cpu->now_ps;
    pass->truth.exit = pass->exit_ps;
    cover(pass);
    if (!sleep_until(
            cpu,
            cpu->machine->is_timer_stopped && pass->sequence->entry == TIMING_IO ? NEVER
                                                                                 : pass->due_ps,
            pass->exit_ps,
            pass->sequence->entry == TIMING_IO ? cpu->machine->port_mw : cpu->machine->halt_mw)) {
        pass->truth.is_disturbed = true;
    }
    if (pass->sequence->entry == TIMING_IO && !pass->truth.is_disturbed) {
        cpu->machine->core_ps += pass->truth.asleep / 1000 * cpu->machine->core_permille;
    }
    if (cpu->machine->is_tsc_stopped && pass->sequence->entry == TIMING_IO) {
        cpu->machine->tsc_lost_ps += pass->truth.asleep;
    }
    if (cpu->is_woken) {
        cpu->is_woken = false;
        pass->stamps->is_rescued = true;
        pass->truth.is_disturbed = true;
        cpu->machine->rescues++;
    }
    pass->stop_ps = NEVER;
}

/* A state that does not keep the caches coherent, entered with bus masters about, corrupts memory. */
static void check_c3(const struct pass *pass)
{
    struct sim_idle *machine = pass->cpu->machine;

    if (pass->due_ps == 0) {
        return;
    }
    if (machine->needs_flush && !pass->sequence->has_flush) {
        refuse(machine, "a state that needs a cache flush was entered without one");
    }
    if (machine->needs_arbiter && (machine->arbiter & 1) == 0) {
        refuse(machine, "a state that needs arbitration off was entered with bus masters about");
    }
}

static enum status run_first(struct pass *pass)
{
    struct sim_idle_cpu *cpu = pass->cpu;
    const struct sim_idle *machine = cpu->machine;
    uint64_t start_ps = cpu->now_ps;

    switch (pass->sequence->entry) {
    case TIMING_IO:
        if (pass->sequence->first_port != machine->idle_port) {
            refuse(cpu->machine, "an undeclared port was read");
        }
        pass->truth.is_disturbed |= work(cpu, bus_wait(cpu, jittered(cpu, machine->port_ps)));
        check_c3(pass);
        if (machine->stop == SIM_IDLE_AT_ONCE) {
            stop_here(pass, STOPPED_FIRST_READ);
        } else if (machine->stop == SIM_IDLE_LATE) {
            pass->stop_ps = cpu->now_ps + machine->late_ps;
        } else {
            pass->stop_ps = NEVER;
        }
        break;
    case TIMING_MWAIT:
        if (!machine->has_mwait) {
            return STATUS_FAULT;
        }
        if (!machine->is_mwait_void) {
            stop_here(pass, STOPPED_FIRST_READ);
        }
        break;
    case TIMING_HLT:
        stop_here(pass, STOPPED_FIRST_READ);
        break;
    case TIMING_NOTHING:
    default:
        break;
    }
    pass->truth.first = cpu->now_ps - start_ps;
    return STATUS_OK;
}

static void check_second(const struct pass *pass)
{
    struct sim_idle *machine = pass->cpu->machine;
    const struct port_sequence *sequence = pass->sequence;

    if (sequence->dummy_paddr != 0 ? (sequence->dummy_paddr != machine->pm_paddr &&
                                      sequence->dummy_paddr != machine->hpet_paddr)
                                   : sequence->dummy_port != machine->pm_port) {
        refuse(machine, "the second read was of something undeclared");
    }
}

static void run_second(struct pass *pass)
{
    struct sim_idle_cpu *cpu = pass->cpu;
    uint64_t start_ps = cpu->now_ps;
    uint64_t read_ps;

    if (!pass->sequence->has_dummy_read) {
        return;
    }
    check_second(pass);
    read_ps = bus_wait(cpu, jittered(cpu, cpu->machine->pm_ps));
    pass->truth.is_disturbed |= work(cpu, read_ps);
    if (pass->stop_ps < cpu->now_ps) {
        stop_here(pass, STOPPED_DUMMY_READ);
    }
    pass->truth.dummy = cpu->now_ps - start_ps;
    work(cpu, cpu->machine->overhead_ps);
}

/* What the core does after the last stamp while the timer has not fired. */
static void run_on(struct pass *pass)
{
    struct sim_idle_cpu *cpu = pass->cpu;

    if (pass->sequence->entry != TIMING_IO || pass->due_ps == 0 || cpu->now_ps >= pass->due_ps) {
        return;
    }
    if (pass->stop_ps < pass->due_ps) {
        pass_time(cpu, pass->stop_ps > cpu->now_ps ? pass->stop_ps - cpu->now_ps : 0);
        pass->stamps->step_from = tsc_of(cpu);
        stop_here(pass, STOPPED_NONE);
        pass->truth.is_late = true;
        pass->stamps->step_to = tsc_of(cpu);
        pass->truth.exit = 0;
        pass->truth.asleep = 0;
        return;
    }
    pass->stamps->step_from = tsc_of(cpu);
    pass->stamps->step_to = pass->stamps->step_from + 60;
    pass_time(cpu, pass->due_ps - cpu->now_ps);
}

static void record(struct pass *pass)
{
    struct sim_idle *machine = pass->cpu->machine;

    if (pass->cpu->number != 0) {
        return;
    }
    if (memcmp(&machine->last, pass->sequence, sizeof(machine->last)) != 0) {
        memcpy(&machine->last, pass->sequence, sizeof(machine->last));
        machine->truths_count = 0;
        machine->is_warm = false;
    }
    if (machine->is_warm && machine->truths_count < SIM_IDLE_TRUTHS) {
        machine->truths[machine->truths_count++] = pass->truth;
    }
    machine->is_warm = true;
}

static void leave(struct sim_idle_cpu *cpu)
{
    struct sim_idle *machine = cpu->machine;
    struct sim_idle_cpu *next;

    pthread_mutex_lock(&machine->lock);
    cpu->is_alive = false;
    next = who_is_next(machine);
    if (next != NULL) {
        hand_over(machine, next);
    }
    pthread_mutex_unlock(&machine->lock);
}

/* A CPU that stops in the middle: it keeps what it held, and nothing wakes it. Not the boot CPU. */
static void die_when_it_is_time(struct sim_idle_cpu *cpu)
{
    cpu->passes++;
    if (cpu->passes == cpu->dies_at && cpu->number != 0) {
        cpu->has_died = true;
        leave(cpu);
        pthread_exit(NULL);
    }
}

static void check_pass(const struct pass *pass)
{
    bool sleeps = pass->sequence->entry != TIMING_NOTHING;

    check_stretch(pass->cpu);
    if (pass->cpu->number != here) {
        refuse(pass->cpu->machine, "a core was used on another CPU");
    }
    if (sleeps && pass->sequence->sleep_tsc == 0 && !pass->sequence->is_wake_pending) {
        refuse(pass->cpu->machine, "a sleep that nothing would end");
    }
}

static enum status sim_pass(const struct timing *timing, const struct port_sequence *sequence,
                            struct port_stamps *ret_stamps)
{
    struct pass pass = {.cpu = timing->context, .sequence = sequence, .stamps = ret_stamps};
    struct sim_idle_cpu *cpu = pass.cpu;
    struct sim_idle *machine = cpu->machine;
    uint64_t sleep_ps = mul_div_u64(sequence->sleep_tsc, PS_PER_S, machine->tsc_hz);
    uint64_t smi_before = machine->smi.count;
    uint64_t intruders_before = machine->intruder.count;
    enum status status;

    check_pass(&pass);
    die_when_it_is_time(cpu);
    pass.truth.stopped = STOPPED_NONE;
    pass.stop_ps = sequence->entry == TIMING_NOTHING ? NEVER : 0;
    wait_turn(cpu);
    if (sequence->has_flush) {
        pass_time(cpu, machine->flush_ps);
        ret_stamps->flush_tsc = tsc_at(machine, machine->flush_ps);
    }
    pass.due_ps = sleep_ps == 0 ? 0 : cpu->now_ps + sleep_ps;
    pass.exit_ps = draw_exit(cpu, sequence, sleep_ps);
    ret_stamps->before = tsc_of(cpu);
    ret_stamps->due = sleep_ps == 0 ? 0 : tsc_at(machine, pass.due_ps - machine->tsc_lost_ps);
    status = run_first(&pass);
    if (status != STATUS_OK) {
        return status;
    }
    ret_stamps->in_handler =
        tsc_at(machine, cpu->now_ps - machine->tsc_lost_ps +
                            (sequence->entry == TIMING_HLT ? 0 : machine->handler_ps));
    work(cpu, machine->overhead_ps);
    ret_stamps->after_first = tsc_of(cpu);
    run_second(&pass);
    ret_stamps->after_dummy = tsc_of(cpu);
    run_on(&pass);
    /* The core counts the interrupts that it handles itself, and SMIs only where the CPU does. */
    ret_stamps->is_disturbed = machine->intruder.count != intruders_before ||
                               (machine->has_smi_count && machine->smi.count != smi_before);
    pass.truth.is_disturbed |=
        machine->smi.count != smi_before || machine->intruder.count != intruders_before;
    record(&pass);
    pass_time(cpu, 200000);
    return STATUS_OK;
}

static uint32_t sim_burst(const struct timing *timing, const struct port_sequence *sequence,
                          uint64_t until_tsc, uint32_t room, uint32_t *ret_step_tsc)
{
    struct sim_idle_cpu *cpu = timing->context;
    struct sim_idle *machine = cpu->machine;
    uint64_t read_ps =
        (sequence->entry == TIMING_IO ? machine->port_ps : machine->pm_ps) + cpu->reads_longer_ps;
    bool reads = sequence->entry == TIMING_IO || sequence->has_dummy_read;
    uint64_t last_tsc = tsc_of(cpu);
    uint32_t count = 0;

    check_stretch(cpu);
    while (count < room && last_tsc < until_tsc) {
        pass_time(cpu, machine->overhead_ps + (reads ? bus_wait(cpu, read_ps) : 0));
        ret_step_tsc[count++] = (uint32_t)(tsc_of(cpu) - last_tsc);
        last_tsc = tsc_of(cpu);
    }
    return count;
}

static const char *sim_source(const struct timing *timing)
{
    (void)timing;
    return "TSC deadline";
}

static const struct timing *sim_core(const struct timing_crew *crew, uint32_t cpu)
{
    struct sim_idle *machine = crew->context;

    return cpu < machine->count ? &machine->cpus[cpu].core : NULL;
}

static void sim_wake(const struct timing_crew *crew, uint32_t from, uint32_t target)
{
    struct sim_idle *machine = crew->context;
    struct sim_idle_cpu *cpu = &machine->cpus[target];
    uint64_t wakes_ps = machine->cpus[here].now_ps + cpu->wakes_late_ps;

    if (from != here) {
        refuse(machine, "an interrupt in another CPU's name");
    }
    pthread_mutex_lock(&machine->lock);
    if (!cpu->is_taken) {
        refuse(machine, "an interrupt to a CPU that has not taken its machine");
    }
    cpu->is_woken = true;
    if (cpu->is_asleep && cpu->ready_ps > wakes_ps) {
        cpu->ready_ps = wakes_ps;
    }
    pthread_mutex_unlock(&machine->lock);
}

static void sim_relax(const struct timing_crew *crew, uint32_t cpu)
{
    struct sim_idle *machine = crew->context;

    pass_time(&machine->cpus[cpu], 100000);
}

struct entry {
    struct sim_idle_cpu *cpu;
    hw_procedure procedure;
    void *argument;
};

static void *enter(void *argument)
{
    struct entry *entry = argument;

    here = entry->cpu->number;
    pthread_mutex_lock(&entry->cpu->machine->lock);
    await_turn(entry->cpu);
    pthread_mutex_unlock(&entry->cpu->machine->lock);
    entry->procedure(&entry->cpu->machine->hw, entry->cpu->number, entry->argument);
    leave(entry->cpu);
    return NULL;
}

/* All but the boot CPU wait until it lets them: nobody is alive before that. */
static void start_others(struct sim_idle *machine, struct entry *entries, const uint8_t *wanted)
{
    for (uint32_t i = 1; i < machine->count; i++) {
        struct sim_idle_cpu *cpu = &machine->cpus[i];

        cpu->is_alive = wanted[i] != 0 && !cpu->never_comes;
        cpu->now_ps = machine->cpus[0].now_ps + 20 * PS_PER_US * i;
        cpu->ready_ps = cpu->now_ps;
    }
    for (uint32_t i = 1; i < machine->count; i++) {
        if (machine->cpus[i].is_alive &&
            pthread_create(&machine->cpus[i].thread, NULL, enter, &entries[i]) != 0) {
            refuse(machine, "no thread");
            machine->cpus[i].is_alive = false;
            machine->cpus[i].never_comes = true;
        }
    }
}

static void join_others(struct sim_idle *machine, const uint8_t *wanted, enum hw_run *ret_run)
{
    for (uint32_t i = 1; i < machine->count; i++) {
        if (wanted[i] != 0 && !machine->cpus[i].never_comes) {
            (void)pthread_join(machine->cpus[i].thread, NULL);
            ret_run[i] = machine->cpus[i].has_died ? HW_RUN_NO_ANSWER : HW_RUN_DONE;
        } else {
            ret_run[i] = wanted[i] != 0 ? HW_RUN_NO_ANSWER : HW_RUN_NOT_STARTED;
        }
    }
}

/* NOLINTNEXTLINE(readability-function-size) */
static enum status sim_run(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                           hw_procedure procedure, void *argument, uint32_t timeout_ms,
                           enum hw_run *ret_run)
{
    struct sim_idle *machine = machine_of(hw);
    struct entry entries[SIM_IDLE_CPUS];

    (void)count;
    (void)timeout_ms;
    for (uint32_t i = 0; i < machine->count; i++) {
        entries[i] = (struct entry){&machine->cpus[i], procedure, argument};
    }
    ret_run[0] = HW_RUN_DONE;
    if (machine->is_serial) {
        procedure(hw, 0, argument);
        start_others(machine, entries, wanted);
        leave(&machine->cpus[0]);
    } else {
        machine->cpus[0].is_alive = true;
        start_others(machine, entries, wanted);
        procedure(hw, 0, argument);
        leave(&machine->cpus[0]);
    }
    join_others(machine, wanted, ret_run);
    machine->cpus[0].is_alive = true;
    machine->turn_of = 0;
    return STATUS_OK;
}

static const struct hw_ops sim_ops = {.tsc = sim_tsc,
                                      .rdmsr = sim_rdmsr,
                                      .port_read = sim_port_read,
                                      .port_write = sim_port_write,
                                      .memory_read = sim_memory_read,
                                      .run_on_cpus = sim_run};

static void init_cpu(struct sim_idle *machine, uint32_t number, uint64_t seed)
{
    struct sim_idle_cpu *cpu = &machine->cpus[number];

    cpu->core = (struct timing){.take = sim_take,
                                .pass = sim_pass,
                                .give = sim_give,
                                .breathe = sim_breathe,
                                .watch = sim_watch,
                                .burst = sim_burst,
                                .guard = number == 0 ? sim_guard : NULL,
                                .source = sim_source,
                                .context = cpu};
    cpu->machine = machine;
    cpu->number = number;
    cpu->random = seed * 2 + number * 977 + 1;
    pthread_cond_init(&cpu->turn, NULL);
}

void sim_idle_init(struct sim_idle *machine, uint32_t cpus, uint64_t seed)
{
    memset(machine, 0, sizeof(*machine));
    here = 0;
    machine->hw =
        (struct hw){.ops = &sim_ops, .context = machine, .name = "simulated", .is_live = true};
    machine->crew = (struct timing_crew){
        .core = sim_core, .wake = sim_wake, .relax = sim_relax, .context = machine};
    machine->count = cpus;
    pthread_mutex_init(&machine->lock, NULL);
    for (uint32_t i = 0; i < cpus; i++) {
        init_cpu(machine, i, seed);
    }
    machine->cpus[0].is_alive = true;
    machine->tsc_hz = UINT64_C(3000000000);
    machine->overhead_ps = 10000;
    machine->idle_port = 0x814;
    machine->pm_port = 0x808;
    machine->stop = SIM_IDLE_AT_ONCE;
    machine->port_ps = PS_PER_US;
    machine->pm_ps = PS_PER_US;
    machine->exit_ps = 30 * PS_PER_US;
    machine->halt_exit_ps = PS_PER_US;
    machine->mwait_exit_ps = PS_PER_US;
    machine->handler_ps = PS_PER_US / 4;
    machine->guard_why = "the firmware names no HPET";
}

void sim_idle_free(struct sim_idle *machine)
{
    for (uint32_t i = 0; i < machine->count; i++) {
        pthread_cond_destroy(&machine->cpus[i].turn);
    }
    pthread_mutex_destroy(&machine->lock);
}

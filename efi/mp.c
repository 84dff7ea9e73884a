#include "efi/mp.h"

#include "drivers/apic_id.h"
#include "efi/firmware.h"
#include "efi/wait.h"
#include "model/textbuf.h"

#include <stddef.h>

#define SETTLE_MS 1000U
#define LOST_TRIED_AGAIN 4U

/* 0.7 s at 3 GHz, where a firmware's clock ticks every 10 to 55 ms. */
#define BOOT_CPU_PATIENCE_TSC (UINT64_C(1) << 31)
#define TICKS_FOR_ALL 20U
#define TICK_100NS 10000U /* UEFI 2.10, 7.1.7 SetTimer: units of 100 ns */

static struct mp_processor *find_processor(const struct mp *mp, uint32_t apic_id)
{
    for (uint32_t i = 0; i < mp->count; i++) {
        if (mp->processors[i].apic_id == apic_id) {
            return &mp->processors[i];
        }
    }
    return NULL;
}

static bool take_processor(struct mp *mp, uint32_t number)
{
    struct mp_processor *one = &mp->processors[number];
    struct mp_information information = {0};
    const uint32_t usable = MP_STATUS_ENABLED | MP_STATUS_HEALTHY;

    if (mp->services->get_processor_info(mp->services, number, &information) != EFI_SUCCESS) {
        return false;
    }
    one->apic_id = (uint32_t)information.processor_id;
    one->is_boot = (information.status_flag & MP_STATUS_BOOT) != 0;
    one->is_usable = (information.status_flag & usable) == usable;
    if (!one->is_boot) {
        one->fault = arena_take(mp->arena, sizeof(*one->fault));
        one->is_usable = one->is_usable && one->fault != NULL;
    }
    return true;
}

void mp_open(struct mp *mp, const struct platform *platform, struct arena *arena)
{
    static EFI_GUID guid = MP_SERVICES_GUID;
    UINTN count = 0;
    UINTN enabled = 0;

    *mp = (struct mp){.services = firmware_protocol(&guid), .platform = platform, .arena = arena};
    if (mp->services == NULL ||
        mp->services->get_number_of_processors(mp->services, &count, &enabled) != EFI_SUCCESS ||
        count > UINT32_MAX) {
        mp->services = NULL;
        return;
    }
    mp->processors = arena_array(arena, count, sizeof(*mp->processors));
    for (uint32_t i = 0; mp->processors != NULL && i < (uint32_t)count; i++) {
        mp->count += 1;
        if (!take_processor(mp, i)) {
            mp->count -= 1;
            return;
        }
    }
    mp->is_list_whole = mp->processors != NULL;
}

/* The boot CPU's part comes with the firmware's next tick; where it does not, nothing is run beside it. */
static bool boot_cpu_comes(struct mp *mp)
{
    uint64_t start_tsc = mp->hw->ops->tsc(mp->hw);

    (void)__atomic_add_fetch(&mp->arrived_count, 1, __ATOMIC_ACQ_REL);
    while (!__atomic_load_n(&mp->has_boot_cpu_begun, __ATOMIC_ACQUIRE)) {
        if (mp->hw->ops->tsc(mp->hw) - start_tsc > BOOT_CPU_PATIENCE_TSC) {
            return false;
        }
    }
    return true;
}

/* On another CPU. The firmware starts every enabled one, so many have nothing to do here. */
static void EFIAPI enter(void *buffer)
{
    struct mp *mp = buffer;
    struct mp_processor *me = find_processor(mp, apic_id_read(mp->hw));
    bool is_attached;

    if (me == NULL || !me->is_wanted || me->is_lost ||
        (mp->awaits_boot_cpu && !boot_cpu_comes(mp))) {
        return;
    }
    me->has_started = true;
    /* Without a proved table the procedure still runs: MSRs then read as untried. */
    is_attached = fault_attach(me->fault, FAULT_EXCEPTIONS);
    mp->procedure(mp->hw, me->cpu, mp->argument);
    if (is_attached) {
        (void)fault_detach(me->fault);
    }
    __atomic_store_n(&me->is_done, true, __ATOMIC_RELEASE);
}

static uint32_t find_cpu(const struct platform *platform, uint32_t apic_id)
{
    for (uint32_t i = 0; i < platform->cpus_count; i++) {
        if (platform->cpus[i].apic_id == apic_id) {
            return i;
        }
    }
    return CPU_NONE;
}

/* Marks who takes part; true when anybody but the boot CPU does. */
static bool choose(struct mp *mp, uint32_t count, const uint8_t *wanted)
{
    bool has_any = false;

    mp->wanted_count = 0;
    for (uint32_t i = 0; i < mp->count; i++) {
        struct mp_processor *one = &mp->processors[i];

        one->cpu = find_cpu(mp->platform, one->apic_id);
        one->has_started = false;
        one->is_done = false;
        one->is_wanted = !one->is_boot && one->is_usable && !one->is_lost && !mp->is_unusable &&
                         one->cpu < count && wanted[one->cpu] != 0;
        has_any = has_any || one->is_wanted;
        mp->wanted_count += one->is_wanted ? 1U : 0U;
    }
    return has_any;
}

static bool all_done(const void *context)
{
    const struct mp *mp = context;

    for (uint32_t i = 0; i < mp->count; i++) {
        if (mp->processors[i].is_wanted &&
            !__atomic_load_n(&mp->processors[i].is_done, __ATOMIC_ACQUIRE)) {
            return false;
        }
    }
    return true;
}

static bool is_taken_back(const void *context)
{
    const struct mp *mp = context;

    return firmware_services()->CheckEvent(mp->event) == EFI_SUCCESS;
}

/* edk2 looks after its CPUs every 100 ms only, long after they are done: so the wait is here, before the
 * next start, and not behind each run. */
void mp_settle(struct mp *mp)
{
    if (!mp->is_pending) {
        return;
    }
    mp->is_unusable = !wait_until(is_taken_back, mp, SETTLE_MS);
    mp->is_pending = false;
    if (!mp->is_unusable) {
        firmware_services()->CloseEvent(mp->event);
    }
    for (uint32_t i = 0; i < mp->count && !mp->is_unusable; i++) {
        if (mp->processors[i].is_lost && mp->processors[i].is_usable) {
            mp->processors[i].is_usable = false;
            (void)mp->services->enable_disable_ap(mp->services, i, FALSE, NULL);
        }
    }
}

static bool start_at_once(struct mp *mp, uint32_t timeout_ms)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    EFI_STATUS status;

    if (services->CreateEvent(0, TPL_CALLBACK, NULL, NULL, &mp->event) != EFI_SUCCESS) {
        return false;
    }
    status = mp->services->startup_all_aps(mp->services, enter, FALSE, mp->event,
                                           (UINTN)timeout_ms * 1000, mp, NULL);
    if (status != EFI_SUCCESS) {
        services->CloseEvent(mp->event);
        return false;
    }
    mp->is_pending = true;
    return true;
}

static bool start_blocking(struct mp *mp, uint32_t timeout_ms)
{
    EFI_STATUS status = mp->services->startup_all_aps(mp->services, enter, FALSE, NULL,
                                                      (UINTN)timeout_ms * 1000, mp, NULL);

    return status == EFI_SUCCESS || status == EFI_TIMEOUT || status == EFI_NOT_STARTED;
}

static void start_one_by_one(struct mp *mp, uint32_t timeout_ms)
{
    for (uint32_t i = 0; i < mp->count; i++) {
        if (mp->processors[i].is_wanted) {
            (void)mp->services->startup_this_ap(mp->services, enter, i, NULL,
                                                (UINTN)timeout_ms * 1000, mp, NULL);
        }
    }
}

static void run_own(const struct mp *mp, uint32_t count, const uint8_t *wanted,
                    enum hw_run *ret_run)
{
    uint32_t cpu = find_cpu(mp->platform, apic_id_read(mp->hw));

    /* Tables from a medium list other CPUs: the one that runs this is then number 0. */
    cpu = cpu == CPU_NONE ? 0 : cpu;
    if (cpu < count && wanted[cpu] != 0) {
        mp->procedure(mp->hw, cpu, mp->argument);
        ret_run[cpu] = HW_RUN_DONE;
    }
}

/* While the event runs the firmware starts nobody, so it runs nothing before all others are here, or after some
 * ticks one of them. */
static bool are_others_here(struct mp *mp)
{
    uint32_t arrived = __atomic_load_n(&mp->arrived_count, __ATOMIC_ACQUIRE);

    mp->ticks++;
    return arrived == mp->wanted_count || (arrived > 0 && mp->ticks > TICKS_FOR_ALL);
}

/* At TPL_CALLBACK, out of the firmware's wait for the other CPUs. */
static void EFIAPI own_part(EFI_EVENT event, void *context)
{
    struct mp *mp = context;

    (void)event;
    if (!mp->has_boot_cpu_begun && are_others_here(mp)) {
        __atomic_store_n(&mp->has_boot_cpu_begun, true, __ATOMIC_RELEASE);
        firmware_set_in_callback(true);
        run_own(mp, mp->own_count, mp->own_wanted, mp->own_run);
        firmware_set_in_callback(false);
    }
}

/* True when both parts have run: the firmware then waited for the others while its clock ran ours. */
static bool run_with_timer(struct mp *mp, uint32_t timeout_ms)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    EFI_EVENT timer = NULL;
    bool is_started;

    if (services->CreateEvent(EVT_TIMER | EVT_NOTIFY_SIGNAL, TPL_CALLBACK, own_part, mp, &timer) !=
        EFI_SUCCESS) {
        return false;
    }
    mp->has_boot_cpu_begun = false;
    mp->arrived_count = 0;
    mp->ticks = 0;
    mp->awaits_boot_cpu = true;
    is_started = services->SetTimer(timer, TimerPeriodic, TICK_100NS) == EFI_SUCCESS &&
                 start_blocking(mp, timeout_ms);
    services->CloseEvent(timer);
    mp->awaits_boot_cpu = false;
    mp->has_clock_stopped = mp->has_clock_stopped || !firmware_ticks();
    return is_started && mp->has_boot_cpu_begun;
}

/* Who came back, and who is lost from now on. One that never entered was perhaps never started, yet nobody
 * can say that it will not come later: it is lost as well. */
static void collect(struct mp *mp, uint32_t count, const uint8_t *wanted, enum hw_run *ret_run)
{
    for (uint32_t i = 0; i < mp->count; i++) {
        struct mp_processor *one = &mp->processors[i];

        if (one->is_wanted) {
            one->is_lost = !__atomic_load_n(&one->is_done, __ATOMIC_ACQUIRE);
            ret_run[one->cpu] = one->is_lost ? HW_RUN_NO_ANSWER : HW_RUN_DONE;
        } else if (one->is_lost && one->cpu < count && wanted[one->cpu] != 0) {
            ret_run[one->cpu] = HW_RUN_NO_ANSWER;
        }
    }
}

static void run_others(struct mp *mp, uint32_t timeout_ms)
{
    if (mp->way == MP_BLOCKING && start_blocking(mp, timeout_ms)) {
        return;
    }
    mp->way = MP_ONE_BY_ONE;
    start_one_by_one(mp, timeout_ms);
}

/* Who ran in the timer's event is done; else one part after the other. */
static void run_blocking(struct mp *mp, bool has_others, uint32_t timeout_ms)
{
    if (has_others && mp->way == MP_AT_ONCE) {
        mp->way = MP_WITH_TIMER;
    }
    mp->has_boot_cpu_begun = false;
    if (has_others && mp->way == MP_WITH_TIMER) {
        if (run_with_timer(mp, timeout_ms)) {
            return;
        }
        mp->way = MP_BLOCKING;
    }
    if (!mp->has_boot_cpu_begun) {
        run_own(mp, mp->own_count, mp->own_wanted, mp->own_run);
    }
    if (has_others) {
        run_others(mp, timeout_ms);
    }
}

/* The seam gives the parameters. NOLINTNEXTLINE(readability-function-size) */
enum status mp_run(void *context, const struct hw *hw, uint32_t count, const uint8_t *wanted,
                   hw_procedure procedure, void *argument, uint32_t timeout_ms,
                   enum hw_run *ret_run)
{
    struct mp *mp = context;
    bool has_others;

    for (uint32_t cpu = 0; cpu < count; cpu++) {
        ret_run[cpu] = HW_RUN_NOT_STARTED;
    }
    mp_settle(mp);
    mp->hw = hw;
    mp->procedure = procedure;
    mp->argument = argument;
    mp->own_count = count;
    mp->own_wanted = wanted;
    mp->own_run = ret_run;
    has_others = choose(mp, count, wanted);
    if (has_others && mp->way == MP_AT_ONCE && start_at_once(mp, timeout_ms)) {
        run_own(mp, count, wanted, ret_run);
        (void)wait_until(all_done, mp, timeout_ms);
    } else {
        run_blocking(mp, has_others, timeout_ms);
    }
    collect(mp, count, wanted, ret_run);
    return STATUS_OK;
}

static const char *way_text(const struct mp *mp)
{
    static const char *const ways[] = {
        [MP_AT_ONCE] = "all CPUs were started at once, the boot CPU running meanwhile",
        [MP_WITH_TIMER] =
            "other CPUs start only while the boot CPU waits; its part ran in a timer event",
        [MP_BLOCKING] = "the firmware starts other CPUs only while the boot CPU waits",
        [MP_ONE_BY_ONE] = "the firmware starts other CPUs only one after the other"};

    if (mp->services == NULL) {
        return "the firmware has no MP services: only the boot CPU was asked";
    }
    return mp->count <= 1 ? "there is one CPU" : ways[mp->way];
}

static void describe_lost(const struct mp *mp, struct textbuf *text)
{
    const char *before = "; did not answer, by APIC id: ";

    for (uint32_t i = 0; i < mp->count; i++) {
        const struct mp_processor *one = &mp->processors[i];

        if (one->is_lost) {
            textbuf_printf(text, "%s%u", before, one->apic_id);
            before = ", ";
        }
        if (one->is_lost && one->fault != NULL && one->fault->has_fault) {
            textbuf_printf(text, " (exception %u at 0x%llx)", (unsigned)one->fault->last.vector,
                           (unsigned long long)one->fault->last.rip);
        }
    }
}

/* Why a CPU was not asked: MP services do not know it, or call it unusable; else nobody wanted it. Tables from a medium
 * may list CPUs of another machine. */
static enum cpu_answer answer_of(const struct mp *mp, uint32_t apic_id)
{
    const struct mp_processor *one = find_processor(mp, apic_id);

    if (mp->services == NULL || !mp->is_list_whole || mp->platform->is_tables_from_medium) {
        return CPU_NOT_ASKED;
    }
    if (one == NULL) {
        return CPU_NOT_PRESENT;
    }
    return one->is_boot || one->is_usable || one->is_lost ? CPU_NOT_ASKED : CPU_DISABLED;
}

void mp_describe(const struct mp *mp, struct platform *platform)
{
    char note[256];
    struct textbuf text;

    textbuf_init(&text, note, sizeof(note), NULL, NULL);
    textbuf_string(&text, way_text(mp));
    if (mp->has_clock_stopped) {
        textbuf_string(&text, "; the firmware's clock does not tick any more");
    }
    describe_lost(mp, &text);
    platform->mp_note = arena_text(platform->arena, note, text.length);
    platform->is_mp_services_absent = mp->services == NULL;
    for (uint32_t i = 0; i < platform->cpus_count; i++) {
        if (platform->cpus[i].answer == CPU_NOT_ASKED) {
            platform->cpus[i].answer = answer_of(mp, platform->cpus[i].apic_id);
        }
    }
}

static void EFIAPI come_back(void *buffer)
{
    (void)buffer;
}

static bool works_again(struct mp *mp, uint32_t number)
{
    BOOLEAN is_finished = FALSE;

    (void)mp->services->enable_disable_ap(mp->services, number, TRUE, NULL);
    return mp->services->startup_this_ap(mp->services, come_back, number, NULL, 200000, NULL,
                                         &is_finished) == EFI_SUCCESS;
}

bool mp_may_return(struct mp *mp)
{
    uint32_t tried = 0;

    mp_settle(mp);
    for (uint32_t i = 0; i < mp->count; i++) {
        if (mp->processors[i].is_lost &&
            (mp->is_unusable || ++tried > LOST_TRIED_AGAIN || !works_again(mp, i))) {
            return false;
        }
    }
    return !mp->is_unusable;
}

#include "efi/wait.h"

#include "efi/firmware.h"

#include <stddef.h>

#define LOOKS 100U
#define LOOK_US 20U

/* UEFI 2.10, 7.1.7 SetTimer: units of 100 ns. */
#define UNITS_PER_MS UINT64_C(10000)

static EFI_EVENT create_timer(EFI_TIMER_DELAY kind, uint32_t ms)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    EFI_EVENT timer = NULL;

    if (services->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &timer) != EFI_SUCCESS) {
        return NULL;
    }
    if (services->SetTimer(timer, kind, ms * UNITS_PER_MS) != EFI_SUCCESS) {
        services->CloseEvent(timer);
        return NULL;
    }
    return timer;
}

static void close_timer(EFI_EVENT timer)
{
    if (timer != NULL) {
        firmware_services()->CloseEvent(timer);
    }
}

/* Without timers the wait counts the firmware's stalls. */
static bool wait_by_stalls(bool (*is_done)(const void *context), const void *context,
                           uint32_t timeout_ms)
{
    for (uint32_t ms = 0; ms < timeout_ms; ms++) {
        if (is_done(context)) {
            return true;
        }
        firmware_stall_us(1000);
    }
    return is_done(context);
}

static bool wait_by_ticks(bool (*is_done)(const void *context), const void *context, EFI_EVENT tick,
                          EFI_EVENT deadline)
{
    EFI_BOOT_SERVICES *services = firmware_services();
    UINTN index;

    while (!is_done(context)) {
        if (services->CheckEvent(deadline) == EFI_SUCCESS ||
            services->WaitForEvent(1, &tick, &index) != EFI_SUCCESS) {
            return is_done(context);
        }
    }
    return true;
}

bool wait_until(bool (*is_done)(const void *context), const void *context, uint32_t timeout_ms)
{
    EFI_EVENT tick;
    EFI_EVENT deadline;
    bool has_come;

    for (unsigned look = 0; look < LOOKS; look++) {
        if (is_done(context)) {
            return true;
        }
        firmware_stall_us(LOOK_US);
    }
    tick = create_timer(TimerPeriodic, 1);
    deadline = create_timer(TimerRelative, timeout_ms);
    has_come = tick != NULL && deadline != NULL ? wait_by_ticks(is_done, context, tick, deadline)
                                                : wait_by_stalls(is_done, context, timeout_ms);
    close_timer(tick);
    close_timer(deadline);
    return has_come;
}

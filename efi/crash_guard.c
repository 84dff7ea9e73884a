#include "efi/crash_guard.h"

/* What the compiler keeps of a place to come back to: five words (GCC manual, "Nonlocal Gotos"). */
static void *way_back[5];
static const struct fault_cpu *guarded; /* NULL: nothing is under way */

/* What a wild pointer, a bad length or a bad divisor raises, and the trap of acpi/scope_guard.c: #DE, #UD, #SS, #GP,
 * #PF (SDM vol. 3A, table 6-1). A machine check or a double fault is another matter. */
static bool is_of_data(uint64_t vector)
{
    return vector == 0 || vector == 6 || vector == 12 || vector == 13 || vector == 14;
}

bool crash_guard_run(void *cpu, void (*procedure)(void *argument), void *argument)
{
    if (__builtin_setjmp(way_back) != 0) {
        return false;
    }
    guarded = cpu;
    procedure(argument);
    guarded = NULL;
    return true;
}

void crash_guard_return(const struct fault_cpu *cpu, const struct fault_record *record)
{
    if (guarded != cpu || !is_of_data(record->vector)) {
        return;
    }
    guarded = NULL;
    cpu_restore_flags(record->rflags); /* the gate has switched interrupts off */
    __builtin_longjmp(way_back, 1);
}

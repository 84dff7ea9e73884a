#include "efi/crash.h"

#include "drivers/x86/native.h"
#include "efi/console.h"
#include "efi/crash_guard.h"
#include "efi/files.h"
#include "efi/firmware.h"
#include "efi/journal.h"
#include "efi/leave.h"
#include "model/options.h"

#define READING_TIME_US UINT64_C(60000000)
#define PER_LINE 3U

/* SDM vol. 3A, table 6-1, Protected-Mode Exceptions and Interrupts. */
static const char *name_of(uint64_t vector)
{
    static const char *const names[] = {"#DE divide error",
                                        "#DB debug",
                                        "NMI",
                                        "#BP breakpoint",
                                        "#OF overflow",
                                        "#BR bound",
                                        "#UD invalid opcode",
                                        "#NM no device",
                                        "#DF double fault",
                                        "9",
                                        "#TS invalid TSS",
                                        "#NP segment not present",
                                        "#SS stack fault",
                                        "#GP general protection",
                                        "#PF page fault",
                                        "15",
                                        "#MF floating point",
                                        "#AC alignment",
                                        "#MC machine check",
                                        "#XM SIMD",
                                        "#VE virtualization",
                                        "#CP control protection"};

    return vector < sizeof(names) / sizeof(names[0]) ? names[vector] : "exception";
}

static void print_registers(const struct fault_record *record)
{
    static const char *const names[FAULT_REGISTERS] = {"r15", "r14", "r13", "r12", "r11",
                                                       "r10", "r9",  "r8",  "rdi", "rsi",
                                                       "rbp", "rbx", "rdx", "rcx", "rax"};

    for (unsigned i = 0; i < FAULT_REGISTERS; i++) {
        unsigned shown = FAULT_REGISTERS - 1 - i; /* rax first */

        console_printf("  %-6s %016llx%s", names[shown],
                       (unsigned long long)record->registers[shown],
                       i % PER_LINE == PER_LINE - 1 ? "\n" : "");
    }
    console_printf("  %-6s %016llx  %-6s %016llx  %-6s %016llx\n", "rsp",
                   (unsigned long long)record->rsp, "rflags", (unsigned long long)record->rflags,
                   "cr2", (unsigned long long)record->cr2);
}

/* Whether the instruction is one of this program, and how far from its start. */
static bool is_ours(const struct fault_record *record, uint64_t *ret_distance)
{
    const EFI_LOADED_IMAGE *image = firmware_loaded_image();
    uint64_t base = image == NULL ? 0 : (uint64_t)(uintptr_t)image->ImageBase;

    *ret_distance = record->rip - base;
    return image != NULL && record->rip >= base && *ret_distance < image->ImageSize;
}

/* Reports are written at the end of a run. */
static void print_results(void)
{
    const char *place = results_so_far();

    if (place == NULL) {
        console_printf("  report none yet: the run was not at its end\n");
    } else {
        console_printf("  report what was finished is in %s\n", place);
    }
    if (journal_is_kept()) {
        console_printf(
            "assay: the run ends here; \\assay\\journal.txt names this step, and the next "
            "start leaves it out\n");
    } else {
        console_printf("assay: the run ends here; without a journal the next start comes to this "
                       "step again\n");
    }
}

static void print_page(const struct fault_record *record)
{
    uint64_t distance;

    console_printf("\nassay: exception %u (%s), error code 0x%x\n", (unsigned)record->vector,
                   name_of(record->vector), (unsigned)record->error_code);
    if (is_ours(record, &distance)) {
        console_printf("  at     %016llx, image + 0x%llx\n", (unsigned long long)record->rip,
                       (unsigned long long)distance);
    } else {
        console_printf("  at     %016llx, outside this program\n", (unsigned long long)record->rip);
    }
    print_registers(record);
    console_printf("  step   %s\n", journal_current());
    print_results();
    console_printf("assay: status 3\n");
}

void crash_page(struct fault_cpu *cpu, const struct fault_record *record)
{
    const struct options *options = cpu->context;
    enum exit_way way = options->exit_way == EXIT_RETURN ? EXIT_RESET : options->exit_way;
    const struct native_services none = {0};
    struct native native;
    uint64_t distance;

    if (is_ours(record, &distance)) {
        crash_guard_return(cpu, record);
    }
    print_page(record);
    if (!options->is_batch) {
        console_printf("restart in a minute\n");
        firmware_stall_us(READING_TIME_US);
    }
    native_init(&native, &none, options->is_read_only);
    leave_machine(&native.hw, way, 3);
}

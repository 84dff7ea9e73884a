#include "host/hw_linux.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PATH_BYTES (HW_LINUX_ROOT_BYTES + 64)
#define CPUS_MAX 65536U

static struct hw_linux *linux_of(const struct hw *hw)
{
    return hw->context;
}

static bool is_regular(int file)
{
    struct stat about;

    return fstat(file, &about) == 0 && S_ISREG(about.st_mode);
}

/* Linux 6.12 arch/x86/kernel/cpuid.c: the offset is leaf | subleaf << 32, the count 16 bytes a leaf. */
static void linux_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                        struct cpuid_leaf *ret_leaf)
{
    const struct hw_linux *from = linux_of(hw);
    uint64_t offset = (uint64_t)subleaf << 32 | leaf;
    uint32_t registers[4];

    *ret_leaf = (struct cpuid_leaf){.leaf = HW_CPUID_ABSENT, .subleaf = subleaf};
    if (from->cpuid < 0) {
        return;
    }
    offset *= is_regular(from->cpuid) ? sizeof(registers) : 1;
    if (pread(from->cpuid, registers, sizeof(registers), (off_t)offset) ==
        (ssize_t)sizeof(registers)) {
        *ret_leaf = (struct cpuid_leaf){.leaf = leaf,
                                        .subleaf = subleaf,
                                        .eax = registers[0],
                                        .ebx = registers[1],
                                        .ecx = registers[2],
                                        .edx = registers[3]};
    }
}

/* Linux 6.12 arch/x86/kernel/msr.c: the offset is the number; a register that faults gives EIO. */
static enum avail linux_rdmsr(const struct hw *hw, uint32_t msr, uint64_t *ret_value)
{
    const struct hw_linux *from = linux_of(hw);
    uint64_t value;
    ssize_t got;

    if (from->msr < 0) {
        return AVAIL_UNTRIED;
    }
    got = pread(from->msr, &value, sizeof(value),
                (off_t)(is_regular(from->msr) ? (uint64_t)msr * sizeof(value) : msr));
    if (got != (ssize_t)sizeof(value)) {
        return got < 0 && errno != EIO ? AVAIL_UNTRIED : AVAIL_FAULTED;
    }
    *ret_value = value;
    return AVAIL_PRESENT;
}

static enum avail linux_wrmsr(const struct hw *hw, uint32_t msr, uint64_t value)
{
    (void)hw;
    (void)msr;
    (void)value;
    return AVAIL_UNTRIED;
}

static uint64_t linux_tsc(const struct hw *hw)
{
    (void)hw;
    return 0;
}

static void close_cpu(struct hw_linux *from)
{
    if (from->cpuid >= 0) {
        (void)close(from->cpuid);
    }
    if (from->msr >= 0) {
        (void)close(from->msr);
    }
    from->cpuid = -1;
    from->msr = -1;
}

static int open_device(const struct hw_linux *from, uint32_t cpu, const char *name)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%s/dev/cpu/%u/%s", from->root, cpu, name);
    return open(path, O_RDONLY | O_CLOEXEC);
}

static void open_cpu(struct hw_linux *from, uint32_t cpu)
{
    close_cpu(from);
    from->cpu = cpu;
    from->cpuid = open_device(from, cpu, "cpuid");
    from->msr = open_device(from, cpu, "msr");
}

/* Seven parameters are the contract of hw.h. NOLINTNEXTLINE(readability-function-size) */
static enum status linux_run_on_cpus(const struct hw *hw, uint32_t count, const uint8_t *wanted,
                                     hw_procedure procedure, void *argument, uint32_t timeout_ms,
                                     enum hw_run *ret_run)
{
    struct hw_linux *from = linux_of(hw);

    (void)timeout_ms;
    for (uint32_t cpu = 0; cpu < count; cpu++) {
        ret_run[cpu] = HW_RUN_NOT_STARTED;
        if (wanted[cpu] == 0) {
            continue;
        }
        open_cpu(from, cpu);
        from->no_cpuid += from->cpuid < 0 ? 1 : 0;
        from->no_msr += from->msr < 0 ? 1 : 0;
        if (from->cpuid >= 0) {
            procedure(hw, cpu, argument);
            ret_run[cpu] = HW_RUN_DONE;
        }
    }
    open_cpu(from, 0);
    return STATUS_OK;
}

/* CPUID and MSRs are all that a running system lets one read without changing anything. */
static const struct hw_ops linux_ops = {.cpuid = linux_cpuid,
                                        .rdmsr = linux_rdmsr,
                                        .wrmsr = linux_wrmsr,
                                        .tsc = linux_tsc,
                                        .run_on_cpus = linux_run_on_cpus};

enum status hw_linux_open(struct hw_linux *linux_hw, const char *root)
{
    memset(linux_hw, 0, sizeof(*linux_hw));
    linux_hw->hw =
        (struct hw){.ops = &linux_ops, .context = linux_hw, .name = "linux", .is_live = false};
    linux_hw->cpuid = -1;
    linux_hw->msr = -1;
    if (snprintf(linux_hw->root, sizeof(linux_hw->root), "%s", root) >=
        (int)sizeof(linux_hw->root)) {
        return STATUS_BAD_INPUT;
    }
    open_cpu(linux_hw, 0);
    return STATUS_OK;
}

void hw_linux_close(struct hw_linux *linux_hw)
{
    close_cpu(linux_hw);
}

uint32_t hw_linux_cpus(const struct hw_linux *linux_hw)
{
    char path[PATH_BYTES];
    uint32_t cpu = 0;

    for (; cpu < CPUS_MAX; cpu++) {
        (void)snprintf(path, sizeof(path), "%s/dev/cpu/%u", linux_hw->root, cpu);
        if (access(path, F_OK) != 0) {
            break;
        }
    }
    return cpu;
}

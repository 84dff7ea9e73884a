#pragma once

#include "drivers/hw.h"

/*
 * CPUID and MSRs of the running Linux machine through /dev/cpu/N/cpuid and /dev/cpu/N/msr, read only: what a
 * device does not give is ABSENT (no device) or FAULTED (the register faulted). `root` is put before
 * every path. A regular file in a device's place, as a test has it, is laid out by number: leaf times 16 bytes,
 * register times 8.
 */
#define HW_LINUX_ROOT_BYTES 512

struct hw_linux {
    struct hw hw; /* hand out &linux->hw */
    char root[HW_LINUX_ROOT_BYTES];
    uint32_t cpu;
    int cpuid;
    int msr;
    uint32_t no_cpuid; /* CPUs without the device */
    uint32_t no_msr;
};

/* BAD_INPUT when root is too long. */
enum status hw_linux_open(struct hw_linux *linux_hw, const char *root) MUST_CHECK;
void hw_linux_close(struct hw_linux *linux_hw);

/* How many CPUs have a folder under /dev/cpu: those with the numbers below it. 0 without the devices. */
uint32_t hw_linux_cpus(const struct hw_linux *linux_hw);

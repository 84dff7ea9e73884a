#pragma once

#include <stdint.h>

/*
 * Performance to frequency and back as Linux 6.12 does it in drivers/acpi/cppc_acpi.c cppc_perf_to_khz and
 * cppc_khz_to_perf: kernel-facts 2.6. Affine through (lowest, lowest_freq) and (nominal, nominal_freq), in
 * Linux's own arithmetic: 32-bit differences wrap. Earlier kernels count otherwise: enum cppc_form, by the
 * changes ec1c7ad47664 and d93df29bdab1 to drivers/cpufreq/cppc_cpufreq.c, where the functions were before 6.8.
 */
enum cppc_form {
    CPPC_FORM_FLAT = 0, /* 6.12-rc5 on: affine, proportional where both frequencies are the same */
    CPPC_FORM_AFFINE,   /* from 5.18: affine; a division by zero where both are the same */
    CPPC_FORM_PIECES    /* before: proportional above nominal, a slope without its offset below */
};

struct cppc_scale {
    enum cppc_form form;
    uint32_t highest_perf;
    uint32_t nominal_perf;
    uint32_t lowest_perf;
    uint32_t lowest_freq_mhz;  /* 0: not given */
    uint32_t nominal_freq_mhz; /* 0: not given */
    uint64_t dmi_khz;          /* SMBIOS type 4 maximum speed, for a _CPC without frequencies */
};

/* kHz of a performance number; 0 where Linux would give a negative number or divide by zero. */
uint64_t cppc_convert_to_khz(const struct cppc_scale *scale, uint64_t perf);

/* The performance number of a frequency; the same limits. */
uint64_t cppc_convert_to_perf(const struct cppc_scale *scale, uint64_t khz);

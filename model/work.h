#pragma once

#include "model/avail.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Work and energy: a fixed amount of work done at each request, and what the package used for it. Raw figures are
 * kept (and recorded); rates follow from them.
 */
enum work_kernel {
    WORK_INTEGER = 0, /* multiply, shift and exclusive-or, each step waiting for the one before */
    WORK_MEMORY,      /* one word of every cache line of 8 MiB, one line after the other */
    WORK_KERNELS
};

/* "integer", "memory" */
const char *work_kernel_name(enum work_kernel kernel);

/* What one CPU did. */
struct work_done {
    uint64_t pieces; /* of the kernel: drivers/work_kernel.h */
    uint64_t window_tsc;
    bool is_wrong; /* a piece gave another result than it must */
};

/* One request, one kernel, some CPUs of one package. */
struct work_sample {
    enum work_kernel kernel;
    uint32_t pss_index;     /* row of _PSS, or FREQ_NO_ROW: a level, or what the firmware left */
    uint64_t requested_khz; /* 0: the request names no frequency */
    bool is_boost_off;      /* boost was switched off for this one */
    uint32_t package;
    uint32_t active;          /* CPUs at work, one thread of a core each, in this package */
    uint32_t cpu;             /* the first of them, which looked at the energy counters */
    uint64_t pieces_per_s;    /* of all of them together */
    bool is_wrong;            /* some CPU gave a wrong result */
    enum avail package_avail; /* PRESENT: package_uj holds */
    uint64_t package_uj;      /* used over energy_tsc */
    enum avail dram_avail;    /* likewise */
    uint64_t dram_uj;
    uint64_t energy_tsc;       /* between the edges of the package's counter */
    uint64_t uncertainty_ppm;  /* of the package's power */
    const char *no_energy_why; /* package_avail is not PRESENT: why */
};

/* Power of the package, in milliwatts; 0 when not known. */
uint64_t work_package_mw(const struct work_sample *sample, uint64_t tsc_hz);

/* Pieces done per joule of the package, in thousandths, rounded; 0 when not known. */
uint64_t work_per_joule_milli(const struct work_sample *sample, uint64_t tsc_hz);

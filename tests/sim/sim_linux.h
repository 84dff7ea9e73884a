#pragma once

#include "model/linux/view.h"
#include "tests/sim/sim_platform.h"

/* More objects for a simulated snapshot, and whole machines of which the kernels' views are known. */

/* A _PCT on every CPU: control and status in `space` (1 SystemIO, 127 FFixedHW). */
void sim_linux_pct(struct sim_platform *sim, uint8_t space);

/* A _PSD on every CPU: domain cpu / cpus_in_domain, coordination `type`. */
void sim_linux_psd(struct sim_platform *sim, uint64_t type, uint32_t cpus_in_domain);

/* A _CST state. */
struct sim_cst {
    uint8_t space;
    uint8_t width_bits;
    uint8_t offset_bits;
    uint64_t address;
    uint64_t type;
    uint64_t latency_us;
};

/* A _CST of `count` states on every CPU. */
void sim_linux_cst(struct sim_platform *sim, const struct sim_cst *states, uint32_t count);

/* A whole revision 3 _CPC of FFixedHW registers on every CPU. */
struct sim_cpc {
    uint64_t highest;
    uint64_t nominal;
    uint64_t lowest_nonlinear;
    uint64_t lowest;
    uint64_t nominal_mhz;
    uint64_t lowest_mhz;
};
void sim_linux_cpc(struct sim_platform *sim, const struct sim_cpc *values);

/* One FADT field. */
void sim_linux_fadt(struct sim_platform *sim, enum fadt_field field, uint64_t value);

/* 2 x EPYC 7742 of mission S1, of which `cpus` CPUs: P0 2.25, P1 2.00, P2 1.50 GHz, 255/168, C2 by port. */
void sim_linux_epyc_7742(struct sim_platform *sim, uint32_t cpus);

/* Atom x5-Z8350 of mission S3: base ratio 18, one-core turbo 24. */
void sim_linux_z8350(struct sim_platform *sim);

/* Ryzen 7 7840HS of mission S4: FAST_CPPC. */
void sim_linux_7840hs(struct sim_platform *sim);

/* Freezes, computes, and gives the view of `version`. */
const struct linux_view *sim_linux_view(struct sim_platform *sim, const char *version);

#pragma once

#include "model/idle.h"
#include "model/platform.h"

/*
 * Every way of going idle that the claims of the firmware and of CPUID offer on a CPU, and which of them may
 * not be entered. Pure: reads the collected platform only.
 */
#define IDLE_WAYS_MAX 48U

struct idle_plan {
    uint32_t count;
    struct idle_way ways[IDLE_WAYS_MAX];
    bool is_cut; /* there were more ways than fit */
};

/*
 * HLT; MWAIT with each hint of _CST, _LPI and CPUID 5; each I/O port of _CST and of the P_BLK, without and
 * with the PM-timer read. A hint or port that two sources name stands once, as the first of them says. A way
 * whose not_timed is not NULL must not be entered: the instruction does not exist or would need what is not
 * done here (a cache flush, bus-master arbitration), or the firmware says that the state is not there.
 */
void idle_plan_make(const struct platform *platform, uint32_t cpu, struct idle_plan *ret_plan);

/* The PM timer as Linux reads it after the port, or in memory; neither: both 0. */
void idle_plan_pm_timer(const struct platform *platform, uint16_t *ret_port, uint64_t *ret_paddr);

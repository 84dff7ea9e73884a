#pragma once

#include "model/platform.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The values of one MSR folded by equal value over the CPUs. Up to MSR_FOLD_MAX different values each are
 * one group with all its CPUs; with more (a counter), a group is a run of neighbouring CPUs, so that the
 * work stays linear. CPUs on which the MSR was not tried belong to no group.
 */
#define MSR_FOLD_MAX 16

struct msr_fold {
    const struct platform *platform;
    uint32_t index; /* into platform.msrs */
    bool is_by_run;
    uint32_t groups_count; /* without is_by_run */
    struct msr_value groups[MSR_FOLD_MAX];
    uint32_t next;      /* group, or CPU with is_by_run */
    uint32_t run_first; /* CPU that the current run starts at */
};

void msr_fold_start(const struct platform *platform, uint32_t index, struct msr_fold *ret_fold);

/* The value of the next group; false when there are no more. */
bool msr_fold_next(struct msr_fold *fold, struct msr_value *ret_value);

/* Writes the CPUs of the group that msr_fold_next gave last. */
void msr_fold_cpus(const struct msr_fold *fold, const struct msr_value *value, struct textbuf *out);

#pragma once

#include <stdint.h>

/*
 * What became of the commands that were sent through one PCC subspace, for the report. Kept in the snapshot because
 * it is about this run.
 */
struct pcc_account {
    uint32_t subspace; /* its number in the PCCT */
    uint32_t commands; /* doorbells rung */
    uint32_t timeouts; /* the platform did not complete them */
    uint32_t errors;   /* completed with the error bit */
    uint32_t timed;    /* completed, and their time known */
    uint64_t sum_ns;   /* of these: from the doorbell to the completion */
    uint64_t longest_ns;
};

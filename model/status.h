#pragma once

/*
 * The outcome of an operation (reading a file, starting a CPU), not of a judgement: a bad machine
 * is a finding, an absent register is an enum avail.
 */
enum status {
    STATUS_OK = 0,
    STATUS_NO_MEMORY,
    STATUS_NOT_FOUND,
    STATUS_BAD_INPUT,   /* the bytes or words given are not what they should be */
    STATUS_UNSUPPORTED, /* this machine or back end cannot do it */
    STATUS_TIMEOUT,
    STATUS_DENIED, /* the access policy forbids it */
    STATUS_FAULT,  /* the hardware access faulted */
    STATUS_FULL,   /* no space left on the medium or in the buffer */
    STATUS_IO      /* the medium or a device failed */
};

#define MUST_CHECK __attribute__((warn_unused_result))

#include "model/avail.h"

const char *avail_name(enum avail avail)
{
    switch (avail) {
    case AVAIL_UNTRIED:
        return "untried";
    case AVAIL_PRESENT:
        return "present";
    case AVAIL_ABSENT:
        return "absent";
    case AVAIL_FAULTED:
        return "faulted";
    case AVAIL_MALFORMED:
        return "malformed";
    }
    return "unknown";
}

enum avail avail_of_status(enum status status)
{
    switch (status) {
    case STATUS_OK:
        return AVAIL_PRESENT;
    case STATUS_NOT_FOUND:
        return AVAIL_ABSENT;
    case STATUS_DENIED:
    case STATUS_UNSUPPORTED:
        return AVAIL_UNTRIED;
    case STATUS_NO_MEMORY:
    case STATUS_BAD_INPUT:
    case STATUS_TIMEOUT:
    case STATUS_FAULT:
    case STATUS_FULL:
    case STATUS_IO:
    default:
        return AVAIL_FAULTED;
    }
}

enum status avail_to_status(enum avail avail)
{
    switch (avail) {
    case AVAIL_PRESENT:
        return STATUS_OK;
    case AVAIL_FAULTED:
        return STATUS_FAULT;
    case AVAIL_UNTRIED:
    case AVAIL_ABSENT:
    case AVAIL_MALFORMED:
    default:
        return STATUS_DENIED;
    }
}

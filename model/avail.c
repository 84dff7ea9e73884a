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

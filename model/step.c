#include "model/step.h"

#include <stddef.h>

enum step_answer step_announce(const struct step_listener *listener, const struct step *step)
{
    if (listener == NULL || listener->announce == NULL) {
        return STEP_RUN;
    }
    return listener->announce(listener->context, step);
}

#include "model/step.h"

#include <stddef.h>

enum step_answer step_announce(const struct step_listener *listener, const struct step *step)
{
    if (listener == NULL || listener->announce == NULL) {
        return STEP_RUN;
    }
    return listener->announce(listener->context, step);
}

const char *step_left_out(const struct step_listener *listener, const struct step *step)
{
    if (listener == NULL || listener->left_out == NULL) {
        return NULL;
    }
    return listener->left_out(listener->context, step);
}

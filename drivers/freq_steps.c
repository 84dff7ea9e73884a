#include "drivers/freq_session.h"
#include "model/textbuf.h"

#include <stddef.h>
#include <string.h>

/* What the frequency group tells the journal, and what it leaves out because an earlier run did not come back from it. */

const char *const freq_part_names[FREQ_PARTS] = {
    [FREQ_PART_CORES] = "boost with more and more cores active",
    [FREQ_PART_THREADS] = "boost with all threads active",
    [FREQ_PART_ALONE] = "each core alone",
    [FREQ_PART_SWITCH] = "boost off and on",
    [FREQ_PART_SETTLING] = "settling time after a changed request",
    [FREQ_PART_WORK] = "work and energy at each request",
    [FREQ_PART_TURN] = "the other CPUs, in turn",
};

static struct step step_of(const char *part)
{
    return (struct step){
        .name = FREQUENCY_MEASURE_STEP, .object = "", .part = part, .kind = STEP_TIMED};
}

/* "request for 2250 MHz (0x16)". */
static void name_request(const struct frequency_request *request, char ret_part[FREQ_PART_BYTES])
{
    struct textbuf text;

    textbuf_init(&text, ret_part, FREQ_PART_BYTES, NULL, NULL);
    textbuf_printf(&text, "request for %llu MHz (0x%llx)",
                   (unsigned long long)(request->khz / 1000), (unsigned long long)request->control);
}

void freq_name_row(const struct freq_session *session, uint32_t row, char ret_part[FREQ_PART_BYTES])
{
    static const char none[] = "no request, as the firmware left it";

    for (uint32_t cpu = 0; cpu < session->crew.count; cpu++) {
        if (session->cpus[cpu].is_wanted && row < session->cpus[cpu].count) {
            name_request(&session->cpus[cpu].requests[row], ret_part);
            return;
        }
    }
    memcpy(ret_part, none, sizeof(none));
}

/* Why the part is left out, kept for the report; NULL when it is not. */
static const char *ask(struct freq_session *session, const char *part)
{
    const struct step step = step_of(part);
    const char *why = step_left_out(session->measure->steps, &step);
    char both[2 * FREQ_PART_BYTES + 64];
    struct textbuf text;

    if (why == NULL || session->left_out_count == FREQ_LEFT_OUT_MAX) {
        return why;
    }
    textbuf_init(&text, both, sizeof(both), NULL, NULL);
    textbuf_printf(&text, "%s: %s", part, why);
    why = arena_text(session->platform->arena, both, text.length);
    if (why != NULL) {
        session->left_out[session->left_out_count++] = why;
    }
    return STEP_LEFT_OUT_WHY;
}

void freq_open_steps(struct freq_session *session)
{
    for (unsigned i = 0; i < FREQ_PARTS; i++) {
        session->is_left_out[i] = ask(session, freq_part_names[i]) != NULL;
    }
}

/* A request that one CPU leaves out is asked about once. */
static bool is_known(const struct freq_session *session, const char *part)
{
    size_t length = strlen(part);

    for (uint32_t i = 0; i < session->left_out_count; i++) {
        if (strncmp(session->left_out[i], part, length) == 0 &&
            session->left_out[i][length] == ':') {
            return true;
        }
    }
    return false;
}

uint32_t freq_leave_out(struct freq_session *session, struct frequency_request *requests,
                        uint32_t count)
{
    uint32_t kept = 0;

    for (uint32_t i = 0; i < count; i++) {
        char part[FREQ_PART_BYTES];

        name_request(&requests[i], part);
        if (!is_known(session, part) && ask(session, part) == NULL) {
            requests[kept++] = requests[i];
        }
    }
    return kept;
}

bool freq_may_begin(const struct freq_session *session, const char *part)
{
    for (unsigned i = 0; i < FREQ_PARTS; i++) {
        if (session->is_left_out[i] && strcmp(freq_part_names[i], part) == 0) {
            return false;
        }
    }
    return true;
}

bool freq_is_announced(const struct freq_session *session, const char *part)
{
    return session->measure->steps == NULL || strcmp(session->announced, part) == 0;
}

void freq_announce(struct freq_session *session, const char *part)
{
    const struct step step = step_of(part);
    struct textbuf text;

    if (!freq_is_announced(session, part)) {
        textbuf_init(&text, session->announced, sizeof(session->announced), NULL, NULL);
        textbuf_string(&text, part);
        (void)step_announce(session->measure->steps, &step);
    }
}

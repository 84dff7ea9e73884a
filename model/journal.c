#include "model/journal.h"

#include "model/hash.h"
#include "model/textbuf.h"

#include <string.h>

#define HEAD "assay journal 2 machine "
#define MACHINE_DIGITS 16
#define RUNNING " running since "
#define FINISHED " finished"
#define STEP "step  "
#define ENDED "ended "
#define TIME_CHARS (JOURNAL_TIME_BYTES - 1)

static uint64_t hash_text(uint64_t hash, const char *text)
{
    text = text == NULL ? "" : text;
    /* The end counts as well, so that "ab", "c" is not "a", "bc". */
    return hash_bytes(hash, text, strlen(text) + 1);
}

uint64_t journal_machine(const char *vendor, const char *product, const char *firmware_version)
{
    return hash_text(hash_text(hash_text(HASH_START, vendor), product), firmware_version);
}

/* The record's text without the blanks that fill it; false when it is not one line of printable text. */
static bool read_record(const uint8_t *bytes, uint32_t index, char ret_text[JOURNAL_RECORD_BYTES])
{
    const uint8_t *record = bytes + (size_t)index * JOURNAL_RECORD_BYTES;
    size_t length = JOURNAL_RECORD_BYTES - 1;

    if (record[length] != '\n') {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        if (record[i] < ' ' || record[i] > '~') {
            return false;
        }
    }
    while (length > 0 && record[length - 1] == ' ') {
        length--;
    }
    memcpy(ret_text, record, length);
    ret_text[length] = '\0';
    return true;
}

static bool starts_with(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

static bool read_machine(const char *digits, uint64_t *ret_machine)
{
    uint64_t machine = 0;

    for (size_t i = 0; i < MACHINE_DIGITS; i++) {
        char c = digits[i];

        if (c >= '0' && c <= '9') {
            machine = machine << 4 | (uint64_t)(c - '0');
        } else if (c >= 'a' && c <= 'f') {
            machine = machine << 4 | (uint64_t)(c - 'a' + 10);
        } else {
            return false;
        }
    }
    *ret_machine = machine;
    return true;
}

static bool read_head(const char *text, struct journal *journal)
{
    const char *digits = text + strlen(HEAD);
    const char *state;

    if (!starts_with(text, HEAD) || !read_machine(digits, &journal->machine)) {
        return false;
    }
    state = digits + MACHINE_DIGITS;
    journal->is_running = starts_with(state, RUNNING);
    if (!journal->is_running) {
        /* Of a run without a clock nothing follows, and the blank at the end is not seen. */
        journal->is_running = strlen(state) == strlen(RUNNING) - 1 && starts_with(RUNNING, state);
        return journal->is_running || strcmp(state, FINISHED) == 0;
    }
    state += strlen(RUNNING);
    if (strlen(state) > TIME_CHARS) {
        return false;
    }
    memcpy(journal->started, state, strlen(state) + 1);
    return true;
}

/* A step's text of a record that starts with `mark`; "" of an empty record. */
static bool read_step(const char *text, const char *mark, char ret_step[JOURNAL_STEP_BYTES])
{
    size_t length = strlen(text);

    ret_step[0] = '\0';
    if (length == 0) {
        return true;
    }
    if (!starts_with(text, mark) || length - strlen(mark) >= JOURNAL_STEP_BYTES) {
        return false;
    }
    memcpy(ret_step, text + strlen(mark), length - strlen(mark) + 1);
    return true;
}

/* "ended 2026-12-01 03:00 STEP": the time has its width also where it is not known. */
static bool read_time(char *text, char ret_time[JOURNAL_TIME_BYTES])
{
    size_t mark = strlen(ENDED);
    size_t length = TIME_CHARS;

    ret_time[0] = '\0';
    if (text[0] == '\0') {
        return true;
    }
    if (strlen(text) <= mark + TIME_CHARS || text[mark + TIME_CHARS] != ' ') {
        return false;
    }
    memcpy(ret_time, text + mark, TIME_CHARS);
    while (length > 0 && ret_time[length - 1] == ' ') {
        length--;
    }
    ret_time[length] = '\0';
    memmove(text + mark, text + mark + TIME_CHARS + 1, strlen(text + mark + TIME_CHARS));
    return true;
}

static bool read_ended(const uint8_t *bytes, struct journal *journal)
{
    char text[JOURNAL_RECORD_BYTES];

    for (uint32_t i = 2; i < JOURNAL_RECORDS; i++) {
        char *ended = journal->ended[journal->ended_count];

        if (!read_record(bytes, i, text) ||
            !read_time(text, journal->ended_run[journal->ended_count]) ||
            !read_step(text, ENDED, ended)) {
            return false;
        }
        journal->ended_count += ended[0] != '\0' ? 1U : 0U;
    }
    return true;
}

enum status journal_parse(const uint8_t *bytes, size_t length, struct journal *ret_journal)
{
    char head[JOURNAL_RECORD_BYTES];
    char step[JOURNAL_RECORD_BYTES];

    memset(ret_journal, 0, sizeof(*ret_journal));
    if (length == JOURNAL_BYTES && read_record(bytes, 0, head) && read_record(bytes, 1, step) &&
        read_head(head, ret_journal) && read_step(step, STEP, ret_journal->current) &&
        read_ended(bytes, ret_journal)) {
        return STATUS_OK;
    }
    memset(ret_journal, 0, sizeof(*ret_journal));
    return STATUS_BAD_INPUT;
}

static void write_step(struct textbuf *text, const char *mark, const char *step)
{
    if (step[0] != '\0') {
        textbuf_printf(text, "%s%s", mark, step);
    }
}

void journal_record(const struct journal *journal, uint32_t index,
                    char ret_record[JOURNAL_RECORD_BYTES])
{
    struct textbuf text;

    memset(ret_record, ' ', JOURNAL_RECORD_BYTES);
    textbuf_init(&text, ret_record, JOURNAL_RECORD_BYTES - 1, NULL, NULL);
    if (index == 0) {
        textbuf_printf(&text, HEAD "%016llx%s", (unsigned long long)journal->machine,
                       journal->is_running ? RUNNING : FINISHED);
        textbuf_string(&text, journal->is_running ? journal->started : "");
    } else if (index == 1) {
        write_step(&text, STEP, journal->current);
    } else if (index - 2 < journal->ended_count) {
        textbuf_printf(&text, ENDED "%-*s %s", TIME_CHARS, journal->ended_run[index - 2],
                       journal->ended[index - 2]);
    }
    if (text.length < JOURNAL_RECORD_BYTES) {
        /* The text's end. */
        ret_record[text.length] = ' ';
    }
    ret_record[JOURNAL_RECORD_BYTES - 1] = '\n';
}

/* Where the text stands in `ended`; ended_count: nowhere. */
static uint32_t find_ended(const struct journal *journal, const char *text)
{
    uint32_t i = 0;

    while (i < journal->ended_count && strcmp(journal->ended[i], text) != 0) {
        i++;
    }
    return i;
}

static bool has_ended(const struct journal *journal, const char *text)
{
    return find_ended(journal, text) < journal->ended_count;
}

/* How many parts of the whole ended a run; and the last of them. */
static uint32_t count_parts(const struct journal *journal, const char *whole, uint32_t *ret_last)
{
    size_t length = strlen(whole);
    uint32_t count = 0;

    *ret_last = journal->ended_count;
    for (uint32_t i = 0; i < journal->ended_count; i++) {
        if (strncmp(journal->ended[i], whole, length) == 0 && journal->ended[i][length] == ':') {
            *ret_last = i;
            count++;
        }
    }
    return count;
}

static void set_time(char ret_time[JOURNAL_TIME_BYTES], const char *time)
{
    struct textbuf text;

    memset(ret_time, 0, JOURNAL_TIME_BYTES);
    textbuf_init(&text, ret_time, JOURNAL_TIME_BYTES, NULL, NULL);
    textbuf_string(&text, time);
}

bool journal_begin(struct journal *journal, uint64_t machine, const char *started)
{
    bool is_unfinished = journal->is_running && journal->machine == machine;

    if (!is_unfinished) {
        memset(journal, 0, sizeof(*journal));
    } else if (journal->current[0] != '\0' && journal->ended_count < JOURNAL_ENDED_MAX &&
               !has_ended(journal, journal->current)) {
        memcpy(journal->ended_run[journal->ended_count], journal->started, JOURNAL_TIME_BYTES);
        memcpy(journal->ended[journal->ended_count++], journal->current, JOURNAL_STEP_BYTES);
    }
    set_time(journal->started, started);
    journal->machine = machine;
    journal->is_running = true;
    journal->current[0] = '\0';
    return is_unfinished;
}

void journal_step_text(const struct step *step, char ret_text[JOURNAL_STEP_BYTES])
{
    struct textbuf text;

    textbuf_init(&text, ret_text, JOURNAL_STEP_BYTES, NULL, NULL);
    textbuf_printf(&text, "%s%s%s%s%s", step->name, step->object[0] == '\0' ? "" : " ",
                   step->object, step->part[0] == '\0' ? "" : ": ", step->part);
    for (char *at = ret_text; *at != '\0'; at++) {
        *at = *at < ' ' || *at > '~' ? '?' : *at;
    }
}

uint32_t journal_left_out_by(const struct journal *journal, const struct step *step)
{
    uint32_t parts_max = step->kind == STEP_TIMED ? JOURNAL_TIMED_PARTS_MAX : JOURNAL_PARTS_MAX;
    bool is_whole = step->part[0] == '\0';
    char text[JOURNAL_STEP_BYTES];
    uint32_t last;

    if (step->kind == STEP_NEEDED) {
        return journal->ended_count;
    }
    journal_step_text(step, text);
    if (is_whole && count_parts(journal, text, &last) >= parts_max) {
        return last;
    }
    return is_whole && step->kind == STEP_OF_PARTS ? journal->ended_count
                                                   : find_ended(journal, text);
}

enum step_answer journal_answer(const struct journal *journal, const struct step *step)
{
    char text[JOURNAL_STEP_BYTES];

    if (journal_left_out_by(journal, step) < journal->ended_count) {
        return STEP_LEAVE_OUT;
    }
    journal_step_text(step, text);
    return step->part[0] == '\0' && step->kind == STEP_OF_PARTS && has_ended(journal, text)
               ? STEP_RUN_IN_PARTS
               : STEP_RUN;
}

void journal_of_interrupted(const struct interrupted *interrupted, uint32_t count,
                            struct journal *ret_journal)
{
    memset(ret_journal, 0, sizeof(*ret_journal));
    for (uint32_t i = 0; i < count && i < JOURNAL_ENDED_MAX; i++) {
        struct textbuf text;

        textbuf_init(&text, ret_journal->ended[i], JOURNAL_STEP_BYTES, NULL, NULL);
        textbuf_string(&text, interrupted[i].step);
        ret_journal->ended_count++;
    }
}

enum step_answer journal_replay(void *context, const struct step *step)
{
    return journal_answer(context, step);
}

#include "model/journal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct step whole = {
    .name = "evaluate", .object = "_CST", .part = "", .kind = STEP_OF_PARTS};
static const struct step clocks = {
    .name = "measure clocks", .object = "", .part = "", .kind = STEP_WHOLE};

static const struct step idle = {
    .name = "time idle states", .object = "", .part = "", .kind = STEP_TIMED};

#define NOW "2026-12-01 03:00"

static struct step part_of(const char *path)
{
    struct step step = whole;

    step.part = path;
    return step;
}

static void to_file(const struct journal *journal, uint8_t ret_bytes[JOURNAL_BYTES])
{
    for (uint32_t i = 0; i < JOURNAL_RECORDS; i++) {
        journal_record(journal, i, (char *)ret_bytes + (size_t)i * JOURNAL_RECORD_BYTES);
    }
}

/* A run that dies in `step`: what the next start reads. */
static void die_in(struct journal *journal, const struct step *step)
{
    uint8_t bytes[JOURNAL_BYTES];

    journal_step_text(step, journal->current);
    to_file(journal, bytes);
    assert_int_equal(journal_parse(bytes, sizeof(bytes), journal), STATUS_OK);
}

static void a_hang_is_narrowed_down_and_left_out(void **state)
{
    struct journal journal = {.machine = 0};
    struct step culprit = part_of("\\_SB.C002");
    struct step other = part_of("\\_SB.C001");

    (void)state;
    assert_false(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &whole), STEP_RUN);
    die_in(&journal, &whole);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &whole), STEP_RUN_IN_PARTS);
    assert_int_equal(journal_answer(&journal, &culprit), STEP_RUN);
    die_in(&journal, &culprit);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &whole), STEP_RUN_IN_PARTS);
    assert_int_equal(journal_answer(&journal, &other), STEP_RUN);
    assert_int_equal(journal_answer(&journal, &culprit), STEP_LEAVE_OUT);
    assert_int_equal(journal.ended_count, 2);
    assert_string_equal(journal.ended[1], "evaluate _CST: \\_SB.C002");
}

static void a_step_without_parts_is_left_out_at_once(void **state)
{
    struct journal journal = {.machine = 0};
    const struct step needed = {.name = "judge", .object = "", .part = "", .kind = STEP_NEEDED};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    die_in(&journal, &clocks);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &clocks), STEP_LEAVE_OUT);
    die_in(&journal, &needed);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &needed), STEP_RUN);
}

static void many_hanging_parts_end_the_step(void **state)
{
    struct journal journal = {.machine = 0};
    static const char *const paths[] = {"A", "B", "C"};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    die_in(&journal, &whole);
    for (size_t i = 0; i < JOURNAL_PARTS_MAX; i++) {
        struct step part = part_of(paths[i]);

        (void)journal_begin(&journal, 7, NOW);
        assert_int_equal(journal_answer(&journal, &whole), STEP_RUN_IN_PARTS);
        die_in(&journal, &part);
    }
    (void)journal_begin(&journal, 7, NOW);
    assert_int_equal(journal_answer(&journal, &whole), STEP_LEAVE_OUT);
}

/* The part was announced on its way: one hang is enough, and nothing else is left out. */
static void a_timed_part_is_left_out_at_once(void **state)
{
    struct journal journal = {.machine = 0};
    struct step c2 = idle;
    struct step c1 = idle;

    (void)state;
    c1.part = "CPU 0: C1 by HLT";
    c2.part = "CPU 0: C2 by port 0x414";
    (void)journal_begin(&journal, 7, "2026-11-30 23:59");
    assert_int_equal(journal_answer(&journal, &idle), STEP_RUN);
    die_in(&journal, &c2);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal_answer(&journal, &idle), STEP_RUN);
    assert_int_equal(journal_answer(&journal, &c1), STEP_RUN);
    assert_int_equal(journal_answer(&journal, &c2), STEP_LEAVE_OUT);
    assert_int_equal(journal_left_out_by(&journal, &c1), journal.ended_count);
    assert_int_equal(journal_left_out_by(&journal, &c2), 0);
    assert_string_equal(journal.ended[0], "time idle states: CPU 0: C2 by port 0x414");
    assert_string_equal(journal.ended_run[0], "2026-11-30 23:59");
    /* Each hang is told with its own run. */
    die_in(&journal, &c1);
    (void)journal_begin(&journal, 7, "");
    assert_int_equal(journal_left_out_by(&journal, &c1), 1);
    assert_string_equal(journal.ended_run[0], "2026-11-30 23:59");
    assert_string_equal(journal.ended_run[1], NOW);
    die_in(&journal, &clocks);
    (void)journal_begin(&journal, 7, NOW);
    assert_string_equal(journal.ended_run[2], "");
    assert_string_equal(journal.ended[2], "measure clocks");
}

static void many_hanging_parts_end_a_timed_step(void **state)
{
    struct journal journal = {.machine = 0};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    for (uint32_t i = 0; i < JOURNAL_TIMED_PARTS_MAX; i++) {
        char name[16];
        struct step part = idle;

        assert_int_equal(journal_answer(&journal, &idle), STEP_RUN);
        (void)snprintf(name, sizeof(name), "C%u", i);
        part.part = name;
        die_in(&journal, &part);
        (void)journal_begin(&journal, 7, NOW);
    }
    assert_int_equal(journal_answer(&journal, &idle), STEP_LEAVE_OUT);
    assert_int_equal(journal_left_out_by(&journal, &idle), JOURNAL_TIMED_PARTS_MAX - 1);
}

static void another_machine_and_a_finished_run_start_afresh(void **state)
{
    struct journal journal = {.machine = 0};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    die_in(&journal, &clocks);
    assert_false(journal_begin(&journal, 8, NOW));
    assert_int_equal(journal.ended_count, 0);
    die_in(&journal, &clocks);
    journal.is_running = false;
    assert_false(journal_begin(&journal, 8, NOW));
    assert_int_equal(journal_answer(&journal, &clocks), STEP_RUN);
}

/* A power cut between two steps blames nobody. */
static void nothing_under_way_is_nobodys_fault(void **state)
{
    struct journal journal = {.machine = 0};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    assert_true(journal_begin(&journal, 7, NOW));
    assert_int_equal(journal.ended_count, 0);
}

static void the_list_of_ends_is_bounded(void **state)
{
    struct journal journal = {.machine = 0};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    for (uint32_t i = 0; i < 2 * JOURNAL_ENDED_MAX; i++) {
        char path[16];
        struct step part;

        (void)snprintf(path, sizeof(path), "P%u", i);
        part = part_of(path);
        die_in(&journal, &part);
        assert_true(journal_begin(&journal, 7, NOW));
    }
    assert_int_equal(journal.ended_count, JOURNAL_ENDED_MAX);
}

static void long_and_odd_names_fit(void **state)
{
    char path[400];
    struct journal journal = {.machine = UINT64_MAX};
    struct step part = part_of(path);

    (void)state;
    memset(path, 'x', sizeof(path) - 1);
    path[3] = '\n';
    path[sizeof(path) - 1] = '\0';
    (void)journal_begin(&journal, UINT64_MAX, NOW);
    die_in(&journal, &part);
    assert_true(journal_begin(&journal, UINT64_MAX, NOW));
    assert_int_equal(strlen(journal.ended[0]), JOURNAL_STEP_BYTES - 1);
    assert_int_equal(journal_answer(&journal, &part), STEP_LEAVE_OUT);
}

/* A sector of 512 bytes is old or new: each mixture of two writes is a journal. */
static void torn_writes_are_read(void **state)
{
    struct journal journal = {.machine = 0};
    uint8_t before[JOURNAL_BYTES];
    uint8_t after[JOURNAL_BYTES];

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    to_file(&journal, before);
    die_in(&journal, &whole);
    (void)journal_begin(&journal, 7, NOW);
    to_file(&journal, after);
    for (uint32_t mix = 0; mix < 1U << (JOURNAL_BYTES / 512); mix++) {
        uint8_t torn[JOURNAL_BYTES];

        for (uint32_t sector = 0; sector < JOURNAL_BYTES / 512; sector++) {
            memcpy(torn + sector * 512, ((mix >> sector & 1U) != 0 ? after : before) + sector * 512,
                   512);
        }
        assert_int_equal(journal_parse(torn, sizeof(torn), &journal), STATUS_OK);
    }
}

static void damage_is_no_journal(void **state)
{
    struct journal journal = {.machine = 0};
    uint8_t bytes[JOURNAL_BYTES];
    static const size_t places[] = {0,
                                    25,
                                    42,
                                    JOURNAL_RECORD_BYTES - 1,
                                    JOURNAL_RECORD_BYTES,
                                    2 * JOURNAL_RECORD_BYTES,
                                    JOURNAL_BYTES - 1};

    (void)state;
    (void)journal_begin(&journal, 7, NOW);
    die_in(&journal, &whole);
    (void)journal_begin(&journal, 7, NOW);
    for (size_t i = 0; i < sizeof(places) / sizeof(places[0]); i++) {
        struct journal read;

        to_file(&journal, bytes);
        bytes[places[i]] = 0x7F;
        assert_int_equal(journal_parse(bytes, sizeof(bytes), &read), STATUS_BAD_INPUT);
        assert_int_equal(read.ended_count, 0);
        assert_false(read.is_running);
    }
    to_file(&journal, bytes);
    assert_int_equal(journal_parse(bytes, sizeof(bytes) - 1, &journal), STATUS_BAD_INPUT);
    assert_int_equal(journal_parse(bytes, 0, &journal), STATUS_BAD_INPUT);
}

static void a_replay_answers_as_the_run_did(void **state)
{
    const struct interrupted ended[] = {{.step = "evaluate _CST"},
                                        {.step = "evaluate _CST: \\_SB.C002", .was_left_out = true},
                                        {.step = "measure clocks", .was_left_out = true}};
    struct journal journal;
    struct step culprit = part_of("\\_SB.C002");

    (void)state;
    journal_of_interrupted(ended, 3, &journal);
    assert_int_equal(journal_replay(&journal, &whole), STEP_RUN_IN_PARTS);
    assert_int_equal(journal_replay(&journal, &culprit), STEP_LEAVE_OUT);
    assert_int_equal(journal_replay(&journal, &clocks), STEP_LEAVE_OUT);
}

static void machines_are_told_apart(void **state)
{
    (void)state;
    assert_true(journal_machine(NULL, NULL, NULL) == journal_machine("", "", ""));
    assert_true(journal_machine("ab", "c", "") != journal_machine("a", "bc", ""));
    assert_true(journal_machine("V", "P", "1") != journal_machine("V", "P", "2"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hang_is_narrowed_down_and_left_out),
        cmocka_unit_test(a_step_without_parts_is_left_out_at_once),
        cmocka_unit_test(many_hanging_parts_end_the_step),
        cmocka_unit_test(another_machine_and_a_finished_run_start_afresh),
        cmocka_unit_test(nothing_under_way_is_nobodys_fault),
        cmocka_unit_test(the_list_of_ends_is_bounded),
        cmocka_unit_test(long_and_odd_names_fit),
        cmocka_unit_test(torn_writes_are_read),
        cmocka_unit_test(damage_is_no_journal),
        cmocka_unit_test(a_timed_part_is_left_out_at_once),
        cmocka_unit_test(many_hanging_parts_end_a_timed_step),
        cmocka_unit_test(a_replay_answers_as_the_run_did),
        cmocka_unit_test(machines_are_told_apart),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

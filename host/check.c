#include "host/check.h"

#include "acpi/engine.h"
#include "build/version.h"
#include "drivers/hw_replay.h"
#include "host/check_words.h"
#include "host/crash_guard.h"
#include "host/file.h"
#include "host/fleet.h"
#include "host/machine.h"
#include "host/memory.h"
#include "host/output.h"
#include "model/journal.h"
#include "rules/expect.h"
#include "run/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* interfaces.md, exit status. */
#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3

/* Far more than all rules give on one machine; more CPUs fold into the same findings. */
#define FINDINGS_CAPACITY 4096

/* Everything of one run; large, so it lives in the arena. */
struct run {
    struct arena *arena;
    struct check_words words;
    struct machine machine;
    struct hw_replay replay;
    struct journal journal; /* of a replay: what the run left out is left out again */
    struct platform platform;
    struct findings findings;
    struct build_info build;
};

static int say(int status, const char *message)
{
    (void)fprintf(stderr, "assay: %s\n", message);
    return status;
}

static uint64_t now_100ns(void *context)
{
    struct timespec now;

    (void)context;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 10000000 + (uint64_t)now.tv_nsec / 100;
}

/* The folder is the record of a run: its program, its options, and how the CPUs answered. */
static bool take_record(struct run *run)
{
    const struct run_record *record = run->machine.record;
    uint32_t count = record->platform.cpus_count;
    enum cpu_answer *answers = arena_array(run->arena, count, sizeof(*answers));

    for (uint32_t i = 0; answers != NULL && i < count; i++) {
        answers[i] = record->platform.cpus[i].answer;
    }
    run->replay.answers = answers;
    run->replay.answers_count = count;
    run->replay.is_record = true;
    run->build = record->build;
    if (check_words_over(&run->words, record->words_count, record->words, &run->words.options) !=
        0) {
        machine_note(&run->machine, "run.json names options that are not known here; left out");
    }
    return answers != NULL;
}

/* Reads of the run that nothing answered are answered the same way. */
static bool is_record_of_live(const struct run_record *record)
{
    return record != NULL && record->is_trace_whole && !record->platform.is_tables_from_medium;
}

static enum status start_replay(struct run *run)
{
    const struct machine *machine = &run->machine;

    run->replay.regions = machine->regions;
    run->replay.regions_count = machine->regions_count;
    run->replay.msrs = machine->msrs;
    run->replay.msrs_count = machine->msrs_count;
    run->replay.kinds = machine->kinds;
    run->replay.kinds_count = machine->kinds_count;
    run->replay.trace = machine->trace;
    run->replay.trace_count = machine->trace_count;
    if (machine->record != NULL && !take_record(run)) {
        return STATUS_NO_MEMORY;
    }
    return hw_replay_start(&run->replay, run->arena);
}

static enum status collect(struct run *run)
{
    const struct run_record *record = run->machine.record;
    struct pipeline pipeline = {.hw = &run->replay.hw,
                                .options = &run->words.options,
                                .arena = run->arena,
                                .source = run->machine.source,
                                .source_name = run->machine.name,
                                .samples = run->machine.samples,
                                .recorded = record == NULL ? NULL : &record->platform,
                                .engine = {.protect = crash_guard_run,
                                           .blobs_count = run->machine.blobs_count,
                                           .blobs = run->machine.blobs,
                                           .is_record_of_live = is_record_of_live(record),
                                           .may_write = hw_replay_may_write,
                                           .may_write_context = &run->replay,
                                           .now_100ns = now_100ns}};

    if (record != NULL) {
        journal_of_interrupted(record->platform.interrupted, record->platform.interrupted_count,
                               &run->journal);
        pipeline.steps =
            (struct step_listener){.announce = journal_replay, .context = &run->journal};
    }
    platform_init(&run->platform, run->arena, &run->words.options);
    run->platform.has_smbios = run->machine.has_smbios;
    run->platform.smbios_max_mhz = run->machine.smbios_max_mhz;
    return pipeline_collect(&pipeline, &run->platform);
}

static enum status judge(struct run *run)
{
    enum status status =
        findings_init(&run->findings, run->arena, FINDINGS_CAPACITY, run->platform.cpus_count);

    return status == STATUS_OK ? pipeline_judge(&run->platform, &run->findings) : status;
}

static uint32_t today_yyyymmdd(void)
{
    time_t now = time(NULL);
    struct tm day;

    if (now == (time_t)-1 || gmtime_r(&now, &day) == NULL) {
        return 0;
    }
    return (uint32_t)(day.tm_year + 1900) * 10000 + (uint32_t)(day.tm_mon + 1) * 100 +
           (uint32_t)day.tm_mday;
}

/* What the recorded run expected, by its day: unless other expectations are given. */
static int expect_as_recorded(struct run *run)
{
    const struct run_record *record = run->machine.record;
    struct expect_error error = {0};

    if (record == NULL || record->platform.expectation == NULL) {
        return EXIT_SUCCESS;
    }
    if (expect_judge(record->platform.expectation, record->platform.expectation_bytes,
                     &run->platform, record->platform.expectation_yyyymmdd, &run->findings,
                     &error) != STATUS_OK) {
        (void)fprintf(stderr, "assay: expectations in run.json, line %u: %s\n", error.line,
                      error.text);
        return EXIT_WRONG_USE;
    }
    return EXIT_SUCCESS;
}

/* Judges the expectation file, if one was given; a status other than success ends the program with it. */
static int expect(struct run *run)
{
    const char *path = run->words.expect;
    struct expect_error error = {0};
    struct file_bytes file;
    enum status status;

    if (path == NULL) {
        return expect_as_recorded(run);
    }
    status = file_read(path, run->arena, &file);
    if (status != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s %s\n", path, file_problem(status));
        return EXIT_WRONG_USE;
    }
    status = expect_judge((const char *)file.bytes, file.length, &run->platform, today_yyyymmdd(),
                          &run->findings, &error);
    if (status != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s:%u: %s\n", path, error.line, error.text);
        return EXIT_WRONG_USE;
    }
    return EXIT_SUCCESS;
}

static enum status write_reports(const struct run *run)
{
    static const report_writer writers[CHECK_FORMATS] = {
        [CHECK_JSON] = report_json,   [CHECK_TEXT] = report_text, [CHECK_HTML] = report_html,
        [CHECK_JUNIT] = report_junit, [CHECK_TAP] = report_tap,   [CHECK_CSV] = report_csv};
    const struct report report = {
        .build = &run->build, .platform = &run->platform, .findings = &run->findings};
    bool is_any = false;

    for (unsigned i = 0; i < CHECK_FORMATS; i++) {
        const char *path = run->words.outputs[i];

        if (path == NULL) {
            continue;
        }
        is_any = true;
        if (output_report(path, writers[i], &report) != STATUS_OK) {
            return STATUS_IO;
        }
    }
    if (is_any || run->words.is_quiet) {
        return STATUS_OK;
    }
    return output_report("-", report_text, &report);
}

static void say_notes(const struct run *run)
{
    const struct machine *machine = &run->machine;

    if (run->words.is_quiet) {
        return;
    }
    for (uint32_t i = 0; i < machine->notes_count && i < MACHINE_NOTES; i++) {
        (void)fprintf(stderr, "assay: note: %s\n", machine->notes[i]);
    }
    if (machine->notes_count > MACHINE_NOTES) {
        (void)fprintf(stderr, "assay: note: and %u more\n", machine->notes_count - MACHINE_NOTES);
    }
}

static const char *why_not(const struct run *run, enum status status)
{
    if (status == STATUS_NO_MEMORY) {
        return "out of memory";
    }
    if (run->platform.acpi_error != NULL) {
        return run->platform.acpi_error;
    }
    return status == STATUS_NOT_FOUND ? "there are no ACPI tables to judge"
                                      : "the tables could not be loaded";
}

/* The machine is loaded: collect and judge; the reports are written whatever came out. */
static int check_machine(struct run *run)
{
    enum status collected = start_replay(run);
    enum status judged;
    int expected;

    if (collected != STATUS_OK) {
        return say(EXIT_NOT_DONE, "out of memory");
    }
    collected = collect(run);
    judged = judge(run);
    if (judged == STATUS_NO_MEMORY) {
        return say(EXIT_NOT_DONE, "out of memory");
    }
    expected = expect(run);
    if (expected != EXIT_SUCCESS) {
        return expected;
    }
    if (write_reports(run) != STATUS_OK) {
        return EXIT_NOT_DONE;
    }
    if (collected != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s: %s\n", run->machine.name, why_not(run, collected));
        return EXIT_NOT_DONE;
    }
    if (run->arena->failures > 0) {
        return say(EXIT_NOT_DONE, "out of memory: the report lacks what did not fit");
    }
    return pipeline_exit_status(&run->findings);
}

/* Several folders or reports are several machines; several files are the tables of one. */
static bool is_fleet(const struct check_words *words)
{
    bool has_whole = false;

    for (uint32_t i = 0; i < words->paths_count; i++) {
        const char *dot = strrchr(words->paths[i], '.');

        has_whole = has_whole || machine_is_folder(words->paths[i]) ||
                    (dot != NULL && strcmp(dot, ".json") == 0);
    }
    return words->paths_count > 1 && has_whole;
}

static int check_fleet(const struct check_words *words)
{
    for (unsigned i = 0; i < CHECK_FORMATS; i++) {
        if (words->outputs[i] != NULL) {
            return say(EXIT_WRONG_USE,
                       "several machines make one table; for files of each, check them one by one, "
                       "or see assay fleet");
        }
    }
    return fleet_show(words->paths, words->paths_count, NULL);
}

int check_command(int count, char **words)
{
    static struct arena arena;
    char message[512];
    struct run *run;
    const char **paths;
    enum status status;

    memory_init(&arena);
    run = arena_take(&arena, sizeof(*run));
    paths = arena_array(&arena, (size_t)count + 1, sizeof(*paths));
    if (run == NULL || paths == NULL) {
        return say(EXIT_NOT_DONE, "out of memory");
    }
    run->arena = &arena;
    run->build = (struct build_info){
        .version = ASSAY_VERSION, .build = ASSAY_BUILD, .acpica = engine_acpica_version()};
    if (check_words_take(count, words, paths, &run->words, message, sizeof(message)) != STATUS_OK) {
        return say(EXIT_WRONG_USE, message);
    }
    if (run->words.wants_help) {
        (void)fputs(check_words_help(), stdout);
        return EXIT_SUCCESS;
    }
    if (is_fleet(&run->words)) {
        return check_fleet(&run->words);
    }
    status = machine_load(run->words.paths, run->words.paths_count, &arena, &run->machine, message,
                          sizeof(message));
    say_notes(run);
    if (status != STATUS_OK) {
        return say(status == STATUS_BAD_INPUT ? EXIT_WRONG_USE : EXIT_NOT_DONE, message);
    }
    return check_machine(run);
}

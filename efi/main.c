#include "build/version.h"
#include "drivers/x86/msr.h"
#include "efi/browse.h"
#include "efi/console.h"
#include "efi/crash_guard.h"
#include "efi/expectation.h"
#include "efi/files.h"
#include "efi/firmware.h"
#include "efi/journal.h"
#include "efi/leave.h"
#include "efi/machine.h"
#include "efi/magnifier.h"
#include "efi/progress.h"
#include "efi/settings.h"
#include "efi/start_menu.h"
#include "efi/terminal.h"
#include "efi/trace.h"
#include "efi/write.h"
#include "run/pipeline.h"

#include <string.h>

/* Put aside for judging and writing: for the writer of results, and for each finding with its text and CPUs. */
#define FINDINGS_MAX 4096U
#define FINDINGS_MIN 256U
#define RESULTS_BYTES ((size_t)128 * 1024)
#define FINDING_BYTES ((size_t)640)

#define SUMMARY_BUFFER_BYTES ((size_t)4096)

/* interfaces.md, "Exit status". */
#define STATUS_WRONG_USE 2
#define STATUS_JOB_NOT_DONE 3

struct application {
    struct options options;
    struct platform platform;
    struct findings findings;
    uint32_t findings_max;
    struct machine *machine;
    struct progress progress;
    struct results *results;
    struct trace *trace; /* NULL: nothing is recorded */
    struct trace_policy policy;
    uint32_t blobs_count;
    const struct table_blob *blobs;
    struct expectation expectation;
    bool is_attended; /* a person may watch: menus before and after the run */
};

static struct arena arena;

/* What judging and writing take lies apart and is there before anything is collected: where memory runs out, what was
 * collected until then is still reported. */
static struct arena reserve;

static const struct build_info build = {
    .version = ASSAY_VERSION, .build = ASSAY_BUILD, .acpica = ASSAY_ACPICA};

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

/* The firmware resets the machine five minutes after it started an application, unless told not to:
 * UEFI 2.10, 7.5 SetWatchdogTimer. */
static void stop_watchdog(void)
{
    EFI_STATUS status = firmware_services()->SetWatchdogTimer(0, 0, 0, NULL);

    if (status != EFI_SUCCESS && status != EFI_UNSUPPORTED) {
        console_printf("the firmware's watchdog cannot be stopped: it may end a long run\n");
    }
}

static void print_version(void)
{
    console_printf("build %s, ACPICA %s\n", build.build, build.acpica);
    console_printf(
        "Assay is under the BSD-2-Clause licence. This image contains ACPICA (BSD-3-Clause\n"
        "or GPL-2.0, Intel Corp.) and gnu-efi (BSD, Intel Corp. and others).\n");
}

/* --help, --version and wrong words end the run before it starts: true with the exit status. */
static bool ends_early(struct application *app, enum status status, const char *message,
                       int *ret_exit)
{
    *ret_exit = 0;
    if (app->options.wants_help) {
        console_text(options_help(), strlen(options_help()));
    } else if (app->options.wants_version) {
        print_version();
    } else if (status != STATUS_OK) {
        console_printf("assay: %s\n", message);
        *ret_exit = STATUS_WRONG_USE;
    } else {
        return false;
    }
    return true;
}

/* A machine folder may also hold memory contents, for AML that loads tables from there. Here addresses lead to this
 * machine's own memory, so they are not used: what such AML would load is missing. */
static void mention_memory_images(const char *tables)
{
    static const char *const beside[] = {"memory.json", "..\\memory.json"};
    char path[OPTIONS_TEXT_MAX + 32];
    struct textbuf text;

    for (size_t i = 0; i < sizeof(beside) / sizeof(beside[0]); i++) {
        textbuf_init(&text, path, sizeof(path), NULL, NULL);
        textbuf_printf(&text, "%s\\%s", tables, beside[i]);
        if (files_exists(path)) {
            console_printf("memory.json is not used here: the host program takes it\n");
            return;
        }
    }
}

/* Tables from the medium instead of the firmware's; true when there is nothing wrong with them. */
static bool take_tables(struct application *app)
{
    enum status status;

    if (app->options.tables[0] == '\0') {
        return true;
    }
    status = files_read_tables(app->options.tables, &arena, &app->blobs_count, &app->blobs);
    if (status != STATUS_OK) {
        console_printf("assay: --tables=%s: %s\n", app->options.tables,
                       status == STATUS_NOT_FOUND ? "no .aml files there" : "cannot be read");
        return false;
    }
    app->platform.is_tables_from_medium = true;
    mention_memory_images(app->options.tables);
    return true;
}

/* What AML does is recorded for the snapshot only. */
static const struct hw *start_trace(struct application *app)
{
    const struct hw *hw = &app->machine->native.hw;

    if ((app->options.formats & (uint32_t)FORMAT_SNAPSHOT) != 0) {
        app->trace = arena_take(&arena, sizeof(*app->trace));
    }
    if (app->trace == NULL) {
        return hw;
    }
    trace_start(app->trace, hw, &arena);
    return &app->trace->record.hw;
}

static struct pipeline pipeline_of(struct application *app)
{
    struct machine *machine = app->machine;
    struct pipeline pipeline = {.hw = &machine->native.hw,
                                .timing = &machine->timing.timing,
                                .crew = &machine->crew.crew,
                                .note = progress_note,
                                .options = &app->options,
                                .arena = &arena,
                                .source = SOURCE_FIRMWARE,
                                .source_name = "",
                                .note_context = &app->progress,
                                .steps = {.announce = progress_step,
                                          .left_out = progress_left_out,
                                          .context = &app->progress}};

    pipeline.engine = (struct engine_config){.hw = start_trace(app),
                                             .rsdp_paddr = machine->early.rsdp_paddr,
                                             .map = memory_map_pointer,
                                             .map_context = &machine->map,
                                             .blobs_count = app->blobs_count,
                                             .blobs = app->blobs,
                                             .now_100ns = machine_now_100ns,
                                             .now_context = machine,
                                             .protect = crash_guard_run,
                                             .protect_context = &machine->fault,
                                             .may_write = trace_may_write,
                                             .may_write_context = &app->policy};
    app->policy = (struct trace_policy){.trace = app->trace,
                                        .may_write = app->options.is_read_only
                                                         ? memory_map_may_write_read_only
                                                         : memory_map_may_write,
                                        .context = &machine->map};
    return pipeline;
}

static bool put_aside(struct application *app)
{
    arena_init(&reserve, firmware_pages, NULL);
    for (app->findings_max = FINDINGS_MAX; app->findings_max >= FINDINGS_MIN;
         app->findings_max /= 2) {
        if (arena_reserve(&reserve, RESULTS_BYTES + (size_t)app->findings_max * FINDING_BYTES)) {
            return true;
        }
    }
    return false;
}

/* The last steps, which every run needs. */
static void say_step(struct application *app, const char *name)
{
    const struct step step = {.name = name, .object = "", .part = "", .kind = STEP_NEEDED};

    (void)progress_step(&app->progress, &step);
}

static enum status collect(struct application *app)
{
    struct pipeline pipeline = pipeline_of(app);
    enum status status;

    /* Judging and writing are steps as well. */
    app->progress.platform = &app->platform;
    app->progress.is_attended = app->is_attended;
    app->progress.total = pipeline_step_count(&pipeline) + 2;
    machine_identify(app->machine, &app->platform);
    journal_open(&app->platform);
    machine_attach(app->machine);
    app->platform.is_fault_handler_proved = app->machine->is_attached;
    status = pipeline_collect(&pipeline, &app->platform);
    machine_detach(app->machine, &app->platform);
    mp_describe(&app->machine->mp, &app->platform);
    return status;
}

static void print_report(void (*writer)(const struct report *report, struct textbuf *out),
                         const struct report *report)
{
    static char buffer[256];
    struct textbuf text;

    textbuf_init(&text, buffer, sizeof(buffer), console_flush, NULL);
    writer(report, &text);
    (void)textbuf_finish(&text);
}

static enum status write_all(struct application *app, const struct report *report)
{
    enum status status;

    say_step(app, "write the reports");
    status = results_open(&reserve, app->options.out, app->platform.product, &app->results);
    if (status == STATUS_NO_MEMORY) {
        return status;
    }
    return write_reports(app->results, report, app->trace, app->options.formats);
}

/* Judges by the rules and by the expectation file, if one was given; gives the exit status so far. */
static int judge(struct application *app, enum status collected)
{
    enum status status =
        findings_init(&app->findings, &reserve, app->findings_max, app->platform.cpus_count);

    progress_left(&app->progress, 2);
    say_step(app, "judge");
    if (status == STATUS_OK) {
        status = pipeline_judge(&app->platform, &app->findings);
    }
    if (status != STATUS_NO_MEMORY &&
        !expectation_judge(&app->expectation, &app->platform, &app->findings)) {
        return STATUS_WRONG_USE;
    }
    app->platform.expectation = (const char *)app->expectation.bytes;
    app->platform.expectation_bytes = app->expectation.length;
    app->platform.expectation_yyyymmdd = app->expectation.today_yyyymmdd;
    if (collected != STATUS_OK && app->platform.acpi_error != NULL) {
        console_printf("assay: %s\n", app->platform.acpi_error);
    }
    if (collected == STATUS_NOT_FOUND || collected == STATUS_NO_MEMORY ||
        status == STATUS_NO_MEMORY) {
        return STATUS_JOB_NOT_DONE;
    }
    return pipeline_exit_status(&app->findings);
}

/* Judges, writes, prints, and lets a person read; gives the exit status. */
static int conclude(struct application *app, enum status collected)
{
    const struct report report = {
        .build = &build, .platform = &app->platform, .findings = &app->findings};
    int exit_status = judge(app, collected);

    if (write_all(app, &report) != STATUS_OK) {
        console_printf("assay: the reports could not be written\n");
        exit_status = STATUS_JOB_NOT_DONE;
    } else {
        console_printf("results: %s\n", results_place(app->results));
    }
    if (app->results != NULL) {
        results_close(app->results);
    }
    journal_finish();
    if (arena.failures + reserve.failures > 0) {
        console_printf("assay: memory ran out: the report lacks what did not fit\n");
        exit_status = STATUS_JOB_NOT_DONE;
    }
    if (exit_status >= STATUS_WRONG_USE) {
        console_printf("assay: status %d\n", exit_status);
    }
    /* Its last line is the final line of interfaces.md. */
    print_report(report_summary, &report);
    if (app->is_attended && app->results != NULL && terminal_open()) {
        app->options.exit_way = browse(&report, results_place(app->results), &arena);
        terminal_close();
    }
    return exit_status;
}

/* The files that the words name are there before the run starts. */
static bool take_files(struct application *app)
{
    return take_tables(app) && expectation_read(&app->options, &arena, &app->expectation);
}

/* Somebody may be there: nothing was asked for, and nobody forbade questions. */
static bool is_attended(const struct application *app, const char *line)
{
    return line[0] == '\0' && !app->options.is_batch && !app->options.has_exit_way &&
           !app->options.wants_help && !app->options.wants_version;
}

/* Before there is anything to report: the options may not have been read. */
static EFI_STATUS no_memory(const struct options *options)
{
    const struct native_services none = {0};
    struct native native;

    console_printf("assay: not enough memory to start\nassay: status %d\n", STATUS_JOB_NOT_DONE);
    if (options != NULL) {
        native_init(&native, &none, options->is_read_only);
        leave_machine(&native.hw, options->exit_way, STATUS_JOB_NOT_DONE);
    }
    firmware_free_pages();
    return EFI_OUT_OF_RESOURCES;
}

/* As the options ask; a return gives everything back. A program that may not return, because a CPU is still somewhere
 * in it, resets the machine. */
static EFI_STATUS end(struct machine *machine, enum exit_way way, int exit_status)
{
    leave_machine(&machine->native.hw, way, exit_status);
    if (mp_may_return(&machine->mp)) {
        firmware_free_pages();
    } else {
        leave_machine(&machine->native.hw, EXIT_RESET, exit_status);
    }
    return exit_status == 0 ? EFI_SUCCESS : EFI_ABORTED;
}

/* A run, or what ends it before it starts; gives the exit status. */
static int work(struct application *app, enum status status, const char *message)
{
    int exit_status;

    if (ends_early(app, status, message, &exit_status)) {
        return exit_status;
    }
    return take_files(app) ? conclude(app, collect(app)) : STATUS_WRONG_USE;
}

static EFI_STATUS run(const char *line, struct application *app)
{
    char message[SETTINGS_MESSAGE_BYTES] = "";
    enum status status = settings_read(line, &arena, &app->options, message, sizeof(message));
    bool is_wanted = true;
    struct gas spcr;
    int exit_status = 0;

    console_set_batch(app->options.is_batch);
    if (app->options.letters != 0) {
        magnifier_want(app->options.letters);
        console_enlarge();
    }
    app->is_attended = status == STATUS_OK && is_attended(app, line);
    if (app->is_attended) {
        is_wanted = start_menu(&app->options, &arena, &app->options.exit_way);
    }
    platform_init(&app->platform, &arena, &app->options);
    msr_allow_one_way(app->options.allow_cppc_enable, app->options.allow_hwp_enable);
    if (put_aside(app)) {
        app->machine = machine_open(&app->platform, app->options.is_read_only);
    }
    if (app->machine == NULL) {
        return no_memory(&app->options);
    }
    console_open_serial(&app->machine->native.hw,
                        early_tables_serial(&app->machine->early, &spcr) ? &spcr : NULL);
    if (is_wanted) {
        exit_status = work(app, status, message);
    }
    return end(app->machine, app->options.exit_way, exit_status);
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static char line[SETTINGS_LINE_BYTES];
    struct application *app;

    firmware_open(image, system);
    arena_init(&arena, firmware_pages, NULL);
    settings_command_line(line);
    /* The Shell gives a command line, the boot manager none. */
    console_open(settings_is_batch(line), line[0] == '\0');
    console_printf("Assay %s: what firmware claims about CPU power, and what is true\n",
                   build.version);
    stop_watchdog();
    app = arena_take(&arena, sizeof(*app));
    return app == NULL ? no_memory(NULL) : run(line, app);
}

#include "efi/journal.h"

#include "efi/console.h"
#include "efi/firmware.h"
#include "efi/volume.h"
#include "model/result_name.h"
#include "model/textbuf.h"

#include <string.h>

#define FOLDER "assay"
#define NAME "journal.txt"

/* architecture.md, section 11: a full run writes no more often. The parts of a step that hung before do not count, nor do
 * those of timed steps, which are few: ways of going idle, rows of _PSS. */
#define WRITES_MAX 200U

#define REASON_BYTES 128U

/* There is one run at a time. */
static struct open_journal {
    EFI_FILE *file; /* NULL: no journal */
    uint32_t writes;
    struct platform *platform;
    struct journal journal;
    const char *why
        [JOURNAL_ENDED_MAX]; /* a step is left out, by what ended an earlier run; NULL: not yet asked */
} open;

static bool write_at(uint64_t offset_bytes, const char *bytes, size_t length)
{
    UINTN written = length;
    EFI_STATUS status = open.file->SetPosition(open.file, offset_bytes);

    if (status == EFI_SUCCESS) {
        /* UEFI's prototype lacks the const; Write only reads. */
        status = open.file->Write(open.file, &written, (void *)(uintptr_t)bytes);
    }
    if (status == EFI_SUCCESS) {
        status = open.file->Flush(open.file);
    }
    volume_note(status);
    return status == EFI_SUCCESS && written == length;
}

/* A medium that no longer takes the journal: said once, and the run goes on without. Where it is gone its file is not even
 * closed: that would write what is still to be written, and wait for it. */
static void give_up(void)
{
    console_printf("journal: %s; a hang from here on could not be told later\n", volume_why());
    volume_doubt_boot();
    if (volume_is_boot_lost()) {
        open.file = NULL;
    }
    volume_close(&open.file);
}

static void write_all(void)
{
    static char bytes[JOURNAL_BYTES];

    for (uint32_t i = 0; i < JOURNAL_RECORDS; i++) {
        journal_record(&open.journal, i, bytes + (size_t)i * JOURNAL_RECORD_BYTES);
    }
    if (open.file != NULL && !write_at(0, bytes, sizeof(bytes))) {
        give_up();
    }
}

static void write_record(uint32_t index)
{
    char record[JOURNAL_RECORD_BYTES];

    journal_record(&open.journal, index, record);
    if (!write_at((uint64_t)index * JOURNAL_RECORD_BYTES, record, sizeof(record))) {
        give_up();
    }
}

static void read_old(void)
{
    static uint8_t bytes[JOURNAL_BYTES + 1];
    UINTN length = sizeof(bytes);

    if (open.file->SetPosition(open.file, 0) != EFI_SUCCESS ||
        open.file->Read(open.file, &length, bytes) != EFI_SUCCESS) {
        length = 0;
    }
    if (journal_parse(bytes, length, &open.journal) != STATUS_OK && length > 0) {
        console_printf(
            "\\assay\\journal.txt is damaged or of another version; it is started afresh\n");
    }
}

static EFI_FILE *open_file(void)
{
    const uint64_t mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE folder = root == NULL ? NULL : volume_make_folders(root, FOLDER);

    return folder == NULL ? NULL : volume_open(folder, NAME, mode, 0);
}

/* "2026-12-01 03:00 UTC"; NULL when the clock is not known or there is no memory. */
static const char *name_run(uint32_t index)
{
    char name[JOURNAL_TIME_BYTES + 8];
    struct textbuf text;

    if (open.journal.ended_run[index][0] == '\0') {
        return NULL;
    }
    textbuf_init(&text, name, sizeof(name), NULL, NULL);
    textbuf_printf(&text, "%s UTC", open.journal.ended_run[index]);
    return arena_text(open.platform->arena, name, text.length);
}

static void publish(void)
{
    struct platform *platform = open.platform;

    platform->interrupted =
        arena_array(platform->arena, open.journal.ended_count, sizeof(*platform->interrupted));
    if (platform->interrupted == NULL) {
        return;
    }
    platform->interrupted_count = open.journal.ended_count;
    for (uint32_t i = 0; i < open.journal.ended_count; i++) {
        platform->interrupted[i].step = open.journal.ended[i];
        platform->interrupted[i].run_of = name_run(i);
    }
}

/* "2026-12-01 03:00", or "" where the firmware has no clock. */
static void write_now(char ret_now[JOURNAL_TIME_BYTES])
{
    struct wall_time now = firmware_utc();
    struct textbuf text;

    textbuf_init(&text, ret_now, JOURNAL_TIME_BYTES, NULL, NULL);
    if (now.year > 1970 && now.year <= 9999) {
        textbuf_printf(&text, "%04u-%02u-%02u %02u:%02u", now.year, now.month, now.day, now.hour,
                       now.minute);
    }
}

void journal_open(struct platform *platform)
{
    char now[JOURNAL_TIME_BYTES];

    open.platform = platform;
    open.file = open_file();
    if (open.file == NULL) {
        console_printf("no journal: %s\n",
                       volume_boot() == NULL ? "there is no boot volume" : volume_why());
        if (volume_has_lost_medium()) {
            volume_doubt_boot();
        }
        return;
    }
    if (volume_is_folder(open.file)) {
        console_printf("no journal: \\assay\\journal.txt is a folder; remove it from the medium\n");
        volume_close(&open.file);
        return;
    }
    read_old();
    write_now(now);
    if (journal_begin(
            &open.journal,
            journal_machine(platform->vendor, platform->product, platform->firmware_version),
            now) &&
        open.journal.ended_count > 0) {
        console_printf("the last run did not come to its end: it stopped in \"%s\"\n",
                       open.journal.ended[open.journal.ended_count - 1]);
        publish();
    }
    write_all();
}

/* Said once, and marked in the report. */
static void mark_left_out(const char *text)
{
    struct platform *platform = open.platform;
    bool is_said = false;

    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        if (strcmp(platform->interrupted[i].step, text) == 0) {
            is_said = platform->interrupted[i].was_left_out;
            platform->interrupted[i].was_left_out = true;
        }
    }
    if (!is_said) {
        console_printf("        left out: %s\n", text);
    }
}

const char *journal_left_out(const struct step *step)
{
    uint32_t index = open.file == NULL || open.journal.ended_count == 0
                         ? open.journal.ended_count
                         : journal_left_out_by(&open.journal, step);
    char reason[REASON_BYTES];
    struct textbuf text;

    if (open.file == NULL || index == open.journal.ended_count) {
        return NULL;
    }
    mark_left_out(open.journal.ended[index]);
    if (open.why[index] == NULL) {
        const char *run = name_run(index);

        textbuf_init(&text, reason, sizeof(reason), NULL, NULL);
        textbuf_printf(&text, "left out: it hung or was cut off in %s%s",
                       run == NULL ? "an earlier run" : "the run of ", run == NULL ? "" : run);
        open.why[index] = arena_text(open.platform->arena, reason, text.length);
    }
    return open.why[index] == NULL ? STEP_LEFT_OUT_WHY : open.why[index];
}

enum step_answer journal_step(const struct step *step)
{
    char *current = open.journal.current;
    enum step_answer answer;

    journal_step_text(step, current);
    if (open.file == NULL) {
        return STEP_RUN;
    }
    answer = journal_answer(&open.journal, step);
    if (answer == STEP_LEAVE_OUT) {
        mark_left_out(current);
        current[0] = '\0';
        return answer;
    }
    if (answer == STEP_RUN_IN_PARTS) {
        console_printf("        part by part: an earlier run ended here\n");
    }
    if (step->part[0] != '\0' || open.writes < WRITES_MAX) {
        open.writes += step->part[0] != '\0' ? 0U : 1U;
        write_record(1);
    }
    return answer;
}

const char *journal_current(void)
{
    return open.journal.current;
}

bool journal_is_kept(void)
{
    return open.file != NULL;
}

void journal_finish(void)
{
    if (open.file == NULL) {
        return;
    }
    open.journal.is_running = false;
    open.journal.started[0] = '\0';
    open.journal.current[0] = '\0';
    open.journal.ended_count = 0;
    write_all();
    volume_close(&open.file);
}

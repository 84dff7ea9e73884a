#include "efi/journal.h"

#include "efi/console.h"
#include "efi/firmware.h"
#include "efi/volume.h"

#include <string.h>

#define FOLDER "assay"
#define NAME "journal.txt"

/* architecture.md, section 11: a full run writes no more often. Parts of a step that hung before do not count. */
#define WRITES_MAX 200U

/* There is one run at a time. */
static struct open_journal {
    EFI_FILE *file; /* NULL: no journal */
    uint32_t writes;
    struct platform *platform;
    struct journal journal;
} open;

static bool write_at(uint64_t offset_bytes, const char *bytes, size_t length)
{
    UINTN written = length;

    /* UEFI's prototype lacks the const; Write only reads. */
    return open.file->SetPosition(open.file, offset_bytes) == EFI_SUCCESS &&
           open.file->Write(open.file, &written, (void *)(uintptr_t)bytes) == EFI_SUCCESS &&
           written == length && open.file->Flush(open.file) == EFI_SUCCESS;
}

/* A medium that no longer takes the journal: said once, and the run goes on without. */
static void give_up(void)
{
    console_printf("journal: the medium takes no more; a hang could not be told later\n");
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
        console_printf("\\assay\\journal.txt is damaged; it is started afresh\n");
    }
}

static EFI_FILE *open_file(void)
{
    const uint64_t mode = EFI_FILE_MODE_READ | EFI_FILE_MODE_WRITE | EFI_FILE_MODE_CREATE;
    AUTO_FILE root = volume_root(volume_boot());
    AUTO_FILE folder = root == NULL ? NULL : volume_make_folders(root, FOLDER);

    return folder == NULL ? NULL : volume_open(folder, NAME, mode, 0);
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
    }
}

void journal_open(struct platform *platform)
{
    open.platform = platform;
    open.file = open_file();
    if (open.file == NULL) {
        console_printf("no journal: the boot volume cannot be written\n");
        return;
    }
    read_old();
    if (journal_begin(&open.journal, journal_machine(platform->vendor, platform->product,
                                                     platform->firmware_version)) &&
        open.journal.ended_count > 0) {
        console_printf("the last run did not come to its end: it stopped in \"%s\"\n",
                       open.journal.ended[open.journal.ended_count - 1]);
        publish();
    }
    write_all();
}

static void mark_left_out(const char *text)
{
    struct platform *platform = open.platform;

    console_printf("        left out: %s\n", text);
    for (uint32_t i = 0; i < platform->interrupted_count; i++) {
        if (strcmp(platform->interrupted[i].step, text) == 0) {
            platform->interrupted[i].was_left_out = true;
        }
    }
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

void journal_finish(void)
{
    if (open.file == NULL) {
        return;
    }
    open.journal.is_running = false;
    open.journal.current[0] = '\0';
    open.journal.ended_count = 0;
    write_all();
    volume_close(&open.file);
}

#include "tests/lab/firmware/lab.h"

#include <string.h>

/*
 * Firmware with a fault, for the lab: started in the place of the application, it does what the lines of
 * \assay\firmware.txt say, and then starts the application from \EFI\assay\assay.efi. Lines that break something:
 *
 *   refuse-nonblocking  MP services start other CPUs only while the caller waits
 *   no-mp               there are no MP services
 *   broken-mp           MP services that answer nothing
 *   no-acpi             there are no ACPI tables
 *   lost-cpu ID         the CPU with this APIC id runs in a loop for ever when it is started
 *   late-cpu ID         it begins a third of a second later than the others
 *   wrong-id N          MP services give processor N an APIC id that nobody has
 *   screen W H          the screen has W by H pixels, on which the firmware's letters stay as they are
 *   small-console       the console has 80 columns and 25 rows and no other mode
 *
 * Lines that start the application again and again, which has to return (--exit=return), and end the machine then:
 *
 *   repeat N            N times, and each time says what is left of it, and which registers are not as before
 *   exhaust FIRST LAST  refuses the application's FIRSTth, then the FIRST+1st, ... LASTth request for memory;
 *                       each once alone and once with all that come later. Ends early after a run that asked less often
 */
#define TEXT_ROOM 512U
#define SETTLE_US 300000U /* what an idle firmware does in the background is done by then */

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

static void end_machine(void)
{
    lab_say("lab: done\n");
    lab.system->RuntimeServices->ResetSystem(EfiResetShutdown, EFI_SUCCESS, 0, NULL);
}

/* Whether a timer event comes: the firmware's clock goes on. */
static bool ticks(void)
{
    EFI_EVENT timer = NULL;
    bool has_come = false;

    if (lab.services->CreateEvent(EVT_TIMER, TPL_CALLBACK, NULL, NULL, &timer) != EFI_SUCCESS) {
        return false;
    }
    if (lab.services->SetTimer(timer, TimerRelative, 10ULL * 10000) == EFI_SUCCESS) {
        for (unsigned ms = 0; ms < 1000 && !has_come; ms++) {
            has_come = lab.services->CheckEvent(timer) == EFI_SUCCESS;
            (void)lab.services->Stall(1000);
        }
    }
    (void)lab.services->CloseEvent(timer);
    return has_come;
}

static void say_left(const char *what, uint32_t number, EFI_STATUS status)
{
    struct ledger ledger = ledger_now();

    lab_say("lab: %s %u: status %u, asked %u, refused %u, holds pages %d pools %d events %d "
            "files %d, clock %s\n",
            what, number, (unsigned)(status & 0xFFFFU), ledger.requests, ledger.refused,
            ledger.pages, ledger.pools, ledger.events, ledger.files, ticks() ? "ticks" : "stands");
}

static void repeat(uint32_t times)
{
    ledger_open();
    for (uint32_t i = 1; i <= times; i++) {
        struct census census;
        EFI_STATUS status;

        /* The firmware itself settles in the first run: it connects drivers and fills its caches. */
        if (i == 2) {
            registers_take();
            lab_say("lab: registers without a run: %u differ\n", registers_compare());
        }
        ledger_start(0, false);
        status = lab_start(NULL);
        (void)lab.services->Stall(SETTLE_US);
        say_left("run", i, status);
        census_take(&census);
        lab_say("lab: census %u: loader %llu boot %llu other %llu free %llu handles %llu "
                "protocols %llu opens %llu\n",
                i, (unsigned long long)census.loader_pages, (unsigned long long)census.boot_pages,
                (unsigned long long)census.runtime_pages, (unsigned long long)census.free_pages,
                (unsigned long long)census.handles, (unsigned long long)census.protocols,
                (unsigned long long)census.opens);
        if (i >= 2) {
            lab_say("lab: registers %u: %u differ\n", i, registers_compare());
        }
    }
    end_machine();
}

static void exhaust(uint32_t first, uint32_t last)
{
    ledger_open();
    registers_take();
    for (uint32_t n = first; n <= last; n++) {
        EFI_STATUS status;

        lab_say("lab: refusing request %u\n", n);
        ledger_start(n, false);
        status = lab_start(NULL);
        say_left("one", n, status);
        if (ledger_now().refused == 0) {
            break;
        }
        lab_say("lab: refusing request %u and all later ones\n", n);
        ledger_start(n, true);
        status = lab_start(NULL);
        say_left("all", n, status);
        lab_say("lab: registers %u: %u differ\n", n, registers_compare());
    }
    end_machine();
}

struct line {
    const char *text;
    UINTN word_bytes;
    uint32_t numbers[2];
};

static UINTN take_number(const char *text, UINTN at, UINTN bytes, uint32_t *ret_number)
{
    while (at < bytes && text[at] == ' ') {
        at++;
    }
    *ret_number = 0;
    while (at < bytes && text[at] >= '0' && text[at] <= '9') {
        *ret_number = *ret_number * 10 + (uint32_t)(text[at++] - '0');
    }
    return at;
}

/* The next line with a word; false at the end. */
static bool next_line(const char *text, UINTN bytes, UINTN *at, struct line *ret_line)
{
    UINTN start = *at;
    UINTN end;

    while (start < bytes && text[start] <= ' ') {
        start++;
    }
    end = start;
    while (end < bytes && text[end] > ' ') {
        end++;
    }
    *ret_line = (struct line){.text = text + start, .word_bytes = end - start};
    end = take_number(text, end, bytes, &ret_line->numbers[0]);
    *at = take_number(text, end, bytes, &ret_line->numbers[1]);
    return ret_line->word_bytes > 0;
}

static bool is(const struct line *line, const char *word)
{
    return strlen(word) == line->word_bytes && memcmp(line->text, word, line->word_bytes) == 0;
}

static bool do_line(const struct line *line)
{
    if (is(line, "repeat")) {
        repeat(line->numbers[0]);
        return true;
    }
    if (is(line, "exhaust")) {
        exhaust(line->numbers[0], line->numbers[1]);
        return true;
    }
    if (is(line, "screen")) {
        return screen_set(line->numbers[0], line->numbers[1]);
    }
    if (is(line, "small-console")) {
        return screen_make_small();
    }
    return fault_apply(line->text, line->word_bytes, line->numbers[0]);
}

static EFI_STATUS do_lines(const char *text, UINTN bytes)
{
    struct line line;
    UINTN at = 0;

    while (next_line(text, bytes, &at, &line)) {
        if (!do_line(&line)) {
            lab_say("lab: a line of firmware.txt is wrong, or cannot be done here\n");
            return EFI_INVALID_PARAMETER;
        }
    }
    return lab_start(NULL);
}

static bool open_lab(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static const EFI_GUID mp_guid = MP_SERVICES_GUID;
    static const EFI_GUID image_guid = EFI_LOADED_IMAGE_PROTOCOL_GUID;
    static const EFI_GUID volume_guid = EFI_SIMPLE_FILE_SYSTEM_PROTOCOL_GUID;
    EFI_BOOT_SERVICES *services = system->BootServices;
    EFI_FILE_IO_INTERFACE *volume;

    lab.system = system;
    lab.services = services;
    lab.image = image;
    if (services->LocateProtocol(lab_guid(&mp_guid), NULL, (void **)&lab.mp) != EFI_SUCCESS) {
        lab.mp = NULL;
    }
    /* Nobody here resets the machine after five minutes either. */
    (void)services->SetWatchdogTimer(0, 0, 0, NULL);
    return services->HandleProtocol(image, lab_guid(&image_guid), (void **)&lab.own) ==
               EFI_SUCCESS &&
           services->HandleProtocol(lab.own->DeviceHandle, lab_guid(&volume_guid),
                                    (void **)&volume) == EFI_SUCCESS &&
           volume->OpenVolume(volume, &lab.root) == EFI_SUCCESS;
}

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static char text[TEXT_ROOM];
    CHAR16 path[] = L"\\assay\\firmware.txt";

    if (!open_lab(image, system)) {
        return EFI_NOT_FOUND;
    }
    return do_lines(text, lab_read_file(path, text, sizeof(text)));
}

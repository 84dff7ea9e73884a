#include "efi/start_menu.h"

#include "efi/browse.h"
#include "efi/dialog.h"
#include "efi/magnifier.h"
#include "efi/past_results.h"
#include "efi/terminal.h"
#include "model/letters.h"
#include "model/textbuf.h"

#include <string.h>

#define TITLE "Assay"
#define SECONDS 3U
#define TEXT_BYTES 160

/* The main menu, in this order. */
enum {
    ITEM_ALL = 0,
    ITEM_QUICK,
    ITEM_TABLES,
    ITEM_CLOCKS,
    ITEM_FREQUENCY,
    ITEM_IDLE,
    ITEM_OPTIONS,
    ITEM_PAST,
    ITEM_LEAVE,
    ITEMS
};

static const char *const group_words[ITEM_OPTIONS] = {
    "--run=all", "--run=quick", "--run=tables", "--run=clocks", "--run=frequency", "--run=idle"};

/* The menu of options, in this order. */
enum {
    SET_CPUS = 0,
    SET_PARK,
    SET_READ_ONLY,
    SET_LINUX,
    SET_SAMPLES,
    SET_SECONDS,
    SET_LETTERS,
    SET_WORD,
    SETS
};

static void question(struct options *options, const char *title, const char *text,
                     const char *start, const char *now)
{
    char message[TEXT_BYTES] = "";
    struct line_edit line;

    line_edit_init(&line, now);
    while (dialog_line(title, text, message, &line) && line.length > 0) {
        char word[LINE_EDIT_BYTES + TEXT_BYTES];
        struct textbuf whole;

        textbuf_init(&whole, word, sizeof(word), NULL, NULL);
        textbuf_printf(&whole, "%s%s", start, line.text);
        if (options_take(options, word, message, sizeof(message)) == STATUS_OK) {
            return;
        }
    }
}

static const char *park_name(enum park_way park)
{
    static const char *const names[] = {[PARK_DEEPEST] = "the deepest state each can enter",
                                        [PARK_HLT] = "HLT",
                                        [PARK_MWAIT] = "MWAIT",
                                        [PARK_SPIN] = "a loop (spin)"};

    return names[park];
}

static void change(struct options *options, uint32_t which)
{
    switch (which) {
    case SET_CPUS:
        question(options, "CPUs", "Which CPUs, as in 0-7,64 (0 is the boot CPU)?",
                 "--cpus=", options->cpus);
        break;
    case SET_PARK:
        options->park =
            options->park == PARK_SPIN ? PARK_DEEPEST : (enum park_way)(options->park + 1);
        break;
    case SET_READ_ONLY:
        options->is_read_only = !options->is_read_only;
        break;
    case SET_LINUX:
        question(options, "Linux", "Whose view comes first, as in 6.12?",
                 "--linux=", options->linux_version);
        break;
    case SET_SAMPLES:
        question(options, "Samples", "How many sleeps of each length?", "--samples=", "");
        break;
    case SET_SECONDS:
        question(options, "Time", "How many seconds at most for the timed parts?",
                 "--seconds=", "");
        break;
    case SET_LETTERS:
        options->letters = (options->letters + 1) % (LETTERS_MOST + 1);
        magnifier_want(options->letters);
        (void)terminal_open();
        break;
    default:
        question(options, "Option", "Any other option, as on the command line:", "", "--");
        break;
    }
}

static const char *number_or(uint32_t value, const char *otherwise, char text[16])
{
    struct textbuf out;

    if (value == 0) {
        return otherwise;
    }
    textbuf_init(&out, text, 16, NULL, NULL);
    textbuf_printf(&out, "%u", value);
    return text;
}

static void change_options(struct options *options)
{
    struct menu_item items[SETS];
    struct menu menu = {.title = "Assay: options", .items = items, .count = SETS};
    uint32_t chosen = 0;

    while (chosen < SETS) {
        char samples[16];
        char seconds[16];
        char letters[16];

        items[SET_CPUS] =
            (struct menu_item){"CPUs under test", options->cpus[0] == '\0' ? "all" : options->cpus};
        items[SET_PARK] = (struct menu_item){"The others rest in", park_name(options->park)};
        items[SET_READ_ONLY] = (struct menu_item){
            "Read only", options->is_read_only ? "yes: nothing is written to the machine" : "no"};
        items[SET_LINUX] = (struct menu_item){"Linux version", options->linux_version[0] == '\0'
                                                                   ? "newest known"
                                                                   : options->linux_version};
        items[SET_SAMPLES] = (struct menu_item){
            "Sleeps of each length", number_or(options->samples, "as many as it takes", samples)};
        items[SET_SECONDS] = (struct menu_item){"Time limit in seconds",
                                                number_or(options->seconds, "default", seconds)};
        items[SET_LETTERS] = (struct menu_item){
            "Size of the letters", number_or(options->letters, "as the screen needs", letters)};
        items[SET_WORD] = (struct menu_item){"Another option ...", NULL};
        chosen = dialog_menu(&menu, "They hold for this start only; assay.conf keeps them.");
        if (chosen < SETS) {
            change(options, chosen);
        }
    }
}

/* True when the choice ends the menu. */
static bool do_item(uint32_t chosen, struct options *options, struct arena *arena, bool *ret_is_run,
                    enum exit_way *ret_way)
{
    char message[TEXT_BYTES];

    if (chosen < ITEM_OPTIONS) {
        *ret_is_run =
            options_take(options, group_words[chosen], message, sizeof(message)) == STATUS_OK;
        return *ret_is_run;
    }
    if (chosen == ITEM_OPTIONS) {
        change_options(options);
    } else if (chosen == ITEM_PAST) {
        past_results(options->out, arena);
    } else if (chosen == DIALOG_NOBODY) {
        *ret_is_run = true;
        return true;
    } else {
        *ret_is_run = false;
        return browse_leave(ret_way);
    }
    return false;
}

static bool main_menu(struct options *options, struct arena *arena, enum exit_way *ret_way)
{
    static const struct menu_item items[ITEMS] = {
        [ITEM_ALL] = {"Run everything", "tables, clocks, frequencies, idle states"},
        [ITEM_QUICK] = {"Run quickly", "tables and clocks, in seconds"},
        [ITEM_TABLES] = {"Tables and objects only", NULL},
        [ITEM_CLOCKS] = {"Clocks only", NULL},
        [ITEM_FREQUENCY] = {"Frequencies", NULL},
        [ITEM_IDLE] = {"Idle states", NULL},
        [ITEM_OPTIONS] = {"Options ...", NULL},
        [ITEM_PAST] = {"Past results ...", NULL},
        [ITEM_LEAVE] = {"Leave ...", NULL}};
    struct menu menu = {.title = TITLE, .items = items, .count = ITEMS};
    bool is_run = true;

    while (!do_item(dialog_menu(&menu, ""), options, arena, &is_run, ret_way)) {
    }
    return is_run;
}

bool start_menu(struct options *options, struct arena *arena, enum exit_way *ret_way)
{
    static const char *const lines[] = {
        "   What firmware claims about CPU power, what an operating system makes of",
        "   it, and what the processor really does.", "",
        "   The results go to this medium. Esc during the run ends it early; what is",
        "   known by then is reported."};
    struct key key;

    if (!terminal_open()) {
        return true;
    }
    key = dialog_countdown(TITLE, lines, sizeof(lines) / sizeof(lines[0]), "The run starts in",
                           SECONDS);
    if (key.code != KEY_NONE && key.code != KEY_ENTER && !main_menu(options, arena, ret_way)) {
        terminal_close();
        return false;
    }
    terminal_close();
    return true;
}

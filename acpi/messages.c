#include "acpi/messages.h"

#include "acpi/acpi.h"

#include <string.h>

#define LINE_BYTES 512
#define PATH_BYTES 256
#define POINTER_DIGITS 16

static struct messages {
    struct arena *arena;
    char line[LINE_BYTES];
    size_t length;
    uint32_t count;
    struct aml_message kept[MESSAGES_MAX + 1];
    uint64_t hash[MESSAGES_MAX];
    char path[PATH_BYTES];
} messages;

void messages_init(struct arena *arena)
{
    memset(&messages, 0, sizeof(messages));
    messages.arena = arena;
}

static uint64_t hash_text(const char *text)
{
    struct aml_value value = {
        .type = AML_STRING, .length = (uint32_t)strlen(text), .bytes = (const uint8_t *)text};

    return aml_value_hash(&value);
}

static void overflow(void)
{
    struct aml_message *last = &messages.kept[MESSAGES_MAX];

    last->text = "further messages";
    last->count++;
    messages.count = MESSAGES_MAX + 1;
}

void messages_add(const char *text)
{
    uint64_t hash = hash_text(text);
    uint32_t known = messages.count < MESSAGES_MAX ? messages.count : MESSAGES_MAX;
    const char *copy;

    for (uint32_t i = 0; i < known; i++) {
        if (messages.hash[i] == hash && strcmp(messages.kept[i].text, text) == 0) {
            messages.kept[i].count++;
            return;
        }
    }
    copy = known < MESSAGES_MAX ? arena_text(messages.arena, text, strlen(text)) : NULL;
    if (copy == NULL) {
        overflow();
        return;
    }
    messages.hash[known] = hash;
    messages.kept[known] = (struct aml_message){.text = copy, .count = 1};
    messages.count = known + 1;
}

/* The names that ACPICA's acoutput macros begin a problem with. */
static bool is_problem(const char *line)
{
    static const char *const prefixes[] = {"ACPI Error", "ACPI Warning",   "ACPI Exception",
                                           "ACPI BIOS",  "Firmware Error", "Firmware Warning"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        if (strncmp(line, prefixes[i], strlen(prefixes[i])) == 0) {
            return true;
        }
    }
    return false;
}

/* Cuts the position in ACPICA's source, " (20240827/psargs-330)", which says nothing about firmware. */
static void cut_position(char *line)
{
    size_t length = strlen(line);
    size_t open = length;

    while (open > 0 && line[open] != '(') {
        open--;
    }
    if (open > 1 && length > 0 && line[length - 1] == ')' && line[open] == '(' &&
        line[open + 1] == '2' && strchr(line + open, '/') != NULL) {
        line[open] = '\0';
    }
    for (length = strlen(line); length > 0 && line[length - 1] == ' '; length--) {
        line[length - 1] = '\0';
    }
}

/* "SSDT 0x00007F21DE1C9A90 Table is already loaded": the address is that of our copy. */
static void hide_address(char *line)
{
    static const char after[] = " Table is already loaded";
    char *end = strstr(line, after);
    char *start = strstr(line, " 0x");

    if (end != NULL && start != NULL && start < end) {
        memmove(start, end, strlen(end) + 1);
    }
}

/* Pointers of the interpreter (%p: 16 digits without 0x) differ from run to run and say nothing either. */
static void hide_pointers(char *line)
{
    static const char digits[] = "0123456789abcdef";

    for (char *at = strchr(line, ' '); at != NULL; at = strchr(at + 1, ' ')) {
        if (strspn(at + 1, digits) == POINTER_DIGITS) {
            memset(at + 1, '.', 3);
            memmove(at + 4, at + 1 + POINTER_DIGITS, strlen(at + 1 + POINTER_DIGITS) + 1);
        }
    }
}

/* Keeps the text between `before` and `after` as the path that failed, unless one is known already. */
static void note_path(const char *line, const char *before, const char *after)
{
    const char *start = strstr(line, before);
    const char *end;

    if (start == NULL || messages.path[0] != '\0') {
        return;
    }
    start += strlen(before);
    end = strstr(start, after);
    if (end != NULL && end > start && (size_t)(end - start) < sizeof(messages.path)) {
        memcpy(messages.path, start, (size_t)(end - start));
        messages.path[end - start] = '\0';
    }
}

static void finish_line(void)
{
    char *line = messages.line;

    line[messages.length] = '\0';
    messages.length = 0;
    while (*line == ' ') {
        line++;
    }
    if (!is_problem(line)) {
        return;
    }
    cut_position(line);
    hide_pointers(line);
    hide_address(line);
    note_path(line, "Could not resolve symbol [", "]");
    note_path(line, "Aborting method ", " due to");
    messages_add(line);
}

static void take_byte(char byte)
{
    if (byte == '\n') {
        finish_line();
    } else if (messages.length < LINE_BYTES - 1) {
        messages.line[messages.length++] = byte >= ' ' && byte <= '~' ? byte : '?';
    }
}

void messages_vprintf(const char *format, va_list arguments)
{
    char piece[LINE_BYTES];

    (void)acpi_print_vsnprintf(piece, sizeof(piece), format, arguments);
    for (const char *at = piece; *at != '\0'; at++) {
        take_byte(*at);
    }
}

void messages_printf(const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    messages_vprintf(format, arguments);
    va_end(arguments);
}

void messages_forget_path(void)
{
    messages.path[0] = '\0';
}

const char *messages_failed_path(void)
{
    return messages.path[0] == '\0' ? NULL : messages.path;
}

void messages_publish(struct platform *platform)
{
    struct aml_message *copy =
        arena_array(messages.arena, (size_t)messages.count, sizeof(messages.kept[0]));

    if (copy != NULL && messages.count > 0) {
        memcpy(copy, messages.kept, messages.count * sizeof(*copy));
        platform->aml_messages = copy;
        platform->aml_messages_count = messages.count;
    }
}

#include "host/check_words.h"

#include "model/nearest.h"

#include <stdio.h>
#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Every option; names only, for the nearest one to a wrong word. */
static const char *const known[] = {"--json",   "--text",  "--html",    "--junit", "--tap", "--csv",
                                    "--expect", "--linux", "--os-caps", "--quiet", "--help"};

/* A walk over the words, and where a message goes. */
struct walk {
    int count;
    int next;
    char **words;
    struct check_words *taken;
    char *message;
    size_t message_bytes;
};

/* The value of an option: behind its '=' or the next word. NULL with a message when there is none. */
static const char *value_of(struct walk *walk, const char *name, const char *behind)
{
    if (behind != NULL && behind[0] != '\0') {
        return behind;
    }
    if (behind != NULL || walk->next == walk->count) {
        (void)snprintf(walk->message, walk->message_bytes, "%s needs a value", name);
        return NULL;
    }
    return walk->words[walk->next++];
}

static enum status take_output(struct walk *walk, enum check_format format, const char *name,
                               const char *behind)
{
    const char *value = value_of(walk, name, behind);

    if (value == NULL) {
        return STATUS_BAD_INPUT;
    }
    walk->taken->outputs[format] = value;
    return STATUS_OK;
}

/* Options that the application shares go through the same parser, so that both take the same words. */
static enum status take_shared(struct walk *walk, const char *name, const char *behind)
{
    const char *value = value_of(walk, name, behind);
    char *word = walk->taken->shared[walk->taken->shared_count];
    size_t word_bytes = sizeof(walk->taken->shared[0]);

    if (value == NULL) {
        return STATUS_BAD_INPUT;
    }
    if (snprintf(word, word_bytes, "%s=%s", name, value) >= (int)word_bytes) {
        (void)snprintf(walk->message, walk->message_bytes, "%s: the value is too long", name);
        return STATUS_BAD_INPUT;
    }
    /* Of more words than are kept, the last ones count. */
    walk->taken->shared_count += walk->taken->shared_count + 1 < CHECK_SHARED_MAX ? 1 : 0;
    return options_take(&walk->taken->options, word, walk->message, walk->message_bytes);
}

static enum status take_named(struct walk *walk, const char *name, const char *behind)
{
    static const char *const formats[CHECK_FORMATS] = {
        [CHECK_JSON] = "--json",   [CHECK_TEXT] = "--text", [CHECK_HTML] = "--html",
        [CHECK_JUNIT] = "--junit", [CHECK_TAP] = "--tap",   [CHECK_CSV] = "--csv"};

    for (unsigned i = 0; i < CHECK_FORMATS; i++) {
        if (strcmp(name, formats[i]) == 0) {
            return take_output(walk, (enum check_format)i, name, behind);
        }
    }
    if (strcmp(name, "--expect") == 0) {
        walk->taken->expect = value_of(walk, name, behind);
        return walk->taken->expect != NULL ? STATUS_OK : STATUS_BAD_INPUT;
    }
    if (strcmp(name, "--linux") == 0 || strcmp(name, "--os-caps") == 0) {
        return take_shared(walk, name, behind);
    }
    if (strcmp(name, "--quiet") == 0 && behind == NULL) {
        walk->taken->is_quiet = true;
        return STATUS_OK;
    }
    if (strcmp(name, "--help") == 0 && behind == NULL) {
        walk->taken->wants_help = true;
        return STATUS_OK;
    }
    if (behind != NULL && (strcmp(name, "--quiet") == 0 || strcmp(name, "--help") == 0)) {
        (void)snprintf(walk->message, walk->message_bytes, "%s takes no value", name);
        return STATUS_BAD_INPUT;
    }
    (void)snprintf(walk->message, walk->message_bytes,
                   "%.64s is not an option of check; nearest: %s", name,
                   nearest_of(name, strlen(name), known, COUNT(known)));
    return STATUS_BAD_INPUT;
}

static enum status take_word(struct walk *walk)
{
    const char *word = walk->words[walk->next++];
    const char *equals = strchr(word, '=');
    char name[64];
    size_t length = equals == NULL ? strlen(word) : (size_t)(equals - word);

    if (word[0] != '-' || word[1] == '\0') {
        walk->taken->paths[walk->taken->paths_count++] = word;
        return STATUS_OK;
    }
    if (length > sizeof(name) - 1) {
        length = sizeof(name) - 1;
    }
    memcpy(name, word, length);
    name[length] = '\0';
    return take_named(walk, name, equals == NULL ? NULL : equals + 1);
}

/* Two reports after each other on standard output would be neither. */
static bool is_output_shared(const struct check_words *words)
{
    unsigned count = 0;

    for (unsigned i = 0; i < CHECK_FORMATS; i++) {
        count += words->outputs[i] != NULL && strcmp(words->outputs[i], "-") == 0 ? 1 : 0;
    }
    return count > 1;
}

/* What no single word shows. */
static enum status look_over(const struct check_words *words, char *message, size_t message_bytes)
{
    if (words->wants_help) {
        return STATUS_OK;
    }
    if (words->paths_count == 0) {
        (void)snprintf(message, message_bytes,
                       "check needs a MACHINE: a machine folder, an acpidump text, or .aml files");
        return STATUS_BAD_INPUT;
    }
    if (is_output_shared(words)) {
        (void)snprintf(message, message_bytes,
                       "only one report can go to - (standard output); give the others a file");
        return STATUS_BAD_INPUT;
    }
    return STATUS_OK;
}

enum status check_words_take(int count, char **words, const char **paths,
                             struct check_words *ret_words, char *message, size_t message_bytes)
{
    struct walk walk = {.count = count,
                        .words = words,
                        .taken = ret_words,
                        .message = message,
                        .message_bytes = message_bytes};
    enum status status = STATUS_OK;

    memset(ret_words, 0, sizeof(*ret_words));
    ret_words->paths = paths;
    options_init(&ret_words->options);
    while (status == STATUS_OK && walk.next < walk.count) {
        status = take_word(&walk);
    }
    return status == STATUS_OK ? look_over(ret_words, message, message_bytes) : status;
}

uint32_t check_words_over(const struct check_words *words, uint32_t recorded_count,
                          const char *const *recorded, struct options *ret_options)
{
    char message[OPTIONS_TEXT_MAX * 2];
    uint32_t wrong = 0;

    options_init(ret_options);
    for (uint32_t i = 0; i < recorded_count; i++) {
        bool is_taken = recorded[i] != NULL && options_take(ret_options, recorded[i], message,
                                                            sizeof(message)) == STATUS_OK;

        wrong += is_taken ? 0 : 1;
    }
    for (uint32_t i = 0; i < words->shared_count; i++) {
        /* Each was taken once already. */
        (void)!options_take(ret_options, words->shared[i], message, sizeof(message));
    }
    return wrong;
}

const char *check_words_help(void)
{
    return "assay check [options] MACHINE\n"
           "  MACHINE              a machine folder, an acpidump text (- is standard input), or\n"
           "                       one or more .aml files\n"
           "  --json F             write report.json to F (- is standard output)\n"
           "  --text F             write the text report; without any format: to standard output\n"
           "  --html F             write the page: one file with pictures, for any browser\n"
           "  --junit F, --tap F   write JUnit XML or TAP\n"
           "  --csv F              write samples.csv: what was timed, as histograms\n"
           "  --expect F           judge what a vendor says its product must have, line by line\n"
           "  --linux V            the kernel whose view is shown first\n"
           "  --os-caps=PROC[,PLATFORM]|none\n"
           "                       capability words that _OSC and _PDC are given\n"
           "  --quiet              nothing on standard output; only the exit status and errors\n"
           "Exit status: 0 no FAIL, 1 at least one FAIL, 2 wrong use, 3 could not do the job.\n";
}

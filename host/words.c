#include "host/words.h"

#include "model/nearest.h"

#include <stdio.h>
#include <string.h>

#define OPTIONS_MAX 16

static const struct word_option *find(const struct words *words, const char *name, size_t length)
{
    for (uint32_t i = 0; i < words->options_count; i++) {
        if (strlen(words->options[i].name) == length &&
            memcmp(words->options[i].name, name, length) == 0) {
            return &words->options[i];
        }
    }
    return NULL;
}

static bool refuse(const struct words *words, const char *name)
{
    const char *names[OPTIONS_MAX];
    uint32_t count = 0;

    for (; count < words->options_count && count < OPTIONS_MAX; count++) {
        names[count] = words->options[count].name;
    }
    (void)fprintf(stderr, "assay: %.64s is not an option of %s; nearest: %s\n", name,
                  words->command,
                  count == 0 ? "none" : nearest_of(name, strlen(name), names, count));
    return false;
}

static bool lacks_value(const struct words *words, const char *name)
{
    (void)fprintf(stderr, "assay: %s: %s needs a value\n", words->command, name);
    return false;
}

bool words_take(struct words *words, int count, char **given)
{
    words->paths_count = 0;
    for (int i = 0; i < count; i++) {
        const char *word = given[i];
        size_t length = strcspn(word, "=");
        const struct word_option *option;

        if (word[0] != '-' || word[1] == '\0') {
            words->paths[words->paths_count++] = word;
            continue;
        }
        option = find(words, word, length);
        if (option == NULL || (option->value == NULL && word[length] == '=')) {
            return refuse(words, word);
        }
        if (option->value == NULL) {
            *option->flag = true;
        } else if (word[length] == '=') {
            *option->value = word + length + 1;
        } else if (i + 1 < count) {
            *option->value = given[++i];
        } else {
            return lacks_value(words, word);
        }
    }
    return true;
}

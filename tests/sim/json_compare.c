#include "tests/sim/json_compare.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXACT_DIGITS 15 /* every integer of so many digits fits jansson's type */
#define WHERE_BYTES 300

static char *read_text(const char *path, size_t *ret_length)
{
    FILE *file = fopen(path, "rb");
    char *text = NULL;
    long length = -1;

    if (file == NULL) {
        return NULL;
    }
    if (fseek(file, 0, SEEK_END) == 0) {
        length = ftell(file);
        rewind(file);
    }
    if (length >= 0) {
        text = malloc((size_t)length + 1);
    }
    if (text != NULL) {
        *ret_length = fread(text, 1, (size_t)length, file);
        text[*ret_length] = '\0';
    }
    (void)fclose(file);
    return text;
}

/* Copies a string constant with its quotes; gives the length. */
static size_t skip_string(const char *text)
{
    size_t i = 1;

    while (text[i] != '\0' && text[i] != '"') {
        i += text[i] == '\\' && text[i + 1] != '\0' ? 2 : 1;
    }
    return text[i] == '"' ? i + 1 : i;
}

/* Puts quotes around long integers, outside of strings. */
static char *quote_long(const char *text, size_t length)
{
    char *out = malloc(2 * length + 1);
    size_t used = 0;

    for (size_t i = 0; out != NULL && i < length;) {
        size_t digits = strspn(text + i, "0123456789");
        size_t take = digits > 0 ? digits : 1;
        const char *quote = digits > EXACT_DIGITS ? "\"" : "";

        if (text[i] == '"') {
            take = skip_string(text + i);
        }
        used += (size_t)sprintf(out + used, "%s%.*s%s", quote, (int)take, text + i, quote);
        i += take;
    }
    return out;
}

json_t *json_file_load(const char *path)
{
    size_t length = 0;
    char *text = read_text(path, &length);
    char *quoted = text == NULL ? NULL : quote_long(text, length);
    json_error_t error = {.text = "cannot be read"};
    json_t *json = quoted == NULL ? NULL : json_loads(quoted, JSON_ALLOW_NUL, &error);

    if (json == NULL) {
        (void)fprintf(stderr, "%s:%d: %s\n", path, error.line, error.text);
    }
    free(quoted);
    free(text);
    return json;
}

void json_score_add(struct json_score *score, bool is_equal, const char *where, const char *what)
{
    if (is_equal) {
        score->equal++;
        return;
    }
    score->different++;
    if (score->told < score->told_max) {
        score->told++;
        (void)printf("#   %s: %s\n", where, what);
    }
}

static void add_pair(const char *where, const json_t *expected, const json_t *actual,
                     struct json_score *score)
{
    char *wanted;
    char *found;
    char what[200];

    if (json_equal(expected, actual) != 0) {
        score->equal++;
        return;
    }
    wanted = json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT);
    found = actual == NULL ? NULL : json_dumps(actual, JSON_ENCODE_ANY | JSON_COMPACT);
    (void)snprintf(what, sizeof(what), "expected %.80s, found %.80s", wanted == NULL ? "?" : wanted,
                   found == NULL ? "nothing" : found);
    json_score_add(score, false, where, what);
    free(wanted);
    free(found);
}

static void compare_array(const char *where, const json_t *expected, const json_t *actual,
                          struct json_score *score)
{
    char what[80];
    char deeper[WHERE_BYTES];

    (void)snprintf(what, sizeof(what), "expected %zu elements, found %zu",
                   json_array_size(expected), json_array_size(actual));
    json_score_add(score,
                   json_is_array(actual) && json_array_size(expected) == json_array_size(actual),
                   where, what);
    for (size_t i = 0; i < json_array_size(expected); i++) {
        (void)snprintf(deeper, sizeof(deeper), "%.200s/%zu", where, i);
        json_compare(deeper, json_array_get(expected, i), json_array_get(actual, i), score);
    }
}

void json_compare(const char *where, const json_t *expected, const json_t *actual,
                  struct json_score *score)
{
    /* jansson's iterators want a pointer to non-const although they change nothing. */
    json_t *object = json_is_object(expected) ? json_incref((json_t *)(uintptr_t)expected) : NULL;
    char deeper[WHERE_BYTES];
    const char *key;
    json_t *value;

    if (json_is_array(expected)) {
        compare_array(where, expected, actual, score);
    } else if (object != NULL) {
        json_object_foreach(object, key, value)
        {
            (void)snprintf(deeper, sizeof(deeper), "%.200s/%s", where, key);
            json_compare(deeper, value, json_object_get(actual, key), score);
        }
        json_decref(object);
    } else if (json_is_null(expected)) {
        json_score_add(score, actual == NULL || json_is_null(actual), where, "expected nothing");
    } else {
        add_pair(where, expected, actual, score);
    }
}

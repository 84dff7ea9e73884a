#include "host/stored.h"

#include "host/check.h"
#include "host/json_text.h"
#include "host/machine.h"
#include "host/malloc_file.h"

#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define CHILD_CPU_S 120
#define CHILD_MEMORY_BYTES ((rlim_t)8 * 1024 * 1024 * 1024)

static int base64_value(char c)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *at = c == '\0' ? NULL : strchr(digits, c);

    return at == NULL ? -1 : (int)(at - digits);
}

/* RFC 4648, section 4; line ends are passed over. false for any other character. */
static bool decode(const char *from, const char *end, char *to, size_t *ret_length)
{
    unsigned bits = 0;
    unsigned held = 0;
    size_t length = 0;

    for (; from < end && *from != '='; from++) {
        int value = base64_value(*from);

        if (*from == '\n' || *from == '\r') {
            continue;
        }
        if (value < 0) {
            return false;
        }
        held = (held << 6 | (unsigned)value) & 0xFFFFU;
        bits += 6;
        if (bits >= 8) {
            bits -= 8;
            to[length++] = (char)(held >> bits & 0xFFU);
        }
    }
    *ret_length = length;
    return true;
}

char *stored_from_serial(const char *text, size_t length, const char *name, size_t *ret_length)
{
    char begin[128];
    char end[128];
    const char *first;
    const char *last;
    char *bytes;

    (void)snprintf(begin, sizeof(begin), "-----BEGIN ASSAY %s-----", name);
    (void)snprintf(end, sizeof(end), "-----END ASSAY %s-----", name);
    first = memmem(text, length, begin, strlen(begin));
    if (first == NULL) {
        return NULL;
    }
    first += strlen(begin);
    last = memmem(first, length - (size_t)(first - text), end, strlen(end));
    bytes = last == NULL ? NULL : malloc((size_t)(last - first) + 1);
    if (bytes != NULL && !decode(first, last, bytes, ret_length)) {
        free(bytes);
        bytes = NULL;
    }
    return bytes;
}

static void limit(int what, rlim_t value)
{
    struct rlimit limits = {.rlim_cur = value, .rlim_max = value};

    (void)setrlimit((__rlimit_resource_t)what, &limits);
}

/* Judges the machine and writes its report.json to `fd`. Does not come back. */
static void judge_here(const char *path, int fd)
{
    char json[] = "--json";
    char standard[] = "-";
    char quiet[] = "--quiet";
    char *words[] = {json, standard, quiet, strdup(path), NULL};

    limit(RLIMIT_CPU, CHILD_CPU_S);
    limit(RLIMIT_CORE, 0);
#ifndef __SANITIZE_ADDRESS__
    limit(RLIMIT_AS, CHILD_MEMORY_BYTES);
#endif
    if (words[3] == NULL || dup2(fd, STDOUT_FILENO) < 0) {
        _exit(3);
    }
    (void)close(fd);
    _exit(check_command(4, words));
}

static enum status read_pipe(int fd, struct stored *stored)
{
    FILE *file = fdopen(fd, "rb");
    enum status status;

    if (file == NULL) {
        (void)close(fd);
        return STATUS_IO;
    }
    status = malloc_file_read(file, &stored->text, &stored->length);
    (void)fclose(file);
    return status;
}

static enum status judge(const char *path, struct stored *stored, char *message,
                         size_t message_bytes)
{
    int ends[2];
    int child_status = 0;
    enum status status;
    pid_t child;

    (void)fflush(NULL);
    if (pipe(ends) != 0) {
        return STATUS_IO;
    }
    child = fork();
    if (child == 0) {
        (void)close(ends[0]);
        judge_here(path, ends[1]);
    }
    (void)close(ends[1]);
    status = child < 0 ? STATUS_IO : read_pipe(ends[0], stored);
    if (child > 0 && waitpid(child, &child_status, 0) != child) {
        status = STATUS_IO;
    }
    if (status == STATUS_OK && WIFEXITED(child_status) && WEXITSTATUS(child_status) <= 1) {
        return STATUS_OK;
    }
    (void)snprintf(message, message_bytes, "%s: %s", path,
                   WIFSIGNALED(child_status) ? "judging it took too long or crashed"
                                             : "could not be judged");
    return STATUS_BAD_INPUT;
}

static enum status take_json(const char *path, struct stored *stored, char *message,
                             size_t message_bytes)
{
    char why[160];
    uint64_t schema;

    stored->root = json_text_read(stored->text, stored->length, why, sizeof(why));
    if (stored->root == NULL) {
        (void)snprintf(message, message_bytes, "%s %s", path, why);
        return STATUS_BAD_INPUT;
    }
    if (!json_is_object(json_object_get(stored->root, "assay")) ||
        !json_is_array(json_object_get(stored->root, "findings"))) {
        (void)snprintf(message, message_bytes,
                       "%s is JSON, but no report of Assay (no \"assay\" and \"findings\")", path);
        return STATUS_BAD_INPUT;
    }
    schema = json_text_number(json_object_get(stored->root, "assay"), "schema", 0);
    if (schema > STORED_SCHEMA) {
        (void)snprintf(stored->note, sizeof(stored->note),
                       "The report has schema %llu, this program knows %d: some of it may mean "
                       "something else.",
                       (unsigned long long)schema, STORED_SCHEMA);
    }
    return STATUS_OK;
}

static bool starts_with_brace(const struct stored *stored)
{
    size_t i = 0;

    while (i < stored->length && strchr(" \t\r\n", stored->text[i]) != NULL &&
           stored->text[i] != '\0') {
        i++;
    }
    return i < stored->length && stored->text[i] == '{';
}

/* A file: JSON, or a log that holds it. UNSUPPORTED: something else. */
static enum status take_file(const char *path, struct stored *stored)
{
    enum status status = malloc_file_open(path, &stored->text, &stored->length);
    char *inside;
    size_t length = 0;

    if (status != STATUS_OK || starts_with_brace(stored)) {
        return status;
    }
    inside = stored_from_serial(stored->text, stored->length, "report.json", &length);
    free(stored->text);
    stored->text = inside;
    stored->length = length;
    return inside == NULL ? STATUS_UNSUPPORTED : STATUS_OK;
}

static enum status take_folder(const char *path, struct stored *stored)
{
    char report[1024];

    if (snprintf(report, sizeof(report), "%s/report.json", path) >= (int)sizeof(report) ||
        access(report, R_OK) != 0) {
        return STATUS_UNSUPPORTED;
    }
    return take_file(report, stored);
}

enum status stored_load(const char *path, struct stored *ret_stored, char *message,
                        size_t message_bytes)
{
    enum status status;

    memset(ret_stored, 0, sizeof(*ret_stored));
    status = machine_is_folder(path) ? take_folder(path, ret_stored) : take_file(path, ret_stored);
    if (status == STATUS_UNSUPPORTED) {
        status = judge(path, ret_stored, message, message_bytes);
    } else if (status != STATUS_OK) {
        (void)snprintf(message, message_bytes, "%s %s", path, malloc_file_problem(status));
    }
    if (status == STATUS_OK) {
        status = take_json(path, ret_stored, message, message_bytes);
    }
    if (status != STATUS_OK) {
        stored_free(ret_stored);
    }
    return status;
}

void stored_free(struct stored *stored)
{
    json_decref(stored->root);
    free(stored->text);
    stored->root = NULL;
    stored->text = NULL;
}

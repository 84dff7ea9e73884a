#include "host/fleet.h"

#include "host/fleet_db.h"
#include "host/fleet_sheet.h"
#include "host/json_text.h"
#include "host/output.h"
#include "host/stored.h"
#include "host/words.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3
/* On no terminal, a line of progress for so many. */
#define PROGRESS_EVERY 500

#define WORKERS_MAX 8
#define MACHINES_A_WORKER 16
#define PATH_BYTES 320

struct counts {
    uint32_t done;
    uint32_t unread;
    uint64_t fails;
};

struct fleet {
    const char *db_path;
    const char *ndjson_path;
    const char *csv_path;
    const char *html_path;
    bool is_quiet;
    struct fleet_db db;
    FILE *ndjson;
    const char *folder; /* of the workers' files */
    uint32_t total;
    uint32_t workers;
    uint32_t worker;
    struct counts *counts; /* [WORKERS_MAX]; a worker's points to its own */
};

/* The report's own bytes without the blanks between them: one line, every number as it was. Works in place. */
static void put_line(FILE *out, char *text, size_t length)
{
    bool is_string = false;
    size_t kept = 0;

    for (size_t i = 0; i < length; i++) {
        char c = text[i];

        if (is_string && c == '\\' && i + 1 < length) {
            text[kept++] = c;
            c = text[++i];
        } else if (c == '"') {
            is_string = !is_string;
        } else if (!is_string && (c == ' ' || c == '\n' || c == '\r' || c == '\t')) {
            continue;
        }
        text[kept++] = c;
    }
    (void)fwrite(text, 1, kept, out);
    (void)fputc('\n', out);
}

static void sum_counts(const struct fleet *fleet, struct counts *ret_sum)
{
    const struct counts *counts = fleet->counts - fleet->worker;

    *ret_sum = (struct counts){0};
    for (uint32_t i = 0; i < WORKERS_MAX; i++) {
        ret_sum->done += counts[i].done;
        ret_sum->unread += counts[i].unread;
        ret_sum->fails += counts[i].fails;
    }
}

/* The first worker says it for all. */
static void say_progress(const struct fleet *fleet)
{
    bool is_terminal = isatty(STDERR_FILENO) == 1;
    struct counts sum;

    if (fleet->is_quiet || fleet->total < 2) {
        return;
    }
    sum_counts(fleet, &sum);
    if (is_terminal) {
        (void)fprintf(stderr, "\r%u of %u%s", sum.done, fleet->total,
                      sum.done == fleet->total ? "\n" : "");
    } else if (fleet->counts->done % PROGRESS_EVERY == 0) {
        (void)fprintf(stderr, "assay: fleet: %u of %u\n", sum.done, fleet->total);
    }
}

/* One that cannot be read is named, and the others go on. */
static enum status add(struct fleet *fleet, const char *path)
{
    char message[512];
    struct stored stored;
    enum status status;

    if (stored_load(path, &stored, message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "assay: %s\n", message);
        fleet->counts->unread++;
        return STATUS_OK;
    }
    fleet->counts->fails += json_text_number(json_object_get(stored.root, "totals"), "fail", 0);
    status = fleet_db_add(&fleet->db, path, stored.root);
    if (fleet->ndjson != NULL) {
        put_line(fleet->ndjson, stored.text, stored.length);
    }
    stored_free(&stored);
    return status;
}

static bool write_csv(struct fleet *fleet)
{
    FILE *file = output_open(fleet->csv_path);
    bool is_written;

    if (file == NULL) {
        return false;
    }
    is_written = fleet_csv(file, &fleet->db);
    return output_close(file, fleet->csv_path, is_written);
}

static bool write_sheet(struct fleet *fleet, const char *path, bool is_html)
{
    FILE *file = output_open(path);
    struct sheet sheet;
    bool is_written;

    if (file == NULL) {
        return false;
    }
    sheet_open(&sheet, file, is_html, "Assay: many machines");
    fleet_sheet(&sheet, &fleet->db);
    is_written = sheet_close(&sheet);
    return output_close(file, path, is_written);
}

static bool is_standard(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

static bool write_outputs(struct fleet *fleet)
{
    bool is_taken = is_standard(fleet->ndjson_path) || is_standard(fleet->csv_path) ||
                    is_standard(fleet->html_path) || fleet->is_quiet;

    if (fleet->csv_path != NULL && !write_csv(fleet)) {
        return false;
    }
    if (fleet->html_path != NULL && !write_sheet(fleet, fleet->html_path, true)) {
        return false;
    }
    return is_taken || write_sheet(fleet, "-", false);
}

static bool add_range(struct fleet *fleet, const char *const *paths, uint32_t first, uint32_t end)
{
    for (uint32_t i = first; i < end; i++) {
        if (add(fleet, paths[i]) != STATUS_OK) {
            return false;
        }
        fleet->counts->done++;
        if (fleet->worker == 0) {
            say_progress(fleet);
        }
    }
    return true;
}

static void part_path(const struct fleet *fleet, uint32_t worker, const char *what, char *ret_path)
{
    (void)snprintf(ret_path, PATH_BYTES, "%s/%u.%s", fleet->folder, worker, what);
}

/* One worker's share, into files of its own. Does not come back. */
static void work(struct fleet *fleet, const char *const *paths, uint32_t worker)
{
    uint32_t first = (uint32_t)((uint64_t)fleet->total * worker / fleet->workers);
    uint32_t end = (uint32_t)((uint64_t)fleet->total * (worker + 1) / fleet->workers);
    char path[PATH_BYTES];
    bool is_done;

    fleet->worker = worker;
    fleet->counts += worker;
    part_path(fleet, worker, "db", path);
    if (fleet_db_open(path, (sqlite3_int64)first + 1, &fleet->db) != STATUS_OK) {
        _exit(EXIT_NOT_DONE);
    }
    part_path(fleet, worker, "ndjson", path);
    fleet->ndjson = fleet->ndjson_path == NULL ? NULL : fopen(path, "wb");
    is_done = (fleet->ndjson != NULL || fleet->ndjson_path == NULL) &&
              add_range(fleet, paths, first, end) && fleet_db_commit(&fleet->db) == STATUS_OK;
    if (fleet->ndjson != NULL && !output_close(fleet->ndjson, path, true)) {
        is_done = false;
    }
    fleet_db_close(&fleet->db);
    _exit(is_done ? EXIT_SUCCESS : EXIT_NOT_DONE);
}

/* Appends a worker's lines; its file is gone afterwards. */
static bool append_lines(FILE *to, const char *path)
{
    static char buffer[65536];
    FILE *from = fopen(path, "rb");
    size_t got;

    if (from == NULL) {
        return false;
    }
    for (got = fread(buffer, 1, sizeof(buffer), from); got > 0;
         got = fread(buffer, 1, sizeof(buffer), from)) {
        (void)fwrite(buffer, 1, got, to);
    }
    (void)fclose(from);
    return ferror(to) == 0;
}

/* In the order of the workers, whose shares are in the order of the paths. */
static bool merge(struct fleet *fleet)
{
    char path[PATH_BYTES];
    bool is_merged = true;

    for (uint32_t i = 0; i < fleet->workers; i++) {
        part_path(fleet, i, "db", path);
        is_merged = is_merged && fleet_db_merge(&fleet->db, path) == STATUS_OK;
        (void)unlink(path);
        part_path(fleet, i, "ndjson", path);
        is_merged = is_merged && (fleet->ndjson == NULL || append_lines(fleet->ndjson, path));
        (void)unlink(path);
    }
    return is_merged;
}

static bool run_workers(struct fleet *fleet, const char *const *paths)
{
    pid_t children[WORKERS_MAX];
    bool is_done = true;

    (void)fflush(NULL);
    for (uint32_t i = 0; i < fleet->workers; i++) {
        children[i] = fork();
        if (children[i] == 0) {
            work(fleet, paths, i);
        }
    }
    for (uint32_t i = 0; i < fleet->workers; i++) {
        int status = 0;

        if (children[i] < 0 || waitpid(children[i], &status, 0) != children[i] || status != 0) {
            is_done = false;
        }
    }
    return is_done;
}

/* Several processes, when there is enough to do: each machine costs the same, so each gets an equal share. */
static bool add_all(struct fleet *fleet, const char *const *paths)
{
    char folder[PATH_BYTES];
    const char *temporary = getenv("TMPDIR"); /* NOLINT(concurrency-mt-unsafe): one thread */
    bool is_done;

    if (fleet->workers < 2) {
        return add_range(fleet, paths, 0, fleet->total);
    }
    (void)snprintf(folder, sizeof(folder), "%.200s/assay-fleet-XXXXXX",
                   temporary == NULL ? "/tmp" : temporary);
    fleet->folder = mkdtemp(folder);
    if (fleet->folder == NULL) {
        (void)fprintf(stderr, "assay: fleet: no temporary folder can be made\n");
        return false;
    }
    is_done = run_workers(fleet, paths);
    is_done = merge(fleet) && is_done;
    (void)rmdir(fleet->folder);
    return is_done;
}

static uint32_t workers_for(uint32_t count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    uint32_t most = count / MACHINES_A_WORKER;

    if (processors < (long)most) {
        most = processors < 1 ? 1 : (uint32_t)processors;
    }
    return most > WORKERS_MAX ? WORKERS_MAX : most;
}

/* Counters that the workers share with their parent. */
static struct counts *share_counts(void)
{
    void *shared = mmap(NULL, sizeof(struct counts) * WORKERS_MAX, PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_ANONYMOUS, -1, 0);

    return shared == MAP_FAILED ? NULL : shared;
}

static int run(struct fleet *fleet, const char *const *paths, uint32_t count)
{
    struct counts sum;
    bool is_done;

    fleet->total = count;
    fleet->workers = workers_for(count);
    fleet->counts = share_counts();
    if (fleet->counts == NULL || fleet_db_open(fleet->db_path, 1, &fleet->db) != STATUS_OK) {
        return EXIT_NOT_DONE;
    }
    fleet->ndjson = fleet->ndjson_path == NULL ? NULL : output_open(fleet->ndjson_path);
    is_done = (fleet->ndjson != NULL || fleet->ndjson_path == NULL) && add_all(fleet, paths) &&
              fleet_db_finish(&fleet->db) == STATUS_OK;
    if (fleet->ndjson != NULL && !output_close(fleet->ndjson, fleet->ndjson_path, true)) {
        is_done = false;
    }
    is_done = is_done && write_outputs(fleet);
    fleet_db_close(&fleet->db);
    sum_counts(fleet, &sum);
    if (!is_done || sum.unread > 0) {
        return EXIT_NOT_DONE;
    }
    return sum.fails > 0 ? 1 : EXIT_SUCCESS;
}

int fleet_show(const char *const *paths, uint32_t count, const char *html)
{
    struct fleet fleet = {.html_path = html};

    return run(&fleet, paths, count);
}

int fleet_command(int count, char **words)
{
    struct fleet fleet = {.db_path = NULL};
    const struct word_option options[] = {{"--db", &fleet.db_path, NULL},
                                          {"--ndjson", &fleet.ndjson_path, NULL},
                                          {"--csv", &fleet.csv_path, NULL},
                                          {"--html", &fleet.html_path, NULL},
                                          {"--quiet", NULL, &fleet.is_quiet}};
    struct words taken = {.command = "fleet", .options_count = 5, .options = options};
    int status = EXIT_WRONG_USE;

    taken.paths = calloc((size_t)count + 1, sizeof(*taken.paths));
    if (taken.paths == NULL) {
        return EXIT_NOT_DONE;
    }
    if (words_take(&taken, count, words)) {
        if (taken.paths_count > 0) {
            status = run(&fleet, taken.paths, taken.paths_count);
        } else {
            (void)fprintf(stderr, "assay: fleet needs machines or reports\n");
        }
    }
    free(taken.paths);
    return status;
}

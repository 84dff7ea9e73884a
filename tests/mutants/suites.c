/* All unit and rule suites in one program, so that a changed source costs one link.
 *
 * suites names            their names
 * suites time             name and milliseconds of each; status 1 when one fails
 * suites run NAME=LIMIT_MS...   runs those in turn and ends at the first that fails: prints its
 *                         name and how it ended, status 1. Status 0 when all pass.
 *
 * Each runs in a process of its own, with limits of time and memory: a mutant may loop or allocate
 * for ever. */

#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define SUITE(name) int suite_##name(void);
#include "build/mutants/suites.h"
#undef SUITE

static const struct {
    const char *name;
    int (*run)(void);
} suites[] = {
#define SUITE(name) {#name, suite_##name},
#include "build/mutants/suites.h"
#undef SUITE
};

#define SUITES (sizeof(suites) / sizeof(suites[0]))
#define MEMORY_BYTES_MAX (UINT64_C(4) << 30)

static void run_as_child(size_t index)
{
    const struct rlimit memory = {MEMORY_BYTES_MAX, MEMORY_BYTES_MAX};
    const struct rlimit core = {0, 0};
    int nowhere = open("/dev/null", O_RDWR);

    (void)setpgid(0, 0);
    (void)setrlimit(RLIMIT_AS, &memory);
    (void)setrlimit(RLIMIT_CORE, &core);
    (void)dup2(nowhere, STDOUT_FILENO);
    (void)dup2(nowhere, STDERR_FILENO);
    exit(suites[index].run() == 0 ? 0 : 1);
}

static uint64_t now_ms(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

/* "passed", "failed", "crashed" or "too long". */
static const char *run_one(size_t index, uint64_t limit_ms)
{
    const struct timespec tick = {0, 2000000};
    const uint64_t end_ms = now_ms() + limit_ms;
    pid_t child = fork();
    int status = 0;

    if (child == 0) {
        run_as_child(index);
    }
    while (waitpid(child, &status, WNOHANG) == 0) {
        if (now_ms() > end_ms) {
            (void)kill(-child, SIGKILL);
            (void)waitpid(child, &status, 0);
            return "too long";
        }
        (void)nanosleep(&tick, NULL);
    }
    if (WIFEXITED(status)) {
        return WEXITSTATUS(status) == 0 ? "passed" : "failed";
    }
    return "crashed";
}

static int time_all(void)
{
    int status = 0;

    for (size_t i = 0; i < SUITES; i++) {
        uint64_t start_ms = now_ms();
        const char *end = run_one(i, 600000);

        printf("%s %llu %s\n", suites[i].name, (unsigned long long)(now_ms() - start_ms), end);
        status |= strcmp(end, "passed") != 0;
    }
    return status;
}

static size_t suite_named(const char *name, size_t len)
{
    size_t index = 0;

    while (index < SUITES &&
           (strlen(suites[index].name) != len || strncmp(suites[index].name, name, len) != 0)) {
        index++;
    }
    return index;
}

static int run_named(char **names)
{
    for (; *names != NULL; names++) {
        size_t len = strcspn(*names, "=");
        size_t index = suite_named(*names, len);
        uint64_t limit_ms = (*names)[len] == '=' ? strtoull(*names + len + 1, NULL, 10) : 60000;
        const char *end = NULL;

        if (index == SUITES) {
            fprintf(stderr, "suites: no suite %s\n", *names);
            return 2;
        }
        end = run_one(index, limit_ms);
        if (strcmp(end, "passed") != 0) {
            printf("%s %s\n", suites[index].name, end);
            return 1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc > 2 && strcmp(argv[1], "run") == 0) {
        return run_named(argv + 2);
    }
    if (argc == 2 && strcmp(argv[1], "time") == 0) {
        return time_all();
    }
    if (argc != 2 || strcmp(argv[1], "names") != 0) {
        fprintf(stderr, "suites: names | time | run NAME=LIMIT_MS...\n");
        return 2;
    }
    for (size_t i = 0; i < SUITES; i++) {
        puts(suites[i].name);
    }
    return 0;
}

/*
 * cost OUT COMMAND...: runs the command, passes its status on, and appends one line to OUT: processor time
 * (user and system) and wall-clock time in microseconds, and peak memory in KiB. The command's children
 * that it waited for count as well. With COST_OUT and COST_COMMAND set, every word belongs to that command:
 * for a caller that can name a program but gives it words of its own.
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STATUS_NOT_RUN 127
#define STATUS_KILLED 128

static int fail(const char *what)
{
    (void)fprintf(stderr, "cost: %s: %s\n", what, strerror(errno));
    return STATUS_NOT_RUN;
}

static long long now_us(void)
{
    struct timespec now;

    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (long long)now.tv_sec * 1000000 + now.tv_nsec / 1000;
}

static long long used_us(const struct rusage *used)
{
    return (long long)(used->ru_utime.tv_sec + used->ru_stime.tv_sec) * 1000000 +
           used->ru_utime.tv_usec + used->ru_stime.tv_usec;
}

/* A caller that ends this program also means the command. */
static void run(char **words)
{
    (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
    (void)execvp(words[0], words);
    exit(fail(words[0]));
}

static int report(const char *path, const struct rusage *used, long long wall_us)
{
    FILE *out = fopen(path, "a");

    if (out == NULL) {
        return fail(path);
    }
    (void)fprintf(out, "%lld %lld %ld\n", used_us(used), wall_us, used->ru_maxrss);
    return fclose(out) == 0 ? EXIT_SUCCESS : fail(path);
}

int main(int count, char **words)
{
    char *command = getenv("COST_COMMAND");
    const char *out = getenv("COST_OUT");
    struct rusage used;
    int status = 0;

    if (command != NULL && out != NULL) {
        words[0] = command;
    } else if (count >= 3) {
        out = words[1];
        words += 2;
    } else {
        (void)fprintf(stderr, "usage: cost OUT COMMAND...\n");
        return STATUS_NOT_RUN;
    }
    long long start_us = now_us();
    pid_t child = fork();
    if (child == 0) {
        run(words);
    }
    if (child < 0 || wait4(child, &status, 0, &used) != child) {
        return fail("cannot wait");
    }
    int written = report(out, &used, now_us() - start_us);
    if (written != EXIT_SUCCESS) {
        return written;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_KILLED + WTERMSIG(status);
}

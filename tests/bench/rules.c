/*
 * rules MACHINE: collects from a machine folder as `assay check` does, then judges it by all rules several
 * times; prints the median in microseconds, and the slowest rule with its share of one run.
 */
#include "acpi/engine.h"
#include "drivers/hw_replay.h"
#include "host/machine.h"
#include "host/memory.h"
#include "rules/rule.h"
#include "run/pipeline.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define RUNS 9
#define FINDINGS_CAPACITY 4096

struct judged {
    struct arena arena;
    struct options options;
    struct machine machine;
    struct hw_replay replay;
    struct platform platform;
};

static uint64_t now_100ns(void *context)
{
    struct timespec now;

    (void)context;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 10000000 + (uint64_t)now.tv_nsec / 100;
}

static void collect(struct judged *judged, const char *const *path)
{
    char message[512] = "";
    struct machine *machine = &judged->machine;

    if (machine_load(path, 1, &judged->arena, machine, message, sizeof(message)) != STATUS_OK) {
        (void)fprintf(stderr, "rules: %s\n", message);
        exit(EXIT_FAILURE);
    }
    judged->replay.kinds = machine->kinds;
    judged->replay.kinds_count = machine->kinds_count;
    struct pipeline pipeline = {.hw = &judged->replay.hw,
                                .options = &judged->options,
                                .arena = &judged->arena,
                                .source = machine->source,
                                .source_name = machine->name,
                                .engine = {.blobs_count = machine->blobs_count,
                                           .blobs = machine->blobs,
                                           .now_100ns = now_100ns}};

    platform_init(&judged->platform, &judged->arena, &judged->options);
    if (hw_replay_start(&judged->replay, &judged->arena) != STATUS_OK ||
        pipeline_collect(&pipeline, &judged->platform) != STATUS_OK) {
        (void)fprintf(stderr, "rules: %s cannot be collected\n", path[0]);
        exit(EXIT_FAILURE);
    }
}

static struct findings new_findings(struct judged *judged)
{
    struct findings findings;

    if (findings_init(&findings, &judged->arena, FINDINGS_CAPACITY, judged->platform.cpus_count) !=
        STATUS_OK) {
        exit(EXIT_FAILURE);
    }
    return findings;
}

static int by_size(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a;
    uint64_t right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

static uint64_t median_us(struct judged *judged, struct findings *ret_findings)
{
    uint64_t took[RUNS];

    for (unsigned run = 0; run < RUNS; run++) {
        struct findings findings = new_findings(judged);
        uint64_t start = now_100ns(NULL);

        if (pipeline_judge(&judged->platform, &findings) != STATUS_OK) {
            (void)fprintf(stderr, "rules: the findings do not fit\n");
            exit(EXIT_FAILURE);
        }
        took[run] = (now_100ns(NULL) - start) / 10;
        *ret_findings = findings;
    }
    qsort(took, RUNS, sizeof(took[0]), by_size);
    return took[RUNS / 2];
}

static const struct rule *slowest_rule(struct judged *judged, uint64_t *ret_us)
{
    struct findings findings = new_findings(judged);
    const struct rule *slowest = NULL;

    *ret_us = 0;
    for (uint32_t i = 0; i < rules_count(); i++) {
        const struct rule *rule = rules_at(i);
        uint64_t start = now_100ns(NULL);

        rule->check(rule, &judged->platform, &findings);
        uint64_t us = (now_100ns(NULL) - start) / 10;
        if (slowest == NULL || us > *ret_us) {
            slowest = rule;
            *ret_us = us;
        }
    }
    return slowest;
}

int main(int count, char **words)
{
    static struct judged judged;
    struct findings findings;
    const char *path[1];
    uint64_t slowest_us;

    if (count != 2) {
        (void)fprintf(stderr, "usage: rules MACHINE\n");
        return 2;
    }
    path[0] = words[1];
    memory_init(&judged.arena);
    options_init(&judged.options);
    collect(&judged, path);
    uint64_t us = median_us(&judged, &findings);
    const struct rule *slowest = slowest_rule(&judged, &slowest_us);
    (void)printf("%llu %u %u %s %llu\n", (unsigned long long)us, rules_count(), findings.count,
                 slowest != NULL ? slowest->id : "-", (unsigned long long)slowest_us);
    return EXIT_SUCCESS;
}

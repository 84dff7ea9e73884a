/*
 * The host program: the verdicts of the UEFI application from a dump. The first word names a command; what
 * each takes is in its own file.
 */
#include "acpi/engine.h"
#include "build/version.h"
#include "host/check.h"
#include "host/check_words.h"
#include "host/diff.h"
#include "host/fleet.h"
#include "host/governor.h"
#include "host/show.h"
#include "host/snapshot.h"
#include "model/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

static int version_command(int count, char **words)
{
    (void)count;
    (void)words;
    (void)printf("assay %s (%s), ACPICA %s\n", ASSAY_VERSION, ASSAY_BUILD, engine_acpica_version());
    return EXIT_SUCCESS;
}

static int help_command(int count, char **words)
{
    (void)count;
    (void)words;
    (void)printf(
        "assay: judges CPU power-management firmware from a dump.\n\n"
        "%s\n"
        "%s\n"
        "assay show REPORT... [--text F] [--html F] [--json F] [--junit F] [--tap F] [--csv F]\n"
        "                       a stored report, a results folder or a serial log\n"
        "assay diff OLD NEW [--text F] [--html F] [--json F]\n"
        "                       what changed between two machines or reports;\n"
        "                       status 0 nothing, 1 something, 2 wrong use\n"
        "assay fleet [--db F] [--ndjson F] [--csv F] [--html F] MACHINE_OR_REPORT...\n"
        "                       many machines at once\n"
        "assay snapshot DIR     this Linux machine as a machine folder, as root\n"
        "assay rules [ID]       every rule: id, severity, title, spec; or one in full\n"
        "assay --version        this program, its build, the interpreter inside\n"
        "assay help             this text (also --help, -h)\n",
        check_words_help(), governor_help());
    return EXIT_SUCCESS;
}

struct command {
    const char *name;
    int (*run)(int count, char **words);
};

static const struct command commands[] = {{"check", check_command},
                                          {"show", show_command},
                                          {"diff", diff_command},
                                          {"fleet", fleet_command},
                                          {"snapshot", snapshot_command},
                                          {"rules", rules_command},
                                          {"governor", governor_command},
                                          {"--version", version_command},
                                          {"--help", help_command},
                                          {"help", help_command},
                                          {"-h", help_command}};

static int wrong_command(const char *word)
{
    const char *names[COUNT(commands)];

    for (size_t i = 0; i < COUNT(commands); i++) {
        names[i] = commands[i].name;
    }
    (void)fprintf(stderr, "assay: %s is not a command; nearest: %s\n", word,
                  nearest_of(word, strlen(word), names, COUNT(commands)));
    return EXIT_WRONG_USE;
}

int main(int count, char **words)
{
    if (count < 2) {
        (void)fprintf(stderr, "assay: needs a command, for example: assay check MACHINE; assay "
                              "--help lists them\n");
        return EXIT_WRONG_USE;
    }
    for (size_t i = 0; i < COUNT(commands); i++) {
        if (strcmp(words[1], commands[i].name) == 0) {
            return commands[i].run(count - 2, words + 2);
        }
    }
    return wrong_command(words[1]);
}

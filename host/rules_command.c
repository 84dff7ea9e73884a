#include "host/check.h"
#include "model/nearest.h"
#include "report/wrap.h"
#include "rules/rule.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXIT_WRONG_USE 2

static bool flush(void *context, const char *bytes, size_t length)
{
    (void)context;
    return fwrite(bytes, 1, length, stdout) == length;
}

/* Id, severity, title, spec: the table that interfaces.md promises. */
static void list(struct textbuf *out)
{
    struct wrap line;

    wrap_init(&line, out);
    for (uint32_t i = 0; i < rules_count(); i++) {
        const struct rule *rule = rules_at(i);

        wrap_printf(&line, "%-9s %-8s  %s [%s]", rule->id, severity_name(rule->severity),
                    rule->title, rule->spec);
        wrap_end(&line, 20);
    }
}

static void field(struct textbuf *out, const char *label, const char *text)
{
    if (text != NULL) {
        wrap_text(out, label, 10, text);
    }
}

static void in_full(const struct rule *rule, struct textbuf *out)
{
    textbuf_printf(out, "%s (%s)\n", rule->id, severity_name(rule->severity));
    field(out, "title", rule->title);
    field(out, "spec", rule->spec);
    field(out, "why", rule->why);
    field(out, "advice", rule->advice);
    field(out, "known as", rule->known_as);
}

static const char *nearest_id(const char *word)
{
    const char *nearest = rules_at(0)->id;
    uint32_t best = UINT32_MAX;

    for (uint32_t i = 0; i < rules_count(); i++) {
        uint32_t rank = nearest_rank(word, strlen(word), rules_at(i)->id);

        if (rank < best) {
            best = rank;
            nearest = rules_at(i)->id;
        }
    }
    return nearest;
}

/* Ids are in capitals; whoever types pss-007 means PSS-007. */
static void upper_case(char *word)
{
    for (; *word != '\0'; word++) {
        if (*word >= 'a' && *word <= 'z') {
            *word = (char)(*word - 'a' + 'A');
        }
    }
}

int rules_command(int count, char **words)
{
    static char buffer[8192];
    struct textbuf out;
    const struct rule *rule;

    textbuf_init(&out, buffer, sizeof(buffer), flush, NULL);
    if (count == 0) {
        list(&out);
        return textbuf_finish(&out) ? EXIT_SUCCESS : 3;
    }
    if (count > 1) {
        (void)fprintf(stderr, "assay: rules takes one ID or none\n");
        return EXIT_WRONG_USE;
    }
    upper_case(words[0]);
    rule = rules_find(words[0]);
    if (rule == NULL) {
        (void)fprintf(stderr, "assay: %s is not a rule; nearest: %s\n", words[0],
                      nearest_id(words[0]));
        return EXIT_WRONG_USE;
    }
    in_full(rule, &out);
    return textbuf_finish(&out) ? EXIT_SUCCESS : 3;
}

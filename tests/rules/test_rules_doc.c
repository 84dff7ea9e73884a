#include "rules/rule.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/*
 * docs/rules.md is made from the table of rules: with ASSAY_WRITE_DOCS set this program writes it,
 * otherwise it fails when the file is not what the table gives.
 */
#define DOC "docs/rules.md"

static const char head[] =
    "# Rules\n\n"
    "This file is made from the table of rules; `assay rules ID` shows one in full, with why it "
    "matters and what to\nchange. Do not edit it: run the test program `test_rules_doc` with "
    "`ASSAY_WRITE_DOCS=1`.\n\n"
    "A rule gives one of five verdicts. **FAIL**: the firmware breaks what the cited document "
    "demands, or the machine\nloses a function by it. **WARN**: it deviates in a way that some "
    "system "
    "stumbles over, or that may be meant.\n**INFO**: worth knowing, no fault. **SKIP**: could not "
    "be "
    "judged, with the reason. **PASS**: looked at, and nothing\nwas wrong.\n\n"
    "The severity says how bad it is for the machine's user: *critical*, the system may hang, "
    "crash "
    "or have no power\nmanagement at all; *high*, a whole function is lost or wrong (P-states, "
    "CPPC, "
    "C-states, clocks); *medium*, it works\nbut worse than it could; *low*, cosmetic, or seen by "
    "few "
    "systems. It belongs to the rule and is the same everywhere.\n\n"
    "| id | severity | the requirement | where it is written | known as |\n"
    "|---|---|---|---|---|\n";

/* A cell: the text with what Markdown takes for a column or a tag escaped. */
static void put_cell(FILE *out, const char *text)
{
    for (; *text != '\0'; text++) {
        if (strchr("|<>*", *text) != NULL) {
            (void)fputc('\\', out);
        }
        (void)fputc(*text, out);
    }
}

static void put_document(FILE *out)
{
    (void)fputs(head, out);
    for (uint32_t i = 0; i < rules_count(); i++) {
        const struct rule *rule = rules_at(i);

        (void)fprintf(out, "| %s | %s | ", rule->id, severity_name(rule->severity));
        put_cell(out, rule->title);
        (void)fputs(" | ", out);
        put_cell(out, rule->spec);
        (void)fputs(" | ", out);
        put_cell(out, rule->known_as != NULL ? rule->known_as : "");
        (void)fputs(" |\n", out);
    }
    (void)fprintf(out, "\n%u rules.\n", rules_count());
}

static char *read_file(const char *path, size_t *ret_length)
{
    FILE *in = fopen(path, "rb");
    char *text = NULL;
    size_t used = 0;

    if (in == NULL) {
        return NULL;
    }
    text = calloc(1, 1U << 20);
    assert_non_null(text);
    used = fread(text, 1, (1U << 20) - 1, in);
    (void)fclose(in);
    *ret_length = used;
    return text;
}

static void document_is_current(void **state)
{
    char *expected = NULL;
    char *found;
    size_t expected_length = 0;
    size_t found_length = 0;
    FILE *out = open_memstream(&expected, &expected_length);

    (void)state;
    assert_non_null(out);
    put_document(out);
    assert_int_equal(fclose(out), 0);
    if (getenv("ASSAY_WRITE_DOCS") != NULL) {
        out = fopen(DOC, "wb");
        assert_non_null(out);
        assert_int_equal(fwrite(expected, 1, expected_length, out), expected_length);
        assert_int_equal(fclose(out), 0);
    }
    found = read_file(DOC, &found_length);
    assert_non_null(found);
    if (found_length != expected_length || memcmp(found, expected, found_length) != 0) {
        fail_msg("%s is not what the rules give; run this program with ASSAY_WRITE_DOCS=1", DOC);
    }
    free(found);
    free(expected);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(document_is_current),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "report/asl_text.h"
#include "report/html.h"
#include "report/report.h"
#include "tests/sim/markup.h"
#include "tests/sim/sim_report.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct sim_report sample;

static int set_up(void **state)
{
    (void)state;
    sim_report_init(&sample);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_report_free(&sample);
    return 0;
}

static void assert_has(const char *text, const char *part)
{
    if (strstr(text, part) == NULL) {
        fail_msg("\"%s\" is not in the page", part);
    }
}

static void assert_well_formed(const char *page)
{
    size_t at = 0;
    const char *problem = markup_problem(MARKUP_HTML, page, strlen(page), &at);

    if (problem != NULL) {
        fail_msg("%s at byte %zu: %.60s", problem, at, page + at);
    }
}

static void the_page_is_whole_and_well_formed(void **state)
{
    const char *page = sim_report_write(&sample, report_html);

    (void)state;
    assert_true(strncmp(page, "<!DOCTYPE html>\n<html lang=\"en\">", 32) == 0);
    assert_string_equal(page + strlen(page) - 8, "</html>\n");
    assert_well_formed(page);
}

static void nothing_of_the_machine_is_markup(void **state)
{
    const char *page = sim_report_write(&sample, report_html);

    (void)state;
    assert_null(strstr(page, "<&>"));
    assert_has(page, "&lt;&amp;&gt;");
    for (const char *c = page; *c != '\0'; c++) {
        assert_true((unsigned char)*c >= ' ' || *c == '\n' || *c == '\t');
    }
}

static void nothing_comes_from_elsewhere(void **state)
{
    const char *page = sim_report_write(&sample, report_html);

    (void)state;
    assert_null(strstr(page, "http:"));
    assert_null(strstr(page, "https:"));
    assert_null(strstr(page, "//"));
    assert_null(strstr(page, "src="));
    assert_null(strstr(page, "@import"));
}

/* Each link of the page leads to an element of the page, and no id is there twice. */
static void every_link_has_its_target(void **state)
{
    const char *page = sim_report_write(&sample, report_html);
    unsigned links = 0;

    (void)state;
    for (const char *at = strstr(page, "href=\"#"); at != NULL; at = strstr(at + 1, "href=\"#")) {
        char id[64];
        size_t length = strcspn(at + 7, "\"");

        assert_in_range(length, 1, 40);
        (void)snprintf(id, sizeof(id), "id=\"%.*s\"", (int)length, at + 7);
        assert_has(page, id);
        assert_null(strstr(strstr(page, id) + 1, id));
        links++;
    }
    assert_in_range(links, 12, 100);
}

static void every_part_is_there(void **state)
{
    static const char *const parts[] = {"<h1>",
                                        "Verdict: FAIL",
                                        "1 failed, 1 warning, 1 passed, 1 noted, 1 not judged",
                                        "What matters most",
                                        "TST-001",
                                        "id=\"ladder-t\"",
                                        "P-states as claimed (_PSS)",
                                        "Idle states as timed, in ns",
                                        "class=\"hatch\"",
                                        "PM timer",
                                        "CPUs whose objects are alike",
                                        "Package (0x",
                                        "fault (#GP)",
                                        "What the interpreter repairs",
                                        "id=\"filter\" hidden"};
    const char *page = sim_report_write(&sample, report_html);

    (void)state;
    for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
        assert_has(page, parts[i]);
    }
}

static void every_picture_and_table_has_its_words(void **state)
{
    const char *page = sim_report_write(&sample, report_html);
    unsigned tables = 0;

    (void)state;
    for (const char *at = strstr(page, "<table>"); at != NULL; at = strstr(at + 1, "<table>")) {
        assert_true(strncmp(at, "<table><caption>", 16) == 0);
        tables++;
    }
    assert_in_range(tables, 5, 100);
    for (const char *at = strstr(page, "<svg viewBox"); at != NULL;
         at = strstr(at + 1, "<svg viewBox")) {
        const char *title = strstr(at, "<title");

        assert_non_null(title);
        assert_true(title < strchr(strchr(at, '>') + 2, '>'));
        assert_true(strstr(at, "<desc") < strstr(at, "</svg>"));
    }
}

static void an_empty_machine_has_a_page_with_reasons(void **state)
{
    struct platform *platform = &sample.sim.platform;
    const char *page;

    (void)state;
    platform->processors_count = 0;
    platform->sets_count = 0;
    platform->cpus_count = 0;
    platform->tables_count = 0;
    platform->msrs_count = 0;
    platform->idle_count = 0;
    platform->port_costs_count = 0;
    platform->clocks_count = 0;
    platform->frequency = (struct frequency){.processor = PROCESSOR_NONE};
    sample.findings.count = 0;
    page = sim_report_write(&sample, report_html);
    assert_well_formed(page);
    assert_has(page, "No CPU has a _PSS.");
    assert_has(page, "There is no processor in the namespace.");
    assert_has(page, "Every rule that could be judged holds.");
}

static char written[4096];

static struct textbuf fresh(void)
{
    struct textbuf out;

    textbuf_init(&out, written, sizeof(written), NULL, NULL);
    return out;
}

static void text_is_escaped_whatever_it_holds(void **state)
{
    struct textbuf out = fresh();

    (void)state;
    html_text(&out, "a<b>&\"c'\x01\x7f \xC3\xA4 \xC2\x80 \xFF");
    html_text(&out, NULL);
    assert_string_equal(written, "a&lt;b&gt;&amp;&quot;c'\xEF\xBF\xBD\xEF\xBF\xBD \xC3\xA4 "
                                 "\xEF\xBF\xBD \xEF\xBF\xBD");
}

/* A flush of the escape in the middle of a sequence must not tear it: every place of it is tried. */
static void a_long_text_keeps_its_characters(void **state)
{
    (void)state;
    for (unsigned start = HTML_ESCAPE_BYTES - 8; start < HTML_ESCAPE_BYTES + 4; start++) {
        struct textbuf out = fresh();
        char text[HTML_ESCAPE_BYTES + 64];

        memset(text, 'x', start);
        (void)strcpy(text + start, "\xF0\x9F\x98\x80<\xE2\x82");
        html_printf(&out, "%s", text);
        assert_int_equal(strlen(written), start + 4 + 4 + 3);
        assert_string_equal(written + start, "\xF0\x9F\x98\x80&lt;\xEF\xBF\xBD");
    }
}

static void values_look_like_asl(void **state)
{
    static const uint8_t register_bytes[] = {0x82, 0x0C, 0x00, 0x01, 0x08, 0x00, 0x01, 0x14, 0x04,
                                             0x00, 0x00, 0x00, 0x00, 0x00, 0x00, 0x79, 0x00};
    struct aml_value row[2] = {sim_integer(2250), sim_integer(UINT64_MAX)};
    struct aml_value inside[3] = {sim_package(row, 2),
                                  sim_string("a\"b\x01"),
                                  {.type = AML_BUFFER, .length = 17, .bytes = register_bytes}};
    struct aml_value outer = sim_package(inside, 3);
    struct textbuf out = fresh();

    (void)state;
    asl_text(&out, &outer);
    assert_string_equal(written,
                        "Package (0x03)\n{\n    Package (0x02) {0x8CA, 0xFFFFFFFFFFFFFFFF},\n"
                        "    \"a\\\"b\\x01\",\n    Buffer (0x11) {82 0C 00 01 08 00 01 14 04 00 00 "
                        "00 00 00 00 79 00} /* Register (SystemIO, 0x08, 0x00, 0x414, 1) */\n}");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_page_is_whole_and_well_formed, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_of_the_machine_is_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(nothing_comes_from_elsewhere, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_link_has_its_target, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_part_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_picture_and_table_has_its_words, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_machine_has_a_page_with_reasons, set_up,
                                        tear_down),
        cmocka_unit_test(text_is_escaped_whatever_it_holds),
        cmocka_unit_test(a_long_text_keeps_its_characters),
        cmocka_unit_test(values_look_like_asl),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "report/figure.h"
#include "report/text_plot.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static char buffer[2048];
static struct textbuf out;
static struct wrap line;
static struct plot plot;

static int set_up(void **state)
{
    (void)state;
    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    wrap_init(&line, &out);
    return 0;
}

/* 46 columns from 0 to 90: two units a column. */
static void marks_stand_at_their_values(void **state)
{
    (void)state;
    plot = (struct plot){.axis = {AXIS_LINEAR, 0, 90, 0, PLOT_COLUMNS - 1}};
    memset(plot.cells, ' ', PLOT_COLUMNS);
    plot_fill(&plot, 10, 20, '-');
    plot_mark(&plot, 16, 'M');
    plot_mark(&plot, 90, 'D');
    plot_row(&plot, "a label", &line);
    assert_string_equal(buffer, "a label                        |     ---M--            "
                                "                      D|\n");
    assert_int_equal(strlen(buffer), PLOT_LABEL_COLUMNS + PLOT_COLUMNS + 3);
    plot_row(&plot, "the next row is empty", &line);
    assert_non_null(strstr(buffer, "the next row is empty          |                       "
                                   "                       |\n"));
}

static void a_point_has_dots_before_it(void **state)
{
    (void)state;
    plot_start(&plot, AXIS_LOG, 5, 300);
    assert_true(plot.axis.low == 1 && plot.axis.high == 1000);
    plot_point(&plot, 10, '*');
    plot_row(&plot, "", &line);
    assert_non_null(strstr(buffer, "|...............*      "));
}

/* Nothing may stand outside the field: a value off the axis is put on its end. */
static void every_value_stays_in_the_field(void **state)
{
    static const uint64_t values[] = {0, 1, 999, 1000, UINT64_MAX};

    (void)state;
    for (unsigned scale = AXIS_LINEAR; scale <= AXIS_LOG; scale++) {
        for (size_t i = 0; i < sizeof(values) / sizeof(values[0]); i++) {
            for (size_t n = i; n < sizeof(values) / sizeof(values[0]); n++) {
                plot_start(&plot, (enum axis_scale)scale, values[i], values[n]);
                plot_fill(&plot, 0, UINT64_MAX, '=');
                plot_mark(&plot, values[i], 'a');
                plot_mark(&plot, values[n], 'b');
                assert_int_equal(strlen(plot.cells), PLOT_COLUMNS);
                assert_null(strchr(plot.cells, ' '));
                assert_non_null(strchr(plot.cells, 'b'));
            }
        }
    }
}

static void a_long_label_is_cut_before_the_field(void **state)
{
    (void)state;
    plot_start(&plot, AXIS_LINEAR, 0, 10);
    plot_row(&plot, "a label that is much longer than its columns", &line);
    assert_memory_equal(buffer, "a label that is much longer th |", PLOT_LABEL_COLUMNS + 1);
}

static void the_scale_names_its_ticks(void **state)
{
    const char *second;

    (void)state;
    plot_start(&plot, AXIS_LINEAR, 1000000, 3400000);
    plot_scale(&plot, figure_mhz, &line);
    assert_true(plot.axis.low == 1000000 && plot.axis.high == 4000000);
    second = strchr(buffer, '\n') + 1;
    assert_memory_equal(buffer + PLOT_LABEL_COLUMNS + 1, "+--------------+--------------+", 31);
    assert_non_null(strstr(second, "1000 MHz       2000 MHz       3000 MHz      4000 MHz\n"));
    assert_true(strlen(second) <= WRAP_COLUMNS + 1);
}

/* Values too wide for the room between ticks are left out, never written over each other. */
static const char *wide(uint64_t value, char *ret_text)
{
    (void)value;
    (void)strcpy(ret_text, "as wide as a third of it");
    return ret_text;
}

static void values_of_ticks_do_not_touch(void **state)
{
    const char *second;
    unsigned count = 0;

    (void)state;
    plot_start(&plot, AXIS_LOG, 1, 1000000);
    plot_scale(&plot, wide, &line);
    second = strchr(buffer, '\n') + 1;
    for (const char *at = second; (at = strstr(at, "as wide")) != NULL; at++) {
        count++;
        assert_memory_equal(at, "as wide as a third of it", 24);
        assert_true(at == second || at[-1] == ' ');
    }
    assert_in_range(count, 1, 2);
    assert_true(strlen(second) <= WRAP_COLUMNS + 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(marks_stand_at_their_values, set_up),
        cmocka_unit_test_setup(a_point_has_dots_before_it, set_up),
        cmocka_unit_test_setup(every_value_stays_in_the_field, set_up),
        cmocka_unit_test_setup(a_long_label_is_cut_before_the_field, set_up),
        cmocka_unit_test_setup(the_scale_names_its_ticks, set_up),
        cmocka_unit_test_setup(values_of_ticks_do_not_touch, set_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

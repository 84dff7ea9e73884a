#include "host/fleet_db.h"
#include "host/fleet_sheet.h"
#include "host/json_text.h"
#include "host/stored.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct fleet_db db;

static int set_up(void **state)
{
    (void)state;
    return fleet_db_open(NULL, 1, &db) == STATUS_OK ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    fleet_db_close(&db);
    return 0;
}

static void add(const char *path, const char *text)
{
    char message[200];
    json_t *root = json_text_read(text, strlen(text), message, sizeof(message));

    assert_non_null(root);
    assert_int_equal(fleet_db_add(&db, path, root), STATUS_OK);
    json_decref(root);
}

static void add_board(const char *path, const char *flags, const char *finding)
{
    char text[1024];

    (void)snprintf(text, sizeof(text),
                   "{\"machine\":{\"vendor\":\"V\",\"product\":\"P,1\"},\"fadt\":{\"flags\":%s},"
                   "\"totals\":{\"pass\":1,\"fail\":0},\"findings\":[%s]}",
                   flags, finding);
    add(path, text);
}

static char *sheet_text(bool is_html)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);
    struct sheet sheet;

    sheet_open(&sheet, out, is_html, "t");
    fleet_sheet(&sheet, &db);
    assert_true(sheet_close(&sheet));
    (void)fclose(out);
    return text;
}

static void one_of_a_model_that_differs_is_named(void **state)
{
    char *text;

    (void)state;
    add_board("a", "1", "");
    add_board("b", "1", "");
    add_board("c", "1", "");
    add_board("odd", "3",
              "{\"id\":\"X-1\",\"verdict\":\"FAIL\",\"severity\":\"high\",\"title\":\"T\"}");
    assert_int_equal(fleet_db_finish(&db), STATUS_OK);
    text = sheet_text(false);
    assert_non_null(strstr(text, "V P,1  odd      fadt.flags  3      1      3 of 4"));
    assert_non_null(strstr(text, "FAIL X-1 (high) T"));
    assert_non_null(strstr(text, "1 of 4"));
    free(text);
}

static void firmware_text_is_no_markup(void **state)
{
    char *text;

    (void)state;
    add("<script>", "{\"machine\":{\"product\":\"<b>&\\u0007\"},\"findings\":[]}");
    assert_int_equal(fleet_db_finish(&db), STATUS_OK);
    text = sheet_text(true);
    assert_null(strstr(text, "<script>"));
    assert_non_null(strstr(text, "&lt;b&gt;&amp;?"));
    free(text);
}

static void csv_is_tidy(void **state)
{
    char *text = NULL;
    size_t length = 0;
    FILE *out = open_memstream(&text, &length);

    (void)state;
    add_board("a", "1",
              "{\"id\":\"X-1\",\"verdict\":\"WARN\",\"cpus\":\"0,2\",\"severity\":\"low\"}");
    assert_int_equal(fleet_db_finish(&db), STATUS_OK);
    assert_true(fleet_csv(out, &db));
    (void)fclose(out);
    assert_string_equal(text, "machine,model,firmware_version,kind,name,cpus,value,severity\r\n"
                              "a,\"V P,1\",,value,fadt.flags,,1,\r\n"
                              "a,\"V P,1\",,finding,X-1,\"0,2\",WARN,low\r\n");
    free(text);
}

static void hostile_reports_are_stored(void **state)
{
    (void)state;
    add("x", "{\"machine\":[],\"findings\":{\"a\":1},\"processors\":7,\"totals\":\"x\"}");
    add("y", "{\"findings\":[3,null,{\"id\":4,\"verdict\":5},{\"id\":\"'); DROP TABLE vals;\","
             "\"verdict\":\"FAIL\"}],\"machine\":{\"tables\":[7]}}");
    assert_int_equal(fleet_db_finish(&db), STATUS_OK);
    free(sheet_text(false));
}

static void a_report_comes_out_of_a_serial_log(void **state)
{
    static const char log[] = "noise\r\n-----BEGIN ASSAY report.json-----\r\n"
                              "eyJh\r\nIjoxfQ==\r\n-----END ASSAY report.json-----\r\n";
    size_t length = 0;
    char *text = stored_from_serial(log, strlen(log), "report.json", &length);

    (void)state;
    assert_int_equal(length, 7);
    assert_memory_equal(text, "{\"a\":1}", 7);
    free(text);
    assert_null(stored_from_serial(log, 60, "report.json", &length));
    assert_null(stored_from_serial(log, strlen(log), "report.txt", &length));
    assert_null(
        stored_from_serial("-----BEGIN ASSAY x-----\x01-----END ASSAY x-----", 46, "x", &length));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_of_a_model_that_differs_is_named, set_up, tear_down),
        cmocka_unit_test_setup_teardown(firmware_text_is_no_markup, set_up, tear_down),
        cmocka_unit_test_setup_teardown(csv_is_tidy, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_reports_are_stored, set_up, tear_down),
        cmocka_unit_test(a_report_comes_out_of_a_serial_log),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

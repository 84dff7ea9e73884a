#include "model/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct options options;
static char message[200];

static int set_up(void **state)
{
    (void)state;
    options_init(&options);
    message[0] = '\0';
    return 0;
}

static void take(const char *word)
{
    if (options_take(&options, word, message, sizeof(message)) != STATUS_OK) {
        fail_msg("%s: %s", word, message);
    }
}

/* A wrong word: it changes nothing, and the message is one line that names it and `nearest`. */
static void refuse(const char *word, const char *nearest)
{
    struct options before = options;

    message[0] = '\0';
    assert_int_equal(options_take(&options, word, message, sizeof(message)), STATUS_BAD_INPUT);
    assert_memory_equal(&options, &before, sizeof(options));
    assert_null(strchr(message, '\n'));
    if (strstr(message, word) == NULL || strstr(message, nearest) == NULL) {
        fail_msg("not named: %s and %s in: %s", word, nearest, message);
    }
}

static enum status take_text(const char *text, size_t length)
{
    return options_take_text(&options, text, length, message, sizeof(message));
}

static void defaults_are_everything(void **state)
{
    (void)state;
    assert_int_equal(options.run, RUN_ALL);
    assert_int_equal(options.formats, FORMAT_ALL);
    assert_string_equal(options.out, "\\assay\\results");
    assert_int_equal(options.caps, CAPS_LINUX);
    assert_int_equal(options.park, PARK_DEEPEST);
    assert_false(options.is_read_only);
    assert_false(options.has_exit_way);
    assert_string_equal(options.cpus, "");
}

static void lists_of_words_are_taken(void **state)
{
    (void)state;
    take("--run=quick");
    assert_int_equal(options.run, RUN_QUICK);
    take("--run=idle,frequency");
    assert_int_equal(options.run, RUN_IDLE | RUN_FREQUENCY);
    take("--run=all");
    assert_int_equal(options.run, RUN_ALL);
    take("--run=tables");
    assert_int_equal(options.run, RUN_TABLES);
    take("--format=json,text,html,junit,tap,csv,snapshot");
    assert_int_equal(options.formats, FORMAT_ALL);
    take("--format=tap");
    assert_int_equal(options.formats, FORMAT_TAP);
    take("--allow=cppc-enable,hwp-enable");
    assert_true(options.allow_cppc_enable && options.allow_hwp_enable);
    take("--allow=hwp-enable");
    assert_false(options.allow_cppc_enable);
}

static void single_words_are_taken(void **state)
{
    (void)state;
    take("--read-only");
    take("--batch");
    take("--help");
    take("--version");
    assert_true(options.is_read_only && options.is_batch);
    assert_true(options.wants_help && options.wants_version);
    take("--exit=return");
    assert_true(options.has_exit_way && options.exit_way == EXIT_RETURN);
    take("--exit=debug-port");
    assert_int_equal(options.exit_way, EXIT_DEBUG_PORT);
    take("--exit=shutdown");
    assert_int_equal(options.exit_way, EXIT_SHUTDOWN);
    take("--exit=reset");
    assert_int_equal(options.exit_way, EXIT_RESET);
    take("--letters=3");
    assert_int_equal(options.letters, 3);
    take("--letters=auto");
    assert_int_equal(options.letters, 0);
    take("--park=hlt");
    assert_int_equal(options.park, PARK_HLT);
    take("--park=mwait");
    assert_int_equal(options.park, PARK_MWAIT);
    take("--park=spin");
    assert_int_equal(options.park, PARK_SPIN);
}

static void texts_and_numbers_are_taken(void **state)
{
    (void)state;
    take("--out=\\my results\\a=b");
    assert_string_equal(options.out, "\\my results\\a=b");
    take("--tables=\\t");
    assert_string_equal(options.tables, "\\t");
    take("--expect=e.txt");
    assert_string_equal(options.expect, "e.txt");
    take("--osi=Windows 2015,Linux");
    assert_string_equal(options.osi, "Windows 2015,Linux");
    take("--cpus=0-7,64");
    assert_string_equal(options.cpus, "0-7,64");
    take("--linux=6.12");
    assert_string_equal(options.linux_version, "6.12");
    take("--samples=4294967295");
    assert_int_equal(options.samples, UINT32_MAX);
    take("--samples=0x10");
    assert_int_equal(options.samples, 16);
    take("--seconds=1");
    assert_int_equal(options.seconds, 1);
}

static void capability_words_are_taken(void **state)
{
    (void)state;
    take("--os-caps=0x3fff,0x7FFF");
    assert_int_equal(options.caps, CAPS_GIVEN);
    assert_int_equal(options.proc_caps, 0x3FFF);
    assert_true(options.has_platform_caps);
    assert_int_equal(options.platform_caps, 0x7FFF);
    take("--os-caps=0");
    assert_int_equal(options.proc_caps, 0);
    assert_false(options.has_platform_caps);
    take("--os-caps=none");
    assert_int_equal(options.caps, CAPS_NONE);
}

static void skipped_msrs_are_ranges(void **state)
{
    (void)state;
    assert_false(options_skips_msr(&options, 0));
    take("--skip-msr=0x1ad,0x600-0x610,416,0xffffffff,0-0");
    assert_int_equal(options.skip_msr_count, 5);
    assert_true(options_skips_msr(&options, 0x1AD));
    assert_false(options_skips_msr(&options, 0x1AE));
    assert_false(options_skips_msr(&options, 0x5FF));
    assert_true(options_skips_msr(&options, 0x600));
    assert_true(options_skips_msr(&options, 0x610));
    assert_false(options_skips_msr(&options, 0x611));
    assert_true(options_skips_msr(&options, 0x1A0));
    assert_true(options_skips_msr(&options, UINT32_MAX));
    assert_true(options_skips_msr(&options, 0));
    take("--skip-msr=1");
    assert_false(options_skips_msr(&options, 0x1AD));
}

static void list_of_skipped_msrs_is_bounded(void **state)
{
    char word[400] = "--skip-msr=1";

    (void)state;
    for (unsigned i = 2; i <= OPTIONS_SKIP_MAX; i++) {
        size_t length = strlen(word);

        snprintf(word + length, sizeof(word) - length, ",%u", i);
    }
    take(word);
    assert_int_equal(options.skip_msr_count, OPTIONS_SKIP_MAX);
    strcat(word, ",99");
    assert_int_equal(options_take(&options, word, message, sizeof(message)), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "\"99\""));
    assert_int_equal(options.skip_msr_count, OPTIONS_SKIP_MAX);
}

static void wrong_options_name_the_nearest(void **state)
{
    (void)state;
    refuse("--sample=5", "--samples=N");
    refuse("--readonly", "--read-only");
    refuse("--RUN=all", "--run=GROUP");
    refuse("run=all", "--run=GROUP");
    refuse("-h", "--help");
    refuse("--skip-msrs=1", "--skip-msr=LIST");
    refuse("--cpu=1", "--cpus=LIST");
    refuse("--output=x", "--out=PATH");
    refuse("--formats=json", "--format=LIST");
    refuse("--oscaps=none", "--os-caps=PROC");
    refuse("", "--");
    refuse("=", "--");
    refuse("-", "--");
    refuse("assay.efi", "--");
    refuse("--batch=yes", "--batch");
    refuse("--help=", "--help");
    refuse("--run", "--run=GROUP");
    refuse("--out=", "--out=PATH");
    refuse("--cpus=", "--cpus=LIST");
}

static void wrong_values_name_the_nearest(void **state)
{
    (void)state;
    refuse("--run=tabels", "is tables");
    refuse("--run=tables,idel", "is idle");
    refuse("--run=tables,", "\"\"");
    refuse("--run=,", "\"\"");
    refuse("--run=ALL", "is all");
    refuse("--format=jsn", "is json");
    refuse("--exit=debugport", "is debug-port");
    refuse("--exit=shutdown,reset", "is shutdown");
    refuse("--park=halt", "is hlt");
    refuse("--letters=9", "one of its words");
    refuse("--allow=hwp", "is hwp-enable");
    refuse("--samples=0", "is 1");
    refuse("--samples=-1", "a number");
    refuse("--samples=4294967296", "is 4294967295");
    refuse("--samples=99999999999999999999999", "is 4294967295");
    refuse("--samples=10k", "is 10");
    refuse("--samples=0x", "a number");
    refuse("--seconds=1.5", "is 1");
    refuse("--skip-msr=1ad", "is 0x1ad");
    refuse("--skip-msr=0x610-0x600", "is 0x600-0x610");
    refuse("--skip-msr=0x100000000", "is 0xffffffff");
    refuse("--skip-msr=0x1g", "is 0x1");
    refuse("--skip-msr=1,", "\"\"");
    refuse("--skip-msr=1-", "\"\"");
    refuse("--skip-msr=1-2-3", "\"2-3\"");
    refuse("--os-caps=nnoe", "is none");
    refuse("--os-caps=1,", "\"\"");
    refuse("--os-caps=1,2,3", "\"2,3\"");
    refuse("--os-caps=3fff", "is 0x3fff");
    refuse("--cpus=7-0", "0-7,64");
    refuse("--cpus=a", "0-7,64");
    refuse("--out=\\assay\\..\\EFI\\BOOT", "\\assay\\results");
    refuse("--out=fs1:\\x", "\\assay\\results");
    refuse("--linux=new", "6.12");
    refuse("--linux=6.", "6.12");
    refuse("--linux=.", "6.12");
}

static void longest_text_fits(void **state)
{
    char word[OPTIONS_TEXT_MAX + 8] = "--out=";

    (void)state;
    memset(word + 6, 'p', OPTIONS_TEXT_MAX);
    word[6 + OPTIONS_TEXT_MAX] = '\0';
    assert_int_equal(options_take(&options, word, message, sizeof(message)), STATUS_BAD_INPUT);
    assert_string_equal(options.out, "\\assay\\results");
    assert_non_null(strstr(message, "255"));
    word[6 + OPTIONS_TEXT_MAX - 1] = '\0';
    take(word);
    assert_int_equal(strlen(options.out), OPTIONS_TEXT_MAX - 1);
}

static void message_is_one_printable_line_that_fits(void **state)
{
    char small[16];

    (void)state;
    assert_int_equal(options_take(&options, "--x\ny\x1b[2J\xff", message, sizeof(message)),
                     STATUS_BAD_INPUT);
    for (const char *at = message; *at != '\0'; at++) {
        assert_in_range(*at, ' ', '~');
    }
    memset(small, '#', sizeof(small));
    assert_int_equal(options_take(&options, "--nonsense", small, 10), STATUS_BAD_INPUT);
    assert_int_equal(strlen(small), 9);
    assert_int_equal(small[10], '#');
}

static void text_is_split_into_words(void **state)
{
    static const char text[] = "\xEF\xBB\xBF# a comment --run=nonsense\r\n"
                               "--run=quick   --batch\t# another\r\n"
                               "\r\n"
                               "\"--out=\\my results\" --tables=\"\\a b\\\"c\r\n"
                               "--expect=a#b\n"
                               "--osi=\xC3\xA4\n"
                               "#--read-only";

    (void)state;
    if (take_text(text, sizeof(text)) != STATUS_OK) { /* with its NUL, as firmware gives it */
        fail_msg("%s", message);
    }
    assert_int_equal(options.run, RUN_QUICK);
    assert_true(options.is_batch);
    assert_string_equal(options.out, "\\my results");
    assert_string_equal(options.tables, "\\a b\\c");
    assert_string_equal(options.expect, "a#b");
    assert_string_equal(options.osi, "\xC3\xA4");
    assert_false(options.is_read_only);
}

static void later_words_win(void **state)
{
    (void)state;
    assert_int_equal(take_text("--run=all --samples=5", 21), STATUS_OK);
    assert_int_equal(take_text("--run=idle", 10), STATUS_OK);
    assert_int_equal(options.run, RUN_IDLE);
    assert_int_equal(options.samples, 5);
}

static void empty_text_is_no_word(void **state)
{
    struct options before = options;

    (void)state;
    assert_int_equal(take_text("", 0), STATUS_OK);
    assert_int_equal(take_text("\0\0\0", 3), STATUS_OK);
    assert_int_equal(take_text(" \r\n\t#", 5), STATUS_OK);
    assert_int_equal(take_text("\xEF\xBB\xBF", 3), STATUS_OK);
    assert_memory_equal(&options, &before, sizeof(options));
}

static void text_stops_at_the_first_wrong_word(void **state)
{
    (void)state;
    assert_int_equal(take_text("--batch --wrong --read-only", 27), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "--wrong"));
    assert_true(options.is_batch);
    assert_false(options.is_read_only);
    assert_int_equal(take_text("--out=\"a b\n--batch\"", 19), STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "--out=a b"));
    assert_int_equal(take_text("\"", 1), STATUS_BAD_INPUT);
    assert_int_equal(take_text("\"\"", 2), STATUS_BAD_INPUT);
    assert_string_equal(options.out, "\\assay\\results");
}

static void endless_word_is_refused(void **state)
{
    static char text[100000];

    (void)state;
    memset(text, 'x', sizeof(text));
    assert_int_equal(take_text(text, sizeof(text)), STATUS_BAD_INPUT);
    assert_true(strlen(message) < 120);
}

/* Every option that the help names is known, and every known one is named by the help. */
static void help_and_options_agree(void **state)
{
    const char *at = options_help();
    unsigned named = 0;

    (void)state;
    while ((at = strstr(at, "--")) != NULL) {
        char word[32];
        size_t length = strspn(at + 2, "abcdefghijklmnopqrstuvwxyz-") + 2;

        snprintf(word, sizeof(word), "%.*s", (int)length, at);
        if (options_take(&options, word, message, sizeof(message)) != STATUS_OK) {
            assert_non_null(strstr(message, "needs a value"));
        }
        at += length;
        named++;
    }
    assert_int_equal(named, 20);
    for (at = options_help(); *at != '\0'; at += strcspn(at, "\n") + 1) {
        assert_true(strcspn(at, "\n") <= 80);
    }
}

#define TEST(function) cmocka_unit_test_setup(function, set_up)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(defaults_are_everything),
        TEST(lists_of_words_are_taken),
        TEST(single_words_are_taken),
        TEST(texts_and_numbers_are_taken),
        TEST(capability_words_are_taken),
        TEST(skipped_msrs_are_ranges),
        TEST(list_of_skipped_msrs_is_bounded),
        TEST(wrong_options_name_the_nearest),
        TEST(wrong_values_name_the_nearest),
        TEST(longest_text_fits),
        TEST(message_is_one_printable_line_that_fits),
        TEST(text_is_split_into_words),
        TEST(later_words_win),
        TEST(empty_text_is_no_word),
        TEST(text_stops_at_the_first_wrong_word),
        TEST(endless_word_is_refused),
        TEST(help_and_options_agree),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

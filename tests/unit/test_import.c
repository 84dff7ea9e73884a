#include "host/import.h"
#include "host/turbostat_text.h"
#include "tests/sim/heap.h"

#include <archive.h>
#include <archive_entry.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct machine machine;
static struct import import;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    memset(&machine, 0, sizeof(machine));
    machine.arena = &heap.arena;
    import_init(&import, &machine);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static enum status take(const char *name, const char *text)
{
    return import_file(&import, name, (const uint8_t *)text, strlen(text));
}

static void a_text_may_hold_cpuid_and_msrs(void **state)
{
    (void)state;
    assert_int_equal(take("x.txt", "------[ CPUID Registers / Logical CPU #0 ]------\n"
                                   "CPUID 00000000: 0000000D-68747541-444D4163-69746E65\n"
                                   "------[ MSR Registers / Logical CPU #0 ]------\n"
                                   "MSR 0000001B: 0000-0000-FEE0-0900\n"),
                     STATUS_OK);
    assert_int_equal(machine.kinds_count, 1);
    assert_int_equal(machine.msrs_count, 1);
    assert_int_equal(import_finish(&import), STATUS_NOT_FOUND);
}

static void turbostat_names_registers(void **state)
{
    static const char text[] =
        "turbostat version 2023.03.17\n"
        "cpu0: MSR_PLATFORM_INFO: 0x80838f1012700 (8 * 100.0 = 800.0 MHz max efficiency)\n"
        "cpu0: MSR_IA32_POWER_CTL: 0x2904005b (C1E auto-promotion: ENabled)\n"
        "cpu0: MSR_NO_SUCH: 0x1\n"
        "cpu0: EPB: 6 (balanced)\n"
        "cpu0: MSR_PLATFORM_INFO: absent\n";
    struct msr_text msrs;

    (void)state;
    assert_int_equal(turbostat_text_parse(text, strlen(text), &heap.arena, &msrs), STATUS_OK);
    assert_true(msrs.msrs_count >= 1);
    assert_int_equal(msrs.msrs[0].msr, 0xCE);
    assert_int_equal(msrs.msrs[0].cpu, CPU_NONE);
    assert_true(msrs.msrs[0].value == UINT64_C(0x80838f1012700));
}

static void what_is_nothing_is_said(void **state)
{
    (void)state;
    assert_int_equal(take("x", "hello world, this is a text of more than forty bytes"),
                     STATUS_NOT_FOUND);
    assert_int_equal(import_file(&import, "x", (const uint8_t *)"", 0), STATUS_NOT_FOUND);
    assert_int_equal(take("x", "PK\x03\x04rubbish"), STATUS_NOT_FOUND);
    assert_int_equal(take("x", "\x1F\x8Brubbish rubbish"), STATUS_NOT_FOUND);
}

static size_t pack(char *buffer, size_t bytes, const char *const *names, const char *const *texts,
                   size_t count)
{
    struct archive *archive = archive_write_new();
    struct archive_entry *entry = archive_entry_new();
    size_t used = 0;

    assert_int_equal(archive_write_set_format_zip(archive), ARCHIVE_OK);
    assert_int_equal(archive_write_open_memory(archive, buffer, bytes, &used), ARCHIVE_OK);
    for (size_t i = 0; i < count; i++) {
        archive_entry_clear(entry);
        archive_entry_set_pathname(entry, names[i]);
        archive_entry_set_size(entry, (la_int64_t)strlen(texts[i]));
        archive_entry_set_filetype(entry, AE_IFREG);
        archive_entry_set_perm(entry, 0644);
        assert_int_equal(archive_write_header(archive, entry), ARCHIVE_OK);
        assert_int_equal(archive_write_data(archive, texts[i], strlen(texts[i])), strlen(texts[i]));
    }
    archive_entry_free(entry);
    (void)archive_write_close(archive);
    (void)archive_write_free(archive);
    return used;
}

static void a_zip_gives_its_tables_in_order(void **state)
{
    static const char *const names[] = {"dump/ssdt1.dat", "README", "../../etc/dsdt.dat",
                                        "dump/xsdt.dat"};
    static const char *const texts[] = {"SSDT bytes", "read me", "DSDT bytes", "XSDT bytes"};
    static char buffer[65536];
    size_t length = pack(buffer, sizeof(buffer), names, texts, 4);

    (void)state;
    assert_int_equal(import_file(&import, "x.zip", (const uint8_t *)buffer, length), STATUS_OK);
    assert_int_equal(import_finish(&import), STATUS_OK);
    assert_int_equal(machine.blobs_count, 2);
    assert_string_equal(machine.blobs[0].origin, "dsdt.dat");
    assert_string_equal(machine.blobs[1].origin, "ssdt1.dat");
}

/* Every cut and many changed bytes of an archive give a status and no fault. */
static void damaged_archives_do_no_harm(void **state)
{
    static const char *const names[] = {"dsdt.dat"};
    static const char *const texts[] = {"DSDT and a few more bytes of table"};
    static char buffer[4096];
    size_t length = pack(buffer, sizeof(buffer), names, texts, 1);

    (void)state;
    for (size_t i = 0; i < length; i++) {
        char kept = buffer[i];

        (void)!import_file(&import, "x", (const uint8_t *)buffer, i);
        buffer[i] = (char)(kept ^ 0x55);
        (void)!import_file(&import, "x", (const uint8_t *)buffer, length);
        buffer[i] = kept;
    }
    assert_int_equal(import_file(&import, "x", (const uint8_t *)buffer, length), STATUS_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_text_may_hold_cpuid_and_msrs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(turbostat_names_registers, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_nothing_is_said, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_zip_gives_its_tables_in_order, set_up, tear_down),
        cmocka_unit_test_setup_teardown(damaged_archives_do_no_harm, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "host/folder.h"
#include "host/machine.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static struct heap heap;
static char folder[64];
static struct machine machine;
static char message[256];

static void path_of(const char *name, char *ret_path, size_t bytes)
{
    (void)snprintf(ret_path, bytes, "%s/%s", folder, name);
}

static void make_folder(const char *name)
{
    char path[128];

    path_of(name, path, sizeof(path));
    assert_int_equal(mkdir(path, 0700), 0);
}

static void write_bytes(const char *name, const char *bytes, size_t length)
{
    char path[128];
    FILE *file;

    path_of(name, path, sizeof(path));
    file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_file(const char *name, const char *text)
{
    write_bytes(name, text, strlen(text));
}

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    (void)strcpy(folder, "/tmp/assay-machine-XXXXXX");
    message[0] = '\0';
    return mkdtemp(folder) == NULL ? -1 : 0;
}

static int tear_down(void **state)
{
    char command[128];

    (void)state;
    heap_free(&heap);
    (void)snprintf(command, sizeof(command), "rm -r %s", folder);
    return system(command); /* NOLINT(cert-env33-c): a path made above */
}

static enum status load(const char *path)
{
    return machine_load(&path, 1, &heap.arena, &machine, message, sizeof(message));
}

static void a_folder_with_everything(void **state)
{
    (void)state;
    make_folder("tables");
    make_folder("dynamic");
    write_file("tables/01_SSDT.aml", "SSDT1");
    write_file("tables/02_SSDT.aml", "");
    write_file("tables/00_DSDT.aml", "DSDT0");
    write_file("tables/APIC.aml", "APIC");
    write_file("tables/notes.txt", "x");
    write_file("dynamic/X.aml", "\1\2\3");
    write_file("cpuid.txt", "CPUID 00000000: 00000001-00000000-00000000-00000000\nrubbish\n");
    write_file("msr.txt", "0x10 0x1\n");
    write_file("trace.txt", "io r 0x10 4 0x1\n");
    write_file("memory.json",
               "{\"regions\":[{\"address\":\"0x1000\",\"length\":5,\"file\":\"dynamic/X.aml\"},"
               "{\"address\":\"0x2000\",\"length\":5,\"file\":\"dynamic/none.aml\"},"
               "{\"address\":\"0xFFFFFFFFFFFFFFFF\",\"length\":5,\"file\":\"dynamic/X.aml\"},"
               "{\"address\":8192,\"length\":-1,\"file\":\"dynamic/X.aml\"},7]}");
    assert_int_equal(load(folder), STATUS_OK);
    assert_int_equal(machine.source, SOURCE_FOLDER);
    assert_int_equal(machine.blobs_count, 3);
    assert_string_equal(machine.blobs[0].origin, "00_DSDT.aml");
    assert_string_equal(machine.blobs[1].origin, "01_SSDT.aml");
    assert_string_equal(machine.blobs[2].origin, "APIC.aml");
    assert_int_equal(machine.kinds_count, 1);
    assert_int_equal(machine.msrs_count, 1);
    assert_int_equal(machine.trace_count, 1);
    assert_int_equal(machine.regions_count, 1);
    assert_int_equal(machine.regions[0].paddr, 0x1000);
    assert_int_equal(machine.regions[0].length, 5);
    assert_memory_equal(machine.regions[0].bytes, "\1\2\3\0\0", 5);
    /* The empty table, the missing file, three absurd regions, the rubbish line. */
    assert_int_equal(machine.notes_count, 6);
}

static void a_folder_without_tables_says_so(void **state)
{
    (void)state;
    assert_int_equal(load(folder), STATUS_NOT_FOUND);
    assert_non_null(strstr(message, "no ACPI table"));
    make_folder("tables");
    write_file("tables/DSDT.aml", "");
    assert_int_equal(load(folder), STATUS_NOT_FOUND);
    assert_int_equal(machine.notes_count, 1);
}

static void memory_json_that_is_not_json(void **state)
{
    (void)state;
    machine.arena = &heap.arena;
    machine.notes_count = 0;
    assert_int_equal(folder_parse_memory("{\"regions\":", 11, folder, &machine), STATUS_OK);
    assert_int_equal(machine.notes_count, 1);
    assert_int_equal(folder_parse_memory("{}", 2, folder, &machine), STATUS_OK);
    assert_int_equal(machine.notes_count, 2);
    assert_int_equal(machine.regions_count, 0);
    assert_int_equal(folder_parse_memory("[]", 2, folder, &machine), STATUS_OK);
    assert_int_equal(machine.notes_count, 2);
}

static void files_by_what_they_are(void **state)
{
    char first[128];
    char second[128];
    const char *paths[2] = {first, second};

    (void)state;
    path_of("a.aml", first, sizeof(first));
    path_of("b.txt", second, sizeof(second));
    write_file("a.aml", "SSDT");
    write_file("b.txt", "DSDT @ 0x0\n  0000: 44 53 44 54 00\n");
    assert_int_equal(load(first), STATUS_OK);
    assert_int_equal(machine.blobs_count, 1);
    assert_string_equal(machine.blobs[0].origin, "a.aml");
    assert_int_equal(load(second), STATUS_OK);
    assert_int_equal(machine.source, SOURCE_DUMP);
    assert_int_equal(machine.blobs[0].length, 5);
    assert_int_equal(machine_load(paths, 2, &heap.arena, &machine, message, sizeof(message)),
                     STATUS_OK);
    assert_int_equal(machine.blobs_count, 2);
    assert_string_equal(machine.blobs[0].origin, "DSDT");
    write_file("b.txt", "hello\n");
    assert_int_equal(machine_load(paths, 2, &heap.arena, &machine, message, sizeof(message)),
                     STATUS_BAD_INPUT);
    assert_non_null(strstr(message, "b.txt"));
    paths[1] = folder;
    assert_int_equal(machine_load(paths, 2, &heap.arena, &machine, message, sizeof(message)),
                     STATUS_BAD_INPUT);
}

static void files_that_cannot_be_used(void **state)
{
    char path[128];

    (void)state;
    path_of("none.aml", path, sizeof(path));
    assert_int_equal(load(path), STATUS_NOT_FOUND);
    assert_non_null(strstr(message, "is not there"));
    write_file("none.aml", "");
    assert_int_equal(load(path), STATUS_NOT_FOUND);
    assert_non_null(strstr(message, "is empty"));
    path_of("text", path, sizeof(path));
    write_file("text", "hello\n");
    assert_int_equal(load(path), STATUS_NOT_FOUND);
    assert_non_null(strstr(message, "acpidump"));
}

static void blobs_in_the_order_the_interpreter_needs(void **state)
{
    struct table_blob blobs[] = {{"a", (const uint8_t *)"APIC", 4},
                                 {"o", (const uint8_t *)"OEM1", 4},
                                 {"s", (const uint8_t *)"SS", 2},
                                 {"d", (const uint8_t *)"DSDT", 4},
                                 {"t", (const uint8_t *)"SSDT", 4}};
    static const char order[] = "dotas";

    (void)state;
    machine_order_blobs(blobs, 5, &heap.arena);
    for (size_t i = 0; i < 5; i++) {
        assert_int_equal(blobs[i].origin[0], order[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_folder_with_everything, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_folder_without_tables_says_so, set_up, tear_down),
        cmocka_unit_test_setup_teardown(memory_json_that_is_not_json, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_by_what_they_are, set_up, tear_down),
        cmocka_unit_test_setup_teardown(files_that_cannot_be_used, set_up, tear_down),
        cmocka_unit_test_setup_teardown(blobs_in_the_order_the_interpreter_needs, set_up,
                                        tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

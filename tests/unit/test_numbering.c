#include "model/numbering.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct platform platform;
static struct options options;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    platform_init(&platform, &heap.arena, &options);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static void use_madt(const struct madt_entry *entries, uint32_t count)
{
    platform.madt.avail = AVAIL_PRESENT;
    platform.madt.entries = entries;
    platform.madt.count = count;
}

static struct processor *make_processors(uint32_t count, enum processor_kind kind)
{
    platform.processors = arena_array(platform.arena, count, sizeof(struct processor));
    platform.processors_count = count;
    for (uint32_t i = 0; i < count; i++) {
        platform.processors[i].kind = kind;
        platform.processors[i].uid_avail = AVAIL_PRESENT;
        platform.processors[i].uid = i;
        platform.processors[i].sta_avail = AVAIL_ABSENT;
    }
    return platform.processors;
}

/* A board that lists eight processors and has four: the others are disabled or carry id FFH. */
static void placeholders_get_no_number(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 0, .uid = 1, .apic_id = 2, .flags = 1},
        {.type = 0, .uid = 2, .apic_id = 4, .flags = 0},
        {.type = 0, .uid = 3, .apic_id = 0xFF, .flags = 1},
        {.type = 0, .uid = 4, .apic_id = 1, .flags = 1},
        {.type = 0, .uid = 5, .apic_id = 3, .flags = 3},
        {.type = 0, .uid = 6, .apic_id = 7, .flags = 2},
    };
    struct processor *processors = make_processors(8, PROCESSOR_OBJECT);

    (void)state;
    use_madt(entries, 7);
    processors[5].sta_avail = AVAIL_PRESENT;
    processors[5].sta = 0;
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 4);
    assert_int_equal(processors[0].cpu, 0);
    assert_int_equal(processors[1].cpu, 1);
    assert_int_equal(processors[1].apic_id, 2);
    assert_int_equal(processors[2].cpu, CPU_NONE);
    assert_int_equal(processors[3].cpu, CPU_NONE);
    assert_false(processors[3].is_enabled);
    assert_int_equal(processors[4].cpu, 2);
    assert_int_equal(processors[5].cpu, CPU_NONE);
    assert_int_equal(processors[6].cpu, CPU_NONE);
    assert_int_equal(processors[7].madt_index, MADT_NONE);
    assert_int_equal(platform.cpus[2].apic_id, 1);
    assert_int_equal(platform.cpus[2].processor, 4);
    assert_int_equal(platform.cpus[3].processor, PROCESSOR_NONE);
    assert_int_equal(platform.cpus[3].uid, 5);
    assert_true(platform.cpus[0].is_boot);
    assert_false(platform.cpus[1].is_boot);
}

static void boot_cpu_is_zero_wherever_it_stands(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 0, .uid = 1, .apic_id = 2, .flags = 1},
        {.type = 0, .uid = 2, .apic_id = 4, .flags = 1},
    };
    struct processor *processors = make_processors(3, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 3);
    numbering_assign(&platform, 2);
    assert_int_equal(processors[1].cpu, 0);
    assert_int_equal(processors[0].cpu, 1);
    assert_int_equal(processors[2].cpu, 2);
    assert_int_equal(platform.cpus[0].apic_id, 2);
}

static void boot_cpu_outside_the_madt_still_counts(void **state)
{
    static const struct madt_entry entries[] = {{.type = 0, .uid = 0, .apic_id = 8, .flags = 1}};
    struct processor *processors = make_processors(1, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 1);
    numbering_assign(&platform, 3);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(platform.cpus[0].apic_id, 3);
    assert_int_equal(platform.cpus[0].uid, CPU_UID_UNKNOWN);
    assert_int_equal(processors[0].cpu, 1);
}

static void unknown_boot_id_is_the_first_usable_entry(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 0, .uid = 9, .apic_id = 0xFF, .flags = 1},
        {.type = 0, .uid = 7, .apic_id = 6, .flags = 1},
        {.type = 0, .uid = 8, .apic_id = 4, .flags = 1},
    };

    (void)state;
    use_madt(entries, 3);
    numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(platform.cpus[0].apic_id, 6);
    assert_int_equal(platform.cpus[1].apic_id, 4);
}

/* Copies below FFH are ignored beside LAPIC entries; higher ids count. A second LAPIC is the same CPU. */
static void x2apic_entries(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 9, .uid = 1, .apic_id = 2, .flags = 1},
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 9, .uid = 300, .apic_id = 0x120, .flags = 1},
        {.type = 9, .uid = 301, .apic_id = 0xFFFFFFFF, .flags = 1},
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
    };
    struct processor *processors = make_processors(3, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 5);
    processors[2].uid = 300;
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(processors[0].cpu, 0);
    assert_int_equal(processors[0].madt_index, 1);
    assert_int_equal(processors[1].cpu, CPU_NONE);
    assert_int_equal(processors[2].cpu, 1);
    assert_int_equal(processors[2].apic_id, 0x120);
}

static void x2apic_alone_may_be_small(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 9, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 9, .uid = 255, .apic_id = 1, .flags = 1},
    };
    struct processor *processors = make_processors(2, PROCESSOR_OBJECT);

    (void)state;
    use_madt(entries, 2);
    processors[1].uid = 255; /* a Processor object's id cannot name an x2APIC entry from 255 up */
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(processors[0].cpu, 0);
    assert_int_equal(processors[1].cpu, CPU_NONE);
    processors[1].kind = PROCESSOR_DEVICE;
    numbering_assign(&platform, 0);
    assert_int_equal(processors[1].cpu, 1);
}

static void duplicate_uid_goes_to_the_first(void **state)
{
    static const struct madt_entry entries[] = {{.type = 0, .uid = 0, .apic_id = 0, .flags = 1}};
    struct processor *processors = make_processors(2, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 1);
    processors[1].uid = 0;
    numbering_assign(&platform, 0);
    assert_int_equal(processors[0].cpu, 0);
    assert_int_equal(processors[1].cpu, CPU_NONE);
    assert_int_equal(processors[1].madt_index, 0);
    assert_int_equal(platform.cpus[0].processor, 0);
}

static void without_uid_or_status_there_is_no_cpu(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 0, .uid = 1, .apic_id = 1, .flags = 1},
    };
    struct processor *processors = make_processors(2, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 2);
    processors[0].uid_avail = AVAIL_MALFORMED;
    processors[1].sta_avail = AVAIL_FAULTED;
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 2);
    assert_false(processors[0].is_enabled);
    assert_false(processors[1].is_enabled);
}

static void numbers_stay_when_processors_appear(void **state)
{
    static const struct madt_entry entries[] = {
        {.type = 0, .uid = 0, .apic_id = 0, .flags = 1},
        {.type = 0, .uid = 1, .apic_id = 1, .flags = 1},
    };
    struct processor *processors = make_processors(1, PROCESSOR_DEVICE);

    (void)state;
    use_madt(entries, 2);
    numbering_assign(&platform, 1);
    platform.cpus[0].answer = CPU_ANSWERED;
    assert_int_equal(processors[0].cpu, 1);
    processors = make_processors(2, PROCESSOR_DEVICE);
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(processors[0].cpu, 1);
    assert_int_equal(processors[1].cpu, 0);
    assert_int_equal(platform.cpus[0].answer, CPU_ANSWERED);
}

static void without_a_madt_the_namespace_counts(void **state)
{
    struct processor *processors = make_processors(3, PROCESSOR_OBJECT);

    (void)state;
    processors[1].sta_avail = AVAIL_PRESENT;
    numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
    assert_int_equal(platform.cpus_count, 2);
    assert_int_equal(processors[0].cpu, 0);
    assert_int_equal(processors[1].cpu, CPU_NONE);
    assert_int_equal(processors[2].cpu, 1);
    assert_true(processors[2].is_enabled);
    make_processors(4, PROCESSOR_OBJECT);
    numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
    assert_int_equal(platform.cpus_count, 4);
    assert_int_equal(platform.cpus[3].processor, 3);
}

static void without_anything_there_is_one_cpu(void **state)
{
    (void)state;
    numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
    assert_int_equal(platform.cpus_count, 1);
    assert_int_equal(platform.cpus[0].processor, PROCESSOR_NONE);
    assert_true(platform.cpus[0].is_boot);
}

/* 4096 CPUs with sparse ids in falling order: each processor finds its own. */
static void many_cpus(void **state)
{
    uint32_t count = 4096;
    struct madt_entry *entries = arena_array(platform.arena, count, sizeof(*entries));
    struct processor *processors = make_processors(count, PROCESSOR_DEVICE);

    (void)state;
    for (uint32_t i = 0; i < count; i++) {
        entries[i] = (struct madt_entry){
            .type = 9, .uid = count - 1 - i, .apic_id = 3 * (count - i), .flags = 1};
    }
    use_madt(entries, count);
    numbering_assign(&platform, NUMBERING_BOOT_UNKNOWN);
    assert_int_equal(platform.cpus_count, count);
    for (uint32_t i = 0; i < count; i++) {
        assert_int_equal(processors[i].cpu, count - 1 - i);
        assert_int_equal(platform.cpus[processors[i].cpu].processor, i);
    }
}

static void no_memory_is_said(void **state)
{
    static const struct madt_entry entries[] = {{.type = 0, .uid = 0, .apic_id = 0, .flags = 1}};

    (void)state;
    heap_free(&heap);
    heap_init(&heap, 1);
    use_madt(entries, 1);
    numbering_assign(&platform, 0);
    assert_int_equal(platform.cpus_count, 0);
    assert_non_null(platform.incomplete);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(placeholders_get_no_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(boot_cpu_is_zero_wherever_it_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(boot_cpu_outside_the_madt_still_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(unknown_boot_id_is_the_first_usable_entry, set_up,
                                        tear_down),
        cmocka_unit_test_setup_teardown(x2apic_entries, set_up, tear_down),
        cmocka_unit_test_setup_teardown(x2apic_alone_may_be_small, set_up, tear_down),
        cmocka_unit_test_setup_teardown(duplicate_uid_goes_to_the_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_uid_or_status_there_is_no_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(numbers_stay_when_processors_appear, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_a_madt_the_namespace_counts, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_anything_there_is_one_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(many_cpus, set_up, tear_down),
        cmocka_unit_test_setup_teardown(no_memory_is_said, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

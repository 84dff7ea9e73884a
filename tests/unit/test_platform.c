#include "model/platform.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct sim_platform sim;

static int set_up(void **state)
{
    (void)state;
    sim_platform_init(&sim, 2);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    sim_platform_free(&sim);
    return 0;
}

static bool is_emulated(void)
{
    platform_freeze(&sim.platform);
    return sim.platform.is_emulated;
}

static void emulators_are_recognised(void **state)
{
    struct acpi_table table = {.signature = "FACP", .oem_id = "BOCHS"};

    (void)state;
    assert_false(is_emulated());
    sim_platform_identity(&sim, "AuthenticAMD", 0x19, 1);
    sim_platform_brand(&sim, "AMD EPYC 7713 64-Core Processor");
    assert_false(is_emulated());
    sim.platform.tables = &table;
    sim.platform.tables_count = 1;
    assert_true(is_emulated());
    sim.platform.tables_count = 0;
    sim_platform_brand(&sim, "QEMU Virtual CPU version 2.5+");
    assert_true(is_emulated());
    sim_platform_brand(&sim, "AMD EPYC 7713 64-Core Processor");
    sim_platform_feature(&sim, CPU_FEATURE_HYPERVISOR);
    assert_true(is_emulated());
}

static void freeze_decodes_each_kind(void **state)
{
    (void)state;
    platform_freeze(&sim.platform);
    assert_int_equal(sim.platform.identity.avail, AVAIL_ABSENT);
    assert_null(sim.platform.kind_identity);
    sim_platform_identity(&sim, "GenuineIntel", 6, 0x97);
    platform_freeze(&sim.platform);
    assert_int_equal(sim.platform.identity.model, 0x97);
    assert_int_equal(sim.platform.kind_identity[0].model, 0x97);
}

static void msr_values_by_cpu_and_number(void **state)
{
    (void)state;
    assert_int_equal(platform_msr(&sim.platform, 0, 0x1B).avail, AVAIL_UNTRIED);
    sim_platform_msr(&sim, SIM_ALL_CPUS, 0xCE, 1);
    sim_platform_msr(&sim, 1, 0x1B, 2);
    sim_platform_msr(&sim, 0, 0xC0010015, 3);
    assert_int_equal(platform_msr(&sim.platform, 0, 0xCE).value, 1);
    assert_int_equal(platform_msr(&sim.platform, 1, 0xCE).value, 1);
    assert_int_equal(platform_msr(&sim.platform, 1, 0x1B).value, 2);
    assert_int_equal(platform_msr(&sim.platform, 0, 0x1B).avail, AVAIL_UNTRIED);
    assert_int_equal(platform_msr(&sim.platform, 0, 0xC0010015).value, 3);
    assert_int_equal(platform_msr(&sim.platform, 0, 0xCD).avail, AVAIL_UNTRIED);
    assert_int_equal(platform_msr(&sim.platform, 2, 0xCE).avail, AVAIL_UNTRIED);
}

static void lookups_outside_give_nothing(void **state)
{
    static const struct acpi_table tables[] = {{.signature = "SSDT", .length = 1},
                                               {.signature = "SSDT", .length = 2}};

    (void)state;
    assert_ptr_equal(platform_processor(&sim.platform, 1), &sim.platform.processors[1]);
    assert_null(platform_processor(&sim.platform, 2));
    sim.platform.cpus[1].processor = PROCESSOR_NONE;
    assert_null(platform_processor(&sim.platform, 1));
    assert_null(platform_cpuid(&sim.platform, 0));
    assert_null(platform_object(NULL, OBJECT_PSS));
    assert_null(platform_object_as_linux(NULL, OBJECT_PSS));
    assert_null(platform_table(&sim.platform, "SSDT"));
    sim.platform.tables = tables;
    sim.platform.tables_count = 2;
    assert_int_equal(platform_table(&sim.platform, "SSDT")->length, 1);
    assert_null(platform_table(&sim.platform, "DSDT"));
}

static void linux_sees_the_repaired_object(void **state)
{
    static struct object_set raw = {.kind = OBJECT_PSS};
    static struct object_set repaired = {.kind = OBJECT_PSS, .is_repaired = true};
    struct processor *processor = &sim.platform.processors[0];
    struct object_result *result = &processor->objects[OBJECT_PSS];

    (void)state;
    *result = (struct object_result){.avail = AVAIL_PRESENT, .set = &raw, .repaired = &repaired};
    result->repair = REPAIR_SAME;
    assert_ptr_equal(platform_object_as_linux(processor, OBJECT_PSS), &raw);
    result->repair = REPAIR_CHANGED;
    assert_ptr_equal(platform_object_as_linux(processor, OBJECT_PSS), &repaired);
    assert_ptr_equal(platform_object(processor, OBJECT_PSS), &raw);
    result->repair = REPAIR_UNSAFE;
    assert_ptr_equal(platform_object_as_linux(processor, OBJECT_PSS), &raw);
    result->repair = REPAIR_FAILED;
    assert_null(platform_object_as_linux(processor, OBJECT_PSS));
    result->avail = AVAIL_FAULTED;
    result->set = NULL;
    result->repair = REPAIR_RESCUED;
    assert_ptr_equal(platform_object_as_linux(processor, OBJECT_PSS), &repaired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(emulators_are_recognised, set_up, tear_down),
        cmocka_unit_test_setup_teardown(freeze_decodes_each_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(msr_values_by_cpu_and_number, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lookups_outside_give_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(linux_sees_the_repaired_object, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

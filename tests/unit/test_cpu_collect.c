#include "drivers/cpu_collect.h"
#include "drivers/cpuid_read.h"
#include "tests/sim/heap.h"
#include "tests/sim/sim_hw.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;
static struct platform platform;
static struct options options;
static struct sim_hw sim;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    options_init(&options);
    platform_init(&platform, &heap.arena, &options);
    sim_hw_init(&sim);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

static void use_cpus(uint32_t count)
{
    platform.cpus_count = count;
    platform.cpus = arena_array(&heap.arena, count, sizeof(struct cpu));
    for (uint32_t i = 0; i < count; i++) {
        platform.cpus[i].apic_id = i;
        platform.cpus[i].answer = CPU_NOT_ASKED;
    }
}

/* Two 2-core packages of a family 19h model 21h, the little leaves only. */
static void declare_amd(void)
{
    sim_hw_cpuid(
        &sim, SIM_ANY_CPU,
        (struct cpuid_leaf){
            .leaf = 0, .eax = 0xD, .ebx = 0x68747541, .ecx = 0x444D4163, .edx = 0x69746E65});
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim_hw_cpuid(&sim, cpu,
                     (struct cpuid_leaf){.leaf = 1,
                                         .eax = 0x00A20F10,
                                         .ebx = cpu << 24 | 2 << 16,
                                         .ecx = cpu == 0 ? 1U << 27 : 0,
                                         .edx = 1U << 5 | 1U << 9});
        sim_hw_cpuid(
            &sim, cpu,
            (struct cpuid_leaf){.leaf = 0xB, .eax = 0, .ebx = 1, .ecx = 0x100, .edx = cpu});
        sim_hw_cpuid(&sim, cpu,
                     (struct cpuid_leaf){
                         .leaf = 0xB, .subleaf = 1, .eax = 1, .ebx = 2, .ecx = 0x201, .edx = cpu});
    }
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 4});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 5});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 6, .ecx = 1});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 7});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 0xA});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 0x80000000, .eax = 0x80000001});
    sim_hw_cpuid(&sim, SIM_ANY_CPU, (struct cpuid_leaf){.leaf = 0x80000001});
}

static void declare_amd_msrs(void)
{
    static const uint32_t msrs[] = {0x1B, 0x8B, 0xE7, 0xE8, 0xC0010010, 0xC0010073};

    for (size_t i = 0; i < sizeof(msrs) / sizeof(msrs[0]); i++) {
        sim_hw_msr(&sim, SIM_ANY_CPU, msrs[i], msrs[i]);
    }
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        sim_hw_msr(&sim, cpu, 0xC0010015, 0x1000 + cpu);
    }
}

static void one_run_reads_every_cpu(void **state)
{
    (void)state;
    declare_amd();
    declare_amd_msrs();
    use_cpus(4);
    cpu_collect_boot(&sim.hw, &platform);
    assert_int_equal(platform.identity.model, 0x21);
    cpu_collect_all(&sim.hw, &platform);
    assert_int_equal(sim.runs, 1);
    assert_int_equal(platform.cpuid_kinds_count, 1);
    for (uint32_t cpu = 0; cpu < 4; cpu++) {
        struct msr_value hwcr = platform_msr(&platform, cpu, 0xC0010015);

        assert_int_equal(platform.cpus[cpu].answer, CPU_ANSWERED);
        assert_int_equal(platform.cpus[cpu].kind, 0);
        assert_int_equal(platform.cpus[cpu].package_id, cpu / 2);
        assert_int_equal(hwcr.avail, AVAIL_PRESENT);
        assert_int_equal(hwcr.value, 0x1000 + cpu);
    }
    /* Every MSR once on each CPU, and no other: P-states need a CPUID bit that this part lacks. */
    assert_int_equal(platform.msrs_count, 7);
    assert_int_equal(platform_msr(&platform, 0, 0xC0010064).avail, AVAIL_UNTRIED);
    assert_int_equal(platform_msr(&platform, 4, 0x1B).avail, AVAIL_UNTRIED);
    for (uint32_t i = 1; i < platform.msrs_count; i++) {
        assert_true(platform.msrs[i - 1] < platform.msrs[i]);
    }
}

static void faults_and_silence_are_kept_apart(void **state)
{
    (void)state;
    declare_amd();
    declare_amd_msrs();
    sim_hw_msr_fault(&sim, 1, 0xC0010073);
    sim.silent_cpus = 1U << 2;
    use_cpus(4);
    cpu_collect_boot(&sim.hw, &platform);
    cpu_collect_all(&sim.hw, &platform);
    assert_int_equal(platform_msr(&platform, 1, 0xC0010073).avail, AVAIL_FAULTED);
    assert_int_equal(platform_msr(&platform, 0, 0xC0010073).avail, AVAIL_PRESENT);
    assert_int_equal(platform.cpus[2].answer, CPU_DID_NOT_ANSWER);
    assert_int_equal(platform_msr(&platform, 2, 0x1B).avail, AVAIL_UNTRIED);
    assert_int_equal(platform.cpus[3].answer, CPU_ANSWERED);
}

static void only_chosen_cpus_and_msrs(void **state)
{
    (void)state;
    declare_amd();
    declare_amd_msrs();
    use_cpus(4);
    strcpy(options.cpus, "1,3");
    options.skip_msr_count = 1;
    options.skip_msr[0] = (struct msr_range){0xC0010010, 0xC0010015};
    platform.cpus[3].answer = CPU_DISABLED;
    cpu_collect_boot(&sim.hw, &platform);
    cpu_collect_all(&sim.hw, &platform);
    assert_int_equal(platform.cpus[0].answer, CPU_NOT_ASKED);
    assert_int_equal(platform.cpus[1].answer, CPU_ANSWERED);
    assert_int_equal(platform.cpus[3].answer, CPU_DISABLED);
    assert_int_equal(platform_msr(&platform, 1, 0xC0010015).avail, AVAIL_UNTRIED);
    assert_int_equal(platform_msr(&platform, 1, 0xE7).avail, AVAIL_PRESENT);
    assert_int_equal(platform.cpuid_kinds_count, 1);
}

static void another_core_type_is_another_kind(void **state)
{
    (void)state;
    declare_amd();
    declare_amd_msrs();
    sim_hw_cpuid(&sim, 3, (struct cpuid_leaf){.leaf = 6, .eax = 4, .ecx = 1, .edx = 3 << 16});
    sim_hw_cpuid(&sim, 2, (struct cpuid_leaf){.leaf = 6, .ecx = 1, .edx = 2 << 16});
    use_cpus(4);
    cpu_collect_boot(&sim.hw, &platform);
    cpu_collect_all(&sim.hw, &platform);
    assert_int_equal(platform.cpuid_kinds_count, 2);
    assert_int_equal(platform.cpus[2].kind, 0);
    assert_int_equal(platform.cpus[3].kind, 1);
    assert_true(cpuid_has(platform_cpuid(&platform, 3), CPU_FEATURE_ARAT));
    assert_false(cpuid_has(platform_cpuid(&platform, 2), CPU_FEATURE_ARAT));
}

static void lists_of_subleaves_end(void **state)
{
    static struct cpuid_leaf leaves[CPUID_READ_MAX];
    uint32_t count;
    uint32_t caches = 0;

    (void)state;
    declare_amd();
    for (uint32_t subleaf = 0; subleaf < 3; subleaf++) {
        sim_hw_cpuid(&sim, 0, (struct cpuid_leaf){.leaf = 4, .subleaf = subleaf, .eax = 1});
    }
    count = cpuid_read(&sim.hw, leaves);
    for (uint32_t i = 0; i < count; i++) {
        caches += leaves[i].leaf == 4 ? 1 : 0;
        assert_true(leaves[i].leaf <= 0xD || leaves[i].leaf >= 0x80000000);
    }
    assert_int_equal(caches, 4);
    assert_int_equal(leaves[0].leaf, 0);
}

/* A CPU that claims endless lists and the highest leaf fills no more than there is room for. */
static void hostile_cpuid_is_bounded(void **state)
{
    static struct cpuid_leaf leaves[CPUID_READ_MAX];

    (void)state;
    sim.is_lenient = true;
    for (uint32_t leaf = 0; leaf < 0x20; leaf++) {
        for (uint32_t subleaf = 0; subleaf < 10; subleaf++) {
            sim_hw_cpuid(
                &sim, 0,
                (struct cpuid_leaf){leaf, subleaf, UINT32_MAX, UINT32_MAX, UINT32_MAX, UINT32_MAX});
        }
    }
    sim_hw_cpuid(&sim, 0, (struct cpuid_leaf){.leaf = 0x80000000, .eax = 0x8000FFFF});
    assert_true(cpuid_read(&sim.hw, leaves) <= CPUID_READ_MAX);
}

static void without_cpuid_nobody_is_asked(void **state)
{
    (void)state;
    sim.is_lenient = true;
    use_cpus(2);
    cpu_collect_boot(&sim.hw, &platform);
    assert_int_equal(platform.cpuid_kinds_count, 0);
    cpu_collect_all(&sim.hw, &platform);
    assert_int_equal(sim.runs, 0);
    assert_int_equal(platform.cpus[0].answer, CPU_NOT_ASKED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(one_run_reads_every_cpu, set_up, tear_down),
        cmocka_unit_test_setup_teardown(faults_and_silence_are_kept_apart, set_up, tear_down),
        cmocka_unit_test_setup_teardown(only_chosen_cpus_and_msrs, set_up, tear_down),
        cmocka_unit_test_setup_teardown(another_core_type_is_another_kind, set_up, tear_down),
        cmocka_unit_test_setup_teardown(lists_of_subleaves_end, set_up, tear_down),
        cmocka_unit_test_setup_teardown(hostile_cpuid_is_bounded, set_up, tear_down),
        cmocka_unit_test_setup_teardown(without_cpuid_nobody_is_asked, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "drivers/apic_id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

struct fake_cpu {
    uint32_t max_leaf;
    uint32_t topology_ebx;
};

static void fake_cpuid(const struct hw *hw, uint32_t leaf, uint32_t subleaf,
                       struct cpuid_leaf *ret_leaf)
{
    const struct fake_cpu *cpu = hw->context;

    *ret_leaf = (struct cpuid_leaf){.leaf = leaf, .subleaf = subleaf};
    if (leaf == 0) {
        ret_leaf->eax = cpu->max_leaf;
    } else if (leaf == 1) {
        ret_leaf->ebx = 0x2A000800;
    } else {
        assert_int_equal(leaf, 0xB);
        assert_true(cpu->max_leaf >= 0xB);
        ret_leaf->ebx = cpu->topology_ebx;
        ret_leaf->edx = 0x12345;
    }
}

static const struct hw_ops fake_ops = {.cpuid = fake_cpuid};

static uint32_t apic_id_of(uint32_t max_leaf, uint32_t topology_ebx)
{
    struct fake_cpu cpu = {.max_leaf = max_leaf, .topology_ebx = topology_ebx};
    struct hw hw = {.ops = &fake_ops, .context = &cpu, .name = "fake"};

    return apic_id_read(&hw);
}

static void topology_leaf_gives_32_bits(void **state)
{
    (void)state;
    assert_int_equal(apic_id_of(0xB, 2), 0x12345);
}

static void old_cpu_gives_8_bits(void **state)
{
    (void)state;
    assert_int_equal(apic_id_of(0xA, 2), 0x2A);
}

static void empty_topology_leaf_is_not_used(void **state)
{
    (void)state;
    assert_int_equal(apic_id_of(0xD, 0xFFFF0000), 0x2A);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(topology_leaf_gives_32_bits),
        cmocka_unit_test(old_cpu_gives_8_bits),
        cmocka_unit_test(empty_topology_leaf_is_not_used),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

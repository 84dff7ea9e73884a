#include "drivers/paging.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define TABLES 6
#define PRESENT UINT64_C(1)
#define LARGE UINT64_C(0x80)

/* Page tables at physical 1000H, 2000H, ...; any other read fails the test. */
static uint64_t tables[TABLES][512];

static uint64_t read_entry(void *context, uint64_t paddr)
{
    (void)context;
    assert_int_equal(paddr % 8, 0);
    assert_in_range(paddr, 0x1000, 0x1000 * (TABLES + 1) - 8);
    return tables[paddr / 0x1000 - 1][paddr % 0x1000 / 8];
}

static const struct paging four_levels = {.cr3 = 0x1018, .read = read_entry};

/* 0-1 GiB by 2 MiB pages except the first, which is by 4 KiB pages with page 0 missing; 1-2 GiB as one
 * page. */
static int build(void **state)
{
    (void)state;
    memset(tables, 0, sizeof(tables));
    tables[0][0] = 0x2000 | PRESENT;
    tables[1][0] = 0x3000 | PRESENT;
    tables[1][1] = UINT64_C(0x40000000) | LARGE | PRESENT;
    tables[2][0] = 0x4000 | PRESENT;
    for (unsigned i = 1; i < 512; i++) {
        tables[2][i] = (uint64_t)i << 21 | LARGE | PRESENT | UINT64_C(1) << 63;
        tables[3][i] = (uint64_t)i << 12 | PRESENT;
    }
    tables[2][5] = UINT64_C(7) << 21 | LARGE | PRESENT;
    return 0;
}

static void pages_of_every_size_are_found(void **state)
{
    uint64_t end = 0;

    (void)state;
    assert_true(paging_is_identity(&four_levels, 0x1234, &end));
    assert_int_equal(end, 0x2000);
    assert_true(paging_is_identity(&four_levels, 0x212345, &end));
    assert_int_equal(end, 0x400000);
    assert_true(paging_is_identity(&four_levels, 0x7FFFFFFF, &end));
    assert_int_equal(end, 0x80000000);
}

static void holes_say_where_they_end(void **state)
{
    uint64_t end = 0;

    (void)state;
    assert_false(paging_is_identity(&four_levels, 0, &end));
    assert_int_equal(end, 0x1000);
    assert_false(paging_is_identity(&four_levels, UINT64_C(0x80000000), &end));
    assert_int_equal(end, UINT64_C(0xC0000000));
    assert_false(paging_is_identity(&four_levels, UINT64_C(1) << 40, &end));
    assert_int_equal(end, (UINT64_C(1) << 40) + (UINT64_C(1) << 39));
}

static void other_mappings_and_high_addresses_are_refused(void **state)
{
    uint64_t end = 1;

    (void)state;
    assert_false(paging_is_identity(&four_levels, UINT64_C(5) << 21, &end));
    assert_false(paging_is_identity(&four_levels, UINT64_C(0x800000000000), &end));
    assert_int_equal(end, 0);
    assert_false(paging_is_identity(&four_levels, UINT64_MAX, &end));
}

static void five_levels_start_one_higher(void **state)
{
    const struct paging five_levels = {.cr3 = 0x5000, .has_5_levels = true, .read = read_entry};
    uint64_t end = 0;

    (void)state;
    tables[4][0] = 0x1000 | PRESENT;
    assert_true(paging_is_identity(&five_levels, 0x40000000, &end));
    assert_false(paging_is_identity(&five_levels, UINT64_C(0x800000000000), &end));
    assert_int_equal(end, UINT64_C(0x808000000000));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(pages_of_every_size_are_found, build),
        cmocka_unit_test_setup(holes_say_where_they_end, build),
        cmocka_unit_test_setup(other_mappings_and_high_addresses_are_refused, build),
        cmocka_unit_test_setup(five_levels_start_one_higher, build),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

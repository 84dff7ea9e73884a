#include "model/processor_index.h"
#include "tests/sim/sim_platform.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define PROCESSORS 40U

static struct dependency_row rows[PROCESSORS];
static struct object_set sets[PROCESSORS];

/* Processor i is in domain i / 3, but every eighth has no _PSD and the last two differ in the high half. */
static void give_domains(struct platform *platform)
{
    memset(rows, 0, sizeof(rows));
    memset(sets, 0, sizeof(sets));
    for (uint32_t i = 0; i < PROCESSORS; i++) {
        struct object_result *psd = &platform->processors[i].objects[OBJECT_PSD];

        rows[i].elements = 5;
        rows[i].valid = 0x1F;
        rows[i].field[DEPENDENCY_DOMAIN] = i / 3 | (i + 2 >= PROCESSORS ? UINT64_C(1) << 32 : 0);
        sets[i] = (struct object_set){.kind = OBJECT_PSD, .index = i};
        sets[i].psd = (struct dependency){.is_package = true, .count = 1, .rows = &rows[i]};
        psd->avail = i % 8 == 0 ? AVAIL_ABSENT : AVAIL_PRESENT;
        psd->set = i % 8 == 0 ? NULL : &sets[i];
    }
}

/* Every processor of every domain is found once, in order. */
static void check_domains(const struct platform *platform)
{
    for (uint64_t domain = 0; domain <= PROCESSORS / 3; domain++) {
        uint32_t position = 0;

        for (uint32_t i = 0; i < PROCESSORS; i++) {
            if (i % 8 == 0 || rows[i].field[DEPENDENCY_DOMAIN] != domain) {
                continue;
            }
            assert_ptr_equal(
                processor_index_next(platform, PROCESSOR_PSD_DOMAIN, domain, &position),
                &platform->processors[i]);
        }
        assert_null(processor_index_next(platform, PROCESSOR_PSD_DOMAIN, domain, &position));
    }
}

static void finds_all_in_order(void **state)
{
    struct sim_platform sim;

    (void)state;
    sim_platform_init(&sim, PROCESSORS);
    give_domains(&sim.platform);
    check_domains(&sim.platform); /* not frozen: by walking */
    platform_freeze(&sim.platform);
    assert_non_null(sim.platform.processor_orders[PROCESSOR_PSD_DOMAIN].items);
    check_domains(&sim.platform);
    sim_platform_free(&sim);
}

static void tells_numbers_apart_by_their_high_half(void **state)
{
    struct sim_platform sim;
    uint32_t position = 0;
    uint64_t domain;

    (void)state;
    sim_platform_init(&sim, PROCESSORS);
    give_domains(&sim.platform);
    platform_freeze(&sim.platform);
    domain = rows[PROCESSORS - 1].field[DEPENDENCY_DOMAIN];
    assert_ptr_equal(processor_index_next(&sim.platform, PROCESSOR_PSD_DOMAIN, domain, &position),
                     &sim.platform.processors[PROCESSORS - 1]);
    position = 0;
    assert_null(processor_index_next(&sim.platform, PROCESSOR_PSD_DOMAIN, UINT64_C(7) << 32 | 1,
                                     &position));
    sim_platform_free(&sim);
}

static void leaves_out_what_has_no_number(void **state)
{
    struct sim_platform sim;
    uint32_t position = 0;

    (void)state;
    sim_platform_init(&sim, 3);
    for (uint32_t i = 0; i < 3; i++) {
        sim.platform.processors[i].uid_avail = AVAIL_PRESENT;
        sim.platform.processors[i].uid = 5;
    }
    sim.platform.processors[0].uid_text = "5";
    sim.platform.processors[1].uid_avail = AVAIL_ABSENT;
    platform_freeze(&sim.platform);
    assert_ptr_equal(processor_index_next(&sim.platform, PROCESSOR_UID, 5, &position),
                     &sim.platform.processors[2]);
    assert_null(processor_index_next(&sim.platform, PROCESSOR_UID, 5, &position));
    position = 0;
    assert_null(processor_index_next(&sim.platform, PROCESSOR_CSD_DOMAIN, 0, &position));
    sim_platform_free(&sim);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(finds_all_in_order),
        cmocka_unit_test(tells_numbers_apart_by_their_high_half),
        cmocka_unit_test(leaves_out_what_has_no_number),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

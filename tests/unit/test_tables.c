#include "model/objects.h"
#include "model/tables.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct fadt make_fadt(uint8_t revision, uint64_t port)
{
    struct fadt fadt = {.avail = AVAIL_PRESENT, .revision = revision};

    fadt.has_field[FADT_PM_TMR_BLK] = true;
    fadt.field[FADT_PM_TMR_BLK] = port;
    fadt.has_field[FADT_FLAGS] = true;
    return fadt;
}

static void put_x(struct fadt *fadt, uint8_t space, uint64_t address)
{
    fadt->has_register[FADT_X_PM_TMR_BLK] = true;
    fadt->reg[FADT_X_PM_TMR_BLK] = (struct gas){space, 32, 0, 3, address};
}

static void pm_timer_port(void **state)
{
    struct fadt fadt = make_fadt(1, 0x408);

    (void)state;
    put_x(&fadt, GAS_SYSTEM_IO, 0x508);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0x408);
    fadt.revision = 3;
    assert_int_equal(fadt_pm_timer_port(&fadt), 0x508);
    put_x(&fadt, GAS_SYSTEM_MEMORY, 0xFED00000);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0);
    put_x(&fadt, GAS_SYSTEM_MEMORY, 0);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0x408);
    fadt.field[FADT_FLAGS] = 1U << FADT_FLAG_HW_REDUCED;
    assert_int_equal(fadt_pm_timer_port(&fadt), 0);
    put_x(&fadt, GAS_SYSTEM_IO, 0);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0x408);
    put_x(&fadt, GAS_SYSTEM_IO, 0x10408);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0);
    fadt = make_fadt(6, 0x408);
    assert_int_equal(fadt_pm_timer_port(&fadt), 0x408);
    fadt.avail = AVAIL_ABSENT;
    assert_int_equal(fadt_pm_timer_port(&fadt), 0);
}

static void missing_fields(void **state)
{
    struct fadt fadt = make_fadt(3, 0x408);

    (void)state;
    fadt.field[FADT_FLAGS] = 1U << FADT_FLAG_PROC_C1;
    assert_int_equal(fadt_value(&fadt, FADT_PM_TMR_BLK, 1), 0x408);
    assert_int_equal(fadt_value(&fadt, FADT_P_LVL2_LAT, 7), 7);
    assert_true(fadt_has_flag(&fadt, FADT_FLAG_PROC_C1));
    assert_false(fadt_has_flag(&fadt, FADT_FLAG_P_LVL2_UP));
    fadt.avail = AVAIL_ABSENT;
    assert_false(fadt_has_flag(&fadt, FADT_FLAG_PROC_C1));
}

static void every_enumerator_has_its_own_name(void **state)
{
    (void)state;
    for (int i = 0; i < FADT_FIELDS; i++) {
        assert_non_null(fadt_field_name((enum fadt_field)i));
        for (int j = 0; j < i; j++) {
            assert_string_not_equal(fadt_field_name((enum fadt_field)i),
                                    fadt_field_name((enum fadt_field)j));
        }
    }
    for (int i = 0; i < FADT_REGISTERS; i++) {
        assert_memory_equal(fadt_register_name((enum fadt_register)i), "x_", 2);
    }
    for (int i = 0; i < CPC_REGISTERS; i++) {
        assert_non_null(cpc_register_name((enum cpc_register)i));
        assert_string_not_equal(cpc_register_name((enum cpc_register)i), "unknown");
    }
    assert_string_equal(fadt_field_name(FADT_P_LVL2_LAT), "p_lvl2_lat");
    assert_string_equal(fadt_register_name(FADT_X_PM_TMR_BLK), "x_pm_tmr_blk");
    assert_string_equal(cpc_register_name(CPC_NOMINAL_FREQ_MHZ), "nominal_freq_mhz");
    assert_string_equal(object_kind_name(OBJECT_PSD), "_PSD");
    assert_string_equal(object_kind_field(OBJECT_LPI), "lpi");
    assert_string_equal(fadt_field_name(FADT_FIELDS), "unknown");
    assert_string_equal(cpc_register_name(CPC_REGISTERS), "unknown");
    assert_string_equal(object_kind_field(OBJECT_KINDS), "unknown");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pm_timer_port),
        cmocka_unit_test(missing_fields),
        cmocka_unit_test(every_enumerator_has_its_own_name),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

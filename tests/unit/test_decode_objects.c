#include "acpi/decode_objects.h"
#include "tests/sim/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static struct heap heap;

static int set_up(void **state)
{
    (void)state;
    heap_init(&heap, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    heap_free(&heap);
    return 0;
}

#define COUNT(array) (uint32_t)(sizeof(array) / sizeof((array)[0]))
#define INTEGER(number)                                                                            \
    {                                                                                              \
        .type = AML_INTEGER, .integer = (number)                                                   \
    }
#define NOTHING                                                                                    \
    {                                                                                              \
        .type = AML_NULL                                                                           \
    }
#define PACKAGE(array)                                                                             \
    {                                                                                              \
        .type = AML_PACKAGE, .length = COUNT(array), .elements = (array)                           \
    }
#define STRING(text)                                                                               \
    {                                                                                              \
        .type = AML_STRING, .length = sizeof(text) - 1, .bytes = (const uint8_t *)(text)           \
    }
#define BUFFER(array)                                                                              \
    {                                                                                              \
        .type = AML_BUFFER, .length = COUNT(array), .bytes = (array)                               \
    }

/* Register (SystemIO, 8, 0, 0x414, 1) with an end tag. */
static const uint8_t io_register[] = {0x82, 12, 0, 1, 8, 0, 1, 0x14, 4, 0, 0, 0, 0, 0, 0, 0x79, 0};
static const uint8_t null_register[] = {0x82, 12, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0x79, 0};
static const uint8_t short_register[] = {0x82, 12, 0, 1, 8, 0, 1, 0x14, 4, 0, 0, 0, 0, 0};
static const uint8_t other_tag[] = {0x8A, 12, 0, 1, 8, 0, 1, 0x14, 4, 0, 0, 0, 0, 0, 0};
static const uint8_t short_length[] = {0x82, 11, 0, 1, 8, 0, 1, 0x14, 4, 0, 0, 0, 0, 0, 0};

static void a_register_is_its_descriptor(void **state)
{
    const struct aml_value good = BUFFER(io_register);
    const struct aml_value null = BUFFER(null_register);
    struct object_register reg = decode_register(&good);

    (void)state;
    assert_int_equal(reg.avail, AVAIL_PRESENT);
    assert_int_equal(reg.gas.space, GAS_SYSTEM_IO);
    assert_int_equal(reg.gas.width_bits, 8);
    assert_int_equal(reg.gas.access, 1);
    assert_int_equal(reg.gas.address, 0x414);
    assert_false(reg.is_null);
    assert_true(decode_register(&null).is_null);
}

static void what_is_no_descriptor_is_malformed(void **state)
{
    const struct aml_value values[] = {BUFFER(short_register), BUFFER(other_tag),
                                       BUFFER(short_length), INTEGER(5), STRING("x")};
    const struct aml_value nothing = NOTHING;

    (void)state;
    for (uint32_t i = 0; i < COUNT(values); i++) {
        assert_int_equal(decode_register(&values[i]).avail, AVAIL_MALFORMED);
    }
    assert_int_equal(decode_register(&nothing).avail, AVAIL_ABSENT);
    assert_int_equal(decode_register(NULL).avail, AVAIL_ABSENT);
}

static void pss_rows_keep_their_shape(void **state)
{
    const struct aml_value whole[] = {INTEGER(3400), INTEGER(95000), INTEGER(10),
                                      INTEGER(11),   INTEGER(0x22),  INTEGER(0x23)};
    const struct aml_value odd[] = {INTEGER(3400), STRING("95"), NOTHING};
    const struct aml_value rows[] = {PACKAGE(whole), PACKAGE(odd), INTEGER(7), NOTHING};
    const struct aml_value value = PACKAGE(rows);
    struct pss pss;

    (void)state;
    decode_pss(&value, &heap.arena, &pss);
    assert_true(pss.is_package);
    assert_int_equal(pss.count, 4);
    assert_int_equal(pss.rows[0].elements, 6);
    assert_int_equal(pss.rows[0].valid, 0x3F);
    assert_int_equal(pss.rows[0].field[PSS_BM_LATENCY_US], 11);
    assert_int_equal(pss.rows[0].field[PSS_STATUS], 0x23);
    assert_int_equal(pss.rows[1].elements, 3);
    assert_int_equal(pss.rows[1].valid, 1);
    assert_int_equal(pss.rows[1].field[PSS_POWER_MW], 0);
    assert_int_equal(pss.rows[2].elements, 0);
    assert_int_equal(pss.rows[3].valid, 0);
}

static void a_pss_that_is_no_package_has_no_rows(void **state)
{
    const struct aml_value values[] = {INTEGER(0), STRING(""), BUFFER(io_register), NOTHING};
    struct pss pss;

    (void)state;
    for (uint32_t i = 0; i < COUNT(values); i++) {
        decode_pss(&values[i], &heap.arena, &pss);
        assert_false(pss.is_package);
        assert_int_equal(pss.count, 0);
    }
}

static void pct_has_two_registers_or_says_what_is_missing(void **state)
{
    const struct aml_value both[] = {BUFFER(io_register), BUFFER(null_register)};
    const struct aml_value one[] = {BUFFER(other_tag)};
    const struct aml_value good = PACKAGE(both);
    const struct aml_value bad = PACKAGE(one);
    struct pct pct;

    (void)state;
    decode_pct(&good, &pct);
    assert_int_equal(pct.elements, 2);
    assert_int_equal(pct.control.gas.address, 0x414);
    assert_true(pct.status.is_null);
    decode_pct(&bad, &pct);
    assert_int_equal(pct.elements, 1);
    assert_int_equal(pct.control.avail, AVAIL_MALFORMED);
    assert_int_equal(pct.status.avail, AVAIL_ABSENT);
}

static void dependencies_of_both_kinds_are_decoded(void **state)
{
    const struct aml_value psd[] = {INTEGER(5), INTEGER(0), INTEGER(3), INTEGER(0xFE), INTEGER(8)};
    const struct aml_value csd[] = {INTEGER(6),    INTEGER(0), INTEGER(1),
                                    INTEGER(0xFC), INTEGER(2), INTEGER(1)};
    const struct aml_value rows[] = {PACKAGE(psd), PACKAGE(csd), STRING("no row")};
    const struct aml_value value = PACKAGE(rows);
    struct dependency dependency;

    (void)state;
    decode_dependency(&value, &heap.arena, &dependency);
    assert_int_equal(dependency.count, 3);
    assert_int_equal(dependency.rows[0].valid, 0x1F);
    assert_int_equal(dependency.rows[0].field[DEPENDENCY_COORD_TYPE], COORD_HW_ALL);
    assert_int_equal(dependency.rows[0].field[DEPENDENCY_NUM_PROCESSORS], 8);
    assert_int_equal(dependency.rows[1].valid, 0x3F);
    assert_int_equal(dependency.rows[1].field[DEPENDENCY_INDEX], 1);
    assert_int_equal(dependency.rows[2].elements, 0);
}

static void cpc_elements_keep_their_kind_and_place(void **state)
{
    const struct aml_value elements[] = {INTEGER(23),         INTEGER(3), INTEGER(166),
                                         BUFFER(io_register), NOTHING,    STRING("20"),
                                         BUFFER(other_tag)};
    const struct aml_value value = PACKAGE(elements);
    struct cpc cpc;

    (void)state;
    decode_cpc(&value, &cpc);
    assert_true(cpc.has_entries && cpc.has_revision);
    assert_int_equal(cpc.entries, 23);
    assert_int_equal(cpc.revision, 3);
    assert_int_equal(cpc.elements, 7);
    assert_int_equal(cpc.registers[CPC_HIGHEST_PERF].kind, CPC_ELEMENT_INTEGER);
    assert_int_equal(cpc.registers[CPC_HIGHEST_PERF].integer, 166);
    assert_int_equal(cpc.registers[CPC_NOMINAL_PERF].kind, CPC_ELEMENT_REGISTER);
    assert_int_equal(cpc.registers[CPC_NOMINAL_PERF].reg.gas.address, 0x414);
    assert_int_equal(cpc.registers[CPC_LOWEST_NONLINEAR_PERF].kind, CPC_ELEMENT_NULL);
    assert_int_equal(cpc.registers[CPC_LOWEST_PERF].kind, CPC_ELEMENT_OTHER);
    assert_int_equal(cpc.registers[CPC_GUARANTEED_PERF].reg.avail, AVAIL_MALFORMED);
    assert_int_equal(cpc.registers[CPC_DESIRED_PERF].kind, CPC_ELEMENT_MISSING);
    assert_int_equal(cpc.registers[CPC_RESOURCE_PRIORITY].kind, CPC_ELEMENT_MISSING);
}

static void a_cpc_longer_than_revision_4_is_read_to_its_last_register(void **state)
{
    static struct aml_value elements[64];
    struct aml_value value = {.type = AML_PACKAGE, .length = COUNT(elements), .elements = elements};
    struct cpc cpc;

    (void)state;
    for (uint32_t i = 0; i < COUNT(elements); i++) {
        elements[i] = (struct aml_value)INTEGER(i);
    }
    decode_cpc(&value, &cpc);
    assert_int_equal(cpc.elements, 64);
    assert_int_equal(cpc.registers[CPC_RESOURCE_PRIORITY].integer, 24);
    value.length = 0;
    decode_cpc(&value, &cpc);
    assert_false(cpc.has_entries);
}

static void cst_states_follow_the_count(void **state)
{
    const struct aml_value c1[] = {BUFFER(io_register), INTEGER(1), INTEGER(2), INTEGER(1000)};
    const struct aml_value c2[] = {INTEGER(0), STRING("2"), INTEGER(400)};
    const struct aml_value elements[] = {INTEGER(9), PACKAGE(c1), PACKAGE(c2), INTEGER(3)};
    const struct aml_value value = PACKAGE(elements);
    struct cst cst;

    (void)state;
    decode_cst(&value, &heap.arena, &cst);
    assert_true(cst.has_count);
    assert_int_equal(cst.count, 9);
    assert_int_equal(cst.states_count, 3);
    assert_int_equal(cst.states[0].valid, 7);
    assert_int_equal(cst.states[0].field[CST_LATENCY_US], 2);
    assert_int_equal(cst.states[0].reg.gas.address, 0x414);
    assert_int_equal(cst.states[1].elements, 3);
    assert_int_equal(cst.states[1].valid, 2);
    assert_int_equal(cst.states[1].reg.avail, AVAIL_MALFORMED);
    assert_int_equal(cst.states[2].elements, 0);
    assert_int_equal(cst.states[2].reg.avail, AVAIL_ABSENT);
}

static void an_empty_cst_has_no_count(void **state)
{
    const struct aml_value value = {.type = AML_PACKAGE, .length = 0};
    struct cst cst;

    (void)state;
    decode_cst(&value, &heap.arena, &cst);
    assert_true(cst.is_package);
    assert_false(cst.has_count);
    assert_int_equal(cst.states_count, 0);
}

static void lpi_states_are_decoded(void **state)
{
    const struct aml_value whole[] = {INTEGER(2), INTEGER(1),  INTEGER(1),          INTEGER(0),
                                      INTEGER(0), INTEGER(0),  BUFFER(io_register), INTEGER(0),
                                      INTEGER(0), STRING("C2")};
    const struct aml_value bare[] = {INTEGER(2)};
    const struct aml_value elements[] = {INTEGER(0),     INTEGER(1),    INTEGER(2),
                                         PACKAGE(whole), PACKAGE(bare), INTEGER(5)};
    const struct aml_value value = PACKAGE(elements);
    struct lpi lpi;

    (void)state;
    decode_lpi(&value, &heap.arena, &lpi);
    assert_true(lpi.has_header);
    assert_int_equal(lpi.level_id, 1);
    assert_int_equal(lpi.count, 2);
    assert_int_equal(lpi.states_count, 3);
    assert_int_equal(lpi.states[0].valid, 0x3F);
    assert_int_equal(lpi.states[0].entry_kind, CPC_ELEMENT_REGISTER);
    assert_string_equal(lpi.states[0].name, "C2");
    assert_int_equal(lpi.states[1].valid, 1);
    assert_int_equal(lpi.states[1].entry_kind, CPC_ELEMENT_MISSING);
    assert_null(lpi.states[1].name);
    assert_int_equal(lpi.states[2].elements, 0);
}

static void without_memory_there_are_no_rows(void **state)
{
    const struct aml_value elements[] = {INTEGER(1), INTEGER(2), INTEGER(3), INTEGER(4)};
    const struct aml_value value = PACKAGE(elements);
    struct heap empty;
    struct pss pss;
    struct cst cst;
    struct lpi lpi;
    struct dependency dependency;

    (void)state;
    heap_init(&empty, 1);
    decode_pss(&value, &empty.arena, &pss);
    decode_cst(&value, &empty.arena, &cst);
    decode_lpi(&value, &empty.arena, &lpi);
    decode_dependency(&value, &empty.arena, &dependency);
    assert_int_equal(pss.count + cst.states_count + lpi.states_count + dependency.count, 0);
    heap_free(&empty);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_register_is_its_descriptor),
        cmocka_unit_test(what_is_no_descriptor_is_malformed),
        cmocka_unit_test(pss_rows_keep_their_shape),
        cmocka_unit_test(a_pss_that_is_no_package_has_no_rows),
        cmocka_unit_test(pct_has_two_registers_or_says_what_is_missing),
        cmocka_unit_test(dependencies_of_both_kinds_are_decoded),
        cmocka_unit_test(cpc_elements_keep_their_kind_and_place),
        cmocka_unit_test(a_cpc_longer_than_revision_4_is_read_to_its_last_register),
        cmocka_unit_test(cst_states_follow_the_count),
        cmocka_unit_test(an_empty_cst_has_no_count),
        cmocka_unit_test(lpi_states_are_decoded),
        cmocka_unit_test(without_memory_there_are_no_rows),
    };

    return cmocka_run_group_tests(tests, set_up, tear_down);
}

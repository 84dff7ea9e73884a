#include "model/msr_catalog.h"
#include "report/msr_fields.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const struct cpu_identity intel = {.vendor = VENDOR_INTEL, .family = 6, .model = 0x55};
static const struct cpu_identity zen = {.vendor = VENDOR_AMD, .family = 0x17, .model = 0x31};
static const struct cpu_identity hygon = {.vendor = VENDOR_HYGON, .family = 0x18, .model = 0};
static const struct cpu_identity k10 = {.vendor = VENDOR_AMD, .family = 0x10, .model = 4};

static unsigned fields_of(const struct cpu_identity *identity, uint32_t msr)
{
    const struct msr_field *before = NULL;
    unsigned count = 0;

    for (;;) {
        const struct msr_field *field = msr_field_at(identity, msr, count);

        if (field == NULL) {
            return count;
        }
        assert_int_equal(field->msr, msr);
        assert_true(field->low <= field->high && field->high < 64);
        assert_true(strlen(field->name) > 1);
        assert_true(before == NULL || before->high < field->low);
        before = field;
        count++;
    }
}

/* From the lowest bits up, without overlap, on every CPU that may have the MSR.
 */
static void fields_are_in_order_and_apart(void **state)
{
    unsigned count = 0;

    (void)state;
    for (uint32_t i = 0; i < msr_catalog_count(); i++) {
        uint32_t msr = msr_catalog_at(i)->msr;

        count += fields_of(&intel, msr);
        count += fields_of(&zen, msr);
        count += fields_of(&hygon, msr);
        count += fields_of(&k10, msr);
    }
    assert_true(count > 100);
}

static void a_maker_has_its_own_fields(void **state)
{
    (void)state;
    assert_string_equal(msr_field_at(&intel, 0xCE, 0)->name, "maximum non-turbo ratio");
    assert_null(msr_field_at(&zen, 0xCE, 0));
    assert_int_equal(fields_of(&intel, 0x1AD), 8);
    assert_string_equal(msr_field_at(&zen, 0xC00102B0, 3)->name, "highest");
    assert_null(msr_field_at(&intel, 0xC00102B0, 0));
    assert_int_equal(fields_of(&zen, 0xC0010064), 6);
    assert_int_equal(fields_of(&hygon, 0xC0010064), 6);
    /* Families 10h to 16h have another layout; only the valid bit is the same. */
    assert_int_equal(fields_of(&k10, 0xC0010064), 1);
    assert_int_equal(msr_field_at(&k10, 0xC0010064, 0)->low, 63);
    assert_null(msr_field_at(&intel, 0x12345, 0));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_are_in_order_and_apart),
        cmocka_unit_test(a_maker_has_its_own_fields),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

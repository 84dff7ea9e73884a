#include "model/cpu_id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define LEAF(number, a, b, c, d)                                                                   \
    {                                                                                              \
        .leaf = (number), .eax = (a), .ebx = (b), .ecx = (c), .edx = (d)                           \
    }

static struct cpu_identity decode(const struct cpuid_leaf *leaves, uint32_t count)
{
    struct cpuid_set set = {count, leaves};
    struct cpu_identity identity;

    cpu_identity_decode(&set, &identity);
    return identity;
}

/* A Ryzen 9 5950X: family 19h model 21h stepping 0. */
static void amd_signature_adds_extended_family(void **state)
{
    const struct cpuid_leaf leaves[] = {
        LEAF(0, 0x10, 0x68747541, 0x444D4163, 0x69746E65),
        LEAF(1, 0x00A20F10, 0, 0, 0),
        LEAF(0x80000000, 0x80000023, 0, 0, 0),
        LEAF(0x80000002, 0x20444D41, 0x657A7952, 0x2039206E, 0x30353935),
        LEAF(0x80000003, 0x36312058, 0x726F432D, 0x72502065, 0x7365636F),
        LEAF(0x80000004, 0x20726F73, 0x20202020, 0x20202020, 0x00202020),
    };
    struct cpu_identity identity = decode(leaves, 6);

    (void)state;
    assert_int_equal(identity.avail, AVAIL_PRESENT);
    assert_int_equal(identity.vendor, VENDOR_AMD);
    assert_int_equal(identity.family, 0x19);
    assert_int_equal(identity.model, 0x21);
    assert_int_equal(identity.stepping, 0);
    assert_int_equal(identity.max_leaf, 0x10);
    assert_int_equal(identity.max_extended_leaf, 0x80000023);
    assert_string_equal(identity.brand, "AMD Ryzen 9 5950X 16-Core Processor");
    assert_false(identity.is_hypervisor);
}

static void intel_model_uses_extended_model(void **state)
{
    const struct cpuid_leaf leaves[] = {LEAF(0, 0x20, 0x756E6547, 0x6C65746E, 0x49656E69),
                                        LEAF(1, 0x00090672, 0, 0, 0)};
    struct cpu_identity identity = decode(leaves, 2);

    (void)state;
    assert_int_equal(identity.vendor, VENDOR_INTEL);
    assert_string_equal(identity.vendor_text, "GenuineIntel");
    assert_int_equal(identity.family, 6);
    assert_int_equal(identity.model, 0x97);
    assert_int_equal(identity.stepping, 2);
    assert_string_equal(identity.brand, "");
    assert_int_equal(identity.max_extended_leaf, 0);
}

static void zhaoxin_family_7_uses_extended_model(void **state)
{
    const struct cpuid_leaf leaves[] = {LEAF(0, 0xD, 0x68532020, 0x20206961, 0x68676E61),
                                        LEAF(1, 0x000307B0, 0, 0, 0)};
    struct cpu_identity identity = decode(leaves, 2);

    (void)state;
    assert_string_equal(identity.vendor_text, "  Shanghai  ");
    assert_int_equal(identity.vendor, VENDOR_ZHAOXIN);
    assert_int_equal(identity.family, 7);
    assert_int_equal(identity.model, 0x3B);
}

static void vendor_names(void **state)
{
    (void)state;
    assert_int_equal(cpu_vendor_of("HygonGenuine"), VENDOR_HYGON);
    assert_int_equal(cpu_vendor_of("CentaurHauls"), VENDOR_CENTAUR);
    assert_int_equal(cpu_vendor_of("TCGTCGTCGTCG"), VENDOR_UNKNOWN);
    assert_int_equal(cpu_vendor_of(""), VENDOR_UNKNOWN);
}

/* Leading blanks, a byte that is no character, and no NUL within the 48 bytes. */
static void brand_is_trimmed_and_printable(void **state)
{
    struct cpuid_leaf leaves[] = {
        LEAF(0, 1, 0, 0, 0),
        LEAF(1, 0, 0, 0, 0),
        LEAF(0x80000000, 0x80000004, 0, 0, 0),
        LEAF(0x80000002, 0x20202020, 0x07424120, 0x41414141, 0x41414141),
        LEAF(0x80000003, 0x41414141, 0x41414141, 0x41414141, 0x41414141),
        LEAF(0x80000004, 0x41414141, 0x41414141, 0x41414141, 0xFF414141),
    };
    struct cpu_identity identity = decode(leaves, 6);

    (void)state;
    assert_memory_equal(identity.brand, "AB?AAAA", 7);
    assert_int_equal(strlen(identity.brand), 43);
    assert_int_equal(identity.brand[42], '?');
    memset(&leaves[3].eax, 0, 16);
    identity = decode(leaves, 6);
    assert_string_equal(identity.brand, "");
}

static void leaf_beyond_the_maximum_is_absent(void **state)
{
    const struct cpuid_leaf leaves[] = {
        LEAF(0, 0xD, 0, 0, 0),
        LEAF(0x16, 3600, 0, 0, 0),
        LEAF(0xD, 7, 0, 0, 0),
        LEAF(0x80000000, 0xD, 0, 0, 0), /* no extended leaves: the data of the last basic one */
        LEAF(0x80000007, 0, 0, 0, 0x100),
    };
    struct cpuid_set set = {5, leaves};

    (void)state;
    assert_null(cpuid_find(&set, 0x16, 0));
    assert_non_null(cpuid_find(&set, 0xD, 0));
    assert_null(cpuid_find(&set, 0xD, 1));
    assert_null(cpuid_find(&set, 0x80000007, 0));
    assert_false(cpuid_has(&set, CPU_FEATURE_INVARIANT_TSC));
    assert_null(cpuid_find(NULL, 0, 0));
}

static void features_look_at_their_own_register(void **state)
{
    const struct cpuid_leaf leaves[] = {LEAF(0, 6, 0, 0, 0), LEAF(6, 1U << 7, 0, 1, 0),
                                        LEAF(0x80000000, 0x80000008, 0, 0, 0),
                                        LEAF(0x80000008, 0, 1U << 27, 0, 0)};
    struct cpuid_set set = {4, leaves};

    (void)state;
    assert_true(cpuid_has(&set, CPU_FEATURE_HWP));
    assert_false(cpuid_has(&set, CPU_FEATURE_IDA));
    assert_true(cpuid_has(&set, CPU_FEATURE_APERFMPERF));
    assert_true(cpuid_has(&set, CPU_FEATURE_CPPC));
    assert_false(cpuid_has(&set, CPU_FEATURE_RDPRU));
    assert_false(cpuid_has(&set, CPU_FEATURE_MONITOR));
}

static void hypervisor_is_named(void **state)
{
    const struct cpuid_leaf leaves[] = {LEAF(0, 1, 0, 0, 0), LEAF(1, 0, 0, 1U << 31, 0),
                                        LEAF(0x40000000, 0, 0x4B4D564B, 0x564B4D56, 0x0000004D),
                                        LEAF(0x40000001, 1, 0, 0, 0), LEAF(0x40000010, 1, 0, 0, 0)};
    struct cpu_identity identity = decode(leaves, 5);
    struct cpuid_set set = {5, leaves};

    (void)state;
    assert_true(identity.is_hypervisor);
    assert_string_equal(identity.hypervisor_text, "KVMKVMKVM");
    assert_non_null(cpuid_find(&set, 0x40000001, 0));
    assert_null(cpuid_find(&set, 0x40000010, 0));
}

static void nothing_read_is_absent(void **state)
{
    struct cpu_identity identity = decode(NULL, 0);

    (void)state;
    assert_int_equal(identity.avail, AVAIL_ABSENT);
    assert_int_equal(identity.vendor, VENDOR_UNKNOWN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(amd_signature_adds_extended_family),
        cmocka_unit_test(intel_model_uses_extended_model),
        cmocka_unit_test(zhaoxin_family_7_uses_extended_model),
        cmocka_unit_test(vendor_names),
        cmocka_unit_test(brand_is_trimmed_and_printable),
        cmocka_unit_test(leaf_beyond_the_maximum_is_absent),
        cmocka_unit_test(features_look_at_their_own_register),
        cmocka_unit_test(hypervisor_is_named),
        cmocka_unit_test(nothing_read_is_absent),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

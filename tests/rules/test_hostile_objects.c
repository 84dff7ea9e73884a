#include "rules/rule.h"
#include "tests/rules/fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/*
 * No object may make a rule divide by zero, loop or read out of bounds, whatever its shape. The objects are
 * random texts of a fixed generator, so that every run is the same; the sanitizers watch.
 */
#define ROUNDS 150
#define TEXT_BYTES 8192

static uint64_t random_state = 0x9E3779B97F4A7C15;

static uint32_t random_below(uint32_t limit)
{
    random_state ^= random_state << 13;
    random_state ^= random_state >> 7;
    random_state ^= random_state << 17;
    return (uint32_t)(random_state >> 32) % limit;
}

static void put(char *text, const char *piece)
{
    size_t used = strlen(text);

    if (used + strlen(piece) + 64 < TEXT_BYTES) {
        memcpy(text + used, piece, strlen(piece) + 1);
    }
}

static void put_leaf(char *text)
{
    static const char *const leaves[] = {
        "0 ",
        "1 ",
        "2 ",
        "3 ",
        "5 ",
        "6 ",
        "23 ",
        "166 ",
        "3500 ",
        "0x80000000 ",
        "0xFFFFFFFFFFFFFFFF ",
        "0xFC ",
        "~ ",
        "N ",
        "\"\" ",
        "\"3500\" ",
        "[] ",
        "[82] ",
        "[82 0C 00 7F 40 00 04 62 00 01 C0 00 00 00 00] ",
        "{127 64 0 0 0xC0010062} ",
        "{127 255 255 255 0xFFFFFFFFFFFFFFFF} ",
        "{1 8 0 1 0x414} ",
        "{1 0 0 0 0xFFFF} ",
        "{0 32 0 3 0} ",
        "{10 32 0 255 0xFFFFFFFFFFFFFFFF} ",
        "{127 1 2 1 0x60} ",
        "{127 8 0 4 0x771} ",
        "() ",
    };

    put(text, leaves[random_below(sizeof(leaves) / sizeof(leaves[0]))]);
}

static void put_package(char *text, unsigned depth)
{
    uint32_t count = random_below(depth == 0 ? 30 : 9);

    put(text, "(");
    for (uint32_t i = 0; i < count; i++) {
        if (depth < 2 && random_below(3) == 0) {
            put_package(text, depth + 1);
        } else {
            put_leaf(text);
        }
    }
    put(text, ") ");
}

static void any_objects_are_survived(void **state)
{
    static char text[TEXT_BYTES];

    (void)state;
    for (uint32_t round = 0; round < ROUNDS; round++) {
        struct fixture fixture;
        struct findings findings;

        fixture_init(&fixture, (enum fixture_machine)(round % MACHINES));
        for (int k = 0; k < OBJECT_KINDS; k++) {
            text[0] = '\0';
            if (random_below(8) == 0) {
                put_leaf(text);
            } else {
                put_package(text, 0);
            }
            fixture_object(&fixture, random_below(2) == 0 ? FIXTURE_ALL : 1, (enum object_kind)k,
                           text);
        }
        fixture_judge(&fixture, &findings);
        assert_true(findings.count >= rules_count() / 2);
        fixture_free(&fixture);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_objects_are_survived),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

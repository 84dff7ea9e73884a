#include "acpi/decode_objects.h"
#include "acpi/repair.h"
#include "tests/sim/heap.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *bytes;
    size_t left;
    struct arena *arena;
};

static uint8_t take(struct input *input)
{
    if (input->left == 0) {
        return 0;
    }
    input->left--;
    return *input->bytes++;
}

static void take_value(struct input *input, unsigned depth, struct aml_value *ret_value)
{
    ret_value->type = (enum aml_type)(take(input) % (AML_OTHER + 1));
    ret_value->length = 0;
    if (ret_value->type == AML_INTEGER) {
        ret_value->integer = (uint64_t)take(input) << take(input) % 57;
    } else if (ret_value->type == AML_PACKAGE && depth < 4) {
        struct aml_value *elements;

        ret_value->length = take(input) % 32;
        elements = arena_array(input->arena, ret_value->length, sizeof(*elements));
        for (uint32_t i = 0; i < ret_value->length; i++) {
            take_value(input, depth + 1, &elements[i]);
        }
        ret_value->elements = elements;
    } else if (ret_value->type != AML_NULL && ret_value->type != AML_OTHER) {
        uint32_t length = take(input) % 20;
        uint8_t *bytes = arena_take(input->arena, (size_t)length + 1);

        for (uint32_t i = 0; i < length; i++) {
            bytes[i] = take(input);
        }
        ret_value->length = ret_value->type == AML_PACKAGE ? 0 : length;
        ret_value->bytes = bytes;
    }
}

/* Every decoder takes every shape. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct heap heap;
    struct input input = {.bytes = data, .left = size, .arena = &heap.arena};
    struct aml_value value = {.type = AML_NULL};

    heap_init(&heap, 0);
    take_value(&input, 0, &value);
    for (unsigned kind = 0; kind < OBJECT_KINDS; kind++) {
        struct object_set set = {.kind = (enum object_kind)kind, .raw = &value};

        decode_object(&set, &heap.arena);
        (void)repair_is_safe(set.kind, &value);
        if (set.kind == OBJECT_PSS && set.pss.count > value.length) {
            abort();
        }
    }
    heap_free(&heap);
    return 0;
}

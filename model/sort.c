#include "model/sort.h"

/* Heap sort: no recursion, no extra memory, no input that makes it slow. */
static void sift_down(uint64_t *keys, size_t root, size_t count)
{
    uint64_t key = keys[root];

    while (root * 2 + 1 < count) {
        size_t child = root * 2 + 1;

        if (child + 1 < count && keys[child + 1] > keys[child]) {
            child++;
        }
        if (keys[child] <= key) {
            break;
        }
        keys[root] = keys[child];
        root = child;
    }
    keys[root] = key;
}

void sort_u64(uint64_t *keys, size_t count)
{
    for (size_t i = count / 2; i > 0; i--) {
        sift_down(keys, i - 1, count);
    }
    for (size_t last = count; last > 1; last--) {
        uint64_t largest = keys[0];

        keys[0] = keys[last - 1];
        keys[last - 1] = largest;
        sift_down(keys, 0, last - 1);
    }
}

size_t sort_lower_bound(const uint64_t *keys, size_t count, uint64_t key)
{
    size_t low = 0;
    size_t high = count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (keys[middle] < key) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

#include "model/amd_pstate.h"

#include <dirent.h>
#include <jansson.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Register dumps of real CPUs, each P-state beside the multiplier that the dumping tool worked out: a second
 * opinion on every family's encoding. */
#define DUMPS "../shared/machines/cpuid"

static uint32_t compared;

/*
 * MHz of the tool's multiplier, or 0 where it is no second opinion: it counts 200 MHz steps on family 10h and
 * the first 15h models, prints the bare FID of the Zen engineering sample (17h model 0), and does not know the
 * registers of Zen 4 and later (19h models 10h-1Fh and from 60h, 1Ah), where its numbers are not even ordered.
 */
static double tool_mhz(const struct cpu_identity *identity, double ratio)
{
    uint32_t model = identity->model;

    if (identity->family == 0x1A || (identity->family == 0x17 && model == 0) ||
        (identity->family == 0x19 && ((model & 0xF0) == 0x10 || model >= 0x60))) {
        return 0;
    }
    return ratio *
           (identity->family == 0x10 || (identity->family == 0x15 && model < 0x10) ? 200.0 : 100.0);
}

static void compare_pstate(const char *dump, const struct cpu_identity *identity, json_t *state)
{
    json_t *ratio = json_object_get(state, "ratio_by_dump_tool");
    json_t *raw = json_object_get(state, "raw");
    struct amd_pstate pstate;
    double there_mhz;

    if (!json_is_number(ratio) || !json_is_string(raw)) {
        return;
    }
    amd_pstate_decode(identity, strtoull(json_string_value(raw), NULL, 16), &pstate);
    if (pstate.encoding != AMD_PSTATE_DECODED) {
        return;
    }
    there_mhz = tool_mhz(identity, json_number_value(ratio));
    if (there_mhz == 0) {
        return;
    }
    if (fabs(there_mhz - pstate.cof_mhz) > 5.0) {
        fail_msg("%s: %s is %u MHz here, %.2fx there", dump, json_string_value(raw), pstate.cof_mhz,
                 json_number_value(ratio));
    }
    compared++;
}

static void compare_dump(const char *dump)
{
    char path[512];
    json_t *root;
    json_t *msr;
    json_t *state;
    size_t index;
    struct cpu_identity identity = {.avail = AVAIL_PRESENT};

    (void)snprintf(path, sizeof(path), DUMPS "/%s/expected.json", dump);
    root = json_load_file(path, 0, NULL);
    msr = json_object_get(root, "msr");
    if (json_is_string(json_object_get(root, "vendor"))) {
        identity.vendor = cpu_vendor_of(json_string_value(json_object_get(root, "vendor")));
    }
    identity.family = (uint32_t)json_integer_value(json_object_get(root, "family"));
    identity.model = (uint32_t)json_integer_value(json_object_get(root, "model"));
    json_array_foreach(json_object_get(msr, "pstate_defs"), index, state)
    {
        compare_pstate(dump, &identity, state);
    }
    json_decref(root);
}

static void decoding_agrees_with_the_dumping_tool(void **state)
{
    DIR *folder = opendir(DUMPS);
    struct dirent *entry;

    (void)state;
    if (folder == NULL) {
        print_message("skipped: no " DUMPS "\n");
        skip();
    }
    while ((entry = readdir(folder)) != NULL) {
        if (entry->d_name[0] != '.') {
            compare_dump(entry->d_name);
        }
    }
    (void)closedir(folder);
    assert_true(compared > 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(decoding_agrees_with_the_dumping_tool),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

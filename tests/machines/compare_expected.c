/*
 * compare_expected NAME EXPECTED.json STATIC.json HANDSHAKE.json: compares every value that a corpus machine's
 * expectation holds with the two reports made from its tables (without a handshake, and with capabilities
 * 0x3FFF,0x7FFF). Prints "NAME: k of n values, u uncertain, d known" and the first differences; status 1
 * when a value differs that is neither uncertain (its evaluation read hardware that no dump holds) nor in
 * the table of known differences.
 *
 * Not compared: messages of the interpreter (load_errors), which are another release's words, hashes of
 * table files, and who made the expectation.
 */
#include "tests/sim/json_compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TOLD_MAX 12
#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

/* Differences whose cause is known: another release of the interpreter made the expectation. */
static const struct known {
    const char *machine; /* its number, "m205" */
    const char *profile; /* or "" for both */
    const char *object;
    const char *cause;
} known[] = {
    {"m102", "static", "_CST",
     "acpiexec 20200925 took three of the four tables given to it and left 03_SSDT_CST out"},
    {"m205", "after_handshake", "_CST",
     "the run behind the expectation ended in the handshake (its UNPARSED); nothing was evaluated"},
};

struct comparison {
    const char *name;
    const json_t *expected;
    const json_t *fixed; /* report without handshake */
    const json_t *after; /* report after the handshake */
    struct json_score score;
    uint32_t uncertain;
    uint32_t by_cause;
};

static const json_t *at2(const json_t *json, const char *first, const char *second)
{
    return json_object_get(json_object_get(json, first), second);
}

static uint32_t size_of(const json_t *json)
{
    return (uint32_t)json_array_size(json);
}

static const char *text_of(const json_t *json, const char *key)
{
    const char *text = json_string_value(json_object_get(json, key));

    return text == NULL ? "" : text;
}

/* The element of an array of objects whose `key` is this text. */
static const json_t *find_text(const json_t *array, const char *key, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++) {
        if (strcmp(text_of(json_array_get(array, i), key), text) == 0) {
            return json_array_get(array, i);
        }
    }
    return NULL;
}

static void add_count(struct comparison *c, const char *where, const json_t *expected,
                      uint32_t found)
{
    json_t *actual = json_integer(found);

    json_compare(where, expected, actual, &c->score);
    json_decref(actual);
}

/* Our name for a field of the expectation, where it differs. */
struct renamed {
    const char *expected;
    const char *actual;
};

static const char *rename_key(const struct renamed *names, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(names[i].expected, key) == 0) {
            return names[i].actual;
        }
    }
    return key;
}

/*
 * A table file of the expectation: "tables/00_DSDT.aml" is found by its name, "dynamic/..." by its id and
 * length in the report after the handshake; one that no AML loaded is in no report.
 */
static const json_t *find_table(const struct comparison *c, const json_t *table,
                                bool *ret_is_absent)
{
    const char *file = text_of(table, "file");
    const json_t *tables = at2(c->after, "machine", "tables");

    *ret_is_absent = false;
    if (strncmp(file, "dynamic/", 8) != 0) {
        return find_text(at2(c->fixed, "machine", "tables"), "origin",
                         file + strcspn(file, "/") + 1);
    }
    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *found = json_array_get(tables, i);

        if (strcmp(text_of(found, "origin"), "dynamic") == 0 &&
            strcmp(text_of(found, "oem_table_id"), text_of(table, "oem_table_id")) == 0 &&
            json_equal(json_object_get(found, "length"), json_object_get(table, "length")) != 0) {
            return found;
        }
    }
    *ret_is_absent = true;
    return NULL;
}

/* An id as the report shows it: what is not printable ASCII as '?', and "" for one that is null there. */
static void compare_id(struct comparison *c, const char *file, const json_t *expected,
                       const json_t *actual)
{
    const char *wanted = json_string_value(expected);
    const char *found = json_string_value(actual);
    bool is_equal = found != NULL && (wanted != NULL || found[0] == '\0');

    for (size_t i = 0; is_equal && wanted != NULL && found[i] != '\0'; i++) {
        bool is_inside = i < json_string_length(expected);

        is_equal = is_inside && (found[i] == wanted[i] || found[i] == '?');
    }
    json_score_add(&c->score, is_equal, file, wanted == NULL ? "an id without text" : wanted);
}

static void compare_table(struct comparison *c, const json_t *table, const json_t *found)
{
    static const char *const fields[] = {"signature", "length", "revision", "checksum_ok"};
    const char *file = text_of(table, "file");
    /* FACS has no standard header: what the expectation calls its revision is another field. */
    bool has_header = !json_is_null(json_object_get(table, "checksum_ok"));

    for (size_t f = 0; f < (has_header ? COUNT(fields) : 2); f++) {
        const json_t *wanted = json_object_get(table, fields[f]);

        /* The expectation does not hold the revision of a table that is only a header. */
        if (!json_is_null(wanted)) {
            json_compare(file, wanted, json_object_get(found, fields[f]), &c->score);
        }
    }
    if (has_header) {
        compare_id(c, file, json_object_get(table, "oem_id"), json_object_get(found, "oem_id"));
        compare_id(c, file, json_object_get(table, "oem_table_id"),
                   json_object_get(found, "oem_table_id"));
    }
}

static void compare_tables(struct comparison *c)
{
    const json_t *tables = json_object_get(c->expected, "tables");

    for (size_t i = 0; i < json_array_size(tables); i++) {
        const json_t *table = json_array_get(tables, i);
        bool is_absent;
        const json_t *found = find_table(c, table, &is_absent);

        if (!is_absent) {
            compare_table(c, table, found);
        }
    }
}

static void compare_flag_bits(struct comparison *c, const json_t *bits, json_int_t flags)
{
    /* ACPI 6.5, Table 5.10 Fixed ACPI Description Table Fixed Feature Flags: bit numbers. */
    static const struct {
        const char *name;
        unsigned bit;
    } names[] = {{"wbinvd", 0},       {"proc_c1", 2},     {"p_lvl2_up", 3},
                 {"tmr_val_ext", 8},  {"hw_reduced", 20}, {"use_platform_clock", 15},
                 {"low_power_s0", 21}};

    for (size_t i = 0; i < COUNT(names); i++) {
        add_count(c, names[i].name, json_object_get(bits, names[i].name),
                  (uint32_t)(flags >> names[i].bit & 1));
    }
}

static void compare_fadt(struct comparison *c)
{
    static const struct renamed names[] = {{"minor", "minor_version"}};
    const json_t *found = json_object_get(c->fixed, "fadt");
    json_t *fadt = json_object_get(c->expected, "fadt");
    const char *key;
    json_t *value;

    json_object_foreach(fadt, key, value)
    {
        const json_t *actual = json_object_get(found, rename_key(names, COUNT(names), key));

        if (strcmp(key, "flag_bits") == 0) {
            compare_flag_bits(c, value, json_integer_value(json_object_get(found, "flags")));
        } else if (strncmp(key, "x_", 2) == 0) {
            json_compare(key, value, json_object_get(actual, "reg"), &c->score);
        } else {
            json_compare(key, value, actual, &c->score);
        }
    }
}

static void compare_madt(struct comparison *c)
{
    static const char *const fields[] = {"type", "uid", "apic_id", "flags"};
    const json_t *madt = json_object_get(c->expected, "madt");
    const json_t *entries = json_object_get(madt, "entries");
    const json_t *found = at2(c->fixed, "madt", "entries");
    uint32_t online_capable = 0;

    for (size_t i = 0; i < json_array_size(entries); i++) {
        const json_t *entry = json_array_get(found, i);

        for (size_t f = 0; f < COUNT(fields); f++) {
            json_compare("madt entry", json_array_get(json_array_get(entries, i), f),
                         json_object_get(entry, fields[f]), &c->score);
        }
    }
    for (size_t i = 0; i < json_array_size(found); i++) {
        json_int_t flags = json_integer_value(json_object_get(json_array_get(found, i), "flags"));

        online_capable += (flags >> 1 & 1) != 0 ? 1 : 0;
    }
    add_count(c, "madt processor_entries", json_object_get(madt, "processor_entries"),
              size_of(found));
    json_compare("madt enabled", json_object_get(madt, "enabled"), at2(c->fixed, "madt", "enabled"),
                 &c->score);
    add_count(c, "madt online_capable", json_object_get(madt, "online_capable"), online_capable);
}

static void compare_subspace(struct comparison *c, json_t *subspace, const json_t *found)
{
    static const struct renamed names[] = {{"base", "base_address"},
                                           {"len", "memory_bytes"},
                                           {"preserve", "doorbell_preserve"},
                                           {"write", "doorbell_write"},
                                           {"latency", "latency_us"},
                                           {"max_rate", "max_access_rate"},
                                           {"min_turnaround", "min_turnaround_us"}};
    const char *key;
    json_t *value;

    json_object_foreach(subspace, key, value)
    {
        const json_t *actual = json_object_get(found, rename_key(names, COUNT(names), key));

        json_compare(key, value,
                     strcmp(key, "doorbell") == 0 ? json_object_get(actual, "reg") : actual,
                     &c->score);
    }
}

static void compare_pcct(struct comparison *c)
{
    const json_t *pcct = json_object_get(c->expected, "pcct");
    const json_t *subspaces = json_object_get(pcct, "subspaces");
    const json_t *found = at2(c->fixed, "pcct", "subspaces");

    if (pcct == NULL) {
        return;
    }
    json_compare("pcct flags", json_object_get(pcct, "flags"), at2(c->fixed, "pcct", "flags"),
                 &c->score);
    json_score_add(&c->score, size_of(subspaces) == size_of(found), "pcct", "subspace count");
    for (size_t i = 0; i < json_array_size(subspaces); i++) {
        compare_subspace(c, json_array_get(subspaces, i), json_array_get(found, i));
    }
}

/* A Processor object may carry _HID ACPI0007 as well; then it is in both lists. */
static bool is_device(const json_t *objects, const char *path, const json_t *found)
{
    return strcmp(text_of(found, "kind"), "device") == 0 ||
           (found != NULL && find_text(objects, "path", path) != NULL);
}

/* Processor objects by path with their id and block; devices by path. */
static void compare_processors(struct comparison *c)
{
    static const struct renamed names[] = {
        {"proc_id", "uid"}, {"pblk_addr", "pblk_address"}, {"pblk_len", "pblk_length"}};
    const json_t *found = json_object_get(c->fixed, "processors");
    const json_t *objects = json_object_get(c->expected, "processors");
    const json_t *devices = json_object_get(c->expected, "acpi0007_devices");
    const char *key;
    json_t *value;

    for (size_t i = 0; i < json_array_size(objects); i++) {
        json_t *object = json_array_get(objects, i);
        const json_t *actual = find_text(found, "path", text_of(object, "path"));

        json_object_foreach(object, key, value)
        {
            json_compare(text_of(object, "path"), value,
                         json_object_get(actual, rename_key(names, COUNT(names), key)), &c->score);
        }
    }
    for (size_t i = 0; i < json_array_size(devices); i++) {
        const char *path = json_string_value(json_array_get(devices, i));
        const json_t *actual = find_text(found, "path", path == NULL ? "" : path);

        json_score_add(&c->score, is_device(objects, path, actual), path, "no such device");
    }
}

static bool is_in_madt(const json_t *processor)
{
    return json_object_get(processor, "apic_id") != NULL;
}

/* How many processors there are, how many the MADT enables, which, and how many an OS would number. */
static void compare_counts(struct comparison *c)
{
    const json_t *found = json_object_get(c->fixed, "processors");
    const json_t *paths = json_object_get(c->expected, "enabled_cpu_paths");
    uint32_t matching = 0;
    uint32_t numbered = 0;

    for (size_t i = 0; i < json_array_size(found); i++) {
        const json_t *processor = json_array_get(found, i);

        matching += is_in_madt(processor) ? 1 : 0;
        numbered += json_object_get(processor, "cpu") != NULL ? 1 : 0;
    }
    add_count(c, "cpus_in_namespace", json_object_get(c->expected, "cpus_in_namespace"),
              size_of(found));
    add_count(c, "cpus_matching_enabled_madt",
              json_object_get(c->expected, "cpus_matching_enabled_madt"), matching);
    if (json_is_true(json_object_get(c->expected, "cpus_enumerated_certain"))) {
        add_count(c, "cpus_enumerated", json_object_get(c->expected, "cpus_enumerated"), numbered);
    }
    for (size_t i = 0; i < json_array_size(paths); i++) {
        const char *path = json_string_value(json_array_get(paths, i));

        json_score_add(&c->score, path != NULL && is_in_madt(find_text(found, "path", path)), path,
                       "not matched to an enabled MADT entry");
    }
}

/* What the report says about an object, in the expectation's form. */
static const json_t *resolve(const json_t *report, const json_t *processor, const char *field)
{
    const json_t *value = json_object_get(processor, field);
    const char *name = json_string_value(value);
    const json_t *set = name == NULL ? NULL : at2(report, "sets", name);

    if (strcmp(field, "uid") == 0) {
        /* The uid of a Processor object is its ProcId; a _UID that it has as well stands beside it. */
        const json_t *second = json_object_get(processor, "second_uid");

        return second != NULL ? second : value;
    }
    if (name == NULL) {
        return value;
    }
    if (strcmp(field, "cpc") == 0 && json_is_object(set)) {
        return json_object_get(set, "raw");
    }
    return set;
}

static const char *field_of(const char *object)
{
    static const struct renamed names[] = {{"_PSS", "pss"}, {"_PCT", "pct"}, {"_PPC", "ppc"},
                                           {"_PSD", "psd"}, {"_CPC", "cpc"}, {"_CST", "cst"},
                                           {"_CSD", "csd"}, {"_UID", "uid"}, {"_STA", "sta"}};

    return rename_key(names, COUNT(names), object);
}

/* The expectation writes null for a method that returned nothing, UNPARSED for an error it did not keep. */
static bool is_other_form(const json_t *expected, const json_t *actual)
{
    const char *text = json_string_value(expected);

    if (json_is_null(expected)) {
        return strcmp(text_of(actual, "error"), "AE_AML_NO_RETURN_VALUE") == 0;
    }
    return text != NULL && strcmp(text, "UNPARSED") == 0 && json_is_string(actual);
}

static bool is_known(const struct comparison *c, const char *profile, const char *object)
{
    for (size_t i = 0; i < COUNT(known); i++) {
        if (strncmp(c->name, known[i].machine, strlen(known[i].machine)) == 0 &&
            (known[i].profile[0] == '\0' || strcmp(known[i].profile, profile) == 0) &&
            strcmp(known[i].object, object) == 0) {
            return true;
        }
    }
    return false;
}

/* Compares one object of one CPU, and books a difference where it belongs. */
static void compare_object(struct comparison *c, const char *profile, const char *path,
                           const char *object, const json_t *expected, const json_t *actual)
{
    bool is_unsure =
        json_object_get(json_object_get(at2(c->expected, "profiles", profile), "region_reads"),
                        object) != NULL;
    struct json_score score = {.told_max = 0};
    char where[200];

    (void)snprintf(where, sizeof(where), "%s %.120s %s", profile, path, object);
    if (is_other_form(expected, actual)) {
        c->score.equal++;
        return;
    }
    json_compare(where, expected, actual, &score);
    c->score.equal += score.equal;
    if (score.different == 0) {
        return;
    }
    if (is_unsure) {
        c->uncertain += score.different;
    } else if (is_known(c, profile, object)) {
        c->by_cause += score.different;
    } else {
        json_compare(where, expected, actual, &c->score);
        c->score.equal -= score.equal;
    }
}

static void compare_cpu(struct comparison *c, const char *profile, const json_t *report,
                        const char *path, const json_t *cpu)
{
    static const char *const objects[] = {"_UID", "_STA", "_PSS", "_PCT", "_PPC",
                                          "_PSD", "_CPC", "_CST", "_CSD"};
    const json_t *sets = json_object_get(at2(c->expected, "profiles", profile), "sets");
    const json_t *processor = find_text(json_object_get(report, "processors"), "path", path);
    json_t *nothing = json_null();

    for (size_t i = 0; i < COUNT(objects); i++) {
        const json_t *wanted = json_object_get(cpu, objects[i]);
        const char *name = json_string_value(wanted);
        const char *field = field_of(objects[i]);

        /* The id of a Processor object is no _UID; a _STA that is not there is not evaluated. */
        if (wanted == NULL && (field[0] == 'u' || field[0] == 's')) {
            continue;
        }
        if (name != NULL && json_object_get(sets, name) != NULL) {
            wanted = json_object_get(sets, name);
        }
        compare_object(c, profile, path, objects[i], wanted == NULL ? nothing : wanted,
                       resolve(report, processor, field));
    }
    json_decref(nothing);
}

static void compare_dynamic(struct comparison *c, const json_t *loads, const json_t *report)
{
    const json_t *tables = at2(report, "machine", "tables");
    uint32_t found = 0;

    for (size_t i = 0; i < json_array_size(tables); i++) {
        found += strcmp(text_of(json_array_get(tables, i), "origin"), "dynamic") == 0 ? 1 : 0;
    }
    json_score_add(&c->score, found == size_of(loads), "dynamic tables", "another count");
    for (size_t i = 0; i < json_array_size(loads); i++) {
        const json_t *load = json_array_get(loads, i);
        const char *id = text_of(load, "oem_table_id");
        bool is_there = false;

        for (size_t t = 0; t < json_array_size(tables); t++) {
            const json_t *table = json_array_get(tables, t);

            is_there |=
                strcmp(text_of(table, "origin"), "dynamic") == 0 &&
                strcmp(text_of(table, "oem_table_id"), id) == 0 &&
                json_equal(json_object_get(load, "length"), json_object_get(table, "length")) != 0;
        }
        json_score_add(&c->score, is_there, id, "was not loaded");
    }
}

/* "\_PR.CPU0._OSC" failed with this: the report keeps it at the processor or for \_SB. */
static void compare_handshake_errors(struct comparison *c, const json_t *errors,
                                     const json_t *report)
{
    for (size_t i = 0; i < json_array_size(errors); i++) {
        const json_t *error = json_array_get(errors, i);
        char path[200];
        char *dot;
        const json_t *actual;

        (void)snprintf(path, sizeof(path), "%s", text_of(error, "command"));
        dot = strrchr(path, '.');
        if (dot == NULL) {
            continue;
        }
        *dot = '\0';
        if (strcmp(path, "\\_SB") == 0) {
            actual = at2(report, "handshake", "platform_error");
        } else {
            const json_t *processor =
                find_text(json_object_get(report, "processors"), "path", path);

            actual = json_object_get(processor,
                                     strcmp(dot + 1, "_OSC") == 0 ? "osc_error" : "pdc_error");
        }
        compare_object(c, "after_handshake", path, dot + 1, json_object_get(error, "error"),
                       actual);
    }
}

static void compare_profile(struct comparison *c, const char *profile, const json_t *report)
{
    const json_t *expected = at2(c->expected, "profiles", profile);
    json_t *cpus = json_object_get(expected, "cpus");
    const char *path;
    json_t *cpu;

    json_object_foreach(cpus, path, cpu)
    {
        compare_cpu(c, profile, report, path, cpu);
    }
    compare_dynamic(c, json_object_get(expected, "dynamic_loads"), report);
    compare_handshake_errors(c, json_object_get(expected, "handshake_errors"), report);
}

static const json_t *find_repair(const json_t *report, const char *path, const char *object)
{
    const json_t *repairs = json_object_get(report, "repairs");

    for (size_t i = 0; i < json_array_size(repairs); i++) {
        const json_t *repair = json_array_get(repairs, i);

        if (strcmp(text_of(repair, "path"), path) == 0 &&
            strcmp(text_of(repair, "object"), object) == 0) {
            return json_object_get(repair, "repaired");
        }
    }
    return NULL;
}

static void compare_repaired(struct comparison *c, const char *profile, const json_t *report)
{
    json_t *paths = json_object_get(json_object_get(c->expected, "repaired"), profile);
    const char *path;
    json_t *objects;

    json_object_foreach(paths, path, objects)
    {
        const char *object;
        json_t *value;

        json_object_foreach(objects, object, value)
        {
            const json_t *actual = find_repair(report, path, object);

            compare_object(c, profile, path, object, value,
                           json_is_object(actual) && strcmp(object, "_CPC") == 0
                               ? json_object_get(actual, "raw")
                               : actual);
        }
    }
}

static int compare_all(struct comparison *c)
{
    json_compare("handshake", json_object_get(at2(c->expected, "profiles", "static"), "handshake"),
                 at2(c->fixed, "handshake", "done"), &c->score);
    compare_tables(c);
    compare_fadt(c);
    compare_madt(c);
    compare_pcct(c);
    compare_processors(c);
    compare_counts(c);
    compare_profile(c, "static", c->fixed);
    compare_profile(c, "after_handshake", c->after);
    compare_repaired(c, "static", c->fixed);
    compare_repaired(c, "after_handshake", c->after);
    (void)printf("%s - %s: %u of %u values, %u uncertain, %u known\n",
                 c->score.different == 0 ? "ok" : "not ok", c->name, c->score.equal,
                 c->score.equal + c->score.different + c->uncertain + c->by_cause, c->uncertain,
                 c->by_cause);
    return c->score.different == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

int main(int count, char **words)
{
    struct comparison c = {.score = {.told_max = TOLD_MAX}};
    json_t *files[3] = {NULL};

    if (count != 5) {
        (void)fprintf(stderr, "use: compare_expected NAME EXPECTED STATIC HANDSHAKE\n");
        return 2;
    }
    c.name = words[1];
    for (int i = 0; i < 3; i++) {
        files[i] = json_file_load(words[i + 2]);
        if (files[i] == NULL) {
            (void)printf("not ok - %s: %s cannot be read\n", c.name, words[i + 2]);
            return EXIT_FAILURE;
        }
    }
    c.expected = files[0];
    c.fixed = files[1];
    c.after = files[2];
    count = compare_all(&c);
    for (int i = 0; i < 3; i++) {
        json_decref(files[i]);
    }
    return count;
}

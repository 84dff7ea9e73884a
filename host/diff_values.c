#include "host/diff_compare.h"
#include "host/diff_parts.h"
#include "host/flatten.h"
#include "host/json_text.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES 1024

static const char *const objects[] = {"pss", "pct", "ppc", "psd", "cpc", "cst", "csd", "lpi"};

/* Parts that are compared in their own way, or that say where and by what a report was made. */
static const char *const elsewhere[] = {
    "assay", "machine", "fadt", "madt", "processors", "sets", "cpuid", "msrs", "clocks", "linux",
    "windows", "measured", "work", "requests", "pcc_commands", "idle", "idle_skipped", "contention",
    "findings", "totals", "aml",
    /* Of timed samples; what counts of them is in the measurements and findings. */
    "tsc_gaps", "idle_reach", "dummy_read_verdicts", "idle_ended_early", "histograms_not_kept"};

static bool is_among(const char *const *list, size_t count, const char *key)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(list[i], key) == 0) {
            return true;
        }
    }
    return false;
}

json_t *diff_change(const char *section, const char *name, const char *old_text,
                    const char *new_text)
{
    json_t *entry = json_object();

    (void)json_object_set_new(entry, "section", json_string(section));
    (void)json_object_set_new(entry, "name", json_string(name));
    if (old_text != NULL) {
        (void)json_object_set_new(entry, "old", json_string(old_text));
    }
    if (new_text != NULL) {
        (void)json_object_set_new(entry, "new", json_string(new_text));
    }
    return entry;
}

/* Calls `found` for each name whose texts differ; a text that is missing is NULL. */
void diff_texts(const json_t *old_values, const json_t *new_values, diff_found found, void *context)
{
    const json_t *value;
    const char *name;

    json_object_foreach((json_t *)(uintptr_t)old_values, name, value)
    {
        const char *old_text = json_string_value(value);
        const char *new_text = json_text_string(new_values, name);

        if (new_text == NULL || strcmp(old_text, new_text) != 0) {
            found(name, old_text, new_text, context);
        }
    }
    json_object_foreach((json_t *)(uintptr_t)new_values, name, value)
    {
        if (json_object_get(old_values, name) == NULL) {
            found(name, NULL, json_string_value(value), context);
        }
    }
}

/* Reasons say in words what the values beside them say, and their wording is Assay's. */
static bool is_reason(const char *name)
{
    return strstr(name, "why") != NULL || strstr(name, ".uncertain[") != NULL ||
           strstr(name, ".formula") != NULL;
}

void diff_add(const char *name, const char *old_text, const char *new_text, void *context)
{
    const struct diff_section *section = context;

    if (!is_reason(name)) {
        (void)json_array_append_new(section->changes,
                                    diff_change(section->name, name, old_text, new_text));
    }
}

/* The same change of several processors, or in several kernels, is one. */
void diff_fold(const char *name, const char *old_text, const char *new_text, void *context)
{
    const struct diff_folded *folded = context;
    char key[TEXT_BYTES];
    json_t *entry;

    (void)snprintf(key, sizeof(key), "%.400s\x1f%.300s\x1f%.300s", name,
                   old_text == NULL ? "\x1e" : old_text, new_text == NULL ? "\x1e" : new_text);
    entry = json_object_get(folded->known, key);
    if (entry == NULL) {
        entry = diff_change(folded->section, name, old_text, new_text);
        (void)json_object_set_new(entry, folded->members, json_array());
        (void)json_array_append_new(folded->changes, entry);
        (void)json_object_set(folded->known, key, entry);
    }
    (void)json_array_append_new(json_object_get(entry, folded->members),
                                json_string(folded->member));
}

typedef void (*collect)(const json_t *report, json_t *into);

static void one_section(const char *name, collect values, const json_t *old_report,
                        const json_t *new_report, json_t *changes)
{
    struct diff_section section = {.name = name, .changes = changes};
    json_t *old_values = json_object();
    json_t *new_values = json_object();

    values(old_report, old_values);
    values(new_report, new_values);
    diff_texts(old_values, new_values, diff_add, &section);
    json_decref(old_values);
    json_decref(new_values);
}

static void machine_values(const json_t *report, json_t *into)
{
    static const char *const left_out[] = {"source", "source_name", "tables", "other_cpus",
                                           "incomplete"};
    const json_t *member;
    const char *key;

    json_object_foreach(json_object_get(report, "machine"), key, member)
    {
        if (!is_among(left_out, sizeof(left_out) / sizeof(left_out[0]), key)) {
            flatten(key, member, into);
        }
    }
}

/* By signature and OEM table id, a number behind the second of two alike. Where a table came from (a file, the XSDT)
 * is no change of the firmware; a root table is not in every dump. */
static void table_values(const json_t *report, json_t *into)
{
    const json_t *tables = json_object_get(json_object_get(report, "machine"), "tables");
    const json_t *table;
    size_t index;

    json_array_foreach(tables, index, table)
    {
        const char *signature = json_text_string(table, "signature");
        const char *id = json_text_string(table, "oem_table_id");
        char name[64];
        char text[TEXT_BYTES];
        unsigned alike = 1;

        if (signature == NULL || strcmp(signature, "XSDT") == 0 || strcmp(signature, "RSDT") == 0) {
            continue;
        }
        (void)snprintf(name, sizeof(name), "%.8s %.16s", signature, id == NULL ? "" : id);
        while (json_object_get(into, name) != NULL && alike < 1000) {
            (void)snprintf(name, sizeof(name), "%.8s %.16s #%u", signature, id == NULL ? "" : id,
                           ++alike);
        }
        (void)snprintf(text, sizeof(text), "revision %llu, %llu bytes%s",
                       (unsigned long long)json_text_number(table, "revision", 0),
                       (unsigned long long)json_text_number(table, "length", 0),
                       json_is_false(json_object_get(table, "checksum_ok")) ? ", wrong checksum"
                                                                            : "");
        (void)json_object_set_new(into, name, json_string(text));
    }
}

/* Where firmware put FACS and DSDT differs from start to start. */
static void fadt_values(const json_t *report, json_t *into)
{
    static const char *const addresses[] = {"firmware_ctrl", "dsdt", "x_firmware_ctrl", "x_dsdt"};
    const json_t *member;
    const char *key;

    json_object_foreach(json_object_get(report, "fadt"), key, member)
    {
        if (!is_among(addresses, sizeof(addresses) / sizeof(addresses[0]), key)) {
            flatten(key, member, into);
        }
    }
}

static void madt_values(const json_t *report, json_t *into)
{
    const json_t *madt = json_object_get(report, "madt");
    const json_t *entry;
    size_t index;

    flatten("revision", json_object_get(madt, "revision"), into);
    flatten("lapic_address", json_object_get(madt, "lapic_address"), into);
    json_array_foreach(json_object_get(madt, "entries"), index, entry)
    {
        char name[64];
        char text[TEXT_BYTES];

        (void)snprintf(name, sizeof(name), "entry %zu, type %llu", index,
                       (unsigned long long)json_text_number(entry, "type", 0));
        (void)snprintf(text, sizeof(text), "uid %llu, APIC id %llu, flags %llu",
                       (unsigned long long)json_text_number(entry, "uid", 0),
                       (unsigned long long)json_text_number(entry, "apic_id", 0),
                       (unsigned long long)json_text_number(entry, "flags", 0));
        (void)json_object_set_new(into, name, json_string(text));
    }
}

static void cpuid_values(const json_t *report, json_t *into)
{
    const json_t *kinds = json_object_get(json_object_get(report, "cpuid"), "kinds");
    const json_t *kind;
    const json_t *leaf;
    size_t index;
    size_t position;

    json_array_foreach(kinds, index, kind)
    {
        json_array_foreach(json_object_get(kind, "leaves"), position, leaf)
        {
            const char *number = json_text_string(leaf, "leaf");
            char name[64];

            (void)snprintf(name, sizeof(name), "kind %zu, leaf %.16s.%llu", index,
                           number == NULL ? "?" : number,
                           (unsigned long long)json_text_number(leaf, "subleaf", 0));
            for (size_t i = 0; i < 4; i++) {
                static const char *const registers[] = {"eax", "ebx", "ecx", "edx"};
                char full[96];

                (void)snprintf(full, sizeof(full), "%s %s", name, registers[i]);
                flatten(full, json_object_get(leaf, registers[i]), into);
            }
        }
    }
}

/* Counters and states of the moment: SDM vol. 4, table 2-2 (10H, 34H, E7H, E8H, 198H, 19CH, 1B1H, residencies and
 * energy); AMD PPR for family 19h, MSRC001_0063 and MSRC001_029A. */
static bool runs(uint64_t msr)
{
    static const uint32_t counters[] = {
        0x10,       0x34,       0xE7,       0xE8,       0x198,      0x19C,     0x1B1, 0x60D,
        0x611,      0x613,      0x619,      0x61B,      0x639,      0x641,     0x64D, 0x64E,
        0x64F,      0x630,      0x631,      0x632,      0x690,      0x6B0,     0x6B1, 0x770,
        0xC0010063, 0xC001029A, 0xC001029B, 0xC00000E7, 0xC00000E8, 0xC00000E9};

    if (msr == 0x770) {
        return false; /* IA32_PM_ENABLE is a setting */
    }
    for (size_t i = 0; i < sizeof(counters) / sizeof(counters[0]); i++) {
        if (counters[i] == msr) {
            return true;
        }
    }
    return (msr >= 0x3F8 && msr <= 0x3FE) || (msr >= 0xC1 && msr <= 0xC8);
}

/* All values of a register with their CPUs are one text, so that a change of a few CPUs is one change. */
static void msr_values(const json_t *report, json_t *into)
{
    const json_t *entry;
    size_t index;

    json_array_foreach(json_object_get(report, "msrs"), index, entry)
    {
        const char *number = json_text_string(entry, "msr");
        const char *named = json_text_string(entry, "name");
        const char *value = json_text_string(entry, "value");
        const char *cpus = json_text_string(entry, "cpus");
        char name[128];
        char text[TEXT_BYTES];
        const char *before;

        if (number == NULL || runs(strtoull(number, NULL, 16))) {
            continue;
        }
        (void)snprintf(name, sizeof(name), "%.32s %.80s", number, named == NULL ? "" : named);
        before = json_text_string(into, name);
        (void)snprintf(text, sizeof(text), "%.700s%s%.40s on %.200s", before == NULL ? "" : before,
                       before == NULL ? "" : "; ", value == NULL ? "fault" : value,
                       cpus == NULL ? "?" : cpus);
        (void)json_object_set_new(into, name, json_string(text));
    }
}

/* Whatever else a report holds, of today or later. */
static void other_values(const json_t *report, json_t *into)
{
    const json_t *member;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)report, key, member)
    {
        if (!is_among(elsewhere, sizeof(elsewhere) / sizeof(elsewhere[0]), key)) {
            flatten(key, member, into);
        }
    }
}

/* What a processor has beside its objects. */
static void processor_values(const json_t *processor, json_t *into)
{
    const json_t *member;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)processor, key, member)
    {
        /* How often AML reached into the hardware is no value. */
        if (strcmp(key, "path") != 0 && strcmp(key, "hardware_reads") != 0 &&
            strcmp(key, "unrecorded") != 0 &&
            !is_among(objects, sizeof(objects) / sizeof(objects[0]), key)) {
            flatten(key, member, into);
        }
    }
}

/* Processors by path; the first of two alike counts. */
static json_t *by_path(const json_t *report)
{
    json_t *found = json_object();
    const json_t *processor;
    size_t index;

    json_array_foreach(json_object_get(report, "processors"), index, processor)
    {
        const char *path = json_text_string(processor, "path");

        if (path != NULL && json_object_get(found, path) == NULL) {
            (void)json_object_set(found, path, (json_t *)(uintptr_t)processor);
        }
    }
    return found;
}

static void compare_processor(const json_t *old_report, const json_t *old_one,
                              const json_t *new_report, const json_t *new_one,
                              struct diff_folded *folded)
{
    json_t *old_values = json_object();
    json_t *new_values = json_object();

    processor_values(old_one, old_values);
    processor_values(new_one, new_values);
    for (size_t i = 0; i < sizeof(objects) / sizeof(objects[0]); i++) {
        bool is_old = json_object_get(old_one, objects[i]) != NULL;
        bool is_new = json_object_get(new_one, objects[i]) != NULL;

        /* An object that came or went is one change, not as many as it has values. */
        if (is_old != is_new) {
            diff_fold(objects[i], is_old ? "there" : NULL, is_new ? "there" : NULL, folded);
        } else {
            flatten_object(old_report, old_one, objects[i], old_values);
            flatten_object(new_report, new_one, objects[i], new_values);
        }
    }
    diff_texts(old_values, new_values, diff_fold, folded);
    json_decref(old_values);
    json_decref(new_values);
}

static void compare_processors(const json_t *old_report, const json_t *new_report, json_t *changes)
{
    json_t *old_ones = by_path(old_report);
    json_t *new_ones = by_path(new_report);
    struct diff_folded folded = {.section = "processors",
                                 .members = "processors",
                                 .changes = changes,
                                 .known = json_object()};
    const json_t *processor;
    const char *path;

    json_object_foreach(old_ones, path, processor)
    {
        const json_t *other = json_object_get(new_ones, path);

        folded.member = path;
        if (other == NULL) {
            diff_fold("processor", "there", NULL, &folded);
        } else {
            compare_processor(old_report, processor, new_report, other, &folded);
        }
    }
    json_object_foreach(new_ones, path, processor)
    {
        folded.member = path;
        if (json_object_get(old_ones, path) == NULL) {
            diff_fold("processor", NULL, "there", &folded);
        }
    }
    json_decref(folded.known);
    json_decref(old_ones);
    json_decref(new_ones);
}

void diff_values(const json_t *old_report, const json_t *new_report, json_t *changes)
{
    static const struct {
        const char *name;
        collect values;
    } sections[] = {{"machine", machine_values}, {"tables", table_values}, {"fadt", fadt_values},
                    {"madt", madt_values},       {"cpuid", cpuid_values},  {"msrs", msr_values},
                    {"other", other_values}};

    compare_processors(old_report, new_report, changes);
    for (size_t i = 0; i < sizeof(sections) / sizeof(sections[0]); i++) {
        one_section(sections[i].name, sections[i].values, old_report, new_report, changes);
    }
    diff_aml(old_report, new_report, changes);
    diff_linux(old_report, new_report, changes);
}

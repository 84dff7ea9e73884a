#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

#define SPEC "ACPI 6.5, 19.6 ASL Operator Reference"

static bool is_timeout(const char *error)
{
    return error != NULL &&
           (strcmp(error, "AE_AML_LOOP_TIMEOUT") == 0 || strcmp(error, "AE_TIME") == 0);
}

static bool has_failed(const struct object_result *result)
{
    return result->avail == AVAIL_FAULTED || result->avail == AVAIL_MALFORMED;
}

/* Names the object of a kind on the current processor for the findings that follow. */
static void name_object(struct judge *judge, const struct processor *processor,
                        enum object_kind kind, struct judge_text *text)
{
    judge->object = judge_text(text, "%s.%s", processor->path, object_kind_name(kind));
}

/* A dump lacks the tables that firmware loads from memory, and the memory that methods branch on. */
static bool is_of_the_dump(const struct platform *platform, const struct object_result *result)
{
    return !platform_is_firsthand(platform) &&
           (!judge_is_certain(platform, result) ||
            (result->error != NULL && strcmp(result->error, "AE_NOT_FOUND") == 0 &&
             platform->handshake.is_done));
}

/* An object that nobody can evaluate because another one is absent counts as absent: firmware hides _CPC
 * or _CST that way (real: m155, m180). Where others have it, it is a fault. */
static void evaluation_succeeds(struct judge *judge, const struct processor *processor)
{
    for (int k = 0; k < OBJECT_KINDS; k++) {
        enum object_kind kind = (enum object_kind)k;
        const struct object_result *result = &processor->objects[kind];
        const char *error = result->error != NULL ? result->error : "no value";
        const char *path = result->error_path != NULL ? result->error_path : "";
        struct judge_text name;

        if (!has_failed(result) || is_timeout(result->error)) {
            continue;
        }
        name_object(judge, processor, kind, &name);
        if (is_of_the_dump(judge->platform, result)) {
            judge_note(judge, "a value", "%s %s; what it needs may be missing from the dump", error,
                       path);
        } else if (strcmp(error, "AE_NOT_FOUND") == 0 &&
                   judge_count_with(judge->platform, kind) == 0) {
            judge_warn(judge, "a value", "%s %s (nowhere: as if absent)", error, path);
        } else {
            judge_fail(judge, "a value", "%s %s", error, path);
        }
    }
    judge->object = NULL;
}

static void evaluation_ends(struct judge *judge, const struct processor *processor)
{
    for (int k = 0; k < OBJECT_KINDS; k++) {
        enum object_kind kind = (enum object_kind)k;
        const struct object_result *result = &processor->objects[kind];
        struct judge_text name;

        if (is_timeout(result->error)) {
            name_object(judge, processor, kind, &name);
            judge_fail(judge, "an end within the time allowed", "%s in %s", result->error,
                       result->error_path != NULL ? result->error_path : "the method");
        }
    }
    judge->object = NULL;
}

static void accesses_are_allowed(struct judge *judge)
{
    const struct aml_accounting *aml = &judge->platform->aml;

    if (aml->denied > 0) {
        judge_warn(judge, "no write to memory or registers that the system protects",
                   "%llu accesses denied, first: %s", (unsigned long long)aml->denied,
                   aml->first_denied != NULL ? aml->first_denied : "not known");
    }
}

static void memory_exists(struct judge *judge)
{
    const struct aml_accounting *aml = &judge->platform->aml;

    if (!platform_is_firsthand(judge->platform)) {
        judge_skip(judge, "a dump holds no memory");
    } else if (aml->absent_memory > 0) {
        judge_warn(judge, "accesses to memory that the memory map has",
                   "%llu accesses to none, first: %s", (unsigned long long)aml->absent_memory,
                   aml->first_absent != NULL ? aml->first_absent : "not known");
    }
}

static void values_are_recorded(struct judge *judge, const struct processor *processor)
{
    for (int k = 0; k < OBJECT_KINDS; k++) {
        enum object_kind kind = (enum object_kind)k;
        struct judge_text name;

        if (platform_object(processor, kind) != NULL &&
            !judge_is_certain(judge->platform, &processor->objects[kind])) {
            name_object(judge, processor, kind, &name);
            judge_note(judge, "values that come from the tables alone",
                       "read from registers or firmware memory that are not in the dump: shape is "
                       "judged, values are not");
        }
    }
    judge->object = NULL;
}

static void tables_load_quietly(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->tables_count == 0) {
        judge_skip(judge, "no tables were collected");
        return;
    }
    if (platform->aml_messages_count > 0) {
        judge_note(judge, "no message of the interpreter", "%u different messages, the first: %s",
                   platform->aml_messages_count, platform->aml_messages[0].text);
    }
}

static void namespace_is_there(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    if (platform->tables_count == 0) {
        judge_skip(judge, "no tables were collected");
    } else if (platform->acpi_error != NULL) {
        judge_fail(judge, "a namespace", "%s", platform->acpi_error);
    }
}

/* Whether a rule about the processor's object has said so already. */
static bool is_named_elsewhere(const struct platform *platform, const char *path, size_t length)
{
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        const struct processor *processor = &platform->processors[i];
        size_t prefix = strlen(processor->path);

        for (int k = 0; k < OBJECT_KINDS; k++) {
            const struct object_result *result = &processor->objects[k];
            const char *failed = result->error_path;

            if (!is_timeout(result->error)) {
                continue;
            }
            if ((length > prefix && strncmp(path, processor->path, prefix) == 0) ||
                (failed != NULL && strlen(failed) == length && memcmp(path, failed, length) == 0)) {
                return true;
            }
        }
    }
    return false;
}

/* A dump has no hardware to wait for; there a loop that polls it proves nothing. */
static void other_methods_end(struct judge *judge)
{
    static const char before[] = "Aborting method ";
    static const char after[] = " due to previous error (AE_AML_LOOP_TIMEOUT)";
    const struct platform *platform = judge->platform;

    if (!platform_is_firsthand(platform)) {
        judge_skip(judge, "a dump has no hardware that a method could wait for");
        return;
    }
    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        const char *start = strstr(platform->aml_messages[i].text, before);
        const char *end = strstr(platform->aml_messages[i].text, after);
        struct judge_text name;

        if (start == NULL || end == NULL || start + sizeof(before) - 1 >= end) {
            continue;
        }
        start += sizeof(before) - 1;
        if (is_named_elsewhere(platform, start, (size_t)(end - start))) {
            continue;
        }
        judge->object = judge_text(&name, "%.*s", (int)(end - start), start);
        judge_fail(judge, "an end within the time allowed", "AE_AML_LOOP_TIMEOUT");
    }
    judge->object = NULL;
}

static void waits_end(struct judge *judge)
{
    const struct platform *platform = judge->platform;

    /* A crash leaves the interpreter's own locks held. */
    if (platform->tables_count == 0 || platform->acpi_error != NULL) {
        judge_skip(judge, "no namespace");
        return;
    }
    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        if (strncmp(platform->aml_messages[i].text, "AML waits for ever", 18) == 0) {
            judge_fail(judge, "a mutex that is released, or an event that is signalled",
                       "a wait without end (%u times)", platform->aml_messages[i].count);
        }
    }
}

const struct rule aml_rules[] = {
    {
        .id = "AML-001",
        .title = "Objects of processors can be evaluated",
        .spec = SPEC,
        .why = "The operating system does without the object: no P-states, no CPPC or no C-states.",
        .advice = "Correct the method; check that the SSDT it needs is loaded after the handshake.",
        .known_as = "Linux: evaluation failed; fwts: KlogAcpiPssEvalFailed",
        .severity = SEVERITY_HIGH,
        .check = judge_processors,
        .judge_processor = evaluation_succeeds,
    },
    {
        .id = "AML-002",
        .title = "Evaluating an object of a processor ends",
        .spec = SPEC ", While",
        .why = "Booting hangs for seconds on every processor, or for ever.",
        .advice = "Bound the loop that polls hardware by a count or by Timer.",
        .known_as = "ACPICA: AE_AML_LOOP_TIMEOUT",
        .severity = SEVERITY_CRITICAL,
        .check = judge_processors,
        .judge_processor = evaluation_ends,
    },
    {
        .id = "AML-003",
        .title = "AML of processors keeps to registers that it may use",
        .spec = "ACPI 6.5, 19.6.100 OperationRegion",
        .why = "A system that protects itself refuses the access and the method returns nonsense.",
        .advice = "Restrict the operation region to the device's own registers.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = accesses_are_allowed,
        .object = "AML",
    },
    {
        .id = "AML-004",
        .title = "AML of processors accesses memory that exists",
        .spec = "ACPI 6.5, 19.6.100 OperationRegion; 15 System Address Map Interfaces",
        .why = "Reads give all ones and the values built from them are wrong.",
        .advice = "Reserve the memory in the map, or correct the address.",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = memory_exists,
        .object = "AML",
    },
    {
        .id = "AML-005",
        .title = "Values of processor objects are complete in this dump",
        .spec = SPEC,
        .why = "Values that hardware or firmware memory would have supplied are not known here.",
        .advice = "Run the bootable image on the machine itself.",
        .severity = SEVERITY_LOW,
        .check = judge_processors,
        .judge_processor = values_are_recorded,
    },
    {
        .id = "AML-006",
        .title = "Tables load without a message of the interpreter",
        .spec = "ACPI 6.5, 5.4 Definition Block Encoding",
        .why = "The operating system logs the same errors at each boot; objects may be missing.",
        .advice = "Correct the names or the order of the tables.",
        .known_as = "Linux: ACPI BIOS Error (bug)",
        .severity = SEVERITY_LOW,
        .check = judge_machine,
        .judge_machine = tables_load_quietly,
        .object = "AML",
    },
    {
        .id = "AML-007",
        .title = "The tables load into a namespace",
        .spec = "ACPI 6.5, 5.4 Definition Block Encoding",
        .why = "The operating system starts without ACPI, or crashes as it loads the tables.",
        .advice = "Compare the DSDT and SSDTs with what the compiler made: lengths and checksums.",
        .known_as = "Linux: Unable to load the System Description Tables",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = namespace_is_there,
        .object = "DSDT",
    },
    {
        .id = "AML-008",
        .title = "Methods that run before processor objects are evaluated end",
        .spec = SPEC ", While",
        .why = "Booting hangs for seconds, or for ever.",
        .advice = "Bound the loop that polls hardware by a count or by Timer.",
        .known_as = "ACPICA: AE_AML_LOOP_TIMEOUT",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = other_methods_end,
        .object = "AML",
    },
    {
        .id = "AML-009",
        .title = "AML does not wait for what never comes",
        .spec = SPEC ", Acquire and Wait",
        .why = "Booting hangs for ever: nothing else runs that could release or signal it.",
        .advice = "Release each mutex on every way out; give Wait a time-out.",
        .severity = SEVERITY_CRITICAL,
        .check = judge_machine,
        .judge_machine = waits_end,
        .object = "AML",
    },
    {.id = NULL},
};

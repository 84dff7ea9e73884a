#include "rules/judge.h"
#include "rules/subjects.h"

#include <string.h>

#define SPEC "ACPI 6.5, 19.6 ASL Operator Reference"

static bool is_timeout(const char *error)
{
    return error != NULL &&
           (strcmp(error, "AE_AML_LOOP_TIMEOUT") == 0 || strcmp(error, "AE_TIME") == 0);
}

static bool is_depth(const char *error)
{
    return error != NULL &&
           (strcmp(error, "AE_AML_METHOD_LIMIT") == 0 || strcmp(error, AML_ERROR_NESTS) == 0);
}

static bool is_sleep(const char *error)
{
    return error != NULL && strcmp(error, AML_ERROR_SLEEPS) == 0;
}

static bool is_memory(const char *error)
{
    return error != NULL && strcmp(error, "AE_NO_MEMORY") == 0;
}

static bool is_division(const char *error)
{
    return error != NULL && strcmp(error, "AE_AML_DIVIDE_BY_ZERO") == 0;
}

/* Whether a rule of its own reports the error. */
static bool is_special(const char *error)
{
    return is_timeout(error) || is_depth(error) || is_sleep(error) || is_memory(error) ||
           is_division(error);
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

        if (!has_failed(result) || is_special(result->error)) {
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

            if (!is_special(result->error)) {
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

#define ERROR_BYTES 64

/* What a message of the interpreter says was given up for an error: a method by its path, or a table. */
struct aborted {
    const char *start;
    size_t length;
    char error[ERROR_BYTES];
};

static bool read_aborted(const char *text, struct aborted *ret_aborted)
{
    static const char method[] = "Aborting method ";
    static const char table[] = "Aborting table ";
    static const char after[] = " due to previous error (";
    const char *start = strstr(text, method);
    const char *end = strstr(text, after);
    size_t length;

    if (start != NULL) {
        start += sizeof(method) - 1;
    } else if ((start = strstr(text, table)) != NULL) {
        start += sizeof(table) - 1;
    }
    if (start == NULL || end == NULL || start >= end) {
        return false;
    }
    ret_aborted->start = start;
    ret_aborted->length = (size_t)(end - start);
    end += sizeof(after) - 1;
    length = strcspn(end, ")");
    if (length >= ERROR_BYTES) {
        return false;
    }
    memcpy(ret_aborted->error, end, length);
    ret_aborted->error[length] = '\0';
    return true;
}

/* What runs outside of processor objects. In a dump that lacks what the code read, the error proves nothing. */
static void others_are_free_of(struct judge *judge, bool (*is_error)(const char *error),
                               const char *expected)
{
    const struct platform *platform = judge->platform;
    bool is_certain = platform_is_firsthand(platform) || platform->aml.unrecorded == 0;

    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        struct judge_text name;
        struct aborted aborted;

        if (!read_aborted(platform->aml_messages[i].text, &aborted) || !is_error(aborted.error) ||
            is_named_elsewhere(platform, aborted.start, aborted.length)) {
            continue;
        }
        judge->object = judge_text(&name, "%.*s", (int)aborted.length, aborted.start);
        if (is_certain) {
            judge_fail(judge, expected, "%s", aborted.error);
        } else {
            judge_skip(judge, "a dump has no hardware that a method could ask");
        }
    }
    judge->object = NULL;
}

static void other_methods_end(struct judge *judge)
{
    others_are_free_of(judge, is_timeout, "an end within the time allowed");
}

/* Objects of processors, then all other code. */
static void nothing_fails_with(struct judge *judge, bool (*is_error)(const char *error),
                               const char *expected)
{
    uint32_t index = 0;
    const struct processor *processor;

    while ((processor = judge_next_processor(judge->platform, &index)) != NULL) {
        judge_about(judge, processor);
        for (int k = 0; k < OBJECT_KINDS; k++) {
            const struct object_result *result = &processor->objects[k];
            struct judge_text name;

            if (!is_error(result->error)) {
                continue;
            }
            name_object(judge, processor, (enum object_kind)k, &name);
            if (is_of_the_dump(judge->platform, result)) {
                judge_note(judge, expected, "%s; what it needs may be missing from the dump",
                           result->error);
            } else {
                judge_fail(judge, expected, "%s in %s", result->error,
                           result->error_path != NULL ? result->error_path : "the method");
            }
        }
        judge->object = NULL;
    }
    judge_about(judge, NULL);
    others_are_free_of(judge, is_error, expected);
}

static void depth_is_bounded(struct judge *judge)
{
    nothing_fails_with(judge, is_depth, "calls that end before the stack does");
}

static void sleep_is_short(struct judge *judge)
{
    nothing_fails_with(judge, is_sleep, "no sleep longer than an evaluation may take");
}

/* Our own memory may have run out as well. */
static void memory_is_bounded(struct judge *judge)
{
    if (judge->platform->incomplete != NULL) {
        judge_skip(judge, "memory ran out for the report itself");
        return;
    }
    nothing_fails_with(judge, is_memory, "memory that an interpreter has");
}

static void divisor_is_not_zero(struct judge *judge)
{
    nothing_fails_with(judge, is_division, "a divisor other than 0");
}

static void mutexes_are_released(struct judge *judge)
{
    static const char before[] = "AML holds mutex ";
    static const char between[] = " at the end of ";
    const struct platform *platform = judge->platform;

    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        const char *text = platform->aml_messages[i].text;
        const char *end = strstr(text, between);

        if (end != NULL && strncmp(text, before, sizeof(before) - 1) == 0) {
            text += sizeof(before) - 1;
            judge->object = end + sizeof(between) - 1;
            judge_fail(judge, "a Release for each Acquire", "mutex %.*s is kept", (int)(end - text),
                       text);
        }
    }
    judge->object = NULL;
}

/* In a dump a table that AML loads may stand beside the one that loads it, so that it is there by rights. */
static void warn_firsthand(struct judge *judge, const char *expected, uint32_t count,
                           const char *what, const char *first)
{
    int length = (int)strcspn(first, "]");

    if (platform_is_firsthand(judge->platform)) {
        judge_warn(judge, expected, "%u %s: %.*s", count, what, length, first);
    } else {
        judge_note(judge, expected, "%u %s: %.*s", count, what, length, first);
    }
}

static void tables_load_once(struct judge *judge)
{
    static const char before[] = "AE_ALREADY_EXISTS, ";
    const struct platform *platform = judge->platform;

    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        const struct aml_message *message = &platform->aml_messages[i];
        const char *table = strstr(message->text, before);

        if (table != NULL && strstr(table, "Table is already loaded") != NULL) {
            warn_firsthand(judge, "one load of each table", message->count, "loads again",
                           table + sizeof(before) - 1);
        }
    }
}

static void names_are_unique(struct judge *judge)
{
    static const char before[] = "Failure creating named object [";
    const struct platform *platform = judge->platform;
    const char *first = NULL;
    uint32_t count = 0;

    for (uint32_t i = 0; i < platform->aml_messages_count; i++) {
        const char *text = platform->aml_messages[i].text;
        const char *name = strstr(text, before);

        if (name != NULL && strstr(name, "AE_ALREADY_EXISTS") != NULL) {
            first = first == NULL ? name + sizeof(before) - 1 : first;
            count++;
        }
    }
    if (count > 0) {
        warn_firsthand(judge, "one definition of each name", count, "defined again, the first",
                       first);
    }
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
        const char *text = platform->aml_messages[i].text;
        const char *first = strstr(text, ", first in ");

        if (strncmp(text, "AML waits for ever", 18) == 0) {
            judge_fail(judge, "a mutex that is released, or an event that is signalled",
                       "a wait without end (%u times)%s", platform->aml_messages[i].count,
                       first == NULL ? "" : first);
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
    {
        .id = "AML-010",
        .title = "Methods call each other to a bounded depth",
        .spec = "ACPI 6.5, 5.5.2 Control Method Execution",
        .why = "The operating system gives the method up, or its own stack overflows.",
        .advice = "Replace the recursion by a loop with a count.",
        .known_as = "ACPICA: AE_AML_METHOD_LIMIT",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = depth_is_bounded,
        .object = "AML",
    },
    {
        .id = "AML-011",
        .title = "Evaluating an object takes no long sleep",
        .spec = SPEC ", Sleep and Stall",
        .why = "Booting waits for it, on every processor once.",
        .advice = "Take the Sleep out of objects that are read at boot; poll with a short one and "
                  "a limit.",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = sleep_is_short,
        .object = "AML",
    },
    {
        .id = "AML-012",
        .title = "AML asks for no more memory than an interpreter has",
        .spec = SPEC ", Buffer, Package and Concatenate",
        .why = "The operating system gives the method up, or runs out of memory.",
        .advice = "Bound the length of the buffer, string or package by a constant.",
        .known_as = "ACPICA: AE_NO_MEMORY",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = memory_is_bounded,
        .object = "AML",
    },
    {
        .id = "AML-013",
        .title = "AML divides by no zero",
        .spec = SPEC ", Divide and Mod",
        .why = "The method ends there and its object has no value.",
        .advice = "Test the divisor; look for the register or variable that it came from.",
        .known_as = "ACPICA: AE_AML_DIVIDE_BY_ZERO",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = divisor_is_not_zero,
        .object = "AML",
    },
    {
        .id = "AML-014",
        .title = "A method releases each mutex that it acquires",
        .spec = SPEC ", Acquire and Release",
        .why = "The next thread that wants the mutex waits for it, some systems for ever.",
        .advice = "Release the mutex on every way out of the method.",
        .known_as = "fwts: AMLLocksAcquired",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = mutexes_are_released,
        .object = "AML",
    },
    {
        .id = "AML-015",
        .title = "AML loads each table once",
        .spec = SPEC ", Load and LoadTable",
        .why = "Each load defines the names again; a table that loads itself never ends.",
        .advice = "Load a table behind a flag that says it is there; take the Load out of the "
                  "table itself.",
        .known_as = "Linux: AE_ALREADY_EXISTS",
        .severity = SEVERITY_HIGH,
        .check = judge_machine,
        .judge_machine = tables_load_once,
        .object = "AML",
    },
    {
        .id = "AML-016",
        .title = "Each name is defined once",
        .spec = "ACPI 6.5, 5.3 ACPI Namespace",
        .why = "The second definition is lost, and which one that is depends on the order of the "
               "tables.",
        .advice = "Remove one of the two, or the table that brings it twice.",
        .known_as = "Linux: Failure creating named object",
        .severity = SEVERITY_MEDIUM,
        .check = judge_machine,
        .judge_machine = names_are_unique,
        .object = "AML",
    },
    {.id = NULL},
};

#include "acpi/processors.h"

#include "acpi/acpi.h"
#include "acpi/call.h"
#include "acpi/convert.h"
#include "acpi/scratch.h"

#include <string.h>

#define PATH_BYTES 512

/* ACPI 6.5, 5.6.7, Table 5.146: the processor device's id. */
#define PROCESSOR_DEVICE_ID "ACPI0007"

static struct processors {
    const struct engine_config *config;
    uint32_t count;
    uint32_t capacity;
    acpi_handle *handles;
} listed;

/* A walk in progress. The listed processors come in the same order again, new ones between them. */
struct walk {
    struct platform *platform;
    uint32_t known;    /* listed before this walk */
    uint32_t expected; /* the next of the known that has not been met */
    enum status status;
};

void processors_init(const struct engine_config *config)
{
    memset(&listed, 0, sizeof(listed));
    listed.config = config;
}

void *processors_handle(uint32_t index)
{
    return index < listed.count ? listed.handles[index] : NULL;
}

static bool evaluate(acpi_handle scope, const char *name, struct call_reply *ret_reply)
{
    struct call call = {.scope = scope, .name = name, .is_as_linux = true};

    call_evaluate(&call, scratch_empty(), listed.config->arena, ret_reply);
    return ret_reply->avail == AVAIL_PRESENT;
}

static bool is_id(const struct aml_value *value)
{
    const char *text = convert_text(value);

    return text != NULL && strcmp(text, PROCESSOR_DEVICE_ID) == 0;
}

/* An id that is a Method is only run where the device has something of a processor: nothing but the
 * objects of processors shall be evaluated. */
static bool may_evaluate_id(acpi_handle device, const char *name)
{
    static const char *const marks[] = {"_PSS", "_PCT", "_CPC", "_CST", "_LPI", "_PDC"};
    acpi_object_type type = ACPI_TYPE_ANY;
    acpi_handle handle;

    if (ACPI_FAILURE(acpi_get_handle(device, name, &handle)) ||
        ACPI_FAILURE(acpi_get_type(handle, &type))) {
        return false;
    }
    for (size_t i = 0; type == ACPI_TYPE_METHOD && i < sizeof(marks) / sizeof(marks[0]); i++) {
        if (call_exists(device, marks[i])) {
            return true;
        }
    }
    return type != ACPI_TYPE_METHOD;
}

/* _HID is a String here; _CID one or a package of them (ACPI 6.5, 6.1.2 and 6.1.5). */
static bool has_id(acpi_handle device, const char *name)
{
    struct call_reply reply;

    if (!may_evaluate_id(device, name) || !evaluate(device, name, &reply)) {
        return false;
    }
    if (reply.value.type != AML_PACKAGE) {
        return is_id(&reply.value);
    }
    for (uint32_t i = 0; i < reply.value.length; i++) {
        if (is_id(&reply.value.elements[i])) {
            return true;
        }
    }
    return false;
}

static bool grow(struct platform *platform)
{
    uint32_t capacity = listed.capacity == 0 ? 64 : 2 * listed.capacity;
    struct arena *arena = listed.config->arena;
    acpi_handle *handles;
    struct processor *processors;

    if (listed.count < listed.capacity) {
        return true;
    }
    handles = arena_array(arena, capacity, sizeof(*handles));
    processors = arena_array(arena, capacity, sizeof(*processors));
    if (handles == NULL || processors == NULL) {
        return false;
    }
    if (listed.count > 0) {
        memcpy(handles, listed.handles, listed.count * sizeof(*handles));
        memcpy(processors, platform->processors, listed.count * sizeof(*processors));
    }
    listed.handles = handles;
    listed.capacity = capacity;
    platform->processors = processors;
    return true;
}

static const char *path_of(acpi_handle handle)
{
    char path[PATH_BYTES] = "";
    struct acpi_buffer buffer = {.length = sizeof(path), .pointer = path};

    if (ACPI_FAILURE(acpi_get_name(handle, ACPI_FULL_PATHNAME_NO_TRAILING, &buffer))) {
        path[0] = '\0';
    }
    return arena_text(listed.config->arena, path, strlen(path));
}

/* ACPI 5.0, 19.5.99 Processor (Declare Processor): id, address and length of P_BLK. */
static void read_processor_object(acpi_handle handle, struct processor *processor)
{
    union acpi_object object;
    struct acpi_buffer buffer = {.length = sizeof(object), .pointer = &object};

    if (ACPI_SUCCESS(acpi_evaluate_object(handle, NULL, NULL, &buffer)) &&
        object.type == ACPI_TYPE_PROCESSOR) {
        processor->uid_avail = AVAIL_PRESENT;
        processor->uid = object.processor.proc_id;
        processor->pblk_address = (uint32_t)object.processor.pblk_address;
        processor->pblk_length = (uint8_t)object.processor.pblk_length;
    }
}

/* Linux wants an Integer (kernel acpi_processor.c acpi_processor_get_info); a String is kept as text. */
static enum avail read_uid(acpi_handle handle, uint64_t *ret_uid, const char **ret_text)
{
    struct call_reply reply;

    if (!evaluate(handle, "_UID", &reply)) {
        return reply.avail;
    }
    if (reply.value.type == AML_INTEGER) {
        *ret_uid = reply.value.integer;
        return AVAIL_PRESENT;
    }
    if (reply.value.type == AML_STRING) {
        *ret_text =
            arena_text(listed.config->arena, (const char *)reply.value.bytes, reply.value.length);
    }
    return AVAIL_MALFORMED;
}

/* A status that AML computed after a write was refused (--read-only) tells nothing: QEMU selects the CPU by a
 * port, and all of them would look absent. */
static void read_sta(acpi_handle handle, struct processor *processor)
{
    struct call_reply reply;

    (void)evaluate(handle, "_STA", &reply);
    processor->sta_avail = reply.avail;
    if (reply.denied > 0) {
        processor->sta_avail = AVAIL_UNTRIED;
        return;
    }
    if (reply.avail == AVAIL_PRESENT && reply.value.type == AML_INTEGER) {
        processor->sta = (uint32_t)reply.value.integer;
    } else if (reply.avail == AVAIL_PRESENT) {
        processor->sta_avail = AVAIL_MALFORMED;
    }
}

static void fill(acpi_handle handle, enum processor_kind kind, struct processor *processor)
{
    const char *path = path_of(handle);

    memset(processor, 0, sizeof(*processor));
    processor->path = path == NULL ? "" : path;
    processor->kind = kind;
    processor->madt_index = MADT_NONE;
    processor->cpu = CPU_NONE;
    if (kind == PROCESSOR_OBJECT) {
        read_processor_object(handle, processor);
        processor->second_uid_avail =
            read_uid(handle, &processor->second_uid, &processor->second_uid_text);
    } else {
        processor->uid_avail = read_uid(handle, &processor->uid, &processor->uid_text);
    }
    read_sta(handle, processor);
    processor->has_osc = call_exists(handle, "_OSC");
    processor->has_pdc = call_exists(handle, "_PDC");
}

static bool is_listed(struct walk *walk, acpi_handle handle)
{
    if (walk->expected < walk->known && listed.handles[walk->expected] == handle) {
        walk->expected++;
        return true;
    }
    for (uint32_t i = 0; i < walk->known; i++) {
        if (listed.handles[i] == handle) {
            return true;
        }
    }
    return false;
}

static acpi_status visit(acpi_handle handle, u32 level, void *context, void **ret_value)
{
    struct walk *walk = context;
    acpi_object_type type = ACPI_TYPE_ANY;
    enum processor_kind kind;

    (void)level;
    (void)ret_value;
    if (ACPI_FAILURE(acpi_get_type(handle, &type)) ||
        (type != ACPI_TYPE_PROCESSOR && type != ACPI_TYPE_DEVICE)) {
        return AE_OK;
    }
    kind = type == ACPI_TYPE_PROCESSOR ? PROCESSOR_OBJECT : PROCESSOR_DEVICE;
    if (kind == PROCESSOR_DEVICE && !has_id(handle, "_HID") && !has_id(handle, "_CID")) {
        return AE_OK;
    }
    if (is_listed(walk, handle)) {
        return AE_OK;
    }
    if (!grow(walk->platform)) {
        walk->status = STATUS_NO_MEMORY;
        return AE_CTRL_TERMINATE;
    }
    listed.handles[listed.count] = handle;
    fill(handle, kind, &walk->platform->processors[listed.count]);
    listed.count++;
    walk->platform->processors_count = listed.count;
    return AE_OK;
}

enum status processors_list(struct platform *platform)
{
    struct walk walk = {.platform = platform, .known = listed.count};

    (void)acpi_walk_namespace(ACPI_TYPE_ANY, ACPI_ROOT_OBJECT, ACPI_UINT32_MAX, visit, NULL, &walk,
                              NULL);
    return walk.status;
}

#include "acpi/handshake.h"

#include "acpi/bytes.h"
#include "acpi/call.h"
#include "acpi/processors.h"
#include "acpi/scratch.h"

#include <string.h>

/* Linux 6.12 include/acpi/proc_cap_intel.h. */
#define CAP_P_FFH 0x0001U
#define CAP_C1_HALT 0x0002U
#define CAP_T_FFH 0x0004U
#define CAP_SMP_C1PT 0x0008U
#define CAP_SMP_C2C3 0x0010U
#define CAP_P_SW_COORDINATION 0x0020U
#define CAP_T_SW_COORDINATION 0x0080U
#define CAP_C1_FFH 0x0100U
#define CAP_C2C3_FFH 0x0200U
#define CAP_P_HW_COORDINATION 0x0800U
#define CAP_COLLABORATIVE 0x1000U

/* Linux 6.12 drivers/acpi/bus.c acpi_bus_osc_negotiate_platform_control: support bits 0 to 7, 9 to 14, 17
 * to 19 and 21, as a distribution's kernel with everything of x86 configured sends them; never 8. */
#define PLATFORM_CAPS 0x002E7EFFU

/* ACPI 6.5, 6.2.11 _OSC: the first dword's query bit, and the error bits of the reply. */
#define OSC_QUERY 1U
#define OSC_CAPABILITIES_MASKED 0x10U
#define OSC_REVISION 1U
#define OSC_BYTES 8U

/* _PDC: revision 1, one capability word ("Intel Processor Vendor-Specific ACPI", revision 008, 3.1). */
#define PDC_REVISION 1U
#define PDC_BYTES 12U

#define UUID_BYTES 16U

/* 4077A616-290C-47BE-9EBD-D87058713953, as ToUUID stores it (ACPI 6.5, 19.6.142): "Intel Processor
 * Vendor-Specific ACPI", revision 008, 3.2 (_OSC of a processor). */
static const uint8_t processor_uuid[UUID_BYTES] = {0x16, 0xA6, 0x77, 0x40, 0x0C, 0x29, 0xBE, 0x47,
                                                   0x9E, 0xBD, 0xD8, 0x70, 0x58, 0x71, 0x39, 0x53};

/* 0811B06E-4A27-44F9-8D60-3CBBC22E7B48: ACPI 6.5, 6.2.11.2 Platform-Wide OSPM Capabilities. */
static const uint8_t platform_uuid[UUID_BYTES] = {0x6E, 0xB0, 0x11, 0x08, 0x27, 0x4A, 0xF9, 0x44,
                                                  0x8D, 0x60, 0x3C, 0xBB, 0xC2, 0x2E, 0x7B, 0x48};

struct osc_reply {
    bool is_absent;
    const char *error; /* NULL: accepted */
    uint32_t status;
    uint32_t word;
};

/* What Linux calls these outcomes (bus.c acpi_run_osc). Bit 0 of the status is ignored; masked
 * capabilities are no failure of a query, whatever else is set. */
static const char *judge_status(uint32_t status, uint32_t query)
{
    if ((status & ~OSC_QUERY) == 0) {
        return NULL;
    }
    if ((status & OSC_CAPABILITIES_MASKED) != 0) {
        return (query & OSC_QUERY) != 0 ? NULL : "AE_SUPPORT";
    }
    return "AE_ERROR";
}

static struct osc_reply run_osc(const struct engine_config *config, void *scope, const char *name,
                                const uint8_t *uuid, const uint32_t words[2])
{
    uint8_t buffer[OSC_BYTES];
    struct aml_value arguments[4] = {
        {.type = AML_BUFFER, .length = UUID_BYTES, .bytes = uuid},
        {.type = AML_INTEGER, .integer = OSC_REVISION},
        {.type = AML_INTEGER, .integer = OSC_BYTES / 4},
        {.type = AML_BUFFER, .length = OSC_BYTES, .bytes = buffer},
    };
    struct call call = {.scope = scope,
                        .name = name,
                        .arguments_count = 4,
                        .arguments = arguments,
                        .is_as_linux = true};
    struct osc_reply ret = {.is_absent = false};
    struct call_reply reply;

    bytes_put(buffer, 4, words[0]);
    bytes_put(buffer + 4, 4, words[1]);
    call_evaluate(&call, scratch_empty(), config->arena, &reply);
    ret.is_absent = reply.avail == AVAIL_ABSENT;
    ret.error = ret.is_absent ? "AE_NOT_FOUND" : reply.error;
    if (reply.avail != AVAIL_PRESENT) {
        return ret;
    }
    if (reply.value.type == AML_NULL) {
        ret.error = "AE_NULL_OBJECT";
    } else if (reply.value.type != AML_BUFFER || reply.value.length != OSC_BYTES) {
        ret.error = "AE_TYPE";
    } else {
        ret.status = bytes_u32(reply.value.bytes);
        ret.word = bytes_u32(reply.value.bytes + 4);
        ret.error = judge_status(ret.status, words[0]);
    }
    return ret;
}

/* Linux: a query, then the commit with what the query left over; a failed query ends it. Without the
 * query the words are committed as given. */
static void negotiate_platform(const struct engine_config *config, struct platform *platform,
                               bool has_query)
{
    struct handshake *handshake = &platform->handshake;
    uint32_t words[2] = {has_query ? OSC_QUERY : 0, handshake->platform_caps};
    struct osc_reply reply = run_osc(config, NULL, "\\_SB._OSC", platform_uuid, words);

    handshake->has_platform_osc = !reply.is_absent;
    if (reply.is_absent) {
        return;
    }
    handshake->is_done = true;
    if (has_query && reply.error == NULL) {
        words[0] = 0;
        words[1] = reply.word;
        reply = run_osc(config, NULL, "\\_SB._OSC", platform_uuid, words);
    }
    handshake->platform_error = reply.error;
    handshake->platform_reply = reply.word;
    handshake->platform_status = reply.status;
}

/* Whether the processor's _OSC exists and accepted. */
static bool run_processor_osc(const struct engine_config *config, struct platform *platform,
                              uint32_t index)
{
    struct processor *processor = &platform->processors[index];
    uint32_t words[2] = {0, platform->handshake.proc_caps};
    struct osc_reply reply;

    if (!processor->has_osc) {
        return false;
    }
    reply = run_osc(config, processors_handle(index), "_OSC", processor_uuid, words);
    processor->osc_error = reply.error;
    platform->handshake.osc_count++;
    platform->handshake.is_done = true;
    return reply.error == NULL;
}

static void run_processor_pdc(const struct engine_config *config, struct platform *platform,
                              uint32_t index)
{
    struct processor *processor = &platform->processors[index];
    uint8_t buffer[PDC_BYTES];
    struct aml_value argument = {.type = AML_BUFFER, .length = PDC_BYTES, .bytes = buffer};
    struct call call = {.scope = processors_handle(index),
                        .name = "_PDC",
                        .arguments_count = 1,
                        .arguments = &argument,
                        .is_as_linux = true};
    struct call_reply reply;

    if (!processor->has_pdc) {
        return;
    }
    bytes_put(buffer, 4, PDC_REVISION);
    bytes_put(buffer + 4, 4, 1);
    bytes_put(buffer + 8, 4, platform->handshake.proc_caps);
    call_evaluate(&call, scratch_empty(), config->arena, &reply);
    processor->pdc_error = reply.error;
    platform->handshake.pdc_count++;
    platform->handshake.is_done = true;
}

/* Linux 6.12 acpi_processor.c processor_physically_present: the MADT has it, enabled. */
static bool is_physically_present(const struct platform *platform, uint32_t index)
{
    uint32_t entry = platform->processors[index].madt_index;

    if (platform->madt.avail != AVAIL_PRESENT) {
        return true;
    }
    return entry != MADT_NONE && (platform->madt.entries[entry].flags & 1U) != 0;
}

/* Processor objects, then devices; the walk ends at the first failure, a missing _OSC included
 * (acpi_early_processor_osc). */
static bool run_linux_osc(const struct engine_config *config, struct platform *platform)
{
    for (unsigned kind = PROCESSOR_OBJECT; kind <= PROCESSOR_DEVICE; kind++) {
        for (uint32_t i = 0; i < platform->processors_count; i++) {
            if (platform->processors[i].kind == (enum processor_kind)kind &&
                is_physically_present(platform, i) && !run_processor_osc(config, platform, i)) {
                return false;
            }
        }
    }
    return true;
}

/* arch/x86/include/asm/acpi.h arch_has_acpi_pdc: Intel and Centaur only. */
static void run_linux_pdc(const struct engine_config *config, struct platform *platform)
{
    enum cpu_vendor vendor = platform->identity.vendor;

    if (vendor != VENDOR_INTEL && vendor != VENDOR_CENTAUR) {
        return;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        if (is_physically_present(platform, i)) {
            run_processor_pdc(config, platform, i);
        }
    }
}

static bool may_run(const struct engine_config *config, const char *object)
{
    const struct step step = {
        .name = "handshake", .object = object, .part = "", .kind = STEP_WHOLE};

    return step_announce(&config->steps, &step) == STEP_RUN;
}

static void run_as_linux(const struct engine_config *config, struct platform *platform)
{
    bool is_accepted = false;

    if (may_run(config, "\\_SB._OSC")) {
        negotiate_platform(config, platform, true);
    }
    if (may_run(config, "processor _OSC")) {
        is_accepted = run_linux_osc(config, platform);
    }
    if (!is_accepted && may_run(config, "processor _PDC")) {
        run_linux_pdc(config, platform);
    }
}

static void run_as_given(const struct engine_config *config, struct platform *platform,
                         bool has_platform_caps)
{
    if (has_platform_caps && may_run(config, "\\_SB._OSC")) {
        negotiate_platform(config, platform, false);
    }
    if (!may_run(config, "processor _OSC and _PDC")) {
        return;
    }
    for (uint32_t i = 0; i < platform->processors_count; i++) {
        (void)run_processor_osc(config, platform, i);
        run_processor_pdc(config, platform, i);
    }
}

uint32_t handshake_linux_processor_caps(const struct cpuid_set *cpuid)
{
    /* arch/x86/include/asm/acpi.h arch_acpi_set_proc_cap_bits. */
    uint32_t caps = CAP_C1_HALT | CAP_SMP_C1PT | CAP_SMP_C2C3 | CAP_T_SW_COORDINATION;

    if (cpuid_has(cpuid, CPU_FEATURE_EIST)) {
        caps |= CAP_P_FFH | CAP_P_SW_COORDINATION | CAP_P_HW_COORDINATION;
    }
    if (cpuid_has(cpuid, CPU_FEATURE_ACPI)) {
        caps |= CAP_T_FFH;
    }
    if (cpuid_has(cpuid, CPU_FEATURE_HWP)) {
        caps |= CAP_COLLABORATIVE;
    }
    if (cpuid_has(cpuid, CPU_FEATURE_MONITOR)) {
        caps |= CAP_C1_FFH | CAP_C2C3_FFH;
    }
    return caps;
}

uint32_t handshake_linux_platform_caps(void)
{
    return PLATFORM_CAPS;
}

void handshake_run(const struct engine_config *config, struct platform *platform)
{
    const struct options *options = config->options;
    struct handshake *handshake = &platform->handshake;
    enum caps_choice choice = options == NULL ? CAPS_LINUX : options->caps;
    bool is_cpu_known =
        platform->identity.avail == AVAIL_PRESENT && platform->cpuid_kinds_count > 0;

    memset(handshake, 0, sizeof(*handshake));
    if (choice == CAPS_NONE) {
        return;
    }
    if (choice == CAPS_GIVEN) {
        handshake->proc_caps = options->proc_caps;
        handshake->platform_caps = options->has_platform_caps ? options->platform_caps : 0;
        run_as_given(config, platform, options->has_platform_caps);
    } else if (is_cpu_known) {
        handshake->proc_caps = handshake_linux_processor_caps(&platform->cpuid_kinds[0]);
        handshake->platform_caps = handshake_linux_platform_caps();
        run_as_linux(config, platform);
    } else {
        handshake->proc_caps = OPTIONS_DEFAULT_PROC_CAPS;
        handshake->platform_caps = OPTIONS_DEFAULT_PLATFORM_CAPS;
        run_as_given(config, platform, true);
    }
}

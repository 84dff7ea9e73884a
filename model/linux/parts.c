#include "model/linux/parts.h"

#include "model/textbuf.h"

#include <string.h>

#define TEXT_BYTES 320

const char *linux_text(const struct linux_builder *builder, const char *format, ...)
{
    char buffer[TEXT_BYTES];
    struct textbuf out;
    const char *kept;
    va_list arguments;

    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&out, format, arguments);
    va_end(arguments);
    kept = arena_text(builder->platform->arena, buffer, out.length);
    return kept == NULL ? "(no memory for the reason)" : kept;
}

void linux_why_add(struct linux_why *why, const char *text)
{
    if (why->count < LINUX_WHY_MAX) {
        why->text[why->count++] = text;
    }
}

static void remember_uncertain(struct linux_view *view, const char *name)
{
    for (uint32_t i = 0; i < view->uncertain_count; i++) {
        if (view->uncertain[i] == name) {
            return;
        }
    }
    if (view->uncertain_count < LINUX_WHY_MAX) {
        view->uncertain[view->uncertain_count++] = name;
    }
}

bool linux_builder_holds(const struct linux_builder *builder, enum linux_rule rule)
{
    struct linux_version version = builder->view->version;

    if (linux_rule_is_uncertain(rule, version)) {
        remember_uncertain(builder->view, linux_rule_at(rule)->name);
    }
    return linux_rule_holds(rule, version);
}

static bool count_message(struct linux_view *view, enum linux_message_kind kind, const char *text)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].kind == kind && strcmp(view->messages[i].text, text) == 0) {
            view->messages[i].cpus++;
            return true;
        }
    }
    return view->messages_count == LINUX_MESSAGES;
}

/* Whether this release prints it; remembers a release that is not certain. */
static bool is_printed(const struct linux_builder *builder, enum linux_message_kind kind)
{
    enum linux_rule rule = linux_message_at(kind)->rule;

    if (rule != LINUX_RULES) {
        (void)linux_builder_holds(builder, rule);
    }
    return linux_message_exists(kind, builder->view->version);
}

void linux_say(const struct linux_builder *builder, enum linux_message_kind kind, uint32_t cpu,
               const char *format, ...)
{
    struct linux_view *view = builder->view;
    char buffer[TEXT_BYTES];
    struct textbuf out;
    const char *text;
    va_list arguments;

    if (!is_printed(builder, kind)) {
        return;
    }
    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&out, format, arguments);
    va_end(arguments);
    if (count_message(view, kind, buffer)) {
        return;
    }
    text = arena_text(builder->platform->arena, buffer, out.length);
    if (text != NULL) {
        view->messages[view->messages_count++] =
            (struct linux_message){.kind = kind,
                                   .level = linux_message_at(kind)->level,
                                   .text = text,
                                   .meaning = linux_message_at(kind)->meaning,
                                   .cpus = 1,
                                   .first_cpu = cpu};
    }
}

bool linux_was_said(const struct linux_builder *builder, enum linux_message_kind kind)
{
    for (uint32_t i = 0; i < builder->view->messages_count; i++) {
        if (builder->view->messages[i].kind == kind) {
            return true;
        }
    }
    return false;
}

struct linux_number linux_number_of(uint64_t value, const char *why)
{
    return (struct linux_number){.avail = AVAIL_PRESENT, .value = value, .why = why};
}

struct linux_number linux_number_missing(enum avail avail, const char *why)
{
    return (struct linux_number){.avail = avail, .value = 0, .why = why};
}

bool linux_msr(const struct platform *platform, uint32_t cpu, uint32_t msr, uint64_t *ret_value)
{
    struct msr_value value = platform_msr(platform, cpu, msr);

    *ret_value = value.value;
    return value.avail == AVAIL_PRESENT;
}

bool linux_is_model(const struct platform *platform, const uint8_t *models, size_t count)
{
    const struct cpu_identity *identity = &platform->identity;

    return identity->vendor == VENDOR_INTEL && identity->family == 6 &&
           identity->model <= UINT8_MAX && memchr(models, (int)identity->model, count) != NULL;
}

const char *linux_mode_name(enum linux_mode mode)
{
    static const char *const names[] = {[LINUX_MODE_TABLE] = "table",
                                        [LINUX_MODE_ACTIVE] = "active",
                                        [LINUX_MODE_PASSIVE] = "passive"};

    return names[mode];
}

const char *linux_entry_name(enum linux_entry entry)
{
    static const char *const names[] = {
        [LINUX_ENTRY_HALT] = "hlt", [LINUX_ENTRY_MWAIT] = "mwait", [LINUX_ENTRY_IO] = "io"};

    return names[entry];
}

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

static bool count_message(struct linux_view *view, enum linux_level level, const char *text)
{
    for (uint32_t i = 0; i < view->messages_count; i++) {
        if (view->messages[i].level == level && strcmp(view->messages[i].text, text) == 0) {
            view->messages[i].cpus++;
            return true;
        }
    }
    return view->messages_count == LINUX_MESSAGES;
}

void linux_message_format(const struct linux_builder *builder, enum linux_level level,
                          const char *meaning, uint32_t cpu, const char *format, ...)
{
    char buffer[TEXT_BYTES];
    struct textbuf out;
    const char *text;
    va_list arguments;

    textbuf_init(&out, buffer, sizeof(buffer), NULL, NULL);
    va_start(arguments, format);
    textbuf_vprintf(&out, format, arguments);
    va_end(arguments);
    if (count_message(builder->view, level, buffer)) {
        return;
    }
    text = arena_text(builder->platform->arena, buffer, out.length);
    if (text != NULL) {
        linux_message_add(builder, level, text, meaning, cpu);
    }
}

void linux_message_add(const struct linux_builder *builder, enum linux_level level,
                       const char *text, const char *meaning, uint32_t cpu)
{
    struct linux_view *view = builder->view;

    if (count_message(view, level, text)) {
        return;
    }
    if (view->messages_count < LINUX_MESSAGES) {
        view->messages[view->messages_count++] = (struct linux_message){
            .level = level, .text = text, .meaning = meaning, .cpus = 1, .first_cpu = cpu};
    }
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

const char *linux_level_name(enum linux_level level)
{
    static const char *const names[] = {
        [LINUX_LEVEL_FW_BUG] = "FW_BUG", [LINUX_LEVEL_FW_WARN] = "FW_WARN",
        [LINUX_LEVEL_ERROR] = "ERROR",   [LINUX_LEVEL_WARNING] = "WARNING",
        [LINUX_LEVEL_NOTICE] = "NOTICE", [LINUX_LEVEL_INFO] = "INFO"};

    return names[level];
}

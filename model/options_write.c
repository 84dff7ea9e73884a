#include "model/options_write.h"

#include "model/textbuf.h"

#define WORD_BYTES (OPTIONS_SKIP_MAX * 24 + OPTIONS_TEXT_MAX)

struct writer {
    void (*word)(void *context, const char *text);
    void *context;
    char text[WORD_BYTES];
    struct textbuf out;
};

static void start(struct writer *writer, const char *name)
{
    textbuf_init(&writer->out, writer->text, sizeof(writer->text), NULL, NULL);
    textbuf_string(&writer->out, name);
}

static void end(struct writer *writer)
{
    if (!writer->out.has_failed) {
        writer->word(writer->context, writer->text);
    }
}

static void text(struct writer *writer, const char *name, const char *value)
{
    if (value[0] != '\0') {
        start(writer, name);
        textbuf_string(&writer->out, value);
        end(writer);
    }
}

static void number(struct writer *writer, const char *name, uint32_t value)
{
    if (value != 0) {
        start(writer, name);
        textbuf_printf(&writer->out, "%u", value);
        end(writer);
    }
}

static void flag(struct writer *writer, const char *name, bool is_set)
{
    if (is_set) {
        start(writer, name);
        end(writer);
    }
}

static void run(struct writer *writer, uint32_t groups)
{
    static const struct {
        uint32_t group;
        const char *name;
    } names[] = {{RUN_TABLES, "tables"},
                 {RUN_CLOCKS, "clocks"},
                 {RUN_FREQUENCY, "frequency"},
                 {RUN_IDLE, "idle"}};
    const char *before = "";

    if (groups == RUN_ALL || groups == 0) {
        return;
    }
    start(writer, "--run=");
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if ((groups & names[i].group) != 0) {
            textbuf_printf(&writer->out, "%s%s", before, names[i].name);
            before = ",";
        }
    }
    end(writer);
}

static void park(struct writer *writer, enum park_way way)
{
    static const char *const words[] = {
        [PARK_DEEPEST] = "", [PARK_HLT] = "hlt", [PARK_MWAIT] = "mwait", [PARK_SPIN] = "spin"};

    text(writer, "--park=", words[way]);
}

static void skip_msr(struct writer *writer, const struct options *options)
{
    if (options->skip_msr_count == 0) {
        return;
    }
    start(writer, "--skip-msr=");
    for (uint32_t i = 0; i < options->skip_msr_count; i++) {
        textbuf_printf(&writer->out, "%s0x%x-0x%x", i == 0 ? "" : ",", options->skip_msr[i].first,
                       options->skip_msr[i].last);
    }
    end(writer);
}

static void allow(struct writer *writer, const struct options *options)
{
    if (options->allow_cppc_enable || options->allow_hwp_enable) {
        start(writer, "--allow=");
        textbuf_printf(&writer->out, "%s%s%s", options->allow_cppc_enable ? "cppc-enable" : "",
                       options->allow_cppc_enable && options->allow_hwp_enable ? "," : "",
                       options->allow_hwp_enable ? "hwp-enable" : "");
        end(writer);
    }
}

static void os_caps(struct writer *writer, const struct options *options)
{
    if (options->caps == CAPS_LINUX) {
        return;
    }
    start(writer, "--os-caps=");
    if (options->caps == CAPS_NONE) {
        textbuf_string(&writer->out, "none");
    } else {
        textbuf_printf(&writer->out, "0x%x", options->proc_caps);
        if (options->has_platform_caps) {
            textbuf_printf(&writer->out, ",0x%x", options->platform_caps);
        }
    }
    end(writer);
}

void options_write(const struct options *options, void (*word)(void *context, const char *text),
                   void *context)
{
    struct writer writer = {.word = word, .context = context};

    run(&writer, options->run);
    flag(&writer, "--read-only", options->is_read_only);
    text(&writer, "--cpus=", options->cpus);
    park(&writer, options->park);
    skip_msr(&writer, options);
    allow(&writer, options);
    text(&writer, "--osi=", options->osi);
    os_caps(&writer, options);
    number(&writer, "--samples=", options->samples);
    number(&writer, "--seconds=", options->seconds);
    text(&writer, "--tables=", options->tables);
    text(&writer, "--linux=", options->linux_version);
}

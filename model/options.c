#include "model/options.h"

#include "model/cpuset.h"
#include "model/linux/version.h"
#include "model/medium_path.h"
#include "model/nearest.h"
#include "model/option_value.h"
#include "model/textbuf.h"

#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define DIGITS "0123456789"

struct option {
    const char *name;
    const char *form; /* of the value; NULL when it takes none */
    bool (*take)(struct options *options, const char *value, const struct complaint *complaint);
};

void options_init(struct options *options)
{
    static const char out[] = "\\assay\\results";

    memset(options, 0, sizeof(*options));
    options->run = RUN_ALL;
    options->formats = FORMAT_ALL;
    memcpy(options->out, out, sizeof(out));
}

static bool take_run(struct options *options, const char *value, const struct complaint *complaint)
{
    static const struct choice groups[] = {
        {"tables", RUN_TABLES}, {"clocks", RUN_CLOCKS}, {"frequency", RUN_FREQUENCY},
        {"idle", RUN_IDLE},     {"all", RUN_ALL},       {"quick", RUN_QUICK}};

    return option_value_choices(value, groups, COUNT(groups), complaint, &options->run);
}

static bool take_format(struct options *options, const char *value,
                        const struct complaint *complaint)
{
    static const struct choice formats[] = {{"json", FORMAT_JSON},        {"text", FORMAT_TEXT},
                                            {"html", FORMAT_HTML},        {"junit", FORMAT_JUNIT},
                                            {"tap", FORMAT_TAP},          {"csv", FORMAT_CSV},
                                            {"snapshot", FORMAT_SNAPSHOT}};

    return option_value_choices(value, formats, COUNT(formats), complaint, &options->formats);
}

static bool take_exit(struct options *options, const char *value, const struct complaint *complaint)
{
    static const struct choice ways[] = {{"debug-port", EXIT_DEBUG_PORT},
                                         {"shutdown", EXIT_SHUTDOWN},
                                         {"reset", EXIT_RESET},
                                         {"return", EXIT_RETURN}};
    uint32_t way = 0;

    if (!option_value_choice(value, strlen(value), ways, COUNT(ways), complaint, &way)) {
        return false;
    }
    options->exit_way = (enum exit_way)way;
    options->has_exit_way = true;
    return true;
}

static bool take_park(struct options *options, const char *value, const struct complaint *complaint)
{
    static const struct choice ways[] = {
        {"hlt", PARK_HLT}, {"mwait", PARK_MWAIT}, {"spin", PARK_SPIN}};
    uint32_t way = 0;

    if (!option_value_choice(value, strlen(value), ways, COUNT(ways), complaint, &way)) {
        return false;
    }
    options->park = (enum park_way)way;
    return true;
}

static bool take_letters(struct options *options, const char *value,
                         const struct complaint *complaint)
{
    static const struct choice sizes[] = {{"auto", 0}, {"1", 1}, {"2", 2}, {"3", 3}, {"4", 4},
                                          {"5", 5},    {"6", 6}, {"7", 7}, {"8", 8}};

    return option_value_choice(value, strlen(value), sizes, COUNT(sizes), complaint,
                               &options->letters);
}

static bool take_allow(struct options *options, const char *value,
                       const struct complaint *complaint)
{
    enum { CPPC = 1, HWP = 2 };
    static const struct choice names[] = {{"cppc-enable", CPPC}, {"hwp-enable", HWP}};
    uint32_t bits = 0;

    if (!option_value_choices(value, names, COUNT(names), complaint, &bits)) {
        return false;
    }
    options->allow_cppc_enable = (bits & CPPC) != 0;
    options->allow_hwp_enable = (bits & HWP) != 0;
    return true;
}

static bool take_cpus(struct options *options, const char *value, const struct complaint *complaint)
{
    if (!cpuset_is_list(value, UINT32_MAX)) {
        option_value_complain(complaint, value, strlen(value), "a list of CPU numbers");
        textbuf_string(complaint->message, "one like 0-7,64");
        return false;
    }
    return option_value_text(value, complaint, options->cpus, sizeof(options->cpus));
}

/* "N" or "N-M". */
static bool take_msr_range(const char *piece, size_t length, const struct complaint *complaint,
                           struct msr_range *ret_range)
{
    size_t first_length = 0;
    struct msr_range range;

    while (first_length < length && piece[first_length] != '-') {
        first_length++;
    }
    if (!option_value_number(piece, first_length, complaint, &range.first)) {
        return false;
    }
    range.last = range.first;
    if (first_length < length &&
        !option_value_number(piece + first_length + 1, length - first_length - 1, complaint,
                             &range.last)) {
        return false;
    }
    if (range.last < range.first) {
        option_value_complain(complaint, piece, length, "an ascending range");
        textbuf_printf(complaint->message, "0x%x-0x%x", range.last, range.first);
        return false;
    }
    *ret_range = range;
    return true;
}

static bool take_skip_msr(struct options *options, const char *value,
                          const struct complaint *complaint)
{
    struct msr_range ranges[OPTIONS_SKIP_MAX];
    uint32_t count = 0;

    for (;;) {
        size_t length = strcspn(value, ",");

        if (count == OPTIONS_SKIP_MAX) {
            option_value_complain(complaint, value, strlen(value), "one of the first 32 ranges");
            textbuf_string(complaint->message, "a list without it");
            return false;
        }
        if (!take_msr_range(value, length, complaint, &ranges[count])) {
            return false;
        }
        count++;
        if (value[length] == '\0') {
            break;
        }
        value += length + 1;
    }
    memcpy(options->skip_msr, ranges, count * sizeof(ranges[0]));
    options->skip_msr_count = count;
    return true;
}

static bool take_osi(struct options *options, const char *value, const struct complaint *complaint)
{
    return option_value_text(value, complaint, options->osi, sizeof(options->osi));
}

static bool take_os_caps(struct options *options, const char *value,
                         const struct complaint *complaint)
{
    static const struct choice words[] = {{"none", CAPS_NONE}};
    size_t length = strcspn(value, ",");
    bool has_platform = value[length] == ',';
    uint32_t proc = 0;
    uint32_t platform = 0;

    if (strspn(value, DIGITS) == 0) {
        if (!option_value_choice(value, strlen(value), words, COUNT(words), complaint, &proc)) {
            textbuf_string(complaint->message, " or a number");
            return false;
        }
        options->caps = CAPS_NONE;
        return true;
    }
    if (!option_value_number(value, length, complaint, &proc) ||
        (has_platform && !option_value_number(value + length + 1, strlen(value + length + 1),
                                              complaint, &platform))) {
        return false;
    }
    options->caps = CAPS_GIVEN;
    options->proc_caps = proc;
    options->has_platform_caps = has_platform;
    options->platform_caps = platform;
    return true;
}

static bool take_samples(struct options *options, const char *value,
                         const struct complaint *complaint)
{
    return option_value_count(value, complaint, &options->samples);
}

static bool take_seconds(struct options *options, const char *value,
                         const struct complaint *complaint)
{
    return option_value_count(value, complaint, &options->seconds);
}

static bool take_tables(struct options *options, const char *value,
                        const struct complaint *complaint)
{
    return option_value_text(value, complaint, options->tables, sizeof(options->tables));
}

static bool take_expect(struct options *options, const char *value,
                        const struct complaint *complaint)
{
    return option_value_text(value, complaint, options->expect, sizeof(options->expect));
}

static bool take_out(struct options *options, const char *value, const struct complaint *complaint)
{
    if (!medium_path_is_folder(value)) {
        option_value_complain(complaint, value, strlen(value), "a folder for results");
        textbuf_string(complaint->message, "one like \\assay\\results");
        return false;
    }
    return option_value_text(value, complaint, options->out, sizeof(options->out));
}

static bool take_linux(struct options *options, const char *value,
                       const struct complaint *complaint)
{
    struct linux_version version;

    if (!linux_version_parse(value, &version)) {
        option_value_complain(complaint, value, strlen(value), "a kernel version");
        textbuf_string(complaint->message, "6.12, or one like 6.12.3, 5.11-rc4, 6.8.0-45-generic");
        return false;
    }
    return option_value_text(value, complaint, options->linux_version,
                             sizeof(options->linux_version));
}

static bool take_read_only(struct options *options, const char *value,
                           const struct complaint *complaint)
{
    (void)value;
    (void)complaint;
    options->is_read_only = true;
    return true;
}

static bool take_batch(struct options *options, const char *value,
                       const struct complaint *complaint)
{
    (void)value;
    (void)complaint;
    options->is_batch = true;
    return true;
}

static bool take_help(struct options *options, const char *value, const struct complaint *complaint)
{
    (void)value;
    (void)complaint;
    options->wants_help = true;
    return true;
}

static bool take_version(struct options *options, const char *value,
                         const struct complaint *complaint)
{
    (void)value;
    (void)complaint;
    options->wants_version = true;
    return true;
}

static const struct option known[] = {
    {"--run", "GROUP[,GROUP]", take_run},
    {"--read-only", NULL, take_read_only},
    {"--cpus", "LIST", take_cpus},
    {"--park", "hlt|mwait|spin", take_park},
    {"--skip-msr", "LIST", take_skip_msr},
    {"--allow", "NAME[,NAME]", take_allow},
    {"--osi", "LIST", take_osi},
    {"--os-caps", "PROC[,PLATFORM]|none", take_os_caps},
    {"--samples", "N", take_samples},
    {"--seconds", "N", take_seconds},
    {"--tables", "PATH", take_tables},
    {"--expect", "PATH", take_expect},
    {"--linux", "VERSION", take_linux},
    {"--out", "PATH", take_out},
    {"--format", "LIST", take_format},
    {"--letters", "auto|1-8", take_letters},
    {"--batch", NULL, take_batch},
    {"--exit", "debug-port|shutdown|reset|return", take_exit},
    {"--help", NULL, take_help},
    {"--version", NULL, take_version},
};

/* Without the dashes, which people forget: they would outweigh the letters of a short word. */
static const struct option *nearest_option(const char *name, size_t length)
{
    const struct option *nearest = &known[0];
    uint32_t nearest_so_far = UINT32_MAX;

    while (length > 0 && *name == '-') {
        name++;
        length--;
    }
    for (size_t i = 0; i < COUNT(known); i++) {
        uint32_t rank = nearest_rank(name, length, known[i].name + 2);

        if (rank < nearest_so_far) {
            nearest = &known[i];
            nearest_so_far = rank;
        }
    }
    return nearest;
}

static void reject(const char *word, const char *what, const struct option *nearest,
                   struct textbuf *message)
{
    textbuf_byte(message, '"');
    option_value_show(message, word, strlen(word));
    textbuf_printf(message, "\" %s; the nearest right one is %s", what, nearest->name);
    if (nearest->form != NULL) {
        textbuf_printf(message, "=%s", nearest->form);
    }
}

enum status options_take(struct options *options, const char *word, char *message,
                         size_t message_bytes)
{
    size_t length = strcspn(word, "=");
    const char *value = word[length] == '=' ? word + length + 1 : NULL;
    const struct option *option = nearest_option(word, length);
    struct textbuf out;
    struct complaint complaint = {.message = &out, .name = option->name, .value = value};

    textbuf_init(&out, message, message_bytes, NULL, NULL);
    if (!option_value_is(word, length, option->name)) {
        reject(word, "is not an option", option, &out);
        return STATUS_BAD_INPUT;
    }
    if (option->form == NULL && value != NULL) {
        reject(word, "takes no value", option, &out);
        return STATUS_BAD_INPUT;
    }
    if (option->form != NULL && (value == NULL || value[0] == '\0')) {
        reject(word, "needs a value", option, &out);
        return STATUS_BAD_INPUT;
    }
    return option->take(options, value, &complaint) ? STATUS_OK : STATUS_BAD_INPUT;
}

bool options_skips_msr(const struct options *options, uint32_t msr)
{
    for (uint32_t i = 0; i < options->skip_msr_count; i++) {
        if (msr >= options->skip_msr[i].first && msr <= options->skip_msr[i].last) {
            return true;
        }
    }
    return false;
}

const char *options_help(void)
{
    return "assay.efi [options], or the same words in \\assay\\assay.conf (# starts a comment)\n"
           "  --run=GROUP[,GROUP]  tables, clocks, frequency, idle, all (default);\n"
           "                       quick is tables,clocks\n"
           "  --read-only          write no MSR and nothing outside memory the OS may use\n"
           "  --cpus=LIST          only these CPUs, as Linux counts them: 0-7,64\n"
           "  --park=hlt|mwait|spin  what the CPUs not under test do (default: the deepest)\n"
           "  --skip-msr=LIST      leave these MSRs alone: 0x1ad,0x600-0x610\n"
           "  --allow=NAME[,NAME]  allow a one-way write: cppc-enable, hwp-enable\n"
           "  --osi=LIST           what _OSI says yes to\n"
           "  --os-caps=PROC[,PLATFORM]|none  capability words that _OSC and _PDC are given\n"
           "  --samples=N          samples of each timed quantity\n"
           "  --seconds=N          length of each timed part\n"
           "  --tables=PATH        ACPI tables from this folder instead of the firmware's\n"
           "  --expect=PATH        required values and limits, judged as rules\n"
           "  --linux=VERSION      the kernel whose view is shown first\n"
           "  --out=PATH           folder for results (default \\assay\\results)\n"
           "  --format=LIST        json,text,html,junit,tap,csv,snapshot (default: all)\n"
           "  --letters=auto|1-8   size of the letters on the screen (1: the firmware's)\n"
           "  --batch              ask nothing\n"
           "  --exit=debug-port|shutdown|reset|return  what to do at the end\n"
           "  --help, --version    say so and stop\n";
}

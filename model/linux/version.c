#include "model/linux/version.h"

#include "model/textbuf.h"

const struct linux_version LINUX_NEWEST = {6, 16, 0, 0, false};

#define RELEASE(major, minor)                                                                      \
    {                                                                                              \
        major, minor, 0, 0, false                                                                  \
    }

/* The releases at which a rule of ours changed, and those that distributions stay with. */
static const struct linux_version profiles[] = {
    RELEASE(5, 4),  RELEASE(5, 10), {5, 11, 0, 4, false}, RELEASE(5, 11),
    RELEASE(5, 12), RELEASE(5, 19), RELEASE(6, 0),        RELEASE(6, 6),
    RELEASE(6, 12), RELEASE(6, 14), RELEASE(6, 16),
};

uint32_t linux_profiles_count(void)
{
    return (uint32_t)(sizeof(profiles) / sizeof(profiles[0]));
}

struct linux_version linux_profile_at(uint32_t index)
{
    return profiles[index < linux_profiles_count() ? index : linux_profiles_count() - 1];
}

/* Kernel numbers have at most three digits; a longer one is a typing error, not a version. */
#define NUMBER_MAX 999

static bool take_number(const char **text, uint16_t *ret_number)
{
    uint32_t number = 0;
    const char *at = *text;

    while (*at >= '0' && *at <= '9') {
        number = number * 10 + (uint32_t)(*at - '0');
        if (number > NUMBER_MAX) {
            return false;
        }
        at++;
    }
    if (at == *text) {
        return false;
    }
    *text = at;
    *ret_number = (uint16_t)number;
    return true;
}

static bool take_candidate(const char **text, uint8_t *ret_rc)
{
    uint16_t number = 0;

    if ((*text)[0] != '-' || (*text)[1] != 'r' || (*text)[2] != 'c') {
        return false;
    }
    *text += 3;
    if (!take_number(text, &number) || number == 0 || number >= UINT8_MAX) {
        return false;
    }
    *ret_rc = (uint8_t)number;
    return true;
}

static bool is_candidate(const char *text)
{
    return text[0] == '-' && text[1] == 'r' && text[2] == 'c' &&
           (text[3] == '\0' || (text[3] >= '0' && text[3] <= '9'));
}

static bool is_word(char byte)
{
    return (byte >= '0' && byte <= '9') || (byte >= 'a' && byte <= 'z') ||
           (byte >= 'A' && byte <= 'Z') || byte == '.' || byte == '-' || byte == '+' ||
           byte == '_' || byte == '~';
}

/* What a distribution appends: one of four separators and at least one more byte of a file name. */
static bool take_suffix(const char *text, struct linux_version *version)
{
    if (*text == '\0') {
        return true;
    }
    version->has_suffix = true;
    if ((*text != '-' && *text != '+' && *text != '_' && *text != '~') || text[1] == '\0') {
        return false;
    }
    while (is_word(*text)) {
        text++;
    }
    return *text == '\0';
}

/* ".SUBLEVEL" and "-rcN", each optional; a stable release has no candidates. */
static bool take_tail(const char **text, struct linux_version *version)
{
    if (**text == '.') {
        ++*text;
        if (!take_number(text, &version->sublevel)) {
            return false;
        }
    }
    if (is_candidate(*text) && !take_candidate(text, &version->rc)) {
        return false;
    }
    return (version->rc == 0 || version->sublevel == 0) && take_suffix(*text, version);
}

bool linux_version_parse(const char *text, struct linux_version *ret_version)
{
    struct linux_version version = {0};

    if (*text == 'v' || *text == 'V') {
        text++;
    }
    if (!take_number(&text, &version.major) || *text != '.') {
        return false;
    }
    text++;
    if (!take_number(&text, &version.minor) || !take_tail(&text, &version)) {
        return false;
    }
    *ret_version = version;
    return true;
}

/* A candidate has sublevel 0, so it sorts below its release and below every stable release. */
static uint64_t order(struct linux_version version)
{
    uint64_t rc = version.rc == 0 ? UINT8_MAX : version.rc;

    return (uint64_t)version.major << 48 | (uint64_t)version.minor << 32 |
           (uint64_t)version.sublevel << 8 | rc;
}

int linux_version_compare(struct linux_version a, struct linux_version b)
{
    uint64_t order_a = order(a);
    uint64_t order_b = order(b);

    return order_a < order_b ? -1 : order_a > order_b;
}

bool linux_version_since(struct linux_version version, struct linux_version since)
{
    return linux_version_compare(version, since) >= 0;
}

void linux_version_format(struct linux_version version, char *text, size_t text_bytes)
{
    struct textbuf out;

    textbuf_init(&out, text, text_bytes, NULL, NULL);
    textbuf_printf(&out, "%u.%u", version.major, version.minor);
    if (version.sublevel != 0) {
        textbuf_printf(&out, ".%u", version.sublevel);
    }
    if (version.rc != 0) {
        textbuf_printf(&out, "-rc%u", version.rc);
    }
}

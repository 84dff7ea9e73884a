#include "tests/sim/markup.h"

#include "model/utf8.h"

#include <string.h>

#define DEPTH_MAX 64
#define NAME_BYTES 32

struct markup {
    enum markup_kind kind;
    const char *text;
    size_t length;
    size_t at;
    unsigned depth;
    char open[DEPTH_MAX][NAME_BYTES];
};

static bool starts(const struct markup *markup, const char *word)
{
    size_t bytes = strlen(word);

    return markup->length - markup->at >= bytes &&
           memcmp(markup->text + markup->at, word, bytes) == 0;
}

static bool skip_to(struct markup *markup, const char *word)
{
    for (; markup->at < markup->length; markup->at++) {
        if (starts(markup, word)) {
            return true;
        }
    }
    return false;
}

static const char *characters(const struct markup *markup, size_t *ret_at)
{
    for (size_t at = 0; at < markup->length;) {
        bool is_valid = false;
        unsigned char byte = (unsigned char)markup->text[at];
        size_t bytes = utf8_sequence(markup->text + at, markup->length - at, &is_valid);

        *ret_at = at;
        if (!is_valid) {
            return "not UTF-8";
        }
        if ((byte < ' ' && byte != '\n' && byte != '\t') || byte == 0x7f) {
            return "a control character";
        }
        at += bytes;
    }
    return NULL;
}

/* The five references of XML, and numbers. */
static const char *reference(const struct markup *markup)
{
    static const char *const known[] = {"&lt;", "&gt;", "&amp;", "&quot;", "&apos;"};
    size_t at = markup->at + 2;

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        if (starts(markup, known[i])) {
            return NULL;
        }
    }
    if (!starts(markup, "&#")) {
        return "an & that begins no reference";
    }
    while (at < markup->length && strchr("x0123456789abcdefABCDEF", markup->text[at]) != NULL) {
        at++;
    }
    return at < markup->length && markup->text[at] == ';' ? NULL : "a broken numeric reference";
}

static bool is_void(const struct markup *markup, const char *name)
{
    static const char *const names[] = {"meta", "link", "br", "input"};

    for (size_t i = 0; markup->kind == MARKUP_HTML && i < sizeof(names) / sizeof(names[0]); i++) {
        if (strcmp(name, names[i]) == 0) {
            return true;
        }
    }
    return false;
}

/* The length of the name at `at`; 0 when there is none or it is too long for us. */
static size_t name_of(const struct markup *markup, size_t at, char *ret_name)
{
    size_t length = 0;

    while (at + length < markup->length && length < NAME_BYTES - 1 &&
           strchr(" />\n", markup->text[at + length]) == NULL) {
        length++;
    }
    memcpy(ret_name, markup->text + at, length);
    ret_name[length] = '\0';
    return length;
}

/* Goes to the > that ends the tag; < may stand in no value. */
static const char *attributes(struct markup *markup)
{
    bool is_quoted = false;

    for (; markup->at < markup->length; markup->at++) {
        char c = markup->text[markup->at];
        const char *problem = NULL;

        if (c == '"') {
            is_quoted = !is_quoted;
        } else if (c == '<') {
            problem = "a < within a tag";
        } else if (c == '&') {
            problem = reference(markup);
        } else if (c == '>' && !is_quoted) {
            return NULL;
        }
        if (problem != NULL) {
            return problem;
        }
    }
    return "a tag that does not end";
}

static const char *opened(struct markup *markup)
{
    char name[NAME_BYTES];
    const char *problem;

    if (name_of(markup, markup->at + 1, name) == 0) {
        return "a < that begins no element";
    }
    markup->at++;
    problem = attributes(markup);
    if (problem != NULL || markup->text[markup->at - 1] == '/' || is_void(markup, name)) {
        return problem;
    }
    if (markup->depth == DEPTH_MAX) {
        return "too many elements within each other";
    }
    memcpy(markup->open[markup->depth++], name, NAME_BYTES);
    if (markup->kind == MARKUP_HTML && strcmp(name, "style") == 0 && !skip_to(markup, "</style>")) {
        return "a style that does not end";
    }
    if (markup->kind == MARKUP_HTML && strcmp(name, "script") == 0 &&
        !skip_to(markup, "</script>")) {
        return "a script that does not end";
    }
    /* The loop steps over the character we stand on: that of a raw text's end tag is still to be read. */
    markup->at -= markup->text[markup->at] == '<' ? 1 : 0;
    return NULL;
}

static const char *closed(struct markup *markup)
{
    char name[NAME_BYTES];

    (void)name_of(markup, markup->at + 2, name);
    if (markup->depth == 0 || strcmp(markup->open[--markup->depth], name) != 0) {
        return "an end tag without its start tag";
    }
    markup->at++;
    return attributes(markup);
}

static const char *declaration(struct markup *markup)
{
    if (starts(markup, "<![CDATA[")) {
        return markup->kind == MARKUP_XML && skip_to(markup, "]]>") ? NULL : "a CDATA section";
    }
    if (starts(markup, "<!--")) {
        return skip_to(markup, "-->") ? NULL : "a comment that does not end";
    }
    return skip_to(markup, ">") ? NULL : "a declaration that does not end";
}

static const char *one(struct markup *markup)
{
    if (starts(markup, "<!") || starts(markup, "<?")) {
        return declaration(markup);
    }
    if (starts(markup, "</")) {
        return closed(markup);
    }
    if (starts(markup, "<")) {
        return opened(markup);
    }
    return starts(markup, "&") ? reference(markup) : NULL;
}

const char *markup_problem(enum markup_kind kind, const char *text, size_t length, size_t *ret_at)
{
    struct markup markup = {.kind = kind, .text = text, .length = length};
    const char *problem = characters(&markup, ret_at);

    for (; problem == NULL && markup.at < length; markup.at++) {
        *ret_at = markup.at;
        problem = one(&markup);
    }
    if (problem == NULL && markup.depth > 0) {
        problem = "an element that is not closed";
    }
    return problem;
}

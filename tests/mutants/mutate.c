/* mutate list FILE: the mutants of a C source, one a line: number, line, kind, mutated line.
 * mutate show FILE NUMBER: the source with that one change, to standard output.
 * mutate choose SEED COUNT: of the lines of standard input COUNT by chance, the same for the same
 * seed, as evenly over the files (their first word) as it goes.
 *
 * A mutant is a slip that a programmer makes: the neighbour of a comparison, "and" for "or", a
 * condition the wrong way round, a constant off by one, plus for minus, a return that is missing.
 * Comments, strings, preprocessor lines, static assertions and sizes of arrays are left alone. */

#include <ctype.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SOURCE_BYTES_MAX (1U << 20)
#define TOKENS_MAX (1U << 17)
#define CHOICES_MAX (1U << 16)
#define SPAN_BYTES_MAX 4096

enum kind { KIND_NAME, KIND_NUMBER, KIND_SIGN };

struct token {
    enum kind kind;
    size_t start;
    size_t len;
    uint32_t depth; /* of braces around it */
};

/* One change: the bytes from start to end become text. */
struct mutant {
    const char *kind;
    size_t start;
    size_t end;
    char text[SPAN_BYTES_MAX + 16];
};

static char source[SOURCE_BYTES_MAX];
static size_t source_bytes;
static struct token tokens[TOKENS_MAX];
static size_t token_count;

static void fail(const char *what)
{
    fprintf(stderr, "mutate: %s\n", what);
    exit(2);
}

static void load(const char *path)
{
    FILE *file = fopen(path, "rb");

    if (file == NULL) {
        fail("cannot open the source");
    }
    source_bytes = fread(source, 1, sizeof(source) - 1, file);
    if (source_bytes == sizeof(source) - 1) {
        fail("the source is too long");
    }
    (void)fclose(file);
}

/* --- Tokens. */

static size_t end_of_comment(size_t at)
{
    const char *end = strstr(source + at + 2, "*/");

    return end == NULL ? source_bytes : (size_t)(end - source) + 2;
}

/* A string or a character, escapes included. */
static size_t end_of_quoted(size_t at)
{
    size_t end = at + 1;

    while (end < source_bytes && source[end] != source[at]) {
        end += source[end] == '\\' ? 2 : 1;
    }
    return end + 1;
}

static size_t end_of_directive(size_t at)
{
    while (at < source_bytes && source[at] != '\n') {
        at += source[at] == '\\' ? 2 : 1;
    }
    return at;
}

static size_t sign_len(size_t at)
{
    static const char *const signs[] = {"<<=", ">>=", "...", "->", "++", "--", "<<", ">>",
                                        "<=",  ">=",  "==",  "!=", "&&", "||", "+=", "-=",
                                        "*=",  "/=",  "%=",  "&=", "|=", "^="};

    for (size_t i = 0; i < sizeof(signs) / sizeof(signs[0]); i++) {
        if (strncmp(source + at, signs[i], strlen(signs[i])) == 0) {
            return strlen(signs[i]);
        }
    }
    return 1;
}

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static size_t word_len(size_t at)
{
    size_t len = 0;

    while (at + len < source_bytes && is_word(source[at + len])) {
        len++;
    }
    return len;
}

static void add_token(size_t at, uint32_t *depth)
{
    struct token *token = &tokens[token_count];

    if (token_count + 1 >= TOKENS_MAX) {
        fail("too many tokens");
    }
    token->start = at;
    token->kind = KIND_SIGN;
    if (is_word(source[at])) {
        token->kind = isdigit((unsigned char)source[at]) ? KIND_NUMBER : KIND_NAME;
        token->len = word_len(at);
    } else {
        token->len = sign_len(at);
    }
    *depth -= source[at] == '}' && *depth > 0;
    token->depth = *depth;
    *depth += source[at] == '{';
    token_count++;
}

static void tokenize(void)
{
    bool is_line_start = true;
    uint32_t depth = 0;

    for (size_t at = 0; at < source_bytes;) {
        char c = source[at];

        if (isspace((unsigned char)c)) {
            is_line_start |= c == '\n';
            at++;
        } else if (c == '/' && source[at + 1] == '*') {
            at = end_of_comment(at);
        } else if (c == '#' && is_line_start) {
            at = end_of_directive(at);
        } else if (c == '"' || c == '\'') {
            at = end_of_quoted(at);
            is_line_start = false;
        } else {
            add_token(at, &depth);
            at += tokens[token_count - 1].len;
            is_line_start = false;
        }
    }
}

static bool is(size_t index, const char *text)
{
    return index < token_count && tokens[index].len == strlen(text) &&
           strncmp(source + tokens[index].start, text, tokens[index].len) == 0;
}

/* The token that closes the bracket at index, or token_count. */
static size_t closing(size_t index, const char *open, const char *close)
{
    uint32_t depth = 0;

    for (size_t i = index; i < token_count; i++) {
        depth += is(i, open);
        if (is(i, close) && --depth == 0) {
            return i;
        }
    }
    return token_count;
}

/* --- What a token can become. */

static struct mutant mutant;

static bool replace(const char *kind, size_t first, size_t last, const char *before,
                    const char *after, bool is_kept)
{
    size_t start = tokens[first].start;
    size_t end = tokens[last].start + tokens[last].len;

    if (end - start > SPAN_BYTES_MAX) {
        return false;
    }
    mutant.kind = kind;
    mutant.start = start;
    mutant.end = end;
    (void)snprintf(mutant.text, sizeof(mutant.text), "%s%.*s%s", before,
                   is_kept ? (int)(end - start) : 0, source + start, after);
    return true;
}

static bool is_operand_end(size_t index)
{
    return tokens[index].kind == KIND_NUMBER || is(index, ")") || is(index, "]") ||
           (tokens[index].kind == KIND_NAME && !is(index, "return") && !is(index, "case"));
}

static bool mutate_sign(size_t i)
{
    static const struct {
        const char *sign;
        const char *instead;
        const char *kind;
    } swaps[] = {
        {"<", "<=", "comparison"},  {"<=", "<", "comparison"},  {">", ">=", "comparison"},
        {">=", ">", "comparison"},  {"==", "!=", "comparison"}, {"!=", "==", "comparison"},
        {"&&", "||", "connective"}, {"||", "&&", "connective"}, {"+=", "-=", "arithmetic"},
        {"-=", "+=", "arithmetic"},
    };

    for (size_t k = 0; k < sizeof(swaps) / sizeof(swaps[0]); k++) {
        if (is(i, swaps[k].sign)) {
            return replace(swaps[k].kind, i, i, swaps[k].instead, "", false);
        }
    }
    if (is(i, "!")) {
        return replace("negation", i, i, " ", "", false);
    }
    if ((is(i, "+") || is(i, "-")) && i > 0 && is_operand_end(i - 1)) {
        return replace("arithmetic", i, i, is(i, "+") ? "-" : "+", "", false);
    }
    return false;
}

/* The size of an array that is declared: "type name[8]". */
static bool is_array_size(size_t i)
{
    return i >= 3 && is(i - 1, "[") && tokens[i - 2].kind == KIND_NAME &&
           (tokens[i - 3].kind == KIND_NAME || is(i - 3, "*")) && !is(i - 3, "return");
}

static bool mutate_return(size_t i)
{
    size_t end = i;

    while (end < token_count && !is(end, ";")) {
        end++;
    }
    /* The last one of a function is left: without it nothing is defined. */
    if (end + 1 >= token_count || (is(end + 1, "}") && tokens[end + 1].depth == 0)) {
        return false;
    }
    if (end == i + 1) {
        return replace("return", i, end, ";", "", false);
    }
    if (!replace("return", i, end, "", "", true)) {
        return false;
    }
    (void)snprintf(mutant.text, sizeof(mutant.text), "(void)(%.*s);",
                   (int)(tokens[end].start - tokens[i + 1].start), source + tokens[i + 1].start);
    return true;
}

static bool mutate_token(size_t i)
{
    if (tokens[i].kind == KIND_SIGN) {
        return mutate_sign(i);
    }
    if (tokens[i].kind == KIND_NUMBER) {
        return !is_array_size(i) && replace("constant", i, i, "(", " + 1)", true);
    }
    if (is(i, "if") && is(i + 1, "(")) {
        size_t end = closing(i + 1, "(", ")");

        return end < token_count && replace("condition", i + 1, end, "(!", ")", true);
    }
    return is(i, "return") && mutate_return(i);
}

/* --- The commands. */

static size_t line_start(size_t at)
{
    while (at > 0 && source[at - 1] != '\n') {
        at--;
    }
    return at;
}

static uint32_t line_number(size_t at)
{
    uint32_t line = 1;

    for (size_t i = 0; i < at; i++) {
        line += source[i] == '\n';
    }
    return line;
}

static void put_on_one_line(const char *text, size_t len, bool *is_gap)
{
    for (size_t i = 0; i < len; i++) {
        if (isspace((unsigned char)text[i])) {
            *is_gap = true;
            continue;
        }
        if (*is_gap) {
            putchar(' ');
        }
        *is_gap = false;
        putchar(text[i]);
    }
}

/* The changed line, or lines, as one, with single spaces: the name of a mutant that survives a
 * change of the source around it. */
static void print_changed(void)
{
    size_t start = line_start(mutant.start);
    const char *end = strchr(source + mutant.end, '\n');
    bool is_gap = false;

    while (isspace((unsigned char)source[start]) && start < mutant.start) {
        start++;
    }
    put_on_one_line(source + start, mutant.start - start, &is_gap);
    put_on_one_line(mutant.text, strlen(mutant.text), &is_gap);
    put_on_one_line(source + mutant.end, end == NULL ? 0 : (size_t)(end - source) - mutant.end,
                    &is_gap);
    putchar('\n');
}

static void print_source(void)
{
    (void)fwrite(source, 1, mutant.start, stdout);
    fputs(mutant.text, stdout);
    (void)fwrite(source + mutant.end, 1, source_bytes - mutant.end, stdout);
}

/* wanted 0: all are listed; otherwise that one is shown. */
static bool walk(uint32_t wanted)
{
    uint32_t number = 0;

    for (size_t i = 0; i < token_count; i++) {
        if (is(i, "_Static_assert")) {
            i = closing(i + 1, "(", ")");
        } else if (mutate_token(i)) {
            number++;
            if (number == wanted) {
                print_source();
                return true;
            }
            if (wanted == 0) {
                printf("%u\t%u\t%s\t", number, line_number(mutant.start), mutant.kind);
                print_changed();
            }
        }
    }
    return wanted == 0;
}

/* --- Choosing. */

struct choice {
    char *line;
    size_t file_len; /* the first word */
    uint64_t rank;
    uint32_t turn; /* how many of the same file come before it */
};

static struct choice choices[CHOICES_MAX];

/* splitmix64: spreads the bits of its input evenly. */
static uint64_t scramble(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ (x >> 30)) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ (x >> 27)) * UINT64_C(0x94D049BB133111EB);
    return x ^ (x >> 31);
}

static int by_file_and_rank(const void *left, const void *right)
{
    const struct choice *a = left;
    const struct choice *b = right;
    size_t len = a->file_len < b->file_len ? a->file_len : b->file_len;
    int order = strncmp(a->line, b->line, len + 1);

    if (order != 0) {
        return order;
    }
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static int by_turn(const void *left, const void *right)
{
    const struct choice *a = left;
    const struct choice *b = right;

    if (a->turn != b->turn) {
        return a->turn < b->turn ? -1 : 1;
    }
    return a->rank < b->rank ? -1 : a->rank > b->rank;
}

static bool is_same_file(const struct choice *a, const struct choice *b)
{
    return a->file_len == b->file_len && strncmp(a->line, b->line, a->file_len) == 0;
}

static void choose(uint64_t seed, size_t wanted)
{
    size_t count = 0;
    char line[2 * SPAN_BYTES_MAX];

    while (count < CHOICES_MAX && fgets(line, sizeof(line), stdin) != NULL) {
        struct choice *choice = &choices[count];

        choice->line = strdup(line);
        choice->file_len = strcspn(line, "\t");
        choice->rank = scramble(seed ^ scramble(count));
        count++;
    }
    qsort(choices, count, sizeof(choices[0]), by_file_and_rank);
    for (size_t i = 1; i < count; i++) {
        choices[i].turn = is_same_file(&choices[i - 1], &choices[i]) ? choices[i - 1].turn + 1 : 0;
    }
    qsort(choices, count, sizeof(choices[0]), by_turn);
    for (size_t i = 0; i < count && i < wanted; i++) {
        fputs(choices[i].line, stdout);
    }
}

int main(int argc, char **argv)
{
    if (argc == 4 && strcmp(argv[1], "choose") == 0) {
        choose(strtoull(argv[2], NULL, 10), strtoull(argv[3], NULL, 10));
        return 0;
    }
    if (argc < 3) {
        fail("mutate list FILE | mutate show FILE NUMBER | mutate choose SEED COUNT");
    }
    load(argv[2]);
    tokenize();
    return walk(argc > 3 ? (uint32_t)strtoul(argv[3], NULL, 10) : 0) ? 0 : 1;
}

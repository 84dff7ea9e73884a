#include "rules/expect_line.h"

#include "model/textbuf.h"

#include <string.h>

/* The words of a line: blanks separate them, "..." holds a reason. */
struct words {
    const char *at;
    const char *end;
    char *message;
    size_t message_bytes;
};

static enum status complain(struct words *words, const char *what, const char *word)
{
    struct textbuf out;

    textbuf_init(&out, words->message, words->message_bytes, NULL, NULL);
    textbuf_printf(&out, "%s \"%s\"", what, word);
    (void)textbuf_finish(&out);
    return STATUS_BAD_INPUT;
}

static void skip_blanks(struct words *words)
{
    while (words->at < words->end &&
           (*words->at == ' ' || *words->at == '\t' || *words->at == '\r')) {
        words->at++;
    }
}

static bool is_operator_byte(char byte)
{
    return byte == '=' || byte == '<' || byte == '>' || byte == '!';
}

/* The next word, cut to what fits; empty at the end. An operator needs no blanks around it, but for the = of
 * cpus= and kind=. */
static void next_word(struct words *words, char *word)
{
    size_t used = 0;
    bool is_operator;

    skip_blanks(words);
    is_operator = words->at < words->end && is_operator_byte(*words->at);
    while (words->at < words->end && *words->at != ' ' && *words->at != '\t' &&
           *words->at != '\r' && is_operator_byte(*words->at) == is_operator) {
        if (used + 1 < EXPECT_WORD_BYTES) {
            word[used++] = *words->at;
        }
        words->at++;
    }
    word[used] = '\0';
}

static bool take_number(const char **at, uint64_t *ret_number)
{
    bool is_hex = (*at)[0] == '0' && ((*at)[1] == 'x' || (*at)[1] == 'X');
    const char *digit = *at + (is_hex ? 2 : 0);
    uint64_t base = is_hex ? 16 : 10;
    uint64_t number = 0;
    const char *first = digit;

    for (;; digit++) {
        uint64_t value = *digit >= '0' && *digit <= '9'             ? (uint64_t)(*digit - '0')
                         : is_hex && *digit >= 'a' && *digit <= 'f' ? (uint64_t)(*digit - 'a' + 10)
                         : is_hex && *digit >= 'A' && *digit <= 'F' ? (uint64_t)(*digit - 'A' + 10)
                                                                    : 99;

        if (value == 99 || number > (UINT64_MAX - value) / base) {
            break;
        }
        number = number * base + value;
    }
    *at = digit;
    *ret_number = number;
    return digit > first;
}

static bool take_unit(const char *unit, struct expect_number *number)
{
    static const struct {
        const char *name;
        enum expect_dimension dimension;
        uint64_t unit;
    } units[] = {
        {"", EXPECT_PLAIN, 1},
        {"Hz", EXPECT_FREQUENCY, 1},
        {"kHz", EXPECT_FREQUENCY, 1000},
        {"MHz", EXPECT_FREQUENCY, 1000000},
        {"GHz", EXPECT_FREQUENCY, 1000000000},
        {"ns", EXPECT_TIME, 1},
        {"us", EXPECT_TIME, 1000},
        {"ms", EXPECT_TIME, 1000000},
        {"s", EXPECT_TIME, 1000000000},
        {"mW", EXPECT_POWER, 1},
        {"W", EXPECT_POWER, 1000},
    };

    for (size_t i = 0; i < sizeof(units) / sizeof(units[0]); i++) {
        if (strcmp(unit, units[i].name) == 0) {
            number->dimension = units[i].dimension;
            number->unit = units[i].unit;
            return true;
        }
    }
    return false;
}

/* A number with its unit, joined or as the next word. */
static enum status parse_number(struct words *words, const char *word, struct expect_number *number)
{
    const char *at = word;
    const char *kept = words->at;
    char unit[EXPECT_WORD_BYTES];

    if (!take_number(&at, &number->value)) {
        return complain(words, "a number is expected, not", word);
    }
    if (*at == '\0') {
        next_word(words, unit);
        if (!take_unit(unit, number)) {
            words->at = kept;
            return complain(words, "no such unit:", unit);
        }
        return STATUS_OK;
    }
    return take_unit(at, number) ? STATUS_OK : complain(words, "no such unit:", at);
}

/* "A..B[unit]": the unit is that of both. */
static enum status parse_range(struct words *words, struct expect_line *line)
{
    char word[EXPECT_WORD_BYTES] = "";
    const char *at = word;
    enum status status;

    next_word(words, word);
    if (!take_number(&at, &line->low.value) || strncmp(at, "..", 2) != 0) {
        return complain(words, "a range A..B is expected, not", word);
    }
    status = parse_number(words, at + 2, &line->high);
    line->low.dimension = line->high.dimension;
    line->low.unit = line->high.unit;
    return status;
}

/* "N% of V[unit]" */
static enum status parse_within(struct words *words, struct expect_line *line)
{
    char word[EXPECT_WORD_BYTES] = "";
    const char *at = word;

    next_word(words, word);
    if (!take_number(&at, &line->pct) || strcmp(at, "%") != 0) {
        return complain(words, "a percentage is expected, not", word);
    }
    next_word(words, word);
    if (strcmp(word, "of") != 0) {
        return complain(words, "\"of\" is expected, not", word);
    }
    next_word(words, word);
    return parse_number(words, word, &line->low);
}

static enum status parse_comparison(struct words *words, struct expect_line *line)
{
    static const char *const operators[] = {"=", "!=", "<", "<=", ">", ">="};
    char word[EXPECT_WORD_BYTES] = "";

    next_word(words, word);
    if (strcmp(word, "within") == 0) {
        line->comparison = EXPECT_WITHIN;
        return parse_within(words, line);
    }
    if (strcmp(word, "in") == 0) {
        line->comparison = EXPECT_IN;
        return parse_range(words, line);
    }
    for (unsigned i = 0; i < sizeof(operators) / sizeof(operators[0]); i++) {
        if (strcmp(word, operators[i]) == 0) {
            line->comparison = (enum expect_operator)i;
            next_word(words, word);
            return parse_number(words, word, &line->low);
        }
    }
    return complain(words, "= != < <= > >= within or in is expected, not", word);
}

/* "cpus=LIST" or "kind=P"; anything else is left where it is. */
static enum status parse_choice(struct words *words, struct expect_line *line)
{
    const char *kept = words->at;
    char name[EXPECT_WORD_BYTES];
    char word[EXPECT_WORD_BYTES] = "";

    next_word(words, name);
    if ((strcmp(name, "cpus") != 0 && strcmp(name, "kind") != 0) || words->at == words->end ||
        *words->at != '=') {
        words->at = kept;
        return STATUS_OK;
    }
    words->at++;
    next_word(words, word);
    if (strcmp(name, "kind") == 0) {
        line->core_type = strcmp(word, "P") == 0   ? EXPECT_CORE_P
                          : strcmp(word, "E") == 0 ? EXPECT_CORE_E
                                                   : EXPECT_CORE_ANY;
        return line->core_type != EXPECT_CORE_ANY ? STATUS_OK
                                                  : complain(words, "kind is P or E, not", word);
    }
    line->has_cpus = true;
    return cpuset_parse(word, &line->cpus) == STATUS_OK
               ? STATUS_OK
               : complain(words, "no list of this machine's CPUs:", word);
}

/* yyyy-mm-dd as one number, 0 when it is none. */
static uint32_t day_of(const char *word)
{
    uint32_t day = 0;

    if (strlen(word) != 10 || word[4] != '-' || word[7] != '-') {
        return 0;
    }
    for (unsigned i = 0; i < 10; i++) {
        if (i == 4 || i == 7) {
            continue;
        }
        if (word[i] < '0' || word[i] > '9') {
            return 0;
        }
        day = day * 10 + (uint32_t)(word[i] - '0');
    }
    return day % 100 >= 1 && day % 100 <= 31 && day / 100 % 100 >= 1 && day / 100 % 100 <= 12 ? day
                                                                                              : 0;
}

static enum status parse_reason(struct words *words, struct expect_line *line)
{
    size_t used = 0;

    skip_blanks(words);
    if (words->at == words->end || *words->at != '"') {
        return complain(words, "a reason in quotes is expected after", "until");
    }
    for (words->at++; words->at < words->end && *words->at != '"'; words->at++) {
        if (used + 1 < sizeof(line->reason)) {
            line->reason[used++] = *words->at;
        }
    }
    if (words->at == words->end || used == 0) {
        return complain(words, "the reason is empty or its quote is open:", line->reason);
    }
    words->at++;
    return STATUS_OK;
}

static enum status parse_waiver(struct words *words, struct expect_line *line)
{
    char word[EXPECT_WORD_BYTES] = "";
    enum status status;

    line->is_waiver = true;
    next_word(words, line->path);
    status = parse_choice(words, line);
    if (status != STATUS_OK) {
        return status;
    }
    next_word(words, word);
    if (strcmp(word, "until") != 0) {
        return complain(words, "until YYYY-MM-DD is expected, not", word);
    }
    next_word(words, word);
    line->until_yyyymmdd = day_of(word);
    if (line->until_yyyymmdd == 0) {
        return complain(words, "no date YYYY-MM-DD:", word);
    }
    return parse_reason(words, line);
}

static enum status parse_words(struct words *words, struct expect_line *line)
{
    char word[EXPECT_WORD_BYTES] = "";
    enum status status = parse_choice(words, line);

    if (status != STATUS_OK) {
        return status;
    }
    next_word(words, line->path);
    if (strcmp(line->path, "waive") == 0) {
        status = parse_waiver(words, line);
    } else {
        status = parse_comparison(words, line);
    }
    if (status != STATUS_OK) {
        return status;
    }
    next_word(words, word);
    return word[0] == '\0' ? STATUS_OK : complain(words, "nothing may follow, but there is", word);
}

/* Where a comment begins that is not inside the quotes of a reason. */
static size_t comment_start(const char *text, size_t length)
{
    bool is_quoted = false;

    for (size_t i = 0; i < length; i++) {
        is_quoted = text[i] == '"' ? !is_quoted : is_quoted;
        if (text[i] == '#' && !is_quoted) {
            return i;
        }
    }
    return length;
}

enum status expect_line_parse(const char *text, size_t length, struct cpuset cpus,
                              struct expect_line *ret_line, char *message, size_t message_bytes)
{
    struct words words = {.at = text,
                          .end = text + comment_start(text, length),
                          .message = message,
                          .message_bytes = message_bytes};

    memset(ret_line, 0, sizeof(*ret_line));
    ret_line->cpus = cpus;
    skip_blanks(&words);
    if (words.at == words.end) {
        ret_line->is_empty = true;
        return STATUS_OK;
    }
    return parse_words(&words, ret_line);
}

#include "model/textbuf.h"

#include <string.h>

/* Every size that printf knows is 4 bytes or fewer (promoted to int) or 8, in both builds. */
_Static_assert(sizeof(int) == 4 && sizeof(long) == 8 && sizeof(long long) == 8 &&
                   sizeof(size_t) == 8,
               "the sizes that take_unsigned relies on");

/* A width from a format or an argument beyond this is a mistake, not a wish. */
#define WIDTH_MAX 4096
#define DIGITS_MAX 20 /* of 2^64 - 1 in decimal */

/* One conversion of a format: %[flags][width][.precision][size]conversion. */
struct conversion {
    bool is_left;
    bool is_zero;
    bool has_precision;
    unsigned size_bytes;
    size_t width;
    size_t precision;
};

struct arguments {
    va_list list;
};

void textbuf_init(struct textbuf *text, char *buffer, size_t capacity, textbuf_flush flush,
                  void *context)
{
    memset(text, 0, sizeof(*text));
    text->buffer = buffer;
    text->capacity = capacity;
    text->flush = flush;
    text->context = context;
    if (flush == NULL && capacity > 0) {
        buffer[0] = '\0';
    }
}

static void flush_buffer(struct textbuf *text)
{
    if (text->length > 0 && !text->flush(text->context, text->buffer, text->length)) {
        text->has_failed = true;
    }
    text->length = 0;
}

/* Room for at least one byte afterwards, unless the buffer is full for good. */
static size_t make_room(struct textbuf *text)
{
    if (text->flush == NULL) {
        return text->capacity == 0 ? 0 : text->capacity - 1 - text->length;
    }
    if (text->length == text->capacity) {
        flush_buffer(text);
    }
    return text->capacity - text->length;
}

void textbuf_bytes(struct textbuf *text, const char *bytes, size_t length)
{
    text->written_bytes += length;
    while (length > 0) {
        size_t room = make_room(text);
        size_t piece = length < room ? length : room;

        if (piece == 0) {
            text->has_failed = true;
            break;
        }
        memcpy(text->buffer + text->length, bytes, piece);
        text->length += piece;
        bytes += piece;
        length -= piece;
    }
    if (text->flush == NULL && text->capacity > 0) {
        text->buffer[text->length] = '\0';
    }
}

void textbuf_byte(struct textbuf *text, char byte)
{
    textbuf_bytes(text, &byte, 1);
}

void textbuf_string(struct textbuf *text, const char *string)
{
    textbuf_bytes(text, string, strlen(string));
}

bool textbuf_finish(struct textbuf *text)
{
    if (text->flush != NULL) {
        flush_buffer(text);
    }
    return !text->has_failed;
}

static void repeat(struct textbuf *text, char byte, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        textbuf_byte(text, byte);
    }
}

/* Puts `body` after `prefix` and `zeros` zeros into a field of the conversion's width. */
static void put_field(struct textbuf *text, const struct conversion *conversion, const char *prefix,
                      size_t zeros, const char *body, size_t body_length)
{
    size_t length = strlen(prefix) + zeros + body_length;
    size_t blanks = conversion->width > length ? conversion->width - length : 0;

    if (!conversion->is_left) {
        repeat(text, ' ', blanks);
    }
    textbuf_string(text, prefix);
    repeat(text, '0', zeros);
    textbuf_bytes(text, body, body_length);
    if (conversion->is_left) {
        repeat(text, ' ', blanks);
    }
}

static void put_number(struct textbuf *text, const struct conversion *conversion,
                       const char *prefix, uint64_t value, char base)
{
    const char *alphabet = base == 'X' ? "0123456789ABCDEF" : "0123456789abcdef";
    uint64_t radix = base == 'd' ? 10 : 16;
    char digits[DIGITS_MAX];
    size_t start = sizeof(digits);
    size_t length;
    size_t wanted = conversion->precision < WIDTH_MAX ? conversion->precision : WIDTH_MAX;

    while (value != 0 || (start == sizeof(digits) && !conversion->has_precision)) {
        digits[--start] = alphabet[value % radix];
        value /= radix;
    }
    length = sizeof(digits) - start;
    if (!conversion->has_precision && conversion->is_zero && !conversion->is_left) {
        wanted = conversion->width > strlen(prefix) ? conversion->width - strlen(prefix) : 0;
    }
    put_field(text, conversion, prefix, wanted > length ? wanted - length : 0, digits + start,
              length);
}

static uint64_t take_unsigned(const struct conversion *conversion, struct arguments *arguments)
{
    if (conversion->size_bytes == 8) {
        return va_arg(arguments->list, unsigned long long);
    }
    return va_arg(arguments->list, unsigned) &
           (UINT32_MAX >> (8 * (sizeof(unsigned) - conversion->size_bytes)));
}

static int64_t take_signed(const struct conversion *conversion, struct arguments *arguments)
{
    int value;

    if (conversion->size_bytes == 8) {
        return va_arg(arguments->list, long long);
    }
    value = va_arg(arguments->list, int);
    if (conversion->size_bytes == 4) {
        return value;
    }
    return conversion->size_bytes == 2 ? (int16_t)value : (int8_t)value;
}

static void put_signed(struct textbuf *text, const struct conversion *conversion, int64_t value)
{
    uint64_t magnitude = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;

    put_number(text, conversion, value < 0 ? "-" : "", magnitude, 'd');
}

static void put_string(struct textbuf *text, const struct conversion *conversion,
                       const char *string)
{
    size_t length = 0;

    if (string == NULL) {
        string = "(null)";
    }
    while ((!conversion->has_precision || length < conversion->precision) &&
           string[length] != '\0') {
        length++;
    }
    put_field(text, conversion, "", 0, string, length);
}

/* A number at `at`, or the next argument for '*' (negative: to the left, as printf has it). */
static const char *parse_count(const char *at, struct arguments *arguments, size_t *ret_count,
                               bool *ret_is_negative)
{
    size_t count = 0;

    *ret_is_negative = false;
    if (*at == '*') {
        int given = va_arg(arguments->list, int);

        *ret_is_negative = given < 0;
        count = (size_t)(given < 0 ? -(int64_t)given : given);
        at++;
    } else {
        while (*at >= '0' && *at <= '9') {
            count = count > WIDTH_MAX ? count : count * 10 + (size_t)(*at - '0');
            at++;
        }
    }
    *ret_count = count;
    return at;
}

static const char *parse_size(const char *at, unsigned *ret_size_bytes)
{
    *ret_size_bytes = sizeof(int);
    for (; *at != '\0' && strchr("hlzjt", *at) != NULL; at++) {
        *ret_size_bytes = *at == 'h' ? *ret_size_bytes / 2 : 8;
    }
    if (*ret_size_bytes == 0) {
        *ret_size_bytes = 1;
    }
    return at;
}

/* Reads what stands between '%' and the conversion's letter; returns where the letter is. */
static const char *parse_conversion(const char *at, struct arguments *arguments,
                                    struct conversion *ret_conversion)
{
    struct conversion conversion = {0};
    bool is_negative;

    for (; *at == '-' || *at == '0'; at++) {
        conversion.is_left = conversion.is_left || *at == '-';
        conversion.is_zero = conversion.is_zero || *at == '0';
    }
    at = parse_count(at, arguments, &conversion.width, &is_negative);
    conversion.is_left = conversion.is_left || is_negative;
    if (conversion.width > WIDTH_MAX) {
        conversion.width = WIDTH_MAX;
    }
    if (*at == '.') {
        at = parse_count(at + 1, arguments, &conversion.precision, &is_negative);
        conversion.has_precision = !is_negative;
        conversion.precision = is_negative ? 0 : conversion.precision;
    }
    at = parse_size(at, &conversion.size_bytes);
    *ret_conversion = conversion;
    return at;
}

/* false for a letter that is not known. */
static bool put_conversion(struct textbuf *text, const struct conversion *conversion, char letter,
                           struct arguments *arguments)
{
    switch (letter) {
    case '%':
        textbuf_byte(text, '%');
        return true;
    case 'c': {
        char byte = (char)va_arg(arguments->list, int);

        put_field(text, conversion, "", 0, &byte, 1);
        return true;
    }
    case 's':
        put_string(text, conversion, va_arg(arguments->list, const char *));
        return true;
    case 'd':
    case 'i':
        put_signed(text, conversion, take_signed(conversion, arguments));
        return true;
    case 'u':
        put_number(text, conversion, "", take_unsigned(conversion, arguments), 'd');
        return true;
    case 'x':
    case 'X':
        put_number(text, conversion, "", take_unsigned(conversion, arguments), letter);
        return true;
    default:
        return false;
    }
}

void textbuf_vprintf(struct textbuf *text, const char *format, va_list arguments)
{
    struct arguments taken;

    va_copy(taken.list, arguments);
    while (*format != '\0') {
        struct conversion conversion;
        const char *percent = format;
        size_t plain = 0;

        while (format[plain] != '\0' && format[plain] != '%') {
            plain++;
        }
        textbuf_bytes(text, format, plain);
        percent += plain;
        if (*percent == '\0') {
            break;
        }
        format = parse_conversion(percent + 1, &taken, &conversion);
        if (*format == '\0' || !put_conversion(text, &conversion, *format, &taken)) {
            /* What the remaining arguments are is no longer known: show the format instead. */
            textbuf_string(text, percent);
            text->has_failed = true;
            break;
        }
        format++;
    }
    va_end(taken.list);
}

void textbuf_printf(struct textbuf *text, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    textbuf_vprintf(text, format, arguments);
    va_end(arguments);
}

/*
 * The few functions of <string.h> and <ctype.h> that the layers and ACPICA call. There is no C
 * library in a UEFI application; gnu-efi brings only memset and memcpy, which these replace.
 * Characters are ASCII: AML knows no other.
 */
#include <stddef.h>
#include <string.h>

int isprint(int c);
int isxdigit(int c);
int isdigit(int c);
int isspace(int c);
int isupper(int c);
int isalpha(int c);
int toupper(int c);
int tolower(int c);

/* The string instructions are one loop in microcode on any CPU since Nehalem, and one translated
 * block under an emulator. Eight bytes at a time, because an emulator does one step at a time. */
void *memcpy(void *restrict to, const void *restrict from, size_t bytes)
{
    void *target = to;
    size_t words = bytes / 8;
    size_t rest = bytes % 8;

    __asm__ volatile("rep movsq" : "+D"(target), "+S"(from), "+c"(words) : : "memory");
    __asm__ volatile("rep movsb" : "+D"(target), "+S"(from), "+c"(rest) : : "memory");
    return to;
}

void *memset(void *to, int value, size_t bytes)
{
    void *target = to;
    size_t words = bytes / 8;
    size_t rest = bytes % 8;
    unsigned long long pattern = 0x0101010101010101ULL * (unsigned char)value;

    __asm__ volatile("rep stosq" : "+D"(target), "+c"(words) : "a"(pattern) : "memory");
    __asm__ volatile("rep stosb" : "+D"(target), "+c"(rest) : "a"(pattern) : "memory");
    return to;
}

void *memmove(void *to, const void *from, size_t bytes)
{
    unsigned char *target = to;
    const unsigned char *source = from;

    if (target <= source || (size_t)(target - source) >= bytes) {
        for (size_t i = 0; i < bytes; i++) {
            target[i] = source[i];
        }
        return to;
    }
    while (bytes-- > 0) {
        target[bytes] = source[bytes];
    }
    return to;
}

int memcmp(const void *one, const void *other, size_t bytes)
{
    const unsigned char *a = one;
    const unsigned char *b = other;

    for (size_t i = 0; i < bytes; i++) {
        if (a[i] != b[i]) {
            return a[i] - b[i];
        }
    }
    return 0;
}

/* The result drops const, as the C standard's own declarations of these functions do. */
static void *without_const(const void *pointer)
{
    union {
        const void *in;
        void *out;
    } same = {.in = pointer};

    return same.out;
}

void *memchr(const void *from, int value, size_t bytes)
{
    const unsigned char *source = from;

    for (size_t i = 0; i < bytes; i++) {
        if (source[i] == (unsigned char)value) {
            return without_const(source + i);
        }
    }
    return NULL;
}

size_t strlen(const char *text)
{
    size_t length = 0;

    while (text[length] != '\0') {
        length++;
    }
    return length;
}

static size_t bounded_length(const char *text, size_t limit)
{
    size_t length = 0;

    while (length < limit && text[length] != '\0') {
        length++;
    }
    return length;
}

int strncmp(const char *one, const char *other, size_t limit)
{
    for (size_t i = 0; i < limit; i++) {
        if (one[i] != other[i] || one[i] == '\0') {
            return (unsigned char)one[i] - (unsigned char)other[i];
        }
    }
    return 0;
}

int strcmp(const char *one, const char *other)
{
    return strncmp(one, other, (size_t)-1);
}

char *strncpy(char *restrict to, const char *restrict from, size_t limit)
{
    size_t length = bounded_length(from, limit);

    memcpy(to, from, length);
    memset(to + length, 0, limit - length);
    return to;
}

char *strcpy(char *restrict to, const char *restrict from)
{
    return memcpy(to, from, strlen(from) + 1);
}

char *strcat(char *restrict to, const char *restrict from)
{
    memcpy(to + strlen(to), from, strlen(from) + 1);
    return to;
}

char *strchr(const char *text, int wanted)
{
    for (;; text++) {
        if (*text == (char)wanted) {
            return without_const(text);
        }
        if (*text == '\0') {
            return NULL;
        }
    }
}

char *strrchr(const char *text, int wanted)
{
    const char *last = NULL;

    for (;; text++) {
        if (*text == (char)wanted) {
            last = text;
        }
        if (*text == '\0') {
            return without_const(last);
        }
    }
}

char *strstr(const char *text, const char *wanted)
{
    size_t length = strlen(wanted);

    for (;; text++) {
        if (strncmp(text, wanted, length) == 0) {
            return without_const(text);
        }
        if (*text == '\0') {
            return NULL;
        }
    }
}

/* How many bytes at the start of `text` are (or are not) in `set`. */
static size_t span(const char *text, const char *set, int is_in)
{
    size_t length = 0;

    while (text[length] != '\0' && (strchr(set, text[length]) != NULL) == is_in) {
        length++;
    }
    return length;
}

size_t strspn(const char *text, const char *set)
{
    return span(text, set, 1);
}

size_t strcspn(const char *text, const char *set)
{
    return span(text, set, 0);
}

int isdigit(int c)
{
    return c >= '0' && c <= '9';
}

int isupper(int c)
{
    return c >= 'A' && c <= 'Z';
}

int isalpha(int c)
{
    return isupper(c) || (c >= 'a' && c <= 'z');
}

int isxdigit(int c)
{
    return isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

int isspace(int c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

int isprint(int c)
{
    return c >= ' ' && c <= '~';
}

int toupper(int c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

int tolower(int c)
{
    return isupper(c) ? c - 'A' + 'a' : c;
}

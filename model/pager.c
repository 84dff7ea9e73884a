#include "model/pager.h"

#include <string.h>

static uint32_t count_lines(const char *text, size_t length)
{
    uint32_t count = 0;

    for (size_t i = 0; i < length; i++) {
        count += text[i] == '\n' ? 1U : 0U;
    }
    return count + (length > 0 && text[length - 1] != '\n' ? 1U : 0U);
}

static uint32_t length_of(const struct pager *pager, uint32_t line)
{
    uint32_t start = pager->starts[line];
    uint32_t end = pager->starts[line + 1];

    return end > start && pager->text[end - 1] == '\n' ? end - start - 1 : end - start;
}

enum status pager_init(struct pager *ret_pager, const char *text, size_t length, uint32_t rows,
                       uint32_t columns, struct arena *arena)
{
    uint32_t count = count_lines(text, length);
    uint32_t *starts = arena_array(arena, (size_t)count + 1, sizeof(*starts));
    uint32_t line = 0;

    *ret_pager = (struct pager){
        .text = text, .rows = rows == 0 ? 1 : rows, .columns = columns, .found = PAGER_NOWHERE};
    if (starts == NULL) {
        return STATUS_NO_MEMORY;
    }
    for (size_t i = 0; i < length && line + 1 < count; i++) {
        if (text[i] == '\n') {
            starts[++line] = (uint32_t)i + 1;
        }
    }
    starts[count] = (uint32_t)length;
    ret_pager->starts = starts;
    ret_pager->lines_count = count;
    for (line = 0; line < count; line++) {
        uint32_t columns_used = length_of(ret_pager, line);

        ret_pager->widest = columns_used > ret_pager->widest ? columns_used : ret_pager->widest;
    }
    return STATUS_OK;
}

static uint32_t last_top(const struct pager *pager)
{
    return pager->lines_count > pager->rows ? pager->lines_count - pager->rows : 0;
}

static uint32_t last_left(const struct pager *pager)
{
    return pager->widest > pager->columns ? pager->widest - pager->columns : 0;
}

static uint32_t less(uint32_t value, uint32_t by)
{
    return value > by ? value - by : 0;
}

static uint32_t at_most(uint32_t value, uint32_t most)
{
    return value < most ? value : most;
}

bool pager_key(struct pager *pager, struct key key)
{
    uint32_t top = pager->top;
    uint32_t left = pager->left;
    uint32_t page = pager->rows > 1 ? pager->rows - 1 : 1;

    switch (key.code) {
    case KEY_UP:
        top = less(top, 1);
        break;
    case KEY_DOWN:
        top = top + 1;
        break;
    case KEY_PAGE_UP:
        top = less(top, page);
        break;
    case KEY_PAGE_DOWN:
        top = top + page;
        break;
    case KEY_HOME:
        top = 0;
        left = 0;
        break;
    case KEY_END:
        top = last_top(pager);
        break;
    case KEY_LEFT:
        left = less(left, PAGER_SHIFT);
        break;
    case KEY_RIGHT:
        left = left + PAGER_SHIFT;
        break;
    case KEY_CHARACTER:
        top = key.character == ' ' ? top + page : top;
        break;
    case KEY_NONE:
    case KEY_ENTER:
    case KEY_ESCAPE:
    case KEY_BACKSPACE:
    default:
        break;
    }
    top = at_most(top, last_top(pager));
    left = at_most(left, last_left(pager));
    if (top == pager->top && left == pager->left) {
        return false;
    }
    pager->top = top;
    pager->left = left;
    return true;
}

const char *pager_line(const struct pager *pager, uint32_t row, uint32_t *ret_length)
{
    uint32_t line = pager->top + row;
    uint32_t length;

    *ret_length = 0;
    if (row >= pager->rows || line >= pager->lines_count) {
        return "";
    }
    length = length_of(pager, line);
    if (length <= pager->left) {
        return "";
    }
    *ret_length = at_most(length - pager->left, pager->columns);
    return pager->text + pager->starts[line] + pager->left;
}

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c | 0x20) : c;
}

static bool has_needle(const struct pager *pager, uint32_t line, const char *needle)
{
    const char *text = pager->text + pager->starts[line];
    size_t length = length_of(pager, line);
    size_t needle_length = strlen(needle);

    for (size_t i = 0; i + needle_length <= length; i++) {
        size_t same = 0;

        while (same < needle_length && lower(text[i + same]) == lower(needle[same])) {
            same++;
        }
        if (same == needle_length) {
            return true;
        }
    }
    return false;
}

bool pager_find(struct pager *pager, const char *needle)
{
    uint32_t first = pager->found == PAGER_NOWHERE ? pager->top : pager->found + 1;

    for (uint32_t i = 0; needle[0] != '\0' && i < pager->lines_count; i++) {
        uint32_t line = (uint32_t)(((uint64_t)first + i) % pager->lines_count);

        if (has_needle(pager, line, needle)) {
            pager->found = line;
            pager->top = at_most(line, last_top(pager));
            pager->left = 0;
            return true;
        }
    }
    return false;
}

uint32_t pager_seen_pct(const struct pager *pager)
{
    uint64_t seen = (uint64_t)pager->top + pager->rows;

    if (seen >= pager->lines_count) {
        return 100;
    }
    return (uint32_t)(seen * 100 / pager->lines_count);
}

#include "host/show_tree.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define COLUMNS_MAX 24
#define DEPTH_MAX 12
#define NAME_BYTES 256

static bool is_scalar(const json_t *value)
{
    return !json_is_object(value) && !json_is_array(value);
}

void show_tree_cell(json_t *row, const json_t *value)
{
    char *compact;

    if (json_is_string(value)) {
        sheet_cell(row, "%s", json_string_value(value));
    } else if (json_is_integer(value)) {
        sheet_cell(row, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_boolean(value)) {
        sheet_cell(row, "%s", json_is_true(value) ? "yes" : "no");
    } else if (value == NULL || json_is_null(value)) {
        sheet_cell(row, "%s", "");
    } else {
        compact = json_dumps(value, JSON_ENCODE_ANY);
        sheet_cell(row, "%s", compact == NULL ? "?" : compact);
        free(compact);
    }
}

/* Objects that make rows of one table: none of their members holds rows itself. */
static bool is_table(const json_t *array)
{
    const json_t *item;
    size_t index;

    json_array_foreach(array, index, item)
    {
        const char *key;
        const json_t *member;

        if (!json_is_object(item)) {
            return false;
        }
        json_object_foreach((json_t *)(uintptr_t)item, key, member)
        {
            if (json_is_array(member) && json_is_object(json_array_get(member, 0))) {
                return false;
            }
        }
    }
    return json_array_size(array) > 0;
}

static size_t find_columns(const json_t *array, const char **ret_columns)
{
    const json_t *item;
    size_t count = 0;
    size_t index;

    json_array_foreach(array, index, item)
    {
        const char *key;
        const json_t *member;

        json_object_foreach((json_t *)(uintptr_t)item, key, member)
        {
            size_t known = 0;

            while (known < count && strcmp(ret_columns[known], key) != 0) {
                known++;
            }
            if (known == count && count < COLUMNS_MAX) {
                ret_columns[count++] = key;
            }
        }
    }
    return count;
}

static void rows_of_objects(const struct sheet *sheet, const json_t *array)
{
    const char *columns[COLUMNS_MAX];
    size_t count = find_columns(array, columns);
    json_t *rows = json_array();
    const json_t *item;
    size_t index;

    json_array_foreach(array, index, item)
    {
        json_t *row = sheet_row(rows);

        for (size_t i = 0; i < count; i++) {
            show_tree_cell(row, json_object_get(item, columns[i]));
        }
    }
    sheet_table(sheet, columns, count, rows);
    json_decref(rows);
}

static void scalars(const struct sheet *sheet, const json_t *object)
{
    static const char *const columns[] = {"name", "value"};
    json_t *rows = json_array();
    const json_t *member;
    const char *key;

    json_object_foreach((json_t *)(uintptr_t)object, key, member)
    {
        bool is_short =
            is_scalar(member) || (json_is_object(member) && json_object_size(member) == 1 &&
                                  json_object_get(member, "reg") != NULL);

        if (is_short) {
            json_t *row = sheet_row(rows);

            sheet_cell(row, "%s", key);
            show_tree_cell(row, member);
        }
    }
    sheet_table(sheet, columns, 2, rows);
    json_decref(rows);
}

static void walk(const struct sheet *sheet, const char *name, const json_t *value, unsigned depth);

static void walk_array(const struct sheet *sheet, const char *name, const json_t *array,
                       unsigned depth)
{
    const json_t *item;
    size_t index;

    if (is_table(array)) {
        rows_of_objects(sheet, array);
        return;
    }
    json_array_foreach(array, index, item)
    {
        char below[NAME_BYTES];

        (void)snprintf(below, sizeof(below), "%.200s[%zu]", name, index);
        if (is_scalar(item) || json_is_array(item)) {
            json_t *cells = json_array();

            show_tree_cell(cells, item);
            sheet_line(sheet, "%s", json_string_value(json_array_get(cells, 0)));
            json_decref(cells);
        } else {
            walk(sheet, below, item, depth + 1);
        }
    }
}

static void walk(const struct sheet *sheet, const char *name, const json_t *value, unsigned depth)
{
    const json_t *member;
    const char *key;

    if (depth > DEPTH_MAX) {
        return;
    }
    sheet_heading(sheet, name);
    if (json_is_array(value)) {
        walk_array(sheet, name, value, depth);
        return;
    }
    if (!json_is_object(value)) {
        json_t *cells = json_array();

        show_tree_cell(cells, value);
        sheet_line(sheet, "%s", json_string_value(json_array_get(cells, 0)));
        json_decref(cells);
        return;
    }
    scalars(sheet, value);
    json_object_foreach((json_t *)(uintptr_t)value, key, member)
    {
        char below[NAME_BYTES];
        bool is_reg = json_is_object(member) && json_object_size(member) == 1 &&
                      json_object_get(member, "reg") != NULL;
        bool is_empty = json_is_array(member) && json_array_size(member) == 0;

        (void)snprintf(below, sizeof(below), "%.120s.%.120s", name, key);
        if (!is_scalar(member) && !is_reg && !is_empty) {
            walk(sheet, below, member, depth + 1);
        }
    }
}

void show_tree(const struct sheet *sheet, const char *name, const json_t *value)
{
    walk(sheet, name, value, 0);
}

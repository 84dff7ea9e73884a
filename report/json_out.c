#include "report/json_out.h"

#include "model/utf8.h"

#include <string.h>

void json_out_init(struct json_out *json, struct textbuf *out)
{
    memset(json, 0, sizeof(*json));
    json->out = out;
}

static void fail(struct json_out *json)
{
    json->out->has_failed = true;
}

static void escape_byte(struct textbuf *out, char byte)
{
    static const char plain[] = "\"\\\b\f\n\r\t";
    static const char letter[] = "\"\\bfnrt";
    const char *at = byte == '\0' ? NULL : strchr(plain, byte);

    if (at != NULL) {
        textbuf_byte(out, '\\');
        textbuf_byte(out, letter[at - plain]);
    } else {
        textbuf_printf(out, "\\u%04x", (unsigned)(unsigned char)byte);
    }
}

/* RFC 8259, section 7, asks for what is below 20H; DEL is escaped too, for the terminal's sake. */
static bool is_escaped(char byte)
{
    unsigned char value = (unsigned char)byte;

    return value < 0x20 || value == 0x7F || byte == '"' || byte == '\\';
}

static void put_quoted(struct textbuf *out, const char *bytes, size_t length)
{
    textbuf_byte(out, '"');
    for (size_t at = 0; at < length;) {
        bool is_valid = false;
        size_t sequence = utf8_sequence(bytes + at, length - at, &is_valid);

        if (!is_valid) {
            textbuf_string(out, UTF8_REPLACEMENT);
        } else if (sequence == 1 && is_escaped(bytes[at])) {
            escape_byte(out, bytes[at]);
        } else {
            textbuf_bytes(out, bytes + at, sequence);
        }
        at += sequence;
    }
    textbuf_byte(out, '"');
}

static void new_line(struct json_out *json, uint32_t indent)
{
    textbuf_byte(json->out, '\n');
    for (uint32_t i = 0; i < indent; i++) {
        textbuf_byte(json->out, ' ');
    }
}

/* Comma, line and key before a value. false: it stands too deep and is left out. */
static bool start_value(struct json_out *json, const char *key)
{
    struct json_level *level;

    if (json->depth > JSON_DEPTH_MAX) {
        return false;
    }
    if (json->depth == 0) {
        if (json->has_root || key != NULL) {
            fail(json);
        }
        json->has_root = true;
        return true;
    }
    level = &json->levels[json->depth - 1];
    if (level->is_array == (key != NULL)) {
        fail(json);
    }
    if (level->has_members) {
        textbuf_byte(json->out, ',');
    }
    if (!level->is_flat) {
        new_line(json, json->depth);
    } else if (level->has_members) {
        textbuf_byte(json->out, ' ');
    }
    level->has_members = true;
    if (key != NULL) {
        put_quoted(json->out, key, strlen(key));
        textbuf_string(json->out, ": ");
    }
    return true;
}

static void open_level(struct json_out *json, const char *key, bool is_array, bool is_flat)
{
    bool is_inside_flat =
        json->depth > 0 && json->depth <= JSON_DEPTH_MAX && json->levels[json->depth - 1].is_flat;

    if (json->depth >= JSON_DEPTH_MAX) {
        json_out_null(json, key);
        json->depth++;
        fail(json);
        return;
    }
    if (!start_value(json, key)) {
        return;
    }
    json->levels[json->depth++] =
        (struct json_level){.is_array = is_array, .is_flat = is_flat || is_inside_flat};
    textbuf_byte(json->out, is_array ? '[' : '{');
}

void json_out_object(struct json_out *json, const char *key)
{
    open_level(json, key, false, false);
}

void json_out_array(struct json_out *json, const char *key)
{
    open_level(json, key, true, false);
}

void json_out_flat_object(struct json_out *json, const char *key)
{
    open_level(json, key, false, true);
}

void json_out_flat_array(struct json_out *json, const char *key)
{
    open_level(json, key, true, true);
}

void json_out_end(struct json_out *json)
{
    const struct json_level *level;

    if (json->depth == 0) {
        fail(json);
        return;
    }
    json->depth--;
    if (json->depth >= JSON_DEPTH_MAX) {
        return;
    }
    level = &json->levels[json->depth];
    if (level->has_members && !level->is_flat) {
        new_line(json, json->depth);
    }
    textbuf_byte(json->out, level->is_array ? ']' : '}');
}

bool json_out_finish(struct json_out *json)
{
    if (json->depth != 0 || !json->has_root) {
        fail(json);
    }
    textbuf_byte(json->out, '\n');
    return !json->out->has_failed;
}

void json_out_bytes(struct json_out *json, const char *key, const char *bytes, size_t length)
{
    if (start_value(json, key)) {
        put_quoted(json->out, bytes, length);
    }
}

void json_out_string(struct json_out *json, const char *key, const char *string)
{
    if (string != NULL) {
        json_out_bytes(json, key, string, strlen(string));
    } else if (key == NULL) {
        json_out_null(json, key);
    }
}

void json_out_u64(struct json_out *json, const char *key, uint64_t value)
{
    if (start_value(json, key)) {
        textbuf_printf(json->out, "%llu", (unsigned long long)value);
    }
}

void json_out_i64(struct json_out *json, const char *key, int64_t value)
{
    if (start_value(json, key)) {
        textbuf_printf(json->out, "%lld", (long long)value);
    }
}

void json_out_hex(struct json_out *json, const char *key, uint64_t value, unsigned digits)
{
    if (start_value(json, key)) {
        textbuf_printf(json->out, "\"0x%0*llx\"", (int)digits, (unsigned long long)value);
    }
}

void json_out_bool(struct json_out *json, const char *key, bool value)
{
    if (start_value(json, key)) {
        textbuf_string(json->out, value ? "true" : "false");
    }
}

void json_out_null(struct json_out *json, const char *key)
{
    if (start_value(json, key)) {
        textbuf_string(json->out, "null");
    }
}

bool json_out_open_string(struct json_out *json, const char *key)
{
    if (!start_value(json, key)) {
        return false;
    }
    textbuf_byte(json->out, '"');
    return true;
}

void json_out_close_string(struct json_out *json)
{
    textbuf_byte(json->out, '"');
}

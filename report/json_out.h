#pragma once

#include "model/status.h"
#include "model/textbuf.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Strict JSON (RFC 8259) in one pass over a textbuf: commas, indentation (one space a level) and
 * escapes are done here. Strings come out as UTF-8 whatever bytes go in. A mistake of the caller (an
 * unbalanced end, a key missing in an object or given in an array, more levels than JSON_DEPTH_MAX)
 * sets out->has_failed, so that a report that is not JSON never passes for one.
 */
#define JSON_DEPTH_MAX 32

struct json_level {
    bool is_array;
    bool is_flat; /* on one line, with everything below */
    bool has_members;
};

struct json_out {
    struct textbuf *out;
    uint32_t depth; /* levels open; may exceed JSON_DEPTH_MAX, whose excess is left out */
    bool has_root;
    struct json_level levels[JSON_DEPTH_MAX];
};

void json_out_init(struct json_out *json, struct textbuf *out);

/* Ends the text with a newline; false when it is not complete or `out` has failed. */
bool json_out_finish(struct json_out *json);

/* `key` names the value in the enclosing object; NULL in an array and for the outermost value. */
void json_out_object(struct json_out *json, const char *key);
void json_out_array(struct json_out *json, const char *key);

/* The same on one line: for records that a person compares in columns. */
void json_out_flat_object(struct json_out *json, const char *key);
void json_out_flat_array(struct json_out *json, const char *key);

/* Closes what the last of the four above opened. */
void json_out_end(struct json_out *json);

/* NULL, in an object, writes nothing: what could not be had is absent. In an array it is null. */
void json_out_string(struct json_out *json, const char *key, const char *string);
void json_out_bytes(struct json_out *json, const char *key, const char *bytes, size_t length);

/* A string of any length that the caller writes into json->out itself: printable ASCII without quotes and
 * backslashes only. false: it stands too deep; write nothing then, and do not close. */
bool json_out_open_string(struct json_out *json, const char *key) MUST_CHECK;
void json_out_close_string(struct json_out *json);
void json_out_u64(struct json_out *json, const char *key, uint64_t value);
void json_out_i64(struct json_out *json, const char *key, int64_t value);

/* "0x1ad" as a string, in lower case, with zeros in front up to `digits` (0: none). */
void json_out_hex(struct json_out *json, const char *key, uint64_t value, unsigned digits);
void json_out_bool(struct json_out *json, const char *key, bool value);
void json_out_null(struct json_out *json, const char *key);

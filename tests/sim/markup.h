#pragma once

#include <stdbool.h>
#include <stddef.h>

/*
 * Looks whether a page or an XML report is well-formed as we write them: every element that is opened is closed
 * in the right order, attribute values have their quotes, references are known ones, and the text is UTF-8 with
 * no control characters but line feed and tab. NULL: it is; else what is wrong, and *ret_at where.
 * Not a validator: content models are not looked at. XML: no element may stay open (HTML: meta, link, br, input).
 */
enum markup_kind { MARKUP_HTML = 0, MARKUP_XML };
const char *markup_problem(enum markup_kind kind, const char *text, size_t length, size_t *ret_at);

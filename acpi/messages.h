#pragma once

#include "model/platform.h"

#include <stdarg.h>
#include <stddef.h>

/*
 * What the interpreter prints. Its errors and warnings are kept, folded by text and without the source
 * position it adds; its notices are dropped. Bounded: after MESSAGES_MAX different texts the rest is
 * counted in one last message.
 */
#define MESSAGES_MAX 256

/* Empties the collection. Messages go into the arena. */
void messages_init(struct arena *arena);

/* Takes a piece of output: a line may come in several. */
void messages_vprintf(const char *format, va_list arguments);
void messages_printf(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Adds one message of our own. */
void messages_add(const char *text);

/* Forgets which method or name failed; and asks for the first since. NULL: none was named. The text is
 * valid until the next messages_forget_path. */
void messages_forget_path(void);
const char *messages_failed_path(void);

/* Hands the messages to the platform. */
void messages_publish(struct platform *platform);

#include "model/line_edit.h"

#include <string.h>

void line_edit_init(struct line_edit *line, const char *text)
{
    size_t length = text == NULL ? 0 : strlen(text);

    line->length = length < LINE_EDIT_BYTES ? length : LINE_EDIT_BYTES - 1;
    if (line->length > 0) {
        memcpy(line->text, text, line->length);
    }
    line->text[line->length] = '\0';
}

static enum line_event take_away(struct line_edit *line)
{
    if (line->length == 0) {
        return LINE_NOTHING;
    }
    line->text[--line->length] = '\0';
    return LINE_CHANGED;
}

static enum line_event put(struct line_edit *line, char character)
{
    if (line->length + 1 >= LINE_EDIT_BYTES || character < ' ' || character > '~') {
        return LINE_NOTHING;
    }
    line->text[line->length++] = character;
    line->text[line->length] = '\0';
    return LINE_CHANGED;
}

enum line_event line_edit_key(struct line_edit *line, struct key key)
{
    if (key.code == KEY_CHARACTER) {
        return put(line, key.character);
    }
    if (key.code == KEY_BACKSPACE) {
        return take_away(line);
    }
    if (key.code == KEY_ENTER) {
        return LINE_ENTERED;
    }
    return key.code == KEY_ESCAPE ? LINE_LEFT : LINE_NOTHING;
}

#pragma once

/* A key as the text interface knows it, whatever keyboard or terminal it came from. */
enum key_code {
    KEY_NONE = 0, /* nothing was pressed in time */
    KEY_CHARACTER,
    KEY_ENTER,
    KEY_ESCAPE,
    KEY_BACKSPACE,
    KEY_UP,
    KEY_DOWN,
    KEY_LEFT,
    KEY_RIGHT,
    KEY_PAGE_UP,
    KEY_PAGE_DOWN,
    KEY_HOME,
    KEY_END
};

struct key {
    enum key_code code;
    char character; /* KEY_CHARACTER: printable ASCII */
};

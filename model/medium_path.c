#include "model/medium_path.h"

#include <stddef.h>
#include <string.h>

static bool is_separator(char c)
{
    return c == '\\' || c == '/';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* FAT knows no difference between "EFI" and "efi". */
static bool is_efi(const char *part, size_t length)
{
    return length == 3 && (part[0] | 0x20) == 'e' && (part[1] | 0x20) == 'f' &&
           (part[2] | 0x20) == 'i';
}

/* "NAME~1", and with an extension "NAME~1.EXT". */
static bool is_short_name(const char *part, size_t length)
{
    for (size_t i = 1; i + 1 < length; i++) {
        if (part[i] == '~' && is_digit(part[i + 1])) {
            return true;
        }
    }
    return false;
}

static bool is_good_part(const char *part, size_t length)
{
    for (size_t i = 0; i < length; i++) {
        if ((unsigned char)part[i] < ' ' || part[i] == 0x7F ||
            memchr(":*?\"<>|", part[i], 7) != NULL) {
            return false;
        }
    }
    return part[length - 1] != '.' && part[length - 1] != ' ' && !is_short_name(part, length);
}

bool medium_path_is_folder(const char *path)
{
    unsigned parts = 0;

    while (*path != '\0') {
        size_t length = 0;

        while (path[length] != '\0' && !is_separator(path[length])) {
            length++;
        }
        if (length > 0 && (!is_good_part(path, length) || (parts == 0 && is_efi(path, length)))) {
            return false;
        }
        parts += length > 0 ? 1U : 0U;
        path += length + (path[length] == '\0' ? 0 : 1);
    }
    return parts > 0;
}

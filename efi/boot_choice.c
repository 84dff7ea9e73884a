#include "efi/boot_choice.h"

#include "efi/firmware.h"
#include "model/textbuf.h"

#include <string.h>

#define NAME_CHARS 24 /* the longest name used is OsIndicationsSupported */
#define OPTION_BYTES 1024
#define OPTION_HEADER_BYTES 6 /* UEFI 2.10, 3.1.3 EFI_LOAD_OPTION: Attributes, FilePathListLength */
#define OPTION_ACTIVE 1U
#define VARIABLE_FLAGS                                                                             \
    (EFI_VARIABLE_NON_VOLATILE | EFI_VARIABLE_BOOTSERVICE_ACCESS | EFI_VARIABLE_RUNTIME_ACCESS)

static EFI_GUID global_guid = EFI_GLOBAL_VARIABLE;

static bool get(const char *name, void *ret_value, UINTN *bytes)
{
    CHAR16 wide[NAME_CHARS];
    size_t length = strlen(name);

    if (length >= NAME_CHARS) {
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        wide[i] = (CHAR16)name[i];
    }
    wide[length] = 0;
    return firmware_system()->RuntimeServices->GetVariable(wide, &global_guid, NULL, bytes,
                                                           ret_value) == EFI_SUCCESS;
}

static bool set(CHAR16 *name, void *value, UINTN bytes)
{
    return firmware_system()->RuntimeServices->SetVariable(name, &global_guid, VARIABLE_FLAGS,
                                                           bytes, value) == EFI_SUCCESS;
}

/* The description is UCS-2 and ends with 0, if the firmware wrote it well. */
static bool read_entry(uint16_t number, struct boot_entry *ret_entry)
{
    uint8_t option[OPTION_BYTES];
    UINTN bytes = sizeof(option);
    char name[9];
    struct textbuf text;
    size_t length = 0;

    textbuf_init(&text, name, sizeof(name), NULL, NULL);
    textbuf_printf(&text, "Boot%04X", number);
    if (!get(name, option, &bytes) || bytes < OPTION_HEADER_BYTES ||
        (option[0] & OPTION_ACTIVE) == 0) {
        return false;
    }
    for (size_t at = OPTION_HEADER_BYTES; at + 1 < bytes && length < BOOT_LABEL_BYTES - 1;
         at += 2) {
        uint32_t c = option[at] | (uint32_t)option[at + 1] << 8;

        if (c == 0) {
            break;
        }
        ret_entry->label[length++] = (char)(c >= ' ' && c <= '~' ? c : '?');
    }
    ret_entry->label[length] = '\0';
    ret_entry->number = number;
    return true;
}

uint32_t boot_entries(struct boot_entry ret_entries[BOOT_ENTRIES_MAX])
{
    uint16_t order[BOOT_ENTRIES_MAX];
    UINTN bytes = sizeof(order);
    uint32_t count = 0;

    if (!get("BootOrder", order, &bytes)) {
        return 0;
    }
    for (size_t i = 0; i < bytes / sizeof(order[0]); i++) {
        count += read_entry(order[i], &ret_entries[count]) ? 1U : 0U;
    }
    return count;
}

bool boot_next(uint16_t number)
{
    static CHAR16 name[] = {'B', 'o', 'o', 't', 'N', 'e', 'x', 't', 0};

    return set(name, &number, sizeof(number));
}

bool boot_has_setup(void)
{
    uint64_t supported = 0;
    UINTN bytes = sizeof(supported);

    return get("OsIndicationsSupported", &supported, &bytes) &&
           (supported & EFI_OS_INDICATIONS_BOOT_TO_FW_UI) != 0;
}

bool boot_to_setup(void)
{
    static CHAR16 name[] = {'O', 's', 'I', 'n', 'd', 'i', 'c', 'a', 't', 'i', 'o', 'n', 's', 0};
    uint64_t wanted = 0;
    UINTN bytes = sizeof(wanted);

    /* Other requests in it stay. */
    if (!get("OsIndications", &wanted, &bytes)) {
        wanted = 0;
    }
    wanted |= EFI_OS_INDICATIONS_BOOT_TO_FW_UI;
    return set(name, &wanted, sizeof(wanted));
}

#include "model/smbios.h"

#include <stdbool.h>
#include <string.h>

/* DSP0134 3.7, 6.1.2: type, length of the formatted area, handle. */
#define HEADER_BYTES ((size_t)4)
#define TYPE_FIRMWARE 0
#define TYPE_SYSTEM 1
#define TYPE_PROCESSOR 4
#define TYPE_END 127

/* Offsets of string numbers: 7.1 (type 0) and 7.2 (type 1). */
#define FIRMWARE_VERSION_OFFSET ((size_t)0x05)
#define FIRMWARE_DATE_OFFSET ((size_t)0x08)
#define SYSTEM_VENDOR_OFFSET ((size_t)0x04)
#define SYSTEM_PRODUCT_OFFSET ((size_t)0x05)

/* 7.5 (type 4): Max Speed in MHz. Linux takes it of structures of at least 48 bytes, what DMI_ENTRY_PROCESSOR_MIN_LENGTH
 * is in drivers/acpi/cppc_acpi.c of 6.12; so do we, for it is Linux that uses it. */
#define PROCESSOR_MAX_SPEED_OFFSET ((size_t)0x14)
#define PROCESSOR_MIN_BYTES ((size_t)48)

static uint64_t little_endian(const uint8_t *bytes, size_t count)
{
    uint64_t value = 0;

    for (size_t i = count; i > 0; i--) {
        value = value << 8 | bytes[i - 1];
    }
    return value;
}

static bool sums_to_zero(const uint8_t *bytes, size_t count)
{
    uint8_t sum = 0;

    for (size_t i = 0; i < count; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    return sum == 0;
}

enum status smbios_entry_decode(const uint8_t *bytes, size_t length, struct smbios_table *ret_table)
{
    /* 5.2.2: length at 06h, maximum table size at 0Ch, address at 10h. */
    if (length >= 24 && memcmp(bytes, "_SM3_", 5) == 0) {
        if (bytes[6] < 24 || bytes[6] > length || !sums_to_zero(bytes, bytes[6])) {
            return STATUS_BAD_INPUT;
        }
        ret_table->length_bytes = (uint32_t)little_endian(bytes + 0x0C, 4);
        ret_table->paddr = little_endian(bytes + 0x10, 8);
        return STATUS_OK;
    }
    /* 5.2.1: the intermediate anchor at 10h, table length at 16h, address at 18h. The length byte at 05h is
     * wrong (1Eh) in tables made after a misprint in version 2.1, so the sum is taken over the
     * intermediate part, which has its own: 0Fh bytes from 10h. */
    if (length >= 31 && memcmp(bytes, "_SM_", 4) == 0) {
        if (memcmp(bytes + 0x10, "_DMI_", 5) != 0 || !sums_to_zero(bytes + 0x10, 0x0F)) {
            return STATUS_BAD_INPUT;
        }
        ret_table->length_bytes = (uint32_t)little_endian(bytes + 0x16, 2);
        ret_table->paddr = little_endian(bytes + 0x18, 4);
        return STATUS_OK;
    }
    return STATUS_BAD_INPUT;
}

/* One structure: its formatted area and the string set behind it. */
struct structure {
    const uint8_t *formatted;
    size_t formatted_bytes;
    const uint8_t *strings;
    size_t strings_bytes; /* with the two NULs that end it */
};

/* Takes the structure at `bytes`; false when it does not end within `length`. */
static bool take_structure(const uint8_t *bytes, size_t length, struct structure *ret_structure)
{
    size_t end;

    if (length < HEADER_BYTES || bytes[1] < HEADER_BYTES || bytes[1] > length) {
        return false;
    }
    ret_structure->formatted = bytes;
    ret_structure->formatted_bytes = bytes[1];
    ret_structure->strings = bytes + bytes[1];
    /* 6.1.3: the string set ends with two NULs, also when there is no string. */
    for (end = bytes[1]; length - end >= 2; end++) {
        if (bytes[end] == 0 && bytes[end + 1] == 0) {
            ret_structure->strings_bytes = end + 2 - bytes[1];
            return true;
        }
    }
    return false;
}

/* The `number`th string of the set, from 1; NULL when there is none. */
static const uint8_t *find_string(const struct structure *structure, uint8_t number)
{
    const uint8_t *at = structure->strings;
    const uint8_t *end = at + structure->strings_bytes;

    while (number != 0 && at < end && *at != 0) {
        if (--number == 0) {
            return at;
        }
        at += strlen((const char *)at) + 1;
    }
    return NULL;
}

/* The string whose number is at `offset`, cleaned; NULL when there is none. */
static const char *copy_string(const struct structure *structure, size_t offset,
                               struct arena *arena)
{
    const uint8_t *string = NULL;
    size_t length;
    char *copy;

    if (offset < structure->formatted_bytes) {
        string = find_string(structure, structure->formatted[offset]);
    }
    if (string == NULL) {
        return NULL;
    }
    while (*string == ' ') {
        string++;
    }
    length = strlen((const char *)string);
    while (length > 0 && string[length - 1] == ' ') {
        length--;
    }
    copy = length == 0 ? NULL : arena_text(arena, (const char *)string, length);
    for (size_t i = 0; copy != NULL && i < length; i++) {
        copy[i] = copy[i] < 0x20 || copy[i] > 0x7E ? '?' : copy[i];
    }
    return copy;
}

static void take_strings(const struct structure *structure, struct arena *arena,
                         struct smbios_identity *identity)
{
    uint8_t type = structure->formatted[0];

    /* The first of a type counts: 7.1 and 7.2 allow one each. */
    if (type == TYPE_FIRMWARE && identity->firmware_version == NULL) {
        identity->firmware_version = copy_string(structure, FIRMWARE_VERSION_OFFSET, arena);
        identity->firmware_date = copy_string(structure, FIRMWARE_DATE_OFFSET, arena);
    } else if (type == TYPE_SYSTEM && identity->vendor == NULL && identity->product == NULL) {
        identity->vendor = copy_string(structure, SYSTEM_VENDOR_OFFSET, arena);
        identity->product = copy_string(structure, SYSTEM_PRODUCT_OFFSET, arena);
    }
}

static void take_speed(const struct structure *structure, struct smbios_identity *identity)
{
    uint32_t mhz;

    if (structure->formatted[0] != TYPE_PROCESSOR ||
        structure->formatted_bytes < PROCESSOR_MIN_BYTES) {
        return;
    }
    mhz = (uint32_t)little_endian(structure->formatted + PROCESSOR_MAX_SPEED_OFFSET, 2);
    identity->max_mhz = mhz > identity->max_mhz ? mhz : identity->max_mhz;
}

void smbios_identity_decode(const uint8_t *bytes, size_t length, struct arena *arena,
                            struct smbios_identity *ret_identity)
{
    struct structure structure;
    size_t offset = 0;

    memset(ret_identity, 0, sizeof(*ret_identity));
    while (take_structure(bytes + offset, length - offset, &structure) &&
           structure.formatted[0] != TYPE_END) {
        take_strings(&structure, arena, ret_identity);
        take_speed(&structure, ret_identity);
        offset += structure.formatted_bytes + structure.strings_bytes;
    }
}

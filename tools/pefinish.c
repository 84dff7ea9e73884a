/*
 * The last step of linking: objcopy leaves NX_COMPAT, the time stamp and the checksum of a PE image
 * as it likes. This sets the first, clears the second (so that a build can be repeated to the byte),
 * computes the third, and refuses an image that a loader which enforces memory protection would.
 *
 * Layout: Microsoft PE Format, "COFF File Header", "Optional Header (Image Only)", "Section Table".
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PE_OFFSET_AT = 0x3c,         /* in the DOS header: where the PE signature is */
    COFF_SECTIONS = 4 + 2,       /* from the signature: NumberOfSections */
    COFF_TIME = 4 + 4,           /* TimeDateStamp */
    COFF_OPTIONAL_SIZE = 4 + 16, /* SizeOfOptionalHeader */
    OPTIONAL = 4 + 20,           /* the optional header */
    OPTIONAL_ALIGNMENT = 32,     /* in it: SectionAlignment */
    OPTIONAL_CHECKSUM = 64,      /* CheckSum */
    OPTIONAL_DLL = 70,           /* DllCharacteristics */
    OPTIONAL_LEAST = 112,        /* its fixed part, PE32+ */
    SECTION_BYTES = 40,
    SECTION_ADDRESS = 12,
    SECTION_FLAGS = 36,
    PE32_PLUS = 0x20b,
    NX_COMPAT = 0x100,
    PAGE_BYTES = 4096,
    IMAGE_LIMIT_BYTES = 16 * 1024 * 1024,
};

static const uint32_t SECTION_EXECUTE = 0x20000000, SECTION_WRITE = 0x80000000;

struct image {
    uint8_t *bytes;
    size_t length;
    size_t pe; /* offset of the PE signature */
};

static uint32_t read_le(const struct image *image, size_t at, unsigned width)
{
    uint32_t value = 0;

    for (unsigned i = 0; i < width; i++) {
        value |= (uint32_t)image->bytes[at + i] << (8 * i);
    }
    return value;
}

static void write_le(struct image *image, size_t at, unsigned width, uint32_t value)
{
    for (unsigned i = 0; i < width; i++) {
        image->bytes[at + i] = (uint8_t)(value >> (8 * i));
    }
}

static bool has_room(const struct image *image, size_t at, size_t bytes)
{
    return at <= image->length && bytes <= image->length - at;
}

static const char *find_header(struct image *image)
{
    if (!has_room(image, PE_OFFSET_AT, 4)) {
        return "shorter than a DOS header";
    }
    image->pe = read_le(image, PE_OFFSET_AT, 4);
    if (!has_room(image, image->pe, OPTIONAL + OPTIONAL_LEAST) ||
        memcmp(image->bytes + image->pe, "PE\0", 4) != 0) {
        return "no PE header";
    }
    if (read_le(image, image->pe + OPTIONAL, 2) != PE32_PLUS) {
        return "not PE32+";
    }
    if (read_le(image, image->pe + OPTIONAL + OPTIONAL_ALIGNMENT, 4) < PAGE_BYTES) {
        return "sections are not aligned to pages";
    }
    return NULL;
}

static const char *judge_section(const struct image *image, size_t at, bool *has_reloc)
{
    uint32_t flags = read_le(image, at + SECTION_FLAGS, 4);

    if ((flags & SECTION_EXECUTE) != 0 && (flags & SECTION_WRITE) != 0) {
        return "a section is both writable and executable";
    }
    if (read_le(image, at + SECTION_ADDRESS, 4) % PAGE_BYTES != 0) {
        return "a section does not start on a page";
    }
    *has_reloc = *has_reloc || memcmp(image->bytes + at, ".reloc\0", 8) == 0;
    return NULL;
}

static const char *judge_sections(const struct image *image)
{
    size_t count = read_le(image, image->pe + COFF_SECTIONS, 2);
    size_t table = image->pe + OPTIONAL + read_le(image, image->pe + COFF_OPTIONAL_SIZE, 2);
    bool has_reloc = false;

    if (!has_room(image, table, count * SECTION_BYTES)) {
        return "the section table leaves the file";
    }
    for (size_t i = 0; i < count; i++) {
        const char *fault = judge_section(image, table + i * SECTION_BYTES, &has_reloc);

        if (fault != NULL) {
            return fault;
        }
    }
    return has_reloc ? NULL : "no .reloc section";
}

/* The sum of all 16-bit words with the carry added back, the checksum field taken as zero, plus the
 * length of the file: what ImageHlp's CheckSumMappedFile computes. */
static uint32_t checksum(const struct image *image)
{
    uint32_t sum = 0;

    for (size_t at = 0; at < image->length; at += 2) {
        sum += read_le(image, at, image->length - at > 1 ? 2 : 1);
        sum = (sum & 0xffff) + (sum >> 16);
    }
    return sum + (uint32_t)image->length;
}

static const char *finish(struct image *image)
{
    const char *fault = find_header(image);
    size_t dll = image->pe + OPTIONAL + OPTIONAL_DLL;
    size_t sum = image->pe + OPTIONAL + OPTIONAL_CHECKSUM;

    if (fault == NULL) {
        fault = judge_sections(image);
    }
    if (fault == NULL) {
        write_le(image, dll, 2, read_le(image, dll, 2) | NX_COMPAT);
        write_le(image, image->pe + COFF_TIME, 4, 0);
        write_le(image, sum, 4, 0);
        write_le(image, sum, 4, checksum(image));
    }
    return fault;
}

static const char *finish_file(FILE *file)
{
    static uint8_t bytes[IMAGE_LIMIT_BYTES];
    struct image image = {.bytes = bytes};
    const char *fault;

    image.length = fread(bytes, 1, sizeof(bytes), file);
    fault = image.length < sizeof(bytes) ? finish(&image) : "larger than 16 MiB";
    if (fault != NULL) {
        return fault;
    }
    rewind(file);
    return fwrite(bytes, 1, image.length, file) == image.length ? NULL : "cannot be written";
}

int main(int count, char **arguments)
{
    const char *fault = "cannot be opened";
    FILE *file;

    if (count != 2) {
        fprintf(stderr, "usage: pefinish IMAGE\n");
        return 2;
    }
    file = fopen(arguments[1], "r+b");
    if (file != NULL) {
        fault = finish_file(file);
        if (fclose(file) != 0 && fault == NULL) {
            fault = "cannot be written";
        }
    }
    if (fault != NULL) {
        fprintf(stderr, "pefinish: %s: %s\n", arguments[1], fault);
        return EXIT_FAILURE;
    }
    return EXIT_SUCCESS;
}

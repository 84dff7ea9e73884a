/*
 * perelocs IMAGE LINKED: gives a PE image the base relocations that its ELF source asks for.
 *
 * gnu-efi's way is to carry the ELF relocation table inside the image, 24 bytes an entry, and to apply
 * it in the start file. A base relocation of PE takes two bytes and the firmware applies it itself, so
 * the image is smaller, needs no start file, and its .reloc section is a true one. Every relocation must
 * be relative: the linker resolves the rest (-Bsymbolic, hidden visibility).
 *
 * Layout: System V ABI, "Relocation" and "Sections"; Microsoft PE Format, "The .reloc Section", "Section
 * Table", "Optional Header Data Directories".
 */
#include <elf.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    PE_OFFSET_AT = 0x3c,   /* in the DOS header: where the PE signature is */
    COFF_SECTIONS = 4 + 2, /* from the signature: NumberOfSections */
    COFF_FLAGS = 4 + 18,   /* Characteristics; bit 0: relocations stripped */
    COFF_RELOCS_STRIPPED = 1,
    OPTIONAL = 4 + 20,                  /* the optional header */
    OPTIONAL_IMAGE_BYTES = 56,          /* in it: SizeOfImage */
    OPTIONAL_HEADERS_BYTES = 60,        /* SizeOfHeaders */
    OPTIONAL_BASE_RELOCS = 112 + 5 * 8, /* data directory 5: address and size */
    SECTION_TABLE = OPTIONAL + 240,
    SECTION_BYTES = 40,
    PAGE_BYTES = 4096,
    FILE_ALIGN_BYTES = 512,
    RELOC_DIR64 = 10,
    FILE_LIMIT_BYTES = 16 * 1024 * 1024,
};

static const uint32_t SECTION_READ_DISCARD_DATA = 0x42000040;

struct file {
    uint8_t *bytes;
    size_t length;
};

static void refuse(const char *name, const char *fault)
{
    fprintf(stderr, "perelocs: %s: %s\n", name, fault);
    exit(EXIT_FAILURE);
}

static void need(bool holds, const char *name, const char *fault)
{
    if (!holds) {
        refuse(name, fault);
    }
}

static struct file read_file(const char *name)
{
    struct file file = {.bytes = calloc(1, FILE_LIMIT_BYTES)};
    FILE *stream = fopen(name, "rb");

    need(stream != NULL && file.bytes != NULL, name, "cannot be opened");
    file.length = fread(file.bytes, 1, FILE_LIMIT_BYTES, stream);
    need(file.length < FILE_LIMIT_BYTES, name, "larger than 16 MiB");
    (void)fclose(stream);
    return file;
}

static uint32_t get32(const struct file *file, size_t at)
{
    uint32_t value;

    memcpy(&value, file->bytes + at, sizeof(value));
    return value;
}

static void put32(struct file *file, size_t at, uint32_t value)
{
    memcpy(file->bytes + at, &value, sizeof(value));
}

static uint16_t get16(const struct file *file, size_t at)
{
    uint16_t value;

    memcpy(&value, file->bytes + at, sizeof(value));
    return value;
}

static void put16(struct file *file, size_t at, uint16_t value)
{
    memcpy(file->bytes + at, &value, sizeof(value));
}

static size_t round_up(size_t value, size_t step)
{
    return (value + step - 1) / step * step;
}

/* Where the byte at `address` of the loaded image is in the file. */
static size_t file_offset(const struct file *image, size_t pe, uint64_t address, const char *name)
{
    for (size_t i = 0; i < get16(image, pe + COFF_SECTIONS); i++) {
        size_t section = pe + SECTION_TABLE + i * SECTION_BYTES;
        uint64_t start = get32(image, section + 12);
        uint64_t size = get32(image, section + 16);

        if (address >= start && address - start <= size && size - (address - start) >= 8) {
            return (size_t)(get32(image, section + 20) + (address - start));
        }
    }
    refuse(name, "a relocation lies outside the sections of the image");
    return 0;
}

static int by_address(const void *a, const void *b)
{
    const uint64_t *left = a;
    const uint64_t *right = b;

    return *left < *right ? -1 : *left > *right;
}

/* Takes the relocations of one section: writes each addend into the image and lists its address. */
static size_t take_section(const struct file *linked, const Elf64_Shdr *section, struct file *image,
                           size_t pe, uint64_t *addresses, const char *name)
{
    size_t count = section->sh_size / sizeof(Elf64_Rela);

    need(section->sh_offset <= linked->length &&
             section->sh_size <= linked->length - section->sh_offset,
         name, "a relocation section leaves the file");
    for (size_t i = 0; i < count; i++) {
        Elf64_Rela rela;

        memcpy(&rela, linked->bytes + section->sh_offset + i * sizeof(rela), sizeof(rela));
        need(ELF64_R_TYPE(rela.r_info) == R_X86_64_RELATIVE, name, "a relocation is not relative");
        memcpy(image->bytes + file_offset(image, pe, rela.r_offset, name), &rela.r_addend,
               sizeof(rela.r_addend));
        addresses[i] = rela.r_offset;
    }
    return count;
}

static size_t take_all(const struct file *linked, struct file *image, size_t pe,
                       uint64_t *addresses, const char *name)
{
    Elf64_Ehdr header;
    size_t count = 0;

    need(linked->length >= sizeof(header) && memcmp(linked->bytes, ELFMAG, SELFMAG) == 0, name,
         "not an ELF file");
    memcpy(&header, linked->bytes, sizeof(header));
    need(header.e_shentsize == sizeof(Elf64_Shdr) && header.e_shoff <= linked->length &&
             header.e_shnum <= (linked->length - header.e_shoff) / sizeof(Elf64_Shdr),
         name, "the section table leaves the file");
    for (size_t i = 0; i < header.e_shnum; i++) {
        Elf64_Shdr section;

        memcpy(&section, linked->bytes + header.e_shoff + i * sizeof(section), sizeof(section));
        if (section.sh_type == SHT_RELA && (section.sh_flags & SHF_ALLOC) != 0) {
            count += take_section(linked, &section, image, pe, addresses + count, name);
        }
    }
    qsort(addresses, count, sizeof(addresses[0]), by_address);
    return count;
}

/* One block a page: address, length, then two bytes an entry, padded to four. Returns the bytes. */
static size_t write_blocks(struct file *image, size_t at, const uint64_t *addresses, size_t count)
{
    size_t start = at;

    for (size_t i = 0; i < count;) {
        uint64_t page = addresses[i] / PAGE_BYTES;
        size_t block = at;

        at += 8;
        for (; i < count && addresses[i] / PAGE_BYTES == page; i++, at += 2) {
            put16(image, at, (uint16_t)(RELOC_DIR64 << 12 | addresses[i] % PAGE_BYTES));
        }
        at = round_up(at, 4);
        put32(image, block, (uint32_t)(page * PAGE_BYTES));
        put32(image, block + 4, (uint32_t)(at - block));
    }
    return at - start;
}

/* Appends .reloc behind the last section, in the file and in memory. */
static void add_section(struct file *image, size_t pe, const uint64_t *addresses, size_t count,
                        const char *name)
{
    size_t sections = get16(image, pe + COFF_SECTIONS);
    size_t entry = pe + SECTION_TABLE + sections * SECTION_BYTES;
    size_t last = entry - SECTION_BYTES;
    size_t address = round_up((size_t)get32(image, last + 12) + get32(image, last + 8), PAGE_BYTES);
    size_t offset = round_up(image->length, FILE_ALIGN_BYTES);
    size_t bytes = write_blocks(image, offset, addresses, count);

    need(entry + SECTION_BYTES <= get32(image, pe + OPTIONAL + OPTIONAL_HEADERS_BYTES), name,
         "no room for another section header");
    memset(image->bytes + entry, 0, SECTION_BYTES);
    memcpy(image->bytes + entry, ".reloc", 6);
    put32(image, entry + 8, (uint32_t)bytes);
    put32(image, entry + 12, (uint32_t)address);
    put32(image, entry + 16, (uint32_t)round_up(bytes, FILE_ALIGN_BYTES));
    put32(image, entry + 20, (uint32_t)offset);
    put32(image, entry + 36, SECTION_READ_DISCARD_DATA);
    put16(image, pe + COFF_SECTIONS, (uint16_t)(sections + 1));
    put16(image, pe + COFF_FLAGS,
          (uint16_t)(get16(image, pe + COFF_FLAGS) & ~COFF_RELOCS_STRIPPED));
    put32(image, pe + OPTIONAL + OPTIONAL_BASE_RELOCS, (uint32_t)address);
    put32(image, pe + OPTIONAL + OPTIONAL_BASE_RELOCS + 4, (uint32_t)bytes);
    put32(image, pe + OPTIONAL + OPTIONAL_IMAGE_BYTES,
          (uint32_t)round_up(address + bytes, PAGE_BYTES));
    image->length = offset + round_up(bytes, FILE_ALIGN_BYTES);
}

int main(int count, char **arguments)
{
    struct file image;
    struct file linked;
    uint64_t *addresses;
    size_t relocations;
    size_t pe;
    FILE *stream;

    if (count != 3) {
        fprintf(stderr, "usage: perelocs IMAGE LINKED\n");
        return 2;
    }
    image = read_file(arguments[1]);
    linked = read_file(arguments[2]);
    addresses = calloc(linked.length / sizeof(Elf64_Rela) + 1, sizeof(*addresses));
    need(addresses != NULL, arguments[2], "no memory");
    need(image.length > PE_OFFSET_AT + 4, arguments[1], "not a PE image");
    pe = get32(&image, PE_OFFSET_AT);
    need(pe < image.length && image.length - pe > SECTION_TABLE + SECTION_BYTES &&
             memcmp(image.bytes + pe, "PE\0", 4) == 0,
         arguments[1], "not a PE image");
    relocations = take_all(&linked, &image, pe, addresses, arguments[2]);
    need(relocations != 0, arguments[2], "no relocations: not linked as a shared object?");
    need(image.length + 16 * relocations < FILE_LIMIT_BYTES / 2, arguments[1], "too large");
    add_section(&image, pe, addresses, relocations, arguments[1]);
    stream = fopen(arguments[1], "wb");
    need(stream != NULL && fwrite(image.bytes, 1, image.length, stream) == image.length &&
             fclose(stream) == 0,
         arguments[1], "cannot be written");
    return EXIT_SUCCESS;
}

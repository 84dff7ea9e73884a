/*
 * machine CPUS nest|flat DIR: writes a machine folder of that many CPUs in the shape of an AMD server:
 * DIR/asl/DSDT.asl, SSDT00.asl, ... for iasl (256 CPUs each: its time grows with the square of a table),
 * DIR/tables/APIC.aml and FACP.aml, DIR/cpuid.txt. Every CPU has its own _PSS, _PCT, _PPC, _PSD, _CPC and
 * _CST. nest: containers of 64 CPUs under \_SB; flat: all in \_SB.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define CPUS_MAX 4096U
#define CPUS_PER_CONTAINER 64U
#define CPUS_PER_TABLE 256U
#define HEADER_BYTES 36U
#define CHECKSUM_OFFSET 9U
/* ACPI 6.5, 5.2.12: local APIC address and flags; 5.2.12.12: processor local x2APIC. */
#define MADT_BYTES 44U
#define X2APIC_BYTES 16U
#define X2APIC_TYPE 9U
/* ACPI 6.5, 5.2.9: the FADT of revision 6. */
#define FADT_BYTES 276U

static void put(uint8_t *bytes, uint32_t value, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        bytes[i] = (uint8_t)(value >> (8 * i));
    }
}

static void fail(const char *path)
{
    (void)fprintf(stderr, "machine: %s: %s\n", path, strerror(errno));
    exit(EXIT_FAILURE);
}

static FILE *open_in(const char *folder, const char *name)
{
    char path[1024];
    FILE *file;

    (void)snprintf(path, sizeof(path), "%s/%s", folder, name);
    file = fopen(path, "wb");
    if (file == NULL) {
        fail(path);
    }
    return file;
}

static void close_file(FILE *file, const char *name)
{
    if (fclose(file) != 0) {
        fail(name);
    }
}

static void write_table(const char *folder, const char *name, uint8_t *bytes, uint32_t length)
{
    FILE *file = open_in(folder, name);
    uint8_t sum = 0;

    put(bytes + 4, length, 4);
    memcpy(bytes + 10, "ASSAY BENCH   ", 14);
    memcpy(bytes + 28, "ASSY", 4);
    bytes[CHECKSUM_OFFSET] = 0;
    for (uint32_t i = 0; i < length; i++) {
        sum = (uint8_t)(sum + bytes[i]);
    }
    bytes[CHECKSUM_OFFSET] = (uint8_t)(0U - sum);
    if (fwrite(bytes, 1, length, file) != length) {
        fail(name);
    }
    close_file(file, name);
}

static void write_madt(const char *folder, unsigned cpus)
{
    static uint8_t madt[MADT_BYTES + CPUS_MAX * X2APIC_BYTES];

    memcpy(madt, "APIC", 4);
    madt[8] = 5;
    put(madt + HEADER_BYTES, 0xFEE00000U, 4);
    for (unsigned cpu = 0; cpu < cpus; cpu++) {
        uint8_t *entry = madt + MADT_BYTES + (size_t)cpu * X2APIC_BYTES;

        entry[0] = X2APIC_TYPE;
        entry[1] = X2APIC_BYTES;
        put(entry + 4, cpu, 4);  /* x2APIC id */
        put(entry + 8, 1, 4);    /* enabled */
        put(entry + 12, cpu, 4); /* processor's _UID */
    }
    write_table(folder, "tables/APIC.aml", madt, MADT_BYTES + cpus * X2APIC_BYTES);
}

static void write_fadt(const char *folder)
{
    static uint8_t fadt[FADT_BYTES];

    memcpy(fadt, "FACP", 4);
    fadt[8] = 6;
    put(fadt + 76, 0x808, 4); /* PM_TMR_BLK */
    fadt[91] = 4;             /* PM_TMR_LEN */
    put(fadt + 96, 100, 2);   /* P_LVL2_LAT */
    put(fadt + 98, 0xFFFF, 2);
    write_table(folder, "tables/FACP.aml", fadt, FADT_BYTES);
}

/* One CPU as the published EPYC 7742 describes itself. Two threads make a dependency domain. */
static void write_processor(FILE *asl, unsigned cpu)
{
    static const char absent[] = "ResourceTemplate () {Register (SystemMemory, 0, 0, 0)}";

    (void)fprintf(asl, "Device (C%03X) {Name (_HID, \"ACPI0007\") Name (_UID, %u)\n", cpu, cpu);
    (void)fprintf(asl,
                  "Name (_PSS, Package () {Package () {2250, 3400, 1, 1, 0, 0},\n"
                  " Package () {2000, 2720, 1, 1, 1, 1}, Package () {1500, 1680, 1, 1, 2, 2}})\n"
                  "Name (_PCT, Package () {ResourceTemplate () {Register (FFixedHW, 64, 0, "
                  "0xC0010062)},\n"
                  " ResourceTemplate () {Register (FFixedHW, 64, 0, 0xC0010063)}})\n"
                  "Method (_PPC, 0, NotSerialized) {Return (0)}\n");
    (void)fprintf(asl, "Name (_PSD, Package () {Package () {5, 0, %u, 0xFE, 2}})\n", cpu / 2);
    (void)fprintf(
        asl,
        "Name (_CPC, Package () {23, 3, 255, 168, 112, 30, %s,\n"
        " ResourceTemplate () {Register (FFixedHW, 8, 16, 0xC00102B3)},\n"
        " ResourceTemplate () {Register (FFixedHW, 8, 8, 0xC00102B3)},\n"
        " ResourceTemplate () {Register (FFixedHW, 8, 0, 0xC00102B3)},\n"
        " %s, %s, %s,\n"
        " ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE7)},\n"
        " ResourceTemplate () {Register (FFixedHW, 64, 0, 0xE8)},\n"
        " ResourceTemplate () {Register (FFixedHW, 2, 0, 0xC00102B4)},\n"
        " ResourceTemplate () {Register (FFixedHW, 1, 0, 0xC00102B1)}, %s, %s,\n"
        " ResourceTemplate () {Register (FFixedHW, 8, 24, 0xC00102B3)}, %s, 400, 2250})\n",
        absent, absent, absent, absent, absent, absent, absent);
    (void)fprintf(
        asl,
        "Name (_CST, Package () {2,\n"
        " Package () {ResourceTemplate () {Register (FFixedHW, 2, 2, 0)}, 1, 1, 0},\n"
        " Package () {ResourceTemplate () {Register (SystemIO, 8, 0, 0x814, 1)}, 2, 400, 0}})}\n");
}

static void write_dsdt(const char *folder)
{
    FILE *asl = open_in(folder, "asl/DSDT.asl");

    (void)fprintf(asl, "DefinitionBlock (\"\", \"DSDT\", 2, \"ASSAY\", \"BENCH\", 1) {}\n");
    close_file(asl, "DSDT.asl");
}

/* The table with the CPUs from `first`, whole containers of them. */
static void write_ssdt(const char *folder, unsigned first, unsigned cpus, bool is_flat)
{
    char name[32];
    FILE *asl;

    (void)snprintf(name, sizeof(name), "asl/SSDT%02u.asl", first / CPUS_PER_TABLE);
    asl = open_in(folder, name);
    (void)fprintf(asl,
                  "DefinitionBlock (\"\", \"SSDT\", 2, \"ASSAY\", \"BENCH%02u\", 1) {\n"
                  "Scope (\\_SB) {\n",
                  first / CPUS_PER_TABLE);
    for (unsigned cpu = first; cpu < cpus && cpu < first + CPUS_PER_TABLE; cpu++) {
        unsigned container = cpu / CPUS_PER_CONTAINER;

        if (!is_flat && cpu % CPUS_PER_CONTAINER == 0) {
            (void)fprintf(asl, "%sDevice (P%03X) {Name (_HID, \"ACPI0004\") Name (_UID, %u)\n",
                          cpu == first ? "" : "}\n", container, container);
        }
        write_processor(asl, cpu);
    }
    (void)fprintf(asl, "%s}}\n", is_flat ? "" : "}");
    close_file(asl, name);
}

/* What the report says of the CPU does not matter here: vendor, family 17H model 31H, no extended leaf. */
static void write_cpuid(const char *folder)
{
    FILE *file = open_in(folder, "cpuid.txt");

    (void)fprintf(file, "CPUID 00000000: 00000001-68747541-444D4163-69746E65\n"
                        "CPUID 00000001: 00830F10-00000800-7ED8320B-178BFBFF\n"
                        "CPUID 80000000: 80000001-68747541-444D4163-69746E65\n"
                        "CPUID 80000001: 00830F10-40000000-75C237FF-2FD3FBFF\n");
    close_file(file, "cpuid.txt");
}

static void make_folder(const char *parent, const char *name)
{
    char path[1024];

    (void)snprintf(path, sizeof(path), "%s%s", parent, name);
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        fail(path);
    }
}

int main(int count, char **words)
{
    unsigned long cpus = count == 4 ? strtoul(words[1], NULL, 10) : 0;

    if (cpus == 0 || cpus > CPUS_MAX) {
        (void)fprintf(stderr, "usage: machine CPUS nest|flat DIR, at most %u CPUs\n", CPUS_MAX);
        return 2;
    }
    make_folder(words[3], "");
    make_folder(words[3], "/tables");
    make_folder(words[3], "/asl");
    write_madt(words[3], (unsigned)cpus);
    write_fadt(words[3]);
    write_dsdt(words[3]);
    for (unsigned cpu = 0; cpu < cpus; cpu += CPUS_PER_TABLE) {
        write_ssdt(words[3], cpu, (unsigned)cpus, strcmp(words[2], "flat") == 0);
    }
    write_cpuid(words[3]);
    return EXIT_SUCCESS;
}

#include "host/snapshot.h"

#include "acpi/engine.h"
#include "build/version.h"
#include "drivers/cpu_collect.h"
#include "host/file.h"
#include "host/hw_linux.h"
#include "host/memory.h"
#include "host/output.h"
#include "host/words.h"
#include "model/smbios.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define EXIT_WRONG_USE 2
#define EXIT_NOT_DONE 3
#define PATH_BYTES 448
#define TEXT_BYTES 256
#define FOLDER_CHARS 320 /* leaves room for what goes behind it */

struct snapshot {
    struct arena *arena;
    const char *root;
    const char *folder;
    uint32_t tables;
    uint32_t left_out;
    struct hw_linux hw;
    struct options options;
    struct platform platform;
};

/* They hold licence keys: Microsoft, "Microsoft Software Licensing Tables (SLIC and MSDM)". */
static bool is_private(const char *name)
{
    return strncmp(name, "MSDM", 4) == 0 || strncmp(name, "SLIC", 4) == 0;
}

static bool make_folder(const struct snapshot *snapshot, const char *below)
{
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%.360s/%s", snapshot->folder, below);
    return mkdir(path, 0777) == 0 || errno == EEXIST;
}

static bool copy_table(struct snapshot *snapshot, const char *from, const char *to)
{
    struct file_bytes file;
    enum status status = file_read(from, snapshot->arena, &file);
    FILE *out;
    bool is_written;

    if (status != STATUS_OK || file.length == 0) {
        (void)fprintf(stderr, "assay: note: %s %s%s\n", from,
                      status == STATUS_OK ? "is empty" : file_problem(status),
                      status == STATUS_IO ? " (root may)" : "");
        return true;
    }
    out = fopen(to, "wb");
    if (out == NULL) {
        return false;
    }
    is_written = fwrite(file.bytes, 1, file.length, out) == file.length;
    is_written = fclose(out) == 0 && is_written;
    snapshot->tables += is_written ? 1 : 0;
    return is_written;
}

/* "SSDT7" becomes SSDT007.aml, so that file names sort in the kernel's order. */
static void table_name(const char *name, char *ret_name, size_t bytes)
{
    unsigned long number = strtoul(name + 4, NULL, 10);

    if (strcmp(name, "DSDT") == 0) {
        (void)snprintf(ret_name, bytes, "DSDT.aml");
    } else if (name[4] == '\0') {
        (void)snprintf(ret_name, bytes, "%.4s000.aml", name);
    } else {
        (void)snprintf(ret_name, bytes, "%.4s%03lu.aml", name, number);
    }
}

static bool is_table_name(const char *name)
{
    size_t length = strlen(name);

    for (size_t i = 0; i < length; i++) {
        bool is_letter = (name[i] >= 'A' && name[i] <= 'Z') || name[i] == '_' || name[i] == '!';
        bool is_digit = name[i] >= '0' && name[i] <= '9';

        if (!is_digit && (!is_letter || i >= 4)) {
            return false;
        }
    }
    return length >= 4 && length <= 7;
}

/* Linux 6.12 Documentation/ABI/testing/sysfs-firmware-acpi: one file a table, those that AML loaded in dynamic/. */
static bool copy_tables(struct snapshot *snapshot, const char *from, const char *to)
{
    DIR *directory = opendir(from);
    const struct dirent *entry;
    bool is_written = true;

    for (entry = directory == NULL ? NULL : readdir(directory); entry != NULL && is_written;
         entry = readdir(directory)) {
        char source[PATH_BYTES];
        char target[PATH_BYTES];
        char name[32];

        if (!is_table_name(entry->d_name)) {
            continue;
        }
        if (is_private(entry->d_name)) {
            snapshot->left_out++;
            continue;
        }
        table_name(entry->d_name, name, sizeof(name));
        (void)snprintf(source, sizeof(source), "%.360s/%.32s", from, entry->d_name);
        (void)snprintf(target, sizeof(target), "%.360s/%s/%s", snapshot->folder, to, name);
        is_written = copy_table(snapshot, source, target);
    }
    if (directory != NULL) {
        (void)closedir(directory);
    }
    return is_written;
}

/* One line of /sys/class/dmi/id; only the four of smbios.h are ever asked for. */
static const char *identity_of(const struct snapshot *snapshot, const char *name)
{
    char path[PATH_BYTES];
    char text[TEXT_BYTES] = "";
    FILE *file;

    (void)snprintf(path, sizeof(path), "%.360s/sys/class/dmi/id/%s", snapshot->root, name);
    file = fopen(path, "rb");
    if (file == NULL) {
        return NULL;
    }
    if (fgets(text, sizeof(text), file) == NULL) {
        text[0] = '\0';
    }
    (void)fclose(file);
    text[strcspn(text, "\n")] = '\0';
    return text[0] == '\0' ? NULL : arena_text(snapshot->arena, text, strlen(text));
}

/* The raw structure table, which only root may read; of it only the processors' speed is kept. */
static void take_smbios(struct snapshot *snapshot)
{
    char path[PATH_BYTES];
    struct smbios_identity identity;
    struct file_bytes file;

    (void)snprintf(path, sizeof(path), "%.360s/sys/firmware/dmi/tables/DMI", snapshot->root);
    if (file_read_plain(path, snapshot->arena, &file) == STATUS_OK) {
        smbios_identity_decode(file.bytes, file.length, snapshot->arena, &identity);
        snapshot->platform.has_smbios = true;
        snapshot->platform.smbios_max_mhz = identity.max_mhz;
    }
}

static bool collect(struct snapshot *snapshot)
{
    struct platform *platform = &snapshot->platform;
    uint32_t count = hw_linux_cpus(&snapshot->hw);

    options_init(&snapshot->options);
    platform_init(platform, snapshot->arena, &snapshot->options);
    platform->vendor = identity_of(snapshot, "sys_vendor");
    platform->product = identity_of(snapshot, "product_name");
    platform->firmware_version = identity_of(snapshot, "bios_version");
    platform->firmware_date = identity_of(snapshot, "bios_date");
    take_smbios(snapshot);
    cpu_collect_boot(&snapshot->hw.hw, platform);
    platform->cpus = arena_array(snapshot->arena, count, sizeof(*platform->cpus));
    platform->cpus_count = platform->cpus == NULL ? 0 : count;
    for (uint32_t cpu = 0; cpu < platform->cpus_count; cpu++) {
        platform->cpus[cpu] = (struct cpu){.processor = PROCESSOR_NONE, .answer = CPU_NOT_ASKED};
    }
    cpu_collect_all(&snapshot->hw.hw, platform);
    return platform->incomplete == NULL;
}

static bool write_part(const struct snapshot *snapshot, const char *name, report_writer writer)
{
    const struct build_info build = {
        .version = ASSAY_VERSION, .build = ASSAY_BUILD, .acpica = engine_acpica_version()};
    const struct report report = {.build = &build, .platform = &snapshot->platform};
    char path[PATH_BYTES];

    (void)snprintf(path, sizeof(path), "%.360s/%s", snapshot->folder, name);
    return output_report(path, writer, &report) == STATUS_OK;
}

static void say_missing(const struct snapshot *snapshot)
{
    const struct platform *platform = &snapshot->platform;

    (void)printf("%u tables, %u CPUs", snapshot->tables, platform->cpus_count);
    (void)printf(
        "; left out: %u tables with licence keys, and all serial numbers and owner strings\n",
        snapshot->left_out);
    if (!platform->has_smbios) {
        (void)printf("no SMBIOS: %s/sys/firmware/dmi/tables/DMI cannot be read (root may)\n",
                     snapshot->root);
    }
    if (platform->cpuid_kinds_count == 0) {
        (void)printf("no CPUID: %s/dev/cpu/0/cpuid cannot be read (modprobe cpuid, as root)\n",
                     snapshot->root);
    }
    if (platform->cpus_count > 0 && snapshot->hw.no_msr > 0) {
        (void)printf("no MSRs of %u CPUs: /dev/cpu/*/msr cannot be read (modprobe msr, as root; "
                     "lockdown forbids it)\n",
                     snapshot->hw.no_msr);
    }
}

static bool write_all(struct snapshot *snapshot)
{
    char from[PATH_BYTES];
    char dynamic[PATH_BYTES];

    (void)snprintf(from, sizeof(from), "%.360s/sys/firmware/acpi/tables", snapshot->root);
    (void)snprintf(dynamic, sizeof(dynamic), "%.360s/sys/firmware/acpi/tables/dynamic",
                   snapshot->root);
    if ((mkdir(snapshot->folder, 0777) != 0 && errno != EEXIST) ||
        !make_folder(snapshot, "tables") || !make_folder(snapshot, "dynamic") ||
        !copy_tables(snapshot, from, "tables") || !copy_tables(snapshot, dynamic, "dynamic")) {
        (void)fprintf(stderr, "assay: %s: cannot be written\n", snapshot->folder);
        return false;
    }
    if (snapshot->tables == 0) {
        (void)fprintf(stderr, "assay: %s: no table can be read there; run it as root\n", from);
        return false;
    }
    if (!collect(snapshot)) {
        (void)fprintf(stderr, "assay: %s\n", snapshot->platform.incomplete);
    }
    return write_part(snapshot, "meta.md", report_snapshot_meta) &&
           (!snapshot->platform.has_smbios ||
            write_part(snapshot, "smbios.txt", report_snapshot_smbios)) &&
           (snapshot->platform.cpuid_kinds_count == 0 ||
            (write_part(snapshot, "cpuid.txt", report_snapshot_cpuid) &&
             write_part(snapshot, "msr.txt", report_snapshot_msr)));
}

static int run(const char *folder, const char *root)
{
    static struct arena arena;
    struct snapshot *snapshot;
    bool is_written;

    memory_init(&arena);
    snapshot = arena_take(&arena, sizeof(*snapshot));
    if (strlen(folder) > FOLDER_CHARS || strlen(root) > FOLDER_CHARS) {
        (void)fprintf(stderr, "assay: the path is too long\n");
        return EXIT_WRONG_USE;
    }
    if (snapshot == NULL || hw_linux_open(&snapshot->hw, root) != STATUS_OK) {
        return EXIT_NOT_DONE;
    }
    snapshot->arena = &arena;
    snapshot->root = root;
    snapshot->folder = folder;
    is_written = write_all(snapshot);
    if (is_written) {
        say_missing(snapshot);
    }
    hw_linux_close(&snapshot->hw);
    return is_written ? EXIT_SUCCESS : EXIT_NOT_DONE;
}

int snapshot_command(int count, char **words)
{
    const char *root = "";
    const struct word_option options[] = {{"--root", &root, NULL}};
    struct words taken = {.command = "snapshot", .options_count = 1, .options = options};
    int status = EXIT_WRONG_USE;

    taken.paths = calloc((size_t)count + 1, sizeof(*taken.paths));
    if (taken.paths == NULL) {
        return EXIT_NOT_DONE;
    }
    if (words_take(&taken, count, words)) {
        if (taken.paths_count == 1) {
            status = run(taken.paths[0], root);
        } else {
            (void)fprintf(stderr, "assay: snapshot needs one folder to write to\n");
        }
    }
    free(taken.paths);
    return status;
}

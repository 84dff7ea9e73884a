/* Machines that Linux knows by their SMBIOS strings. kernel-facts 1.1, 3.3, 6.5. */
#include "model/linux/parts.h"

#include <string.h>

struct quirk {
    const char *vendor; /* each: a part of the string, or NULL for any */
    const char *product;
    const char *firmware_version;
    const char *firmware_date;
};

static const struct quirk quirks[LINUX_QUIRKS] = {
    [LINUX_QUIRK_ZV5000] = {"Hewlett-Packard", "Pavilion zv5000 (DS502A#ABA)", NULL, NULL},
    [LINUX_QUIRK_L8400B] = {"ASUSTeK Computer Inc.", "L8400B series Notebook PC", NULL, NULL},
    [LINUX_QUIRK_CLEVO_5600D] = {NULL, NULL, "SHE845M0.86C.0013.D.0302131307", NULL},
    [LINUX_QUIRK_X6DLP] = {"Supermicro Server", "X6DLP", "080010", NULL},
    [LINUX_QUIRK_7K62] = {NULL, NULL, "5.14", "12/12/2019"},
};

static bool matches(const char *wanted, const char *string)
{
    return wanted == NULL || (string != NULL && strstr(string, wanted) != NULL);
}

/* Zen 2 by the kernel's list of families and models: kernel-facts 2.8. */
static bool is_zen2(const struct cpu_identity *identity)
{
    uint32_t model = identity->model;

    return identity->vendor == VENDOR_AMD && identity->family == 0x17 &&
           ((model >= 0x30 && model <= 0x4F) || (model >= 0x60 && model <= 0x7F) ||
            (model >= 0x90 && model <= 0x91) || (model >= 0xA0 && model <= 0xAF));
}

bool linux_quirk_applies(const struct platform *platform, enum linux_quirk which)
{
    const struct quirk *quirk = &quirks[which];

    if (which == LINUX_QUIRK_7K62 && !is_zen2(&platform->identity)) {
        return false;
    }
    return matches(quirk->vendor, platform->vendor) && matches(quirk->product, platform->product) &&
           matches(quirk->firmware_version, platform->firmware_version) &&
           matches(quirk->firmware_date, platform->firmware_date);
}

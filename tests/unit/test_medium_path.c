#include "model/medium_path.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static void folders_of_the_medium(void **state)
{
    static const char *const good[] = {
        "\\assay\\results", "/assay/results", "results",  "\\my results\\a=b",
        "\\a\\\\b\\",       "\\EFIX",         "\\a\\efi", "\\.hidden",
        "\\a..b",           "\\a~b",          "\\~1",     "\\\xC3\xA4",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(good) / sizeof(good[0]); i++) {
        if (!medium_path_is_folder(good[i])) {
            fail_msg("%s is a folder", good[i]);
        }
    }
}

static void what_leads_elsewhere(void **state)
{
    static const char *const bad[] = {
        "",
        "\\",
        "//",
        "..",
        "\\..\\EFI",
        "\\assay\\..\\EFI\\BOOT",
        "\\assay\\.",
        "\\.\\EFI",
        "fs1:\\results",
        "c:results",
        "PciRoot(0x0)/Pci(0x1,0x0):x",
        "\\EFI",
        "\\efi\\boot",
        "//Efi",
        "\\EFI.\\x",
        "\\EFI \\x",
        "\\a\\PROGRA~1",
        "\\PROGRA~1.EXT",
        "\\a*",
        "\\a?",
        "\\a|b",
        "\\a<b>",
        "\\a\"b",
        "\\a\nb",
        "\\a\x7F",
    };

    (void)state;
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (medium_path_is_folder(bad[i])) {
            fail_msg("%s is taken", bad[i]);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(folders_of_the_medium),
        cmocka_unit_test(what_leads_elsewhere),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}

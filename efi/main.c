#include <efi.h>

EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

/* Proves the way from source to boot until the application itself stands here. */
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    static CHAR16 line[] = L"assay: built and booted\r\n";

    (void)image;
    return system->ConOut->OutputString(system->ConOut, line);
}

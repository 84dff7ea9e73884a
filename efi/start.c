#include <efi.h>

/*
 * Where the firmware enters the image (ENTRY in linker.lds). It calls by the Microsoft x64 convention
 * (UEFI 2.10, 2.3.4.2 Detailed Calling Conventions), the program inside is built for the System V one.
 * Base relocations are applied by the firmware before, so there is nothing else to do.
 */
EFI_STATUS efi_main(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);
EFI_STATUS EFIAPI assay_start(EFI_HANDLE image, EFI_SYSTEM_TABLE *system);

EFI_STATUS EFIAPI assay_start(EFI_HANDLE image, EFI_SYSTEM_TABLE *system)
{
    return efi_main(image, system);
}

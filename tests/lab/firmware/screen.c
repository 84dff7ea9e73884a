#include "tests/lab/firmware/lab.h"

static EFI_GRAPHICS_OUTPUT_PROTOCOL *find_graphics(void)
{
    static const EFI_GUID guid = EFI_GRAPHICS_OUTPUT_PROTOCOL_GUID;
    EFI_GRAPHICS_OUTPUT_PROTOCOL *graphics = NULL;

    if (lab.services->HandleProtocol(lab.system->ConsoleOutHandle, lab_guid(&guid),
                                     (void **)&graphics) != EFI_SUCCESS) {
        return NULL;
    }
    return graphics;
}

bool screen_set(uint32_t width_px, uint32_t height_px)
{
    EFI_GRAPHICS_OUTPUT_PROTOCOL *graphics = find_graphics();

    for (UINT32 mode = 0; graphics != NULL && mode < graphics->Mode->MaxMode; mode++) {
        EFI_GRAPHICS_OUTPUT_MODE_INFORMATION *information;
        UINTN bytes;

        /* What a query gives is never given back here: the machine ends with this run. */
        if (graphics->QueryMode(graphics, mode, &bytes, &information) == EFI_SUCCESS &&
            information->HorizontalResolution == width_px &&
            information->VerticalResolution == height_px) {
            return graphics->SetMode(graphics, mode) == EFI_SUCCESS;
        }
    }
    return false;
}

/* UEFI 2.10, 12.4.1: mode 0 is that of 80 columns and 25 rows. */
bool screen_make_small(void)
{
    SIMPLE_TEXT_OUTPUT_INTERFACE *out = lab.system->ConOut;

    out->Mode->MaxMode = 1;
    return out->SetMode(out, 0) == EFI_SUCCESS;
}

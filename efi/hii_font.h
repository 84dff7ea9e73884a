#pragma once

#include <efi.h>

/* EFI_HII_FONT_PROTOCOL: UEFI 2.10, 34.1 Font Protocol. gnu-efi has no header for it. */
#define HII_FONT_GUID                                                                              \
    {                                                                                              \
        0xe9ca4775, 0x8657, 0x47fc,                                                                \
        {                                                                                          \
            0x97, 0xe7, 0x7e, 0xd6, 0x5a, 0x08, 0x43, 0x24                                         \
        }                                                                                          \
    }

/* EFI_IMAGE_OUTPUT: UEFI 2.10, 34.3 Image Protocol; what get_glyph gives is to be freed, both parts of it. */
struct hii_image {
    UINT16 width;
    UINT16 height;
    EFI_GRAPHICS_OUTPUT_BLT_PIXEL *bitmap;
};

struct hii_font {
    void *string_to_image;
    void *string_id_to_image;
    EFI_STATUS(EFIAPI *get_glyph)
    (const struct hii_font *self, CHAR16 character, const void *information,
     struct hii_image **ret_image, UINTN *ret_baseline);
    void *get_font_info;
};

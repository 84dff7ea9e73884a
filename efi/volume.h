#pragma once

#include <efi.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* File systems that the firmware knows. A path is UTF-8, relative to the root, with '\' or '/'. */

#define VOLUME_PATH_CHARS 320

/* The volume this program was loaded from, or NULL (network boot). */
EFI_HANDLE volume_boot(void);

/* Why the last of the calls below that failed did so, in words: "the medium is full". A file's own calls are told of by
 * volume_note. */
const char *volume_why(void);
void volume_note(EFI_STATUS status);

/* Lets the firmware find what hangs on the machine's storage and USB controllers, once: where it boots fast it has looked
 * for nothing but the boot medium. */
void volume_connect_all(void);

/* Whether the last failure was not one of a medium that is there (full, protected, damaged). A stick that was pulled out
 * costs a minute of the firmware's patience with each thing that is asked of it, closing a file among them. */
bool volume_has_lost_medium(void);

/* The boot volume failed while it was written: from then on it is the last that anybody tries; and lost, when the failure
 * was of that kind. */
void volume_doubt_boot(void);
bool volume_is_boot_doubtful(void);
bool volume_is_boot_lost(void);

/* The label of the volume that `root` is of, or "" when it has none; characters beyond ASCII as '?'. */
#define VOLUME_LABEL_BYTES 40
void volume_label(EFI_FILE *root, char ret_label[VOLUME_LABEL_BYTES]);

/* The root folder; NULL when it cannot be opened. The caller closes it. */
EFI_FILE *volume_root(EFI_HANDLE volume);

/* Opens a file or folder below `folder`; NULL when that fails. `mode` and `attributes` as for
 * EFI_FILE_PROTOCOL.Open. */
EFI_FILE *volume_open(EFI_FILE *folder, const char *path, uint64_t mode, uint64_t attributes);

/* Makes each folder of the path that is missing and opens the last; NULL when one cannot be made. */
EFI_FILE *volume_make_folders(EFI_FILE *root, const char *path);

/* UTF-8 to UCS-2 with '/' turned into '\' and leading ones dropped; false when it does not fit. */
bool volume_path(const char *path, CHAR16 ret_path[VOLUME_PATH_CHARS]);

/* Opening for writing gives a folder of that name as well. */
bool volume_is_folder(EFI_FILE *file);

/* Does nothing with NULL; *file is NULL afterwards. */
void volume_close(EFI_FILE **file);
#define AUTO_FILE __attribute__((cleanup(volume_close))) EFI_FILE *

#pragma once

#include <stdbool.h>

/*
 * Whether `path` names a folder of a medium that results may be put into, whatever file system is there: parts between
 * '\' or '/', at least one. Refused is what would lead to another place than the one it reads like: "." and "..", a
 * device or a drive before a colon, characters that FAT does not take, a part that ends with a dot or a blank (FAT drops
 * them), the short 8.3 name of another folder (NAME~1); and the folder EFI, which belongs to the firmware and to
 * operating systems (UEFI 2.10, 13.3.1.3 Directory Structure). FAT's rules: Microsoft, "FAT: General Overview of
 * On-Disk Format", 1.03, "Long Directory Entries".
 */
bool medium_path_is_folder(const char *path);

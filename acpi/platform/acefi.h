/*
 * The host description that ACPICA asks for (its acenv.h includes "acefi.h" where _GNU_EFI is
 * defined). One description serves both worlds: the UEFI application and the host program are
 * built from the same ACPICA files with the same settings, so both see the same interpreter.
 *
 * The settings follow Linux 6.12 include/acpi/platform/aclinux.h wherever they change what AML
 * evaluates to, because the report compares with what Linux sees.
 */
#pragma once

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define ACPI_MACHINE_WIDTH 64
#define COMPILER_DEPENDENT_INT64 long long
#define COMPILER_DEPENDENT_UINT64 unsigned long long
#define ACPI_USE_NATIVE_DIVIDE

/* One thread, and ACPICA's own object caches. Allocation tracking (ACPI_DBG_TRACK_ALLOCATIONS)
 * stays off: it walks a list on every free, which is quadratic in the number of processors. */
#define ACPI_SINGLE_THREADED
#define ACPI_USE_LOCAL_CACHE

/* As Linux sets them. */
#define ACPI_USE_DO_WHILE_0
#define ACPI_IGNORE_PACKAGE_RESOLUTION_ERRORS
#define ACPI_USE_GPE_POLLING
#define ACPI_PCI_CONFIGURED

#define ACPI_USE_SYSTEM_CLIBRARY
#define ACPI_OFFSET(d, f) offsetof(d, f)
#define acpi_uintptr_t uintptr_t
#define ACPI_TO_INTEGER(p) ((uintptr_t)(p))

/* Marks of the Linux kernel that have no meaning here. */
#define __init
#define __iomem
#define ACPI_EXPORT_SYMBOL(symbol)

/* What ACPICA needs of <ctype.h>. That header's macros would pull in locale tables, which the
 * UEFI application does not have. */
int isprint(int c);
int isxdigit(int c);
int isdigit(int c);
int isspace(int c);
int isupper(int c);
int isalpha(int c);
int toupper(int c);
int tolower(int c);

/* ACPICA brings its own formatter under the C library's names. In the host program it would replace the
 * C library's for everybody, so it gets names of its own. */
#define vsnprintf acpi_print_vsnprintf
#define snprintf acpi_print_snprintf
#define sprintf acpi_print_sprintf
int acpi_print_vsnprintf(char *text, unsigned long long bytes, const char *format,
                         va_list arguments);
int acpi_print_snprintf(char *text, unsigned long long bytes, const char *format, ...);
int acpi_print_sprintf(char *text, const char *format, ...);

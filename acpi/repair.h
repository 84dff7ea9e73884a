#pragma once

#include "model/objects.h"

#include <stdbool.h>

/*
 * Whether ACPICA's return-value repair may be let loose on this object. Its code (Linux 6.12
 * drivers/acpi/acpica/nsrepair2.c and nsprepkg.c) trusts the shape of what it repairs: it walks out of
 * bounds on an empty _CST or an empty dependency package, reads elements that are not there when it sorts
 * short _PSS rows, and writes a count into whatever element 0 of a _CST is.
 */
bool repair_is_safe(enum object_kind kind, const struct aml_value *raw);

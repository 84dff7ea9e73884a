#pragma once

#include "acpi/engine.h"

/*
 * The processors of the namespace: Processor objects and devices that are ACPI0007 by _HID or _CID, in
 * namespace order, with _UID and _STA. The MADT entry
 * that each belongs to is found by numbering_assign.
 */

/* Forgets the processors of an earlier interpreter. */
void processors_init(const struct engine_config *config);

/* Walks the namespace and appends the processors that are not listed yet. NO_MEMORY when the list could
 * not be kept. */
enum status processors_list(struct platform *platform) MUST_CHECK;

/* The interpreter's handle of platform->processors[index]. */
void *processors_handle(uint32_t index);

#pragma once

#include "acpi/engine.h"

/*
 * Evaluates the eight objects of every processor, those of enabled processors first, object by object. All
 * of them with repair off before any with repair on: ACPICA repairs named packages in place, so what a
 * later evaluation returned would no longer be what the firmware said.
 */
void evaluate_objects(const struct engine_config *config, struct platform *platform);

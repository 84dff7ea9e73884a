#pragma once

#include "acpi/engine.h"

/*
 * Tells the firmware what the operating system can do: \_SB._OSC, then _OSC or _PDC on the processors.
 * By options->caps: as Linux 6.12 does it on this CPU, with given capability words, or not at all. Fills
 * platform->handshake except dynamic_tables, and the osc_error and pdc_error of the processors.
 */
void handshake_run(const struct engine_config *config, struct platform *platform);

/* The capability words that Linux 6.12 announces on the CPU with these leaves. */
uint32_t handshake_linux_processor_caps(const struct cpuid_set *cpuid);
uint32_t handshake_linux_platform_caps(void);

#pragma once

#include "model/platform.h"

/* boot_apic_id for numbering_assign when it is not known (a dump): the first enabled entry's. */
#define NUMBERING_BOOT_UNKNOWN UINT32_MAX

/*
 * Numbers the CPUs as Linux 6.12 does (arch/x86/kernel/acpi/boot.c, kernel/cpu/topology.c): the boot CPU
 * is 0, then the usable MADT entries in order. Ignored: LAPIC id FFH, x2APIC id FFFFFFFFH, x2APIC ids
 * below FFH when any usable LAPIC entry exists, entries that are not enabled. Fills platform->cpus and
 * the cpu, apic_id and is_enabled of every processor (matched by _UID: type 0 by ProcessorId, type 9 by
 * UID). Without a MADT the processors of the namespace are numbered in namespace order; without those
 * either there is one CPU. May be called again after the handshake: numbers do not change, processors
 * that appeared are matched.
 */
void numbering_assign(struct platform *platform, uint32_t boot_apic_id);

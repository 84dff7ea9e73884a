#pragma once

#include "rules/judge.h"

/* What the rules about _CPC share. */

/* How many entries a revision demands: ACPI 5.1 to 6.5, 8.4.6.1 _CPC (17, 21, 23, 25); 0: unknown. */
uint32_t cpc_entries_of(uint64_t revision);

/* The value of an element as far as it is known: an Integer, or a register that was read. */
bool cpc_get(const struct processor *processor, const struct object_set *set,
             enum cpc_register index, uint64_t *ret_value);

/* Whether an element is a register descriptor that was decoded and is not the null register. */
bool cpc_has_register(const struct cpc *cpc, enum cpc_register index);

/* Whether an element says "not supported": missing, null register, or the Integer 0. */
bool cpc_is_unsupported(const struct cpc *cpc, enum cpc_register index);

/* Whether the object uses AMD's CPPC MSRs, or the CPU is AMD's. */
bool cpc_is_amd(const struct platform *platform, const struct cpc *cpc);

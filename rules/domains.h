#pragma once

#include "rules/judge.h"

/*
 * _PSD and _CSD have the same shape and the same duties: each processor names a domain, how its members
 * coordinate, and how many there are. ACPI 6.5, 8.4.5.5 _PSD and 8.4.1.2 _CSD.
 */

/* The rows of a dependency set, whichever of the two it is. */
const struct dependency *domains_rows(const struct object_set *set);

void domains_is_package(struct judge *judge, const struct object_set *set);
void domains_has_one_row(struct judge *judge, const struct object_set *set);
void domains_has_elements(struct judge *judge, const struct object_set *set);
void domains_entries_agree(struct judge *judge, const struct object_set *set);
void domains_has_integers(struct judge *judge, const struct object_set *set);
void domains_revision_is_zero(struct judge *judge, const struct object_set *set);
void domains_type_is_known(struct judge *judge, const struct object_set *set);
void domains_count_is_given(struct judge *judge, const struct object_set *set);

/* The same domain: the same coordination type and number of processors. */
void domains_members_agree(struct judge *judge);

/* The number of processors against the members there are. */
void domains_count_is_right(struct judge *judge);

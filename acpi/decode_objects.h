#pragma once

#include "model/aml_value.h"
#include "model/arena.h"
#include "model/objects.h"

/*
 * Decoders of the processor objects: pure functions over what an object evaluated to. They accept any
 * shape: what is missing or of another type than the specification demands is left 0 and its valid bit
 * clear, because the rules judge the shape. Arrays go into the arena; when it is exhausted the count is 0.
 */

/* A Generic Register Descriptor in a Buffer. `value` may be NULL (no such element). */
struct object_register decode_register(const struct aml_value *value);

/* The Integers of package `value`, element first..first+count-1, into ret_field; gives the mask of those
 * that are Integers (bit i for element first+i). */
uint32_t decode_integers(const struct aml_value *value, uint32_t first, uint32_t count,
                         uint64_t *ret_field);

void decode_pss(const struct aml_value *value, struct arena *arena, struct pss *ret_pss);
void decode_pct(const struct aml_value *value, struct pct *ret_pct);
void decode_dependency(const struct aml_value *value, struct arena *arena,
                       struct dependency *ret_dependency);
void decode_cpc(const struct aml_value *value, struct cpc *ret_cpc);
void decode_cst(const struct aml_value *value, struct arena *arena, struct cst *ret_cst);
void decode_lpi(const struct aml_value *value, struct arena *arena, struct lpi *ret_lpi);

/* Decodes set->raw into the member of the union that set->kind names. */
void decode_object(struct object_set *set, struct arena *arena);

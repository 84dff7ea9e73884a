#include "acpi/scope_guard.h"

#include <stdbool.h>
#include <stddef.h>

/* The innermost scopes end one by one; only the root has nothing to give, and then the parser goes on to the next
 * opcode. 65536 times nothing in a row is far beyond the nesting of any table. */
#define ROOT_POPS_MAX 65536U

/* In psscope.c, as ACPICA's acparser.h has it; its types are not needed here. */
void acpi_ps_pop_scope(void *parser_state, void **op, uint32_t *arg_types, uint32_t *arg_count);

static uint32_t root_pops;
static bool has_tripped;

void scope_guard_init(void)
{
    root_pops = 0;
    has_tripped = false;
}

const char *scope_guard_reason(void)
{
    return has_tripped
               ? "a table's own code has a Break or Continue in a While after an If that failed: "
                 "the interpreter, Linux's too, would never come back"
               : NULL;
}

void scope_guard_pop(void *parser_state, void **op, uint32_t *arg_types, uint32_t *arg_count)
{
    acpi_ps_pop_scope(parser_state, op, arg_types, arg_count);
    root_pops = *op == NULL ? root_pops + 1 : 0;
    if (root_pops > ROOT_POPS_MAX) {
        root_pops = 0;
        has_tripped = true;
        __builtin_trap();
    }
}

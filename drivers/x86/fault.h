#pragma once

#include "drivers/x86/cpu.h"

#include <stdalign.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * An interrupt descriptor table of our own, one for each CPU that needs one. With it a #GP at the RDMSR,
 * the WRMSR or the proof instruction of cpu.S becomes a return value; an NMI is counted; every other
 * exception is recorded and handed to a function. Nothing is assumed of the state that is found: the
 * code selector is the current one, IF stays as it is, and detaching loads the IDTR that was there.
 */

#define FAULT_VECTORS 256U
#define FAULT_VECTOR_NMI 2U

/* A gate: SDM vol. 3A, figure 6-8, 64-Bit IDT Gate Descriptors. */
struct interrupt_gate {
    uint16_t offset_low;
    uint16_t selector;
    uint16_t flags;
    uint16_t offset_middle;
    uint32_t offset_high;
    uint32_t reserved;
};
_Static_assert(sizeof(struct interrupt_gate) == 16, "the processor reads 16 bytes a gate");

/* An exception that nobody expected. The registers are in the order in which fault_entry.S leaves them. */
#define FAULT_REGISTERS 15
struct fault_record {
    uint64_t vector;
    uint64_t error_code; /* 0 for a vector that pushes none */
    uint64_t rip;
    uint64_t rsp;
    uint64_t rflags;
    uint64_t cr2;                        /* meaningful for vector 14 */
    uint64_t registers[FAULT_REGISTERS]; /* r15 ... r8, rdi, rsi, rbp, rbx, rdx, rcx, rax */
};

/* An instruction that may raise #UD or #GP and where to go on then: distances in bytes from the start of the
 * table that the entry stands in, so that the table needs no relocation. */
struct fault_fixup {
    int32_t instruction;
    int32_t target;
};

struct fault_cpu;

/* Called with interrupts off on the faulting CPU. When it returns, that CPU stops for ever. */
typedef void (*fault_handler)(struct fault_cpu *cpu, const struct fault_record *record);

/* Called for vectors from 32 up that came to our own gates; must end the interrupt at the local APIC. */
typedef void (*fault_stray)(struct fault_cpu *cpu, unsigned vector);

enum fault_scope {
    FAULT_EXCEPTIONS, /* vectors 0 to 31; interrupts go where they went (their gates are copied) */
    FAULT_ALL         /* every vector */
};

/*
 * One CPU's table and state. The owner gives zeroed memory, aligned to 16, that lives as long as the table
 * is attached; on_exception, on_stray and fixups may be set before.
 */
struct fault_cpu {
    fault_handler on_exception; /* NULL: that of the table attached over; else the CPU stops */
    fault_stray on_stray;
    void *context;                    /* the owner's own */
    const struct fault_fixup *fixups; /* instructions of the owner that may fault */
    size_t fixups_count;
    uint64_t nmi_count;
    uint64_t stray_count;
    bool has_fault; /* `last` is valid; also of a table attached over this one */
    struct fault_record last;
    struct descriptor_register saved; /* the IDTR to put back */
    alignas(16) struct interrupt_gate gates[FAULT_VECTORS];
};

/* Fills the gates and loads the table on the calling CPU. Then proves it with an instruction that surely
 * faults; false when that did not come back as a fault (the old IDTR is then loaded again). */
bool fault_attach(struct fault_cpu *cpu, enum fault_scope scope);

/* Loads the IDTR that was there at fault_attach; false when it is not what the CPU then says. */
bool fault_detach(const struct fault_cpu *cpu);

/* Whether the table that the calling CPU uses is one of ours: only then may an MSR be touched. */
bool fault_is_attached(void);

/* Points vector `vector` of an attached table to an assembly handler that ends with IRETQ. */
void fault_set_gate(struct fault_cpu *cpu, unsigned vector, void (*handler)(void));

/* Where a gate of the table to be put back leads, 0 when it has no such gate. */
uint64_t fault_saved_handler(const struct fault_cpu *cpu, unsigned vector);

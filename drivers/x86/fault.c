#include "drivers/x86/fault.h"

#include <stddef.h>
#include <string.h>

#define FIRST_INTERRUPT 32U

/* Gate type and flags: present, DPL 0, 64-bit interrupt gate (type 0Eh), no IST.
 * SDM vol. 3A, figure 6-8; table 3-2 for the type. */
#define GATE_FLAGS 0x8E00U

/* Exceptions by which a confidential guest's firmware emulates instructions for us: #VE (Intel TDX
 * module specification, "Virtualization Exception") and #VC (APM vol. 2, 15.35.5). Their handlers stay. */
#define VECTOR_VE 20U
#define VECTOR_UD 6U
#define VECTOR_GP 13U
#define VECTOR_VC 29U

/* What fault_entry.S leaves on the stack, lowest address first. */
struct fault_frame {
    uint64_t r15, r14, r13, r12, r11, r10, r9, r8;
    uint64_t rdi, rsi, rbp, rbx, rdx, rcx, rax;
    uint64_t vector;
    uint64_t error_code;
    uint64_t rip, cs, rflags, rsp, ss;
};
_Static_assert(sizeof(struct fault_frame) == 22 * sizeof(uint64_t),
               "fault_entry.S pushes 15 registers and 2 words");

extern const uint8_t fault_entries[];
void fault_dispatch(struct fault_frame *frame);

static uint64_t entry_address(unsigned vector)
{
    return (uint64_t)(uintptr_t)fault_entries + 16U * (uint64_t)vector;
}

static uint64_t gate_address(const struct interrupt_gate *gate)
{
    return (uint64_t)gate->offset_high << 32 | (uint64_t)gate->offset_middle << 16 |
           gate->offset_low;
}

static void set_gate(struct interrupt_gate *gate, uint64_t address)
{
    gate->offset_low = (uint16_t)address;
    gate->selector = cpu_code_selector();
    gate->flags = GATE_FLAGS;
    gate->offset_middle = (uint16_t)(address >> 16);
    gate->offset_high = (uint32_t)(address >> 32);
    gate->reserved = 0;
}

/* The gate of the table that was found, or NULL: beyond its limit or not present (bit 15). */
static const struct interrupt_gate *saved_gate(const struct fault_cpu *cpu, unsigned vector)
{
    const struct interrupt_gate *gates = (const struct interrupt_gate *)(uintptr_t)cpu->saved.base;

    if (gates == NULL || cpu->saved.limit < vector * sizeof(*gates) + (sizeof(*gates) - 1) ||
        (gates[vector].flags & 0x8000U) == 0) {
        return NULL;
    }
    return &gates[vector];
}

static bool keeps_saved_gate(enum fault_scope scope, unsigned vector)
{
    if (vector == VECTOR_VE || vector == VECTOR_VC) {
        return true;
    }
    return scope == FAULT_EXCEPTIONS && vector >= FIRST_INTERRUPT;
}

bool fault_attach(struct fault_cpu *cpu, enum fault_scope scope)
{
    struct descriptor_register ours = {.limit = sizeof(cpu->gates) - 1,
                                       .base = (uint64_t)(uintptr_t)cpu->gates};

    cpu_store_idt(&cpu->saved);
    for (unsigned vector = 0; vector < FAULT_VECTORS; vector++) {
        const struct interrupt_gate *saved = saved_gate(cpu, vector);

        if (saved != NULL && keeps_saved_gate(scope, vector)) {
            cpu->gates[vector] = *saved;
        } else {
            set_gate(&cpu->gates[vector], entry_address(vector));
        }
    }
    cpu_load_idt(&ours);
    if (!cpu_faults_as_proved()) {
        cpu_load_idt(&cpu->saved);
        return false;
    }
    return true;
}

bool fault_detach(const struct fault_cpu *cpu)
{
    struct descriptor_register now;

    cpu_load_idt(&cpu->saved);
    cpu_store_idt(&now);
    return now.base == cpu->saved.base && now.limit == cpu->saved.limit;
}

/* A table of ours is known by its size and by where its #GP gate leads. */
static bool is_ours(const struct descriptor_register *table)
{
    const struct interrupt_gate *gates = (const struct interrupt_gate *)(uintptr_t)table->base;

    return table->limit == sizeof(((struct fault_cpu *)NULL)->gates) - 1 &&
           gate_address(&gates[VECTOR_GP]) == entry_address(VECTOR_GP);
}

bool fault_is_attached(void)
{
    struct descriptor_register now;

    cpu_store_idt(&now);
    return is_ours(&now);
}

void fault_set_gate(struct fault_cpu *cpu, unsigned vector, void (*handler)(void))
{
    set_gate(&cpu->gates[vector % FAULT_VECTORS], (uint64_t)(uintptr_t)handler);
}

uint64_t fault_saved_handler(const struct fault_cpu *cpu, unsigned vector)
{
    const struct interrupt_gate *gate = saved_gate(cpu, vector);

    return gate == NULL ? 0 : gate_address(gate);
}

/* The table lies inside its struct fault_cpu, so the IDTR alone leads to the CPU's state: no local
 * APIC, no segment base and no CPU number is needed on the way. */
static struct fault_cpu *cpu_of(const struct descriptor_register *table)
{
    return (struct fault_cpu *)(uintptr_t)(table->base - offsetof(struct fault_cpu, gates));
}

/* The instructions of cpu.S: only #GP is expected there. */
static bool fix_up_ours(struct fault_frame *frame)
{
    const uint8_t *const places[][2] = {
        {cpu_rdmsr_instruction, cpu_rdmsr_faulted},
        {cpu_wrmsr_instruction, cpu_wrmsr_faulted},
        {cpu_proof_instruction, cpu_proof_faulted},
    };

    for (size_t i = 0; frame->vector == VECTOR_GP && i < sizeof(places) / sizeof(places[0]); i++) {
        if (frame->rip == (uint64_t)(uintptr_t)places[i][0]) {
            frame->rip = (uint64_t)(uintptr_t)places[i][1];
            return true;
        }
    }
    return false;
}

/* The owner's instructions: #UD or #GP. */
static bool fix_up_owners(const struct fault_cpu *cpu, struct fault_frame *frame)
{
    uint64_t table = (uint64_t)(uintptr_t)cpu->fixups;

    if (frame->vector != VECTOR_UD && frame->vector != VECTOR_GP) {
        return false;
    }
    for (size_t i = 0; i < cpu->fixups_count; i++) {
        if (frame->rip == table + (uint64_t)(int64_t)cpu->fixups[i].instruction) {
            frame->rip = table + (uint64_t)(int64_t)cpu->fixups[i].target;
            return true;
        }
    }
    return false;
}

/* A table without a function of its own passes the exception to the table it was attached over. */
static void record_exception(struct fault_cpu *cpu, const struct fault_frame *frame)
{
    struct fault_cpu *outer;

    cpu->last = (struct fault_record){
        .vector = frame->vector,
        .error_code = frame->error_code,
        .rip = frame->rip,
        .rsp = frame->rsp,
        .rflags = frame->rflags,
        .cr2 = cpu_fault_address(),
    };
    memcpy(cpu->last.registers, &frame->r15, sizeof(cpu->last.registers));
    cpu->has_fault = true;
    outer = cpu->on_exception == NULL && is_ours(&cpu->saved) ? cpu_of(&cpu->saved) : cpu;
    if (outer != cpu) {
        outer->last = cpu->last;
        outer->has_fault = true;
    }
    if (outer->on_exception != NULL) {
        outer->on_exception(outer, &cpu->last);
    }
    cpu_stop();
}

/* Called by fault_entry.S with interrupts off. Returning goes on at frame->rip. */
void fault_dispatch(struct fault_frame *frame)
{
    struct descriptor_register now;
    struct fault_cpu *cpu;

    cpu_store_idt(&now);
    cpu = cpu_of(&now);
    if (fix_up_ours(frame) || fix_up_owners(cpu, frame)) {
        return;
    }
    if (frame->vector == FAULT_VECTOR_NMI) {
        cpu->nmi_count++;
        return;
    }
    if (frame->vector >= FIRST_INTERRUPT) {
        cpu->stray_count++;
        if (cpu->on_stray != NULL) {
            cpu->on_stray(cpu, (unsigned)frame->vector);
        }
        return;
    }
    record_exception(cpu, frame);
}

#pragma once

#include "model/cpu_id.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The instructions that C has no words for, one function each, in cpu.S. They follow the System V
 * calling convention and use general registers only. The one RDMSR and the one WRMSR of the whole
 * program are here; only drivers/x86/msr.c and timing.S call them.
 */

/* An IDTR or GDTR value as SIDT stores it: SDM vol. 3A, 2.4.3 IDTR. */
struct descriptor_register {
    uint16_t limit;
    uint64_t base;
} __attribute__((packed));

void cpu_cpuid(uint32_t leaf, uint32_t subleaf, struct cpuid_leaf *ret_leaf);

/* LFENCE; RDTSC: the time stamp after everything before it has completed (SDM vol. 2B, RDTSC; on AMD
 * this needs LFENCE to be serialising, which it is or is made by every firmware since family 17h). */
uint64_t cpu_tsc(void);

/* False when the instruction raised #GP and our fault handler turned that into a return; *ret_value is
 * then untouched. Only with the fault handler attached on this CPU. */
bool cpu_rdmsr(uint32_t msr, uint64_t *ret_value);
bool cpu_wrmsr(uint32_t msr, uint64_t value);

/* Runs an instruction that surely raises #GP: a load from a non-canonical address (SDM vol. 3A, 6.15,
 * interrupt 13). True when the fault handler brought it back, false when it did not fault at all. */
bool cpu_faults_as_proved(void);

/* The instructions that may fault and where each goes on: for the fault handler. */
extern const uint8_t cpu_rdmsr_instruction[], cpu_rdmsr_faulted[];
extern const uint8_t cpu_wrmsr_instruction[], cpu_wrmsr_faulted[];
extern const uint8_t cpu_proof_instruction[], cpu_proof_faulted[];

uint8_t cpu_in8(uint16_t port);
uint16_t cpu_in16(uint16_t port);
uint32_t cpu_in32(uint16_t port);
void cpu_out8(uint16_t port, uint8_t value);
void cpu_out16(uint16_t port, uint16_t value);
void cpu_out32(uint16_t port, uint32_t value);

void cpu_store_idt(struct descriptor_register *ret_register);
void cpu_load_idt(const struct descriptor_register *value);
uint16_t cpu_code_selector(void);
uint64_t cpu_fault_address(void); /* CR2 */

/* Interrupts off; the RFLAGS from before are for cpu_restore_flags, which only sets IF again. */
uint64_t cpu_disable_interrupts(void);
void cpu_restore_flags(uint64_t rflags);

void cpu_pause(void);

/* WBINVD: writes the caches back and empties them. Takes up to some milliseconds. */
void cpu_flush_caches(void);

/* Interrupts off and HLT for ever: for a CPU that must not go on. */
__attribute__((noreturn)) void cpu_stop(void);

/* Calls an interrupt handler as if its interrupt had just arrived: an interrupt frame on the stack,
 * interrupts off, then a jump to `handler`, which returns with IRET. */
void cpu_call_handler(uint64_t handler);

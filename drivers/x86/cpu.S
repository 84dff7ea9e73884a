/* See cpu.h for the contract of each function. AT&T syntax, System V calling convention. */

        .macro function name
        .section .text.\name, "ax", @progbits
        .globl  \name
        .hidden \name
        .type   \name, @function
        .balign 16
\name:
        .endm

        .macro place name
        .globl  \name
        .hidden \name
\name:
        .endm

/* struct cpuid_leaf: leaf, subleaf, eax, ebx, ecx, edx, four bytes each. */
function cpu_cpuid
        pushq   %rbx
        movq    %rdx, %r8
        movl    %edi, %eax
        movl    %esi, %ecx
        movl    %edi, 0(%r8)
        movl    %esi, 4(%r8)
        cpuid
        movl    %eax, 8(%r8)
        movl    %ebx, 12(%r8)
        movl    %ecx, 16(%r8)
        movl    %edx, 20(%r8)
        popq    %rbx
        ret

function cpu_tsc
        lfence
        rdtsc
        shlq    $32, %rdx
        orq     %rdx, %rax
        ret

function cpu_rdmsr
        movl    %edi, %ecx
place cpu_rdmsr_instruction
        rdmsr
        shlq    $32, %rdx
        orq     %rdx, %rax
        movq    %rax, (%rsi)
        movl    $1, %eax
        ret
place cpu_rdmsr_faulted
        xorl    %eax, %eax
        ret

/* The fences order memory-mapped APIC writes before a TSC deadline and other writes before an x2APIC
 * register: SDM vol. 3A, 11.5.4.1 and 11.12.3. */
function cpu_wrmsr
        movl    %edi, %ecx
        movl    %esi, %eax
        movq    %rsi, %rdx
        shrq    $32, %rdx
        mfence
        lfence
place cpu_wrmsr_instruction
        wrmsr
        movl    $1, %eax
        ret
place cpu_wrmsr_faulted
        xorl    %eax, %eax
        ret

function cpu_faults_as_proved
        movl    $1, %eax
        shlq    $63, %rax
place cpu_proof_instruction
        movb    (%rax), %al
        xorl    %eax, %eax
        ret
place cpu_proof_faulted
        movl    $1, %eax
        ret

function cpu_in8
        movl    %edi, %edx
        xorl    %eax, %eax
        inb     %dx, %al
        ret

function cpu_in16
        movl    %edi, %edx
        xorl    %eax, %eax
        inw     %dx, %ax
        ret

function cpu_in32
        movl    %edi, %edx
        inl     %dx, %eax
        ret

function cpu_out8
        movl    %edi, %edx
        movl    %esi, %eax
        outb    %al, %dx
        ret

function cpu_out16
        movl    %edi, %edx
        movl    %esi, %eax
        outw    %ax, %dx
        ret

function cpu_out32
        movl    %edi, %edx
        movl    %esi, %eax
        outl    %eax, %dx
        ret

function cpu_store_idt
        sidt    (%rdi)
        ret

function cpu_load_idt
        lidt    (%rdi)
        ret

function cpu_code_selector
        xorl    %eax, %eax
        movw    %cs, %ax
        ret

function cpu_fault_address
        movq    %cr2, %rax
        ret

function cpu_disable_interrupts
        pushfq
        popq    %rax
        cli
        ret

/* RFLAGS bit 9 is IF. */
function cpu_restore_flags
        testl   $0x200, %edi
        jz      1f
        sti
1:      ret

function cpu_pause
        pause
        ret

/* WBINVD: SDM vol. 2D; APM vol. 3. */
function cpu_flush_caches
        wbinvd
        ret

function cpu_stop
        cli
1:      hlt
        jmp     1b

/* The frame is the one of SDM vol. 3A, 6.14.2 64-Bit Mode Stack Frame; the processor aligns RSP to 16
 * before it pushes. The handler keeps all registers. */
function cpu_call_handler
        pushq   %rbp
        movq    %rsp, %rbp
        andq    $-16, %rsp
        movl    %ss, %eax
        pushfq
        popq    %rcx
        cli
        pushq   %rax
        pushq   %rbp
        pushq   %rcx
        movl    %cs, %eax
        pushq   %rax
        leaq    1f(%rip), %rax
        pushq   %rax
        jmp     *%rdi
1:      popq    %rbp
        ret

        .section .note.GNU-stack, "", @progbits

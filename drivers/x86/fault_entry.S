/*
 * One entry for each of the 256 vectors, 16 bytes apart, so that the address of an entry follows from
 * its number. Each makes the same frame: struct fault_frame of fault.c.
 */
        .section .text.fault_entries, "ax", @progbits
        .globl  fault_entries
        .hidden fault_entries
        .balign 16
fault_entries:
        .set    vector, 0
        .rept   256
        .balign 16
        /* The processor itself pushes an error code for these: SDM vol. 3A, table 6-1; AMD APM
         * vol. 2, table 8-1 for 29 and 30. */
        .if     (vector == 8) || (vector >= 10 && vector <= 14) || (vector == 17) || (vector == 21) || (vector == 29) || (vector == 30)
        .else
        pushq   $0
        .endif
        pushq   $vector
        jmp     fault_common
        .set    vector, vector + 1
        .endr

        .balign 16
fault_common:
        pushq   %rax
        pushq   %rcx
        pushq   %rdx
        pushq   %rbx
        pushq   %rbp
        pushq   %rsi
        pushq   %rdi
        pushq   %r8
        pushq   %r9
        pushq   %r10
        pushq   %r11
        pushq   %r12
        pushq   %r13
        pushq   %r14
        pushq   %r15
        cld
        movq    %rsp, %rdi
        call    fault_dispatch
        popq    %r15
        popq    %r14
        popq    %r13
        popq    %r12
        popq    %r11
        popq    %r10
        popq    %r9
        popq    %r8
        popq    %rdi
        popq    %rsi
        popq    %rbp
        popq    %rbx
        popq    %rdx
        popq    %rcx
        popq    %rax
        addq    $16, %rsp
        iretq

        .section .note.GNU-stack, "", @progbits

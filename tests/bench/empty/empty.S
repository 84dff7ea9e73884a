/*
 * The reference of the boot benchmark: an application that does nothing. It ends as the real one does with
 * --exit=debug-port: 0 written to port F4H, QEMU's isa-debug-exit.
 */
    .section .text.assay_start, "ax"
    .globl assay_start
    .hidden assay_start
    .type assay_start, @function
assay_start:
    xorl %eax, %eax
    movw $0xF4, %dx
    outl %eax, %dx
    movq self(%rip), %rax
    leaq name(%rip), %rcx
    ret
    .size assay_start, . - assay_start

/* The image has a relocation, as the real one has thousands. */
    .section .data.rel.ro, "aw"
    .balign 8
self:
    .quad assay_start

    .section .rodata.name, "a"
name:
    .asciz "empty"

    .section .note.GNU-stack, "", @progbits

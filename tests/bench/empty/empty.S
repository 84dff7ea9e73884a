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
    ret
    .size assay_start, . - assay_start

    .section .note.GNU-stack, "", @progbits

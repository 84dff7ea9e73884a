/*
 * The timed sequences. Between two RDTSC lie, besides the instruction under test, two moves and one
 * LFENCE, the same for every sequence and for the empty one, which is what is subtracted. The interrupt
 * flag is off except inside STI; HLT, STI; MWAIT and the window at the end, so the wake-up handler can
 * run only where %eax, %edx, %edi and %r11 are free.
 *
 *   %rbx  struct timing_run      %r8d  before        %r10d  after_dummy   %ecx  first port
 *   %edi  the handler ran        %r9d  after_first   %r11d  in_handler    %esi  dummy port
 */
        .set    RUN_ARM, 0
        .set    RUN_COUNT_ADDRESS, 8
        .set    RUN_COUNT, 16
        .set    RUN_FIRST_PORT, 20
        .set    RUN_DUMMY_PORT, 24
        .set    RUN_ARMED, 28
        .set    RUN_BEFORE, 32
        .set    RUN_AFTER_FIRST, 36
        .set    RUN_AFTER_DUMMY, 40
        .set    RUN_IN_HANDLER, 44
        .set    RUN_WOKEN, 48
        .set    RUN_FAULTED, 52
        .set    RUN_HINT, 56
        .set    RUN_MONITORED, 64

        .macro function name
        .section .text.\name, "ax", @progbits
        .globl  \name
        .hidden \name
        .type   \name, @function
        .balign 64
\name:
        .endm

        .macro load
        movl    RUN_FIRST_PORT(%rbx), %ecx
        movl    RUN_DUMMY_PORT(%rbx), %esi
        movq    RUN_COUNT_ADDRESS(%rbx), %r9
        movl    RUN_COUNT(%rbx), %r10d
        xorl    %edi, %edi
        xorl    %r11d, %r11d
        .endm

        .macro begin
        pushq   %rbx
        movq    %rdi, %rbx
        load
        call    *RUN_ARM(%rbx)
        .endm

        .macro stamp destination
        lfence
        rdtsc
        movl    %eax, \destination
        .endm

        /* The vector's handler runs here at the latest. STI delays by one instruction. */
        .macro finish
        sti
        nop
        nop
        cli
        movl    %r8d, RUN_BEFORE(%rbx)
        movl    %r9d, RUN_AFTER_FIRST(%rbx)
        movl    %r10d, RUN_AFTER_DUMMY(%rbx)
        movl    %r11d, RUN_IN_HANDLER(%rbx)
        movl    %edi, RUN_WOKEN(%rbx)
        popq    %rbx
        ret
        .endm

        /* A sequence without a second read: both later stamps are the same. */
        .macro one_read name, instruction:vararg
function \name
        begin
        stamp   %r8d
        movl    %ecx, %edx
        \instruction
        stamp   %r9d
        movl    %r9d, %r10d
        finish
        .endm

        .macro two_reads name, instruction:vararg
function \name
        begin
        stamp   %r8d
        movl    %ecx, %edx
        \instruction
        stamp   %r9d
        movl    %esi, %edx
        inl     %dx, %eax
        stamp   %r10d
        finish
        .endm

        .macro sti_hlt
        sti
        hlt
        .endm

        one_read  timing_nothing
        two_reads timing_nothing_dummy
        one_read  timing_io, inb %dx, %al
        two_reads timing_io_dummy, inb %dx, %al
        one_read  timing_hlt, sti_hlt
        two_reads timing_hlt_dummy, sti_hlt

/*
 * MWAIT, whose ECX is in the place of the first port. The monitor is set up before the timer, since nothing
 * may come between the timer and the first stamp. Both instructions may raise #UD or #GP (SDM vol. 2B,
 * MONITOR, MWAIT): the fault handler then goes on at timing_faulted, as timing_fixups says.
 */
        .macro mwait_read name, has_dummy, prelude:vararg
function \name
        pushq   %rbx
        movq    %rdi, %rbx
        movq    RUN_MONITORED(%rbx), %rax
        xorl    %ecx, %ecx
        xorl    %edx, %edx
.L\name\()_at_monitor:
        monitor
        load
        call    *RUN_ARM(%rbx)
        movl    RUN_HINT(%rbx), %r10d
        stamp   %r8d
        movl    %r10d, %eax
        \prelude
.L\name\()_at_mwait:
        mwait
        stamp   %r9d
        .if     \has_dummy
        movl    %esi, %edx
        inl     %dx, %eax
        stamp   %r10d
        .else
        movl    %r9d, %r10d
        .endif
        finish
        .endm

        mwait_read timing_mwait, 0
        mwait_read timing_mwait_dummy, 1
        mwait_read timing_sti_mwait, 0, sti
        mwait_read timing_sti_mwait_dummy, 1, sti

function timing_faulted
        cli
        movl    $1, RUN_FAULTED(%rbx)
        movl    %edi, RUN_WOKEN(%rbx)
        popq    %rbx
        ret

/* struct fault_fixup: both places as distances from the start of the table. */
        .section .rodata.timing_fixups, "a", @progbits
        .globl  timing_fixups
        .hidden timing_fixups
        .balign 4
timing_fixups:
        .irp    name, timing_mwait, timing_mwait_dummy, timing_sti_mwait, timing_sti_mwait_dummy
        .long   .L\name\()_at_monitor - timing_fixups, timing_faulted - timing_fixups
        .long   .L\name\()_at_mwait - timing_fixups, timing_faulted - timing_fixups
        .endr

/* Only the window: lets a waiting wake-up interrupt in. */
function timing_window
        pushq   %rbx
        movq    %rdi, %rbx
        movl    RUN_BEFORE(%rbx), %r8d
        movl    RUN_AFTER_FIRST(%rbx), %r9d
        movl    RUN_AFTER_DUMMY(%rbx), %r10d
        xorl    %edi, %edi
        xorl    %r11d, %r11d
        finish

/* Ways to start the wake-up timer, last before the first stamp. They leave %ecx, %esi and %edi as `begin`
 * made them. */
function timing_arm_none
        ret

function timing_arm_memory
        lfence
        rdtsc
        movl    %r10d, (%r9)
        movl    %eax, RUN_ARMED(%rbx)
        ret

/* IA32_X2APIC_INIT_COUNT is MSR 838H: SDM vol. 3A, table 11-6. */
function timing_arm_msr
        lfence
        rdtsc
        movl    %eax, RUN_ARMED(%rbx)
        movl    $0x838, %edi
        movl    %r10d, %esi
        call    cpu_wrmsr
        movl    RUN_FIRST_PORT(%rbx), %ecx
        movl    RUN_DUMMY_PORT(%rbx), %esi
        xorl    %edi, %edi
        ret

/* The wake-up interrupt's handler. The interrupted code ends the interrupt at the local APIC, so that
 * nothing delays it on the way back. */
function timing_wake
        rdtsc
        movl    %eax, %r11d
        movl    $1, %edi
        iretq

        .section .note.GNU-stack, "", @progbits

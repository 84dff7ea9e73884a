/*
 * The timed sequences. Between two RDTSC lie, besides the instruction under test, two moves and one
 * LFENCE, the same for every sequence and for the empty one, which is what is subtracted. The interrupt
 * flag is off except inside STI; HLT, STI; MWAIT and the window at the end, so the wake-up handler can
 * run only where %eax, %edx, %edi and %r11 are free.
 *
 *   %rbx  struct timing_run      %r8d  before        %r10d  after_dummy   %ecx  first port
 *   %edi  which handler ran      %r9d  after_first   %r11d  in_handler    %rsi  dummy port or address
 */
        .set    RUN_ARM, 0
        .set    RUN_COUNT_ADDRESS, 8
        .set    RUN_COUNT, 16
        .set    RUN_FIRST_PORT, 20
        .set    RUN_ARMED, 28
        .set    RUN_BEFORE, 32
        .set    RUN_AFTER_FIRST, 36
        .set    RUN_AFTER_DUMMY, 40
        .set    RUN_IN_HANDLER, 44
        .set    RUN_WOKEN, 48
        .set    RUN_FAULTED, 52
        .set    RUN_HINT, 56
        .set    RUN_MONITORED, 64
        .set    RUN_DUMMY, 72
        .set    RUN_SLEEP, 80
        .set    RUN_UNTIL, 88
        .set    RUN_STEPS, 96
        .set    RUN_ROOM, 104

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
        movq    RUN_DUMMY(%rbx), %rsi
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

        /* Either second read is two instructions, so that one overhead fits both. */
        .macro read_port
        movl    %esi, %edx
        inl     %dx, %eax
        .endm

        .macro read_memory
        movl    %esi, %edx
        movl    (%rsi), %eax
        .endm

        .macro two_reads name, second, instruction:vararg
function \name
        begin
        stamp   %r8d
        movl    %ecx, %edx
        \instruction
        stamp   %r9d
        \second
        stamp   %r10d
        finish
        .endm

        .macro sti_hlt
        sti
        hlt
        .endm

        one_read  timing_nothing
        two_reads timing_nothing_dummy, read_port
        two_reads timing_nothing_memory, read_memory
        one_read  timing_io, inb %dx, %al
        two_reads timing_io_dummy, read_port, inb %dx, %al
        two_reads timing_io_memory, read_memory, inb %dx, %al
        one_read  timing_hlt, sti_hlt
        two_reads timing_hlt_dummy, read_port, sti_hlt

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
        movq    RUN_DUMMY(%rbx), %rsi
        xorl    %edi, %edi
        ret

/* IA32_TSC_DEADLINE is MSR 6E0H: SDM vol. 3A, 11.5.4.1. The deadline counts from the armed stamp. */
function timing_arm_deadline
        lfence
        rdtsc
        movl    %eax, RUN_ARMED(%rbx)
        shlq    $32, %rdx
        movl    %eax, %esi
        orq     %rdx, %rsi
        addq    RUN_SLEEP(%rbx), %rsi
        movl    $0x6E0, %edi
        call    cpu_wrmsr
        movl    RUN_FIRST_PORT(%rbx), %ecx
        movq    RUN_DUMMY(%rbx), %rsi
        xorl    %edi, %edi
        ret

/*
 * Reads back to back: a stamp after each is the stamp before the next.
 *
 *   %rsi  port or address   %r8d  last stamp   %r9   until      %ecx  reads made
 *   %rdi  steps             %r10d room         %r11d scratch
 */
        .macro burst name, instruction:vararg
function \name
        movq    RUN_DUMMY(%rdi), %rsi
        movq    RUN_UNTIL(%rdi), %r9
        movl    RUN_ROOM(%rdi), %r10d
        movq    RUN_STEPS(%rdi), %rdi
        xorl    %ecx, %ecx
        stamp   %r8d
.L\name\()_next:
        movl    %esi, %edx
        \instruction
        lfence
        rdtsc
        movl    %eax, %r11d
        subl    %r8d, %r11d
        movl    %r11d, (%rdi,%rcx,4)
        movl    %eax, %r8d
        incl    %ecx
        shlq    $32, %rdx
        orq     %rdx, %rax
        cmpl    %r10d, %ecx
        jae     .L\name\()_end
        cmpq    %r9, %rax
        jb      .L\name\()_next
.L\name\()_end:
        movl    %ecx, %eax
        ret
        .endm

        burst   timing_burst_nothing
        burst   timing_burst_byte, inb %dx, %al
        burst   timing_burst_port, inl %dx, %eax
        burst   timing_burst_memory, movl (%rsi), %eax

/* One addition waits for the one before: on the CPUs of today a clock each, on all the same number each. */
        .macro chain
.Lchain\@:
        subl    $1, %edx
        jnz     .Lchain\@
        .endm

        burst   timing_burst_chain, chain

/* Another CPU ends a sleep that lasts too long. */
function timing_rescue
        movl    $2, %edi
        iretq

/* The wake-up interrupt's handler. The interrupted code ends the interrupt at the local APIC, so that
 * nothing delays it on the way back. */
function timing_wake
        rdtsc
        movl    %eax, %r11d
        movl    $1, %edi
        iretq

        .section .note.GNU-stack, "", @progbits

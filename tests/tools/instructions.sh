#!/bin/sh
# What the UEFI application's machine code must and must not contain.
set -eu
. tests/tap.sh

objdump -d build/efi/assay.so >"$scratch/code"
objdump -d build/efi/drivers/x86/timing.o >"$scratch/timing"

# occurrences INSTRUCTION: how often it stands in the program.
occurrences() {
    grep -c -P "\t$1( |\$)" "$scratch/code" || true
}

# interval FUNCTION N: instructions after the Nth RDTSC of the function up to and with the next one.
interval() {
    awk -F '\t' -v name="<$1>:" -v wanted="$2" '
        index($0, name) { inside = 1; next }
        /^[0-9a-f]+ </ { inside = 0 }
        inside && NF >= 3 { if (seen == wanted) count++; if ($3 ~ /^rdtsc/) seen++ }
        seen > wanted { print count; exit }' "$scratch/timing"
}

check "there is one RDMSR" equal "$(occurrences rdmsr)" 1
check "there is one WRMSR" equal "$(occurrences wrmsr)" 1
check "no floating-point or vector register is used" \
    equal "$(grep -c -E '%(st|[xyz]?mm[0-9])' "$scratch/code" || true)" 0

# The empty sequence: two moves, LFENCE and the second RDTSC. One instruction more with a port read, two
# with STI; HLT; so what is subtracted fits exactly.
check "the empty sequence is 4 instructions" equal "$(interval timing_nothing 1)" 4
check "a port read adds one" equal "$(interval timing_io 1)" 5
check "STI; HLT adds two" equal "$(interval timing_hlt 1)" 6
check "MWAIT adds one" equal "$(interval timing_mwait 1)" 5
for function in timing_nothing_dummy timing_io_dummy timing_hlt_dummy timing_mwait_dummy; do
    check "the second read of $function adds one" equal "$(interval $function 2)" 5
done

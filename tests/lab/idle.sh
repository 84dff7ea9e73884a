#!/bin/sh
# All of group idle on four CPUs in virtual time, twice: a programmed sleep is known to the nanosecond, a port
# read is one instruction, and both runs find the same figures to the last digit.
set -eu
. tests/tap.sh

lab=build/test-lab/idle
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "idle states in virtual time" "QEMU is not installed"
    exit 0
fi

boot() {
    tools/lab qemu --out "$lab/$1" --smp 4 --icount 2 --timeout 500 --acpi tests/lab/idle/c1_c2.asl -- \
        --run=idle --format=json,text
}

json() {
    jq -e "$1" "$lab/first/report.json"
}

# What a run finds, without the reads that all CPUs make at once, and without the two clocks that are compared over a
# whole set from edge to edge: in between the firmware runs, for as long as its devices take.
figures() {
    jq -S '{idle, idle_not_timed, idle_reach, tsc_gaps} | del(.idle[].elapsed_tsc, .idle[].elapsed_pmt)' \
        "$lab/$1/report.json"
}

same() {
    cmp "$scratch/first" "$scratch/second"
}

check "a run on four CPUs" status 0 boot first
check "each way at each length on the boot CPU, at 1 ms on the others" json \
    '([.idle[] | select(.cpu == 0)] | length) == 33 and ([.idle[] | select(.cpu > 0)] | length) == 9'
check "a sleep is as long as it was told, within 1 %" json \
    '[.idle[] | select(.entry == "hlt") | (.asleep_ns.p50 - .requested_ns) * 100 / .requested_ns | fabs < 1] | all'
check "to the nanosecond, and every sample of them" json \
    '[.idle[] | select(.entry == "hlt") | .asleep_ns.min == .requested_ns and .asleep_ns.max == .requested_ns] | all'
check "HLT stops, and is back within a few instructions" json \
    '[.idle[] | select(.entry == "hlt") | .stopped_in == "first_read" and .exit_ns.max < 50] | all'
check "the stamps cost four instructions at most" json '[.idle[].overhead_ns <= 16] | all'
check "a port read is one instruction of 4 ns" json \
    '[.idle[] | select(.entry == "io") | .first_read_ns.p50 == 4 and .stopped_in == "none"] | all'
check "so is the PM-timer read" json \
    '[.idle[] | select(.dummy_read == "pm_timer") | .dummy_read_ns.p50 == 4] | all'
check "the others were in HLT and watched" json \
    '[.idle[] | .others == "HLT" and .watched_by != null] | all'
check "nothing was dropped" json '[.idle[].dropped == 0] | all'
check "1, 2 and 4 CPUs read the PM timer" json \
    '[.contention[] | select(.port_name == "PM timer") | .cpus] == [1, 2, 4]'
check "its report.json is what the schema says" valid_report "$lab/first/report.json"
check "the same run again" status 0 boot second
figures first >"$scratch/first"
figures second >"$scratch/second"
check "finds the same, byte for byte" same
check "rules about these figures are not judged" json \
    '[.findings[] | select(.id | startswith("IDL-")) | .verdict] | length > 10 and all(. == "SKIP")'
check "the serial line names CPU, state and time left" grep -qE \
    'CPU [123]: C[12] by .*; [0-2] of 3 other CPUs done, about [0-9]+ s left' "$lab/first/serial.log"

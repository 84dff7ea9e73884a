#!/bin/sh
# Idle states at other speeds of virtual time: an instruction of 1, 2 and 8 ns (tests/lab/idle.sh has 4). What was
# programmed is found, between two stamps lie four instructions, and a second run finds the same. Then 128 CPUs at default
# length, in real time.
set -eu
. tests/tap.sh

lab=build/test-lab/idle_shifts
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "idle states at other speeds" "QEMU is not installed"
    exit 0
fi

boot() { # SHIFT [again]
    tools/lab qemu --out "$lab/$1${2:-}" --smp 2 --icount "$1" --timeout 2400 --acpi tests/lab/idle/c1_c2_two.asl -- \
        --run=idle --format=json --samples=50
}

# Without what takes as long as the firmware's devices do, in real time: tests/lab/idle.sh.
figures() {
    jq -S '{idle, idle_not_timed, idle_reach, tsc_gaps} | del(.idle[].elapsed_tsc, .idle[].elapsed_pmt)' \
        "$lab/$1/report.json"
}

clock() { # SHIFT
    jq '.clocks[] | select(.name == "tsc" and .status == "used") | {hz, uncertainty_ppm}' "$lab/$1/report.json"
}

# What the TSC's rates are apart, in ns of the longest sleep, 10 ms; fails where that is more than the clock states.
rates_apart_ns() { # SHIFT
    { clock "$1" && clock "$1again"; } | jq -es '(.[0].hz - .[1].hz | fabs) as $apart |
        select($apart * 1000000 <= .[0].hz * .[0].uncertainty_ppm) | $apart * 10000000 / .[0].hz'
}

# The disk answers in real time, so that clocks are measured at another phase of their ticks: sleeps are apart as far as
# the rates are, and 2 ns for what is rounded.
same() { # SHIFT
    apart_ns=$(rates_apart_ns "$1") || return 1
    figures "$1" >"$scratch/first"
    figures "$1again" >"$scratch/second"
    jq -en --argjson within "$(jq -n "$apart_ns + 2")" --slurpfile first "$scratch/first" \
        --slurpfile second "$scratch/second" -f tests/lab/same_figures.jq
}

json() {
    jq -e "$2" "$lab/$1/report.json"
}

for shift in 0 1 3; do
    instruction_ns=$((1 << shift))
    check "shift $shift: a run" status 0 boot "$shift"
    check "shift $shift: a sleep is as long as it was told, within 1 %" json "$shift" \
        '[.idle[] | select(.entry == "hlt") | .requested_ns as $told | .asleep_ns |
            [.min, .p50, .p99, .max] | .[] | (. - $told) * 100 / $told | fabs < 1] | length > 40 and all'
    check "shift $shift: a port read and a PM-timer read are one instruction of $instruction_ns ns" json "$shift" \
        "[.idle[] | select(.entry == \"io\") | .first_read_ns.p50, (.dummy_read_ns.p50 // $instruction_ns)] |
            length > 20 and all(. == $instruction_ns)"
    check "shift $shift: between two stamps lie four instructions at most" json "$shift" \
        "[.idle[] | .overhead_ns <= 4 * $instruction_ns] | length > 20 and all"
    check "shift $shift: the same run again" status 0 boot "$shift" again
    check "shift $shift: finds the same, as far as the rate of the clock is" same "$shift"
done

# CPUs that have no _CST: HLT is all there is to time.
many() {
    tools/lab qemu --out "$lab/many" --smp 128 --timeout 900 -- --run=idle --format=json,text
}
start=$(date +%s)
check "128 CPUs at default length" status 0 many
echo "# 128 CPUs in $(($(date +%s) - start)) s, with the firmware's start"
check "each CPU has its figures, or it is said why not" json many \
    '([.idle[].cpu, .idle_not_timed[].cpu] | unique | length) == 128'
# Where 64 and more wait for one core, the emulator's timers come late by seconds: docs/measuring.md.
if [ "$(nproc)" -ge 16 ]; then
    check "the boot CPU has its whole sweep" json many '([.idle[] | select(.cpu == 0)] | length) == 11'
else
    skip "the boot CPU has its whole sweep" "128 virtual CPUs on $(nproc) cores; 16 are wanted"
fi
echo "# $(jq '[.idle[].cpu] | unique | length' "$lab/many/report.json") of 128 CPUs have figures"

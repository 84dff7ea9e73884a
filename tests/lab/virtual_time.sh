#!/bin/sh
# Virtual time: QEMU lets every instruction take 4 ns, so what a timing must print is known exactly,
# and two runs give the same report.
set -eu
. tests/tap.sh

lab=build/test-lab/virtual_time
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "virtual time" "QEMU is not installed"
    exit 0
fi

boot() {
    tools/lab qemu --out "$lab/$1" --icount 2 --timeout 500 --acpi tests/lab/one_cpu.asl -- --run=clocks,idle --format=json --samples=500
}

json() {
    jq -e "$1" "$lab/first/report.json"
}

# All that a run finds out. The measured rate of the TSC is left out: the disk answers in real time, so
# that runs against the PM timer start anywhere in a tick. So do the clocks beside whole sets, which add that up.
figures() {
    jq -S '{processors, sets, msrs, cpuid, fadt, idle, contention, findings, totals} | del(.. | .reads_per_s?, .elapsed_tsc?, .elapsed_pmt?)' \
        "$lab/$1/report.json"
}

same() {
    jq -en --argjson within 50 --slurpfile first "$scratch/first" --slurpfile second "$scratch/second" -f tests/lab/same_figures.jq
}

exact='.n == 500 and ([.min, .p50, .p90, .p99, .max, .mean] | unique) == [4] and .stddev == 0'
check "a run in virtual time" status 1 boot first
check "a port read is one instruction, 4 ns" json \
    '[.idle[] | select(.entry == "io") | .first_read_ns | '"$exact"'] == [true, true]'
check "so is the PM-timer read after it" json '.idle[] | select(.dummy_read == "pm_timer") | .dummy_read_ns | '"$exact"
check "HLT sleeps as long as it was told" json \
    '.idle[] | select(.entry == "hlt") | .stopped_in == "first_read" and .asleep_ns.min >= 99990 and .asleep_ns.max <= 100010'
check "and is back within a few instructions" json '.idle[] | select(.entry == "hlt") | .exit_ns.max < 100'
check "the TSC of 1 GHz is found, to 50 millionths" json \
    '.clocks[] | select(.name == "tsc") | .hz > 999950000 and .hz < 1000050000'
check "against each of the counters that run, to 100 millionths" json \
    '[.clocks[] | select(.name == "tsc" and .runs) | .hz] | length == 2 and all(. > 999900000 and . < 1000100000)'
check "OVMF leaves the HPET off, and that is said" json '.clocks[] | select(.name == "hpet") | .status == "not running"'
check "the one used says why" json '[.clocks[] | select(.status == "used")] | length == 1 and (.[0].why | length > 0)'
check "its report.json is what the schema says" valid_report "$lab/first/report.json"
check "the same run again" status 1 boot second
figures first >"$scratch/first"
figures second >"$scratch/second"
check "gives the same figures, to 50 ns" same
check "and the same rates, to 100 millionths" jq -en --slurpfile a "$lab/first/report.json" --slurpfile b "$lab/second/report.json" '
    def rates: [.clocks[] | select(.name == "tsc") | {from, hz}];
    ($a[0] | rates) as $x | ($b[0] | rates) as $y
    | ($x | map(.from)) == ($y | map(.from))
      and ([range($x | length)] | all(. as $i | (($x[$i].hz - $y[$i].hz) | fabs) <= $x[$i].hz / 10000))'

#!/bin/sh
# The frequency group on a booted machine: no emulator counts APERF and MPERF, but Bochs gives them a value that stands
# still and keeps what is written to PERF_CTL. So the native code runs: requests on both CPUs through the guard, the
# measuring loop, boost, settling, the work kernels, and everything put back. What the figures lack is said.
set -eu
. tests/tap.sh

lab=build/test-lab/clocked
if [ "$(stat -c %s /usr/share/ovmf/OVMF.fd 2>/dev/null)" != 2097152 ] || ! command -v bochs >/dev/null; then
    skip "frequencies on Bochs" "needs bochs and an OVMF.fd of 2 MB"
    exit 0
fi

json() {
    jq -e "$1" "$lab/report.json"
}

mkdir -p "$scratch/machine/tables"
for asl in tests/lab/clocked/DSDT.asl tests/lab/bochs/APIC.asl tests/lab/bochs/FACP.asl; do
    iasl -f -p "$scratch/machine/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl" 2>&1 || true
done
check "a run of the frequency group" status 1 tools/lab bochs --out "$lab" --cpu corei7_skylake_x --smp 2 --timeout 550 \
    --msrs tests/lab/clocked/msrs --machine "$scratch/machine" -- --run=frequency --format=json,text
check "its report.json is what the schema says" valid_report "$lab/report.json"
check "each row was asked for on both CPUs" json \
    '[.measured.frequency[] | [.cpu, .request.kind, .request.control]] == [range(2) as $cpu | (6144, 4608, 3072) | [$cpu, "perf_ctl", .]]'
check "the loop saw that the counters stand still, in every slice" json \
    '[.measured.frequency[] | .no_figure_why == "APERF or MPERF stands still" and .stopped_slices == 10] | all'
check "which is a finding" json '.findings[] | select(.id == "FRQ-001") | .verdict == "FAIL"'
check "the status register is beside it" json '[.measured.frequency[] | .status] | length == 6 and all(. == 6144)'
check "boost was tried with more and more CPUs" json '[.measured.boost_by_active_cores[].kind] | index("cores") and index("threads")'
check "the loops for settling times ran" json \
    '[.measured.settling[] | select(.cpu == 0) | .loop_from_tsc > 0 and .why == "the two clocks cannot be told apart"] | length == 6 and all'
check "the kernels were at work under each row" json \
    '[.work[] | select(.work > 0 and .wrong_result != true) | [.kernel, .pss_index]] | unique | length == 6'
check "why there is no energy is said" json '[.work[].no_energy_why | length > 0] | all'
check "registers were written and are as before, looked at on both CPUs" json \
    '.requests | .writes > 12 and .registers_saved >= 2 and .left_behind == []'
check "which is judged" json '.findings[] | select(.id == "REQ-001") | .verdict == "PASS"'
check "the text says it too" says 'P1, 1800 MHz asked for *APERF or MPERF stands still' cat "$lab/report.txt"

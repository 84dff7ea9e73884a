#!/bin/sh
# Bochs with `clock: sync=none` as a second exact virtual time, in which CPUs really run beside each other: four CPUs
# are handed the measurement one after the other or at once, and read one port together. Twice the same.
set -eu
. tests/tap.sh

lab=build/test-lab/bochs_idle
if [ "$(stat -c %s /usr/share/ovmf/OVMF.fd 2>/dev/null)" != 2097152 ] || ! command -v bochs >/dev/null; then
    skip "idle states on Bochs" "needs bochs and an OVMF.fd of 2 MB"
    exit 0
fi

boot() {
    tools/lab bochs --out "$lab/$1" --cpu ryzen --smp 4 --timeout 500 --machine "$scratch/machine" -- \
        --run=tables,clocks,idle --format=json --samples=20
}

json() {
    jq -e "$1" "$lab/first/report.json"
}

figures() {
    jq -S '{idle, contention} | del(.idle[].elapsed_tsc, .idle[].elapsed_pmt)' "$lab/$1/report.json"
}

same() {
    cmp "$scratch/first" "$scratch/second"
}

mkdir -p "$scratch/machine/tables"
for asl in tests/lab/bochs/*.asl; do
    iasl -f -p "$scratch/machine/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl" 2>&1 || true
done
check "a run on four CPUs" status 1 boot first
check "every CPU was handed its turn" json '[.idle[].cpu] | unique == [0, 1, 2, 3]'
check "its sleeps are as long as they were told, within 1 %" json \
    '[.idle[] | select(.entry == "hlt") | .requested_ns as $told | .asleep_ns | [.p50, .p99] | .[] |
        (. - $told) * 100 / $told | fabs < 1] | length >= 28 and all'
check "a port that does not stop is told" json \
    '[.idle[] | select(.entry == "io") | .stopped_in == "none"] | length >= 28 and all'
check "1, 2 and 4 CPUs read the PM timer and the port" json \
    '[.contention | group_by(.port_name)[] | map(.cpus)] | length >= 2 and all(. == [1, 2, 4])'
check "nothing is shared there, so twice the CPUs make twice the reads, within 5 %" json \
    '[.contention | group_by(.port_name)[] | .[0].reads_per_s as $one |
        .[] | (.reads_per_s / .cpus - $one) * 100 / $one | fabs < 5] | all'
check "the same run again" status 1 boot second
figures first >"$scratch/first"
figures second >"$scratch/second"
check "finds the same, byte for byte" same

#!/bin/sh
# Bochs as a whole synthetic machine: an AMD CPU with its real CPUID and the tables of a machine folder from
# the medium, on firmware that has none of its own.
set -eu
. tests/tap.sh

lab=build/test-lab/bochs
if [ "$(stat -c %s /usr/share/ovmf/OVMF.fd 2>/dev/null)" != 2097152 ] || ! command -v bochs >/dev/null; then
    skip "Bochs" "needs bochs and an OVMF.fd of 2 MB"
    exit 0
fi

json() {
    jq -e "$1" "$lab/report.json"
}

mkdir -p "$scratch/machine/tables"
for asl in tests/machines/amd-two-cpus/tables/*.asl; do
    iasl -f -p "$scratch/machine/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl" 2>&1 || true
done
check "an AMD model with a machine's tables" status 1 tools/lab bochs --out "$lab" --cpu ryzen --smp 2 \
    --machine "$scratch/machine" -- --run=tables,clocks --format=json
check "its report.json is what the schema says" valid_report "$lab/report.json"
check "the CPU is a Ryzen" json '.machine.cpu | .vendor == "AuthenticAMD" and .family == 23'
check "the tables are the medium's, and that is said" json '[.machine.tables[].origin] | length > 2 and all(test("aml"))'
check "their objects are on both CPUs" json '[.processors[] | select(.enabled) | .pss] | length == 2 and all(. != null)'
check "a register was read on both" json 'any(.msrs[]; .cpus == "0-1")'
check "its TSC of 50 MHz is found against the PIT, to 100 millionths" json \
    '.clocks[] | select(.name == "tsc" and .status == "used") | .hz > 49995000 and .hz < 50005000 and (.why | length > 0)'
check "a PM timer of another machine's tables is not looked at" json \
    '.clocks[] | select(.name == "pm_timer") | .status | startswith("not looked at")'
check "both CPUs show the same time" json '.tsc_sync | .cpus_compared == 1 and .differing == 0 and .known_to_tsc < 100000'

#!/bin/sh
# Firmware with a fault, made so by a program of our own that runs before the application: MP services that start
# other CPUs only while the caller waits, that answer nothing, or none at all, and no ACPI tables. The idle states are
# timed as far as the machine allows it, and who was left out is named.
set -eu
. tests/tap.sh

lab=build/test-lab/broken
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "firmware with a fault" "QEMU is not installed"
    exit 0
fi

boot() { # FAULT OPTION...
    fault=$1
    shift
    tools/lab qemu --out "$lab/${fault%% *}" --smp 3 --broken "$fault" --timeout 300 \
        --acpi tests/lab/idle/c1_c2.asl -- --format=json,text --samples=5 "$@"
}

json() { # FAULT FILTER
    jq -e "$2" "$lab/$1/report.json"
}

check "firmware that refuses to start CPUs without waiting" status 0 boot refuse-nonblocking --run=idle --seconds=20
check "runs them all the same, the boot CPU in a timer's event" json refuse-nonblocking \
    '.machine.other_cpus | test("a timer event")'
check "each CPU is measured, and another one watches" json refuse-nonblocking \
    '([.idle[].cpu] | unique) == [0, 1, 2] and all(.idle[]; .watched_by != null and .others == "HLT")'
check "1, 2 and 3 CPUs read the PM timer at once" json refuse-nonblocking \
    '[.contention[] | select(.port_name == "PM timer") | .cpus] == [1, 2, 3]'
check "and the clock of the firmware ticks afterwards" \
    sh -c '! grep -q "does not tick" '"$lab/refuse-nonblocking/report.txt"

check "firmware without MP services" status 0 boot no-mp --run=quick
check "is told so" json no-mp 'any(.findings[]; .id | startswith("MP-"))'
check "and asks the boot CPU alone" says "only the boot CPU was asked" cat "$lab/no-mp/report.txt"

check "firmware without ACPI tables, and idle states" status 3 boot no-acpi --run=idle --seconds=20
check "says that there are none" says "the firmware installed no ACPI tables" cat "$lab/no-acpi/report.txt"
check "HLT is timed on the boot CPU all the same, with nobody to watch" json no-acpi \
    '(.idle | length) == 11 and all(.idle[]; .cpu == 0 and .entry == "hlt" and .watched_by == null)'

check "firmware whose MP services answer nothing, and idle states" status 0 boot broken-mp --run=idle --seconds=20
check "asks the boot CPU alone, too" says "only the boot CPU was asked" cat "$lab/broken-mp/report.txt"
check "times the boot CPU at every length, the HPET watching" json broken-mp \
    '([.idle[] | select(.cpu == 0)] | length) == 33 and all(.idle[]; .watched_by == "HPET")'
check "and names the others" json broken-mp \
    '[.idle_not_timed[] | select(.why == "the CPU did not answer") | .cpu] | unique == [1, 2]'

check "firmware without ACPI tables" status 3 boot no-acpi --run=tables
check "is told so in a line" grep -aq '^assay: .*ACPI' "$lab/no-acpi/serial.log"
check "and in a finding" json no-acpi 'any(.findings[]; .id == "TBL-001" and .verdict == "FAIL")'

check "MP services that answer nothing" status 0 boot broken-mp --run=tables
check "count as none" says "only the boot CPU was asked" cat "$lab/broken-mp/report.txt"

check "a CPU that never comes back is a failure" status 1 boot 'lost-cpu 2' --run=tables
check "of that CPU alone" json lost-cpu \
    '([.findings[] | select(.verdict == "FAIL") | .id] | unique) == ["MP-001"] and (.machine.other_cpus | test("by APIC id: 2"))'
check "a CPU that comes late is waited for" status 0 boot 'late-cpu 1' --run=tables
check "and answers" json late-cpu '.machine.other_cpus | test("did not answer") | not'
check "an APIC id that nobody has" status 0 boot 'wrong-id 1' --run=tables
check "is told of the CPU that then is not known" json wrong-id 'any(.findings[]; .id == "MP-002" and .verdict == "WARN")'

# Other machines: no HPET, and a CPU that could have page tables of five levels.
printf '#!/bin/sh\nexec %s "$@" -machine hpet=off\n' "${QEMU:-qemu-system-x86_64}" >"$scratch/no-hpet"
chmod +x "$scratch/no-hpet"
plain() { # NAME LAB-OPTION...
    name=$1
    shift
    tools/lab qemu --out "$lab/$name" --smp 2 --timeout 300 "$@" -- --format=json,text --run=quick
}
no_hpet() {
    QEMU=$scratch/no-hpet plain no-hpet
}
check "a machine without HPET" status 0 no_hpet
check "has no such table" json no-hpet 'all(.machine.tables[]; .signature != "HPET")'
check "a CPU with 57 address bits" status 0 plain la57 --cpu max,la57=on

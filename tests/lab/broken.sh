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
    tools/lab qemu --out "$lab/$fault" --smp 3 --broken "$fault" --timeout 300 \
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

check "firmware without ACPI tables, and idle states" status 2 boot no-acpi --run=idle --seconds=20
check "says that there are none" says "no ACPI" cat "$lab/no-acpi/report.txt" "$lab/no-acpi/serial.log"

check "firmware whose MP services answer nothing, and idle states" status 0 boot broken-mp --run=idle --seconds=20
check "asks the boot CPU alone" says "only the boot CPU was asked" cat "$lab/broken-mp/report.txt"
check "times the boot CPU at every length, the HPET watching" json broken-mp \
    '([.idle[] | select(.cpu == 0)] | length) == 33 and all(.idle[]; .watched_by == "HPET")'
check "and names the others" json broken-mp \
    '[.idle_not_timed[] | select(.why == "the CPU did not answer") | .cpu] | unique == [1, 2]'

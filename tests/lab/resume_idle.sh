#!/bin/sh
# A machine that goes away in one idle state of the boot CPU: the next start names it, leaves out that state and nothing
# else, and goes to the end. A hang while the others measure is in tests/unit/test_idle_steps.c: here its moment cannot
# be met reliably.
set -eu
. tests/tap.sh

out=build/test-lab/resume-idle
medium=$scratch/medium
report=$out/report.json

boot() { # KEYS|- OPTION...
    if [ "$1" != - ]; then set -- --keys "$@"; else shift; fi
    tools/lab qemu --out "$out" --smp 3 --acpi tests/lab/idle/c1_c2.asl --keep "$medium" "$@" -- \
        --run=idle "--samples=$samples" --seconds=60 --batch --exit=shutdown --format=json,text,snapshot
}

# The machine goes away in the middle of what this line says.
gone_in() { # TEXT
    printf 'await %s\nmonitor quit\n' "$1" >"$scratch/keys"
}

journal() {
    mtype -i "$medium@@1M" ::assay/journal.txt
}

left_out() {
    jq -r '.machine.interrupted[] | select(.left_out) | .step' "$report"
}

# Which ways were timed on these CPUs, as "io/none hlt/none".
timed() { # FILTER
    jq -r "[.idle[] | select($1) | \"\\(.entry)/\\(.dummy_read)\"] | unique | join(\" \")" "$report"
}

why_not() { # FILTER
    jq -r "[.idle_not_timed[] | select($1) | .why] | unique | join(\" \")" "$report"
}

rm -rf "$out"
samples=4000 # so many that the state takes some seconds
gone_in 'CPU 0: C1 by HLT'
check 'the first run ends in a state of the boot CPU' status 125 boot "$scratch/keys"
check 'the journal names it' \
    says '^step  time idle states and port reads: CPU 0: C1 by HLT *$' journal
samples=100
check 'the second comes to its end' status 0 boot - --image "$medium"
check 'it said where the first had ended' grep -q 'it stopped in "time idle states and port reads: CPU 0: C1' \
    "$out/serial.log"
check 'it left out what had a name, and nothing else' equal "$(left_out)" \
    'time idle states and port reads: CPU 0: C1 by HLT'
check 'the rest of the boot CPU is measured' equal "$(timed '.cpu == 0')" 'io/none io/pm_timer'
check 'the report says why' says '^left out: it hung or was cut off in the run of 20..-..-.. ..:.. UTC$' \
    echo "$(why_not '.cpu == 0')"
check 'one hang is a warning' equal "$(jq -r '[.findings[] | select(.id == "RUN-001") | .verdict] | join(" ")' "$report")" WARN
check 'the report is valid' valid_report "$report"
check 'the journal is closed' says '^assay journal 2 machine [0-9a-f]* finished *$' journal

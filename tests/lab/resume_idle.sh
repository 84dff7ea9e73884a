#!/bin/sh
# A machine that goes away in one idle state: on the boot CPU, then while the others measure side by side, then in one
# state of theirs. Each start names it, leaves out that state and nothing else, and the last one goes to the end.
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
    printf 'await %s\npicture gone\nmonitor quit\n' "$1" >"$scratch/keys"
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
samples=4000 # so many that each state takes some seconds
gone_in 'CPU 0: C2 by port 0xe0 and the PM timer'
check 'the first run ends in a state of the boot CPU' status 125 boot "$scratch/keys"
check 'the journal names it' \
    says '^step  time idle states and port reads: CPU 0: C2 by port 0xe0 and the PM timer *$' journal
gone_in 'C1 by HLT; 0 of 2 other'
check 'the second ends while the others measure' status 125 boot "$scratch/keys" --image "$medium"
check 'it said where the first had ended' grep -q 'it stopped in "time idle states and port reads: CPU 0: C2' \
    "$out/serial.log"
check 'and with which run' says '^ended 20..-..-.. ..:.. time idle .* CPU 0: C2 by port 0xe0 and the PM timer' journal
check 'the journal names the others' says '^step  time idle states of the other CPUs *$' journal
{ echo 'await part by part'; gone_in 'C2 by port 0xe0'; cat "$scratch/keys"; } >"$scratch/others"
check 'the third lets them go on state by state' status 125 boot "$scratch/others" --image "$medium"
check 'the journal names the state' says '^step  time idle states of the other CPUs: C2 by port 0xe0 *$' journal
samples=100
check 'the fourth comes to its end' status 1 boot - --image "$medium"
check 'it left out what had a name, and nothing else' equal "$(left_out)" \
    "$(printf '%s\n' 'time idle states and port reads: CPU 0: C2 by port 0xe0 and the PM timer' \
        'time idle states of the other CPUs: C2 by port 0xe0')"
check 'the rest of the boot CPU is measured' equal "$(timed '.cpu == 0')" 'hlt/none io/none'
check 'and that of the others' equal "$(timed '.cpu > 0')" 'hlt/none'
check 'the report says why' says '^left out: it hung or was cut off in the run of 20..-..-.. ..:.. UTC$' \
    echo "$(why_not '.cpu == 0')"
check 'one hang is a warning, two are a failure' equal \
    "$(jq -r '[.findings[] | select(.id == "RUN-001") | .verdict] | sort | join(" ")' "$report")" 'FAIL WARN WARN'
check 'the report is valid' valid_report "$report"
check 'the journal is closed' says '^assay journal 2 machine [0-9a-f]* finished *$' journal

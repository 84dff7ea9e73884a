#!/bin/sh
# A machine that resets in the middle of a run: the next start says where the last one ended, finds the CPU, and the
# third goes to the end without it. Then a run starts afresh.
set -eu
. tests/tap.sh

out=build/test-lab/resume
medium=$scratch/medium
report=$out/report.json

boot() { # IMAGE...
    tools/lab qemu --out "$out" --smp 4 --acpi tests/lab/resets.asl --keep "$medium" "$@" -- \
        --run=tables --format=json,snapshot
}

journal() {
    mtype -i "$medium@@1M" ::assay/journal.txt
}

left_out() {
    jq -r '.machine.interrupted[] | select(.left_out) | .step' "$report"
}

finding() { # VERDICT OBJECT
    jq -e --arg verdict "$1" --arg object "$2" \
        'any(.findings[]; .id == "RUN-001" and .verdict == $verdict and .object == $object)' "$report"
}

rm -rf "$out"
check 'the first run does not come to its end' status 125 boot
check 'the journal names the step' says '^step  evaluate _CST *$' journal
check 'the second run tries it CPU by CPU' status 125 boot --image "$medium"
check 'the journal names the CPU' says '^step  evaluate _CST: .*C002 *$' journal
check 'the third run comes to its end' status 1 boot --image "$medium"
check 'it left out what hung, and nothing else' equal "$(left_out)" 'evaluate _CST: \_SB.CPUS.C002'
check 'that is a failure' finding FAIL 'evaluate _CST: \_SB.CPUS.C002'
check 'the other CPUs were evaluated' equal \
    "$(jq -c '[.processors[] | .cst | type]' "$report")" '["string","string","object","string"]'
check 'the journal is closed' says '^assay journal 2 machine [0-9a-f]* finished *$' journal
check 'a replay leaves out the same' status 1 build/assay check --quiet --json "$scratch/replayed" "$out/machine"
# The source is the one field that may differ.
jq 'del(.machine.source)' "$report" >"$scratch/run"
jq 'del(.machine.source)' "$scratch/replayed" >"$scratch/again"
check 'and gives the same report' cmp "$scratch/run" "$scratch/again"

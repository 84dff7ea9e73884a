#!/bin/sh
# What comes from outside in the middle of the timed group: an NMI is survived and counted out, a machine check ends the
# run with a page that says where, and the next start goes on without that step.
set -eu
. tests/tap.sh

out=build/test-lab/faults
serial=$out/serial.log
medium=$scratch/medium

boot() { # KEYS OPTION...
    keys=$1
    shift
    tools/lab qemu --out "$out" --smp 2 --keys "$keys" "$@" -- --batch --exit=shutdown --run=idle --seconds=20 --format=json
}

cat >"$scratch/nmi" <<'END'
await time idle states
monitor nmi
await s left
monitor nmi
END
rm -rf "$out"
check 'NMIs in the middle are survived' status 0 boot "$scratch/nmi"
check 'and the idle states were timed all the same' jq -e '(.idle | length > 0) or (.idle_skipped | error)' "$out/report.json"

cat >"$scratch/mce" <<'END'
await s left
monitor mce 0 9 0xbd00000000000134 0x5 0 0
END
check 'a machine check ends the run without a report' status 125 boot "$scratch/mce" --keep "$medium"
check 'the page names the exception' grep -aq '^assay: exception 18 (#MC machine check)' "$serial"
check 'shows the registers' grep -aqE '^  rax    [0-9a-f]{16}  rcx    [0-9a-f]{16}  rdx    [0-9a-f]{16}' "$serial"
check 'and the step' grep -aq '^  step   time idle states and port reads' "$serial"
check 'where the report is' grep -aq '^  report none yet: the run was not at its end' "$serial"
check 'and what becomes of the step' grep -aq 'journal.txt names this step, and the next start leaves it out' "$serial"
echo 'await the last run' >"$scratch/none"
check 'the next start comes to its end' status 0 boot "$scratch/none" --image "$medium"
check 'says where the last one ended' grep -aq 'the last run did not come to its end: it stopped in "time idle' "$serial"
check 'and warns of it' jq -e 'any(.findings[]; .id == "RUN-001" and .verdict == "WARN")' "$out/report.json"

cat >"$scratch/mce-other" <<'END_KEYS'
await s left
monitor mce 1 9 0xbd00000000000134 0x5 0 0
END_KEYS
check 'a machine check on another CPU, in a timed stretch, costs that CPU only' status 1 boot "$scratch/mce-other"
check 'it is told where it stopped' jq -e '.machine.other_cpus | test("by APIC id: 1 .exception 18 at 0x")' "$out/report.json"
check 'and is the one failure' jq -e '[.findings[] | select(.verdict == "FAIL") | .id] == ["MP-001"]' "$out/report.json"

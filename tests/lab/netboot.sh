#!/bin/sh
# Started over the network (PXE) on a machine without a medium and without graphics: menu and results are on the serial
# port, and what comes out of it there is a whole machine folder.
set -eu
. tests/tap.sh

out=build/test-lab/netboot
cat >"$scratch/keys" <<'END'
await The run starts in
key spc
await Past results
key 3
await Assay: results
key q
await Switch off
key 3
END
rm -rf "$out"
check 'a run that came over the network ends well' status 0 \
    tools/lab qemu --netboot --no-screen --out "$out" --smp 2 --keys "$scratch/keys"
check 'it says where the results go' grep -aq 'results go to the serial port' "$out/serial.log"
check 'the report is whole' jq -e '.totals.pass > 0 and .machine.source == "firmware"' "$out/report.json"
check 'the log alone is a report' says '^Verdict' build/assay show "$out/serial.log"
check 'the folder is judged alike' build/assay check --quiet --json "$scratch/again" "$out/machine"
jq 'del(.machine.source)' "$out/report.json" >"$scratch/run"
jq 'del(.machine.source)' "$scratch/again" >"$scratch/replayed"
check 'and gives the same report' cmp "$scratch/run" "$scratch/replayed"

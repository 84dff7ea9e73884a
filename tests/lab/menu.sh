#!/bin/sh
# A person at the machine: the menu before a run, options with a mistake put right, the browser with a search, the ways
# to leave. Then a run that Esc ends, and one that nobody watches. Pictures of each page are left in build/test-lab/menu.
set -eu
. tests/tap.sh

out=build/test-lab/menu
serial=$out/serial.log

boot() { # KEYS OPTION...
    keys=$1
    shift
    tools/lab qemu --out "$out" --smp 2 --acpi tests/lab/two_cpus.asl --keys "$keys" "$@"
}

count_of() {
    grep -ac -e "$1" "$serial" || true
}

rm -rf "$out"
check 'a person goes through every menu' status 0 boot tests/lab/menu.keys
check 'a wrong word was said to be one' says '--cpus=x' cat "$serial"
check 'the options held' jq -e '.machine' "$out/report.json"
check 'as run.json keeps them' jq -e '(.options | index("--cpus=0-1")) and (.options | index("--park=hlt"))' \
    "$out/machine/run.json"
check 'the folder of the results has its whole name there' \
    grep -aqE '.assay.results.[0-9]{8}-[0-9]{6}-Standard-PC-Q35-ICH9-2009' "$serial"
check 'each page has a picture' ls "$out/countdown.png" "$out/menu.png" "$out/options.png" "$out/results.png" \
    "$out/found.png" "$out/leave.png"

cat >"$scratch/stop" <<'END'
await The run starts in
key ret
await time idle states
key esc
await Assay: results
key q
await Switch off
key 3
END
check 'Esc ends a run, which still reports' status 0 boot "$scratch/stop"
check 'it says that it was stopped' jq -e '.idle_ended_early // .idle_skipped | test("stopped by a key")' \
    "$out/report.json"

cat >"$scratch/nobody" <<'END'
await Assay: results
key q
await Switch off
key 3
END
check 'without a key the run starts by itself' status 0 boot "$scratch/nobody" -- --run=tables
check 'and counts down first' says 'starts in 3 s' cat "$serial"

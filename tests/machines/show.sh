#!/bin/sh
# A stored report is rendered by the ordinary writers: its text, page, JUnit, TAP and CSV are those of the run that stored it.
set -eu
. tests/tap.sh

assay=build/assay
out=build/show
rm -rf "$out"
mkdir -p "$out"

# The page without what only the machine has, the bytes of its tables.
page() {
    sed '/<details><summary>[^<]*[0-9] bytes,/,/<\/details>/d' "$1" >"$1.cut"
}

# alike NAME MACHINE...: what check wrote of the machine, and what show makes of its report.json.
alike() {
    name=$1
    shift
    $assay check --quiet --json "$out/$name.json" --text "$out/$name.txt" --junit "$out/$name.xml" \
        --tap "$out/$name.tap" \
        --html "$out/$name.html" --csv "$out/$name.csv" "$@" || [ $? -eq 1 ] || return 1
    $assay show --text "$out/$name.2.txt" --junit "$out/$name.2.xml" --tap "$out/$name.2.tap" \
        --html "$out/$name.2.html" --csv "$out/$name.2.csv" "$out/$name.json" &&
        cmp "$out/$name.txt" "$out/$name.2.txt" && cmp "$out/$name.xml" "$out/$name.2.xml" &&
        cmp "$out/$name.tap" "$out/$name.2.tap" &&
        page "$out/$name.html" && page "$out/$name.2.html" &&
        cmp "$out/$name.html.cut" "$out/$name.2.html.cut" && cmp "$out/$name.csv" "$out/$name.2.csv"
}

for machine in amd-two-cpus intel-dynamic; do
    for source in tests/machines/$machine/tables/*.asl; do
        mkdir -p "$out/$machine/tables"
        iasl -f -p "$out/$machine/tables/$(basename "$source" .asl)" "$source" >/dev/null 2>&1
    done
    cp -r tests/machines/$machine/*.txt "$out/$machine" 2>/dev/null || true
    check "$machine" alike "$machine" "$out/$machine"
done

# With frequencies, boost and settling times that were measured, and with work and energy.
for machine in epyc-7742 atom-x5-z8350 ryzen-7840hs; do
    mkdir -p "$out/$machine/source/tables"
    sh tests/machines/expand "tests/machines/$machine" "$out/$machine/source/tables"
    mkdir -p "$out/$machine/tables"
    for source in "$out/$machine"/source/tables/*.asl; do
        iasl -f -p "$out/$machine/tables/$(basename "$source" .asl)" "$source" >/dev/null 2>&1
    done
    for file in cpuid.txt msr.txt measured.json; do
        cp "tests/machines/$machine/$file" "$out/$machine"
    done
    check "$machine, measured" alike "$machine" "$out/$machine"
    check "$machine: nothing is only shown as it was stored" equal "" "$(grep 'as it was stored' "$out/$machine.2.txt" || true)"
    check "$machine: the frequencies are in its text" says '^Frequencies as measured' cat "$out/$machine.2.txt"
    check "$machine: and in its samples" says '^frequency,0,0,P0,aperf,0,[1-9]' cat "$out/$machine.2.csv"
done
jq '.measured.frequency[0].held_back_by = "power limit, PROCHOT" | .measured.frequency[0].slices_left_out = 2
    | .work = [{"kernel": "memory", "pss_index": 0, "requested_khz": 2250000, "boost_off": false, "package": 0,
      "active_cores": 1, "cpu": 0, "work": 1234, "energy_uj": 5000, "energy_tsc": 2250000, "uncertainty_ppm": 77,
      "package_mw": 5000, "work_per_joule_milli": 246800}]
    | .requests = {"registers_saved": 8, "writes": 3, "left_behind":
      [{"cpu": 0, "address": "0x7e000008", "end": "different", "before": "0x0", "after": "0x7"}]}
    | .pcc_commands = [{"subspace": 0, "commands": 9, "timeouts": 1, "errors": 0, "timed": 8, "sum_ns": 80000,
      "mean_ns": 10000, "longest_ns": 20000}]' "$out/epyc-7742.json" >"$out/rich.json"
check "causes are shown" says 'held back meanwhile by: PROCHOT, power limit' $assay show "$out/rich.json"
check "so are work and energy" says '^P0 *2250 MHz *memory *1 *1234' $assay show "$out/rich.json"
check "so are PCC commands" says '^PCC subspace 0: 9 commands, 10 us each, at most 20 us' $assay show "$out/rich.json"
$assay show --text "$out/rich.txt" "$out/rich.json"
check "work, requests and commands are understood" equal "" "$(grep -E '^(work|requests|pcc_commands)$' "$out/rich.txt" || true)"

# An older Assay, or another view of Linux: what would come out otherwise is shown as it was stored.
jq '.linux[0].driver = "old-driver" | .surprise = {"answer": 42}' "$out/amd-two-cpus.json" >"$out/old.json"
check "what this program derives otherwise is shown as it was stored" says 'old-driver' $assay show "$out/old.json"
check "so is what it does not know" says 'answer  *42' $assay show "$out/old.json"
check "the rest is as always" says '^Idle states (_CST)' $assay show "$out/old.json"
jq '.machine.product = "a\u001b[31mb"' "$out/amd-two-cpus.json" >"$out/escape.json"
check "control bytes do not reach the terminal" says 'a?\[31mb' $assay show "$out/escape.json"
jq '{assay, findings}' "$out/amd-two-cpus.json" >"$out/bare.json"
check "a report that lacks nearly all is shown" says '^Verdict' $assay show "$out/bare.json"
check "several reports have no JUnit" status 2 $assay show --junit - "$out/old.json" "$out/escape.json"

if [ -d ../shared/machines ]; then
    count=0
    for machine in ../shared/machines/m*/; do
        count=$((count + 1))
        [ $((count % 12)) -eq 0 ] || continue
        check "$(basename "$machine")" alike "$(basename "$machine")" "$machine"
    done
else
    skip "the shared machines" "../shared is not here"
fi

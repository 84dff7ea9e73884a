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

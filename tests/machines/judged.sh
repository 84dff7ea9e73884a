#!/bin/sh
# Every FAIL and WARN on the shared machines is one that was read by hand and found true: tests/machines/judged.txt
# has it with the reason. A new one fails until it is judged, and so does one that is gone.
set -u

assay=build/assay
shared=../shared/machines
work=build/judged
if [ ! -d "$shared" ]; then
    echo "skip the shared machines are not at $shared"
    exit 0
fi
rm -rf "$work"
mkdir -p "$work"

# The ids of one machine's complaints; its short name is the first word of the folder's.
judge() {
    name=$(basename "$1")
    "$assay" check --quiet --json "$work/$name.json" "$1" 2>"$work/$name.err"
    [ $? -le 1 ] || echo "${name%%-*} status"
    awk -v name="${name%%-*}" -F'"' '
        $2 == "id" { id = $4 }
        $2 == "verdict" && ($4 == "FAIL" || $4 == "WARN") { print name, id }' "$work/$name.json"
}

for machine in "$shared"/m[0-9]*/; do
    judge "$machine"
done | sort -u >"$work/found"
grep -v '^#' tests/machines/judged.txt | cut -d' ' -f1,2 | sort -u >"$work/known"
comm -23 "$work/found" "$work/known" >"$work/new"
comm -13 "$work/found" "$work/known" >"$work/gone"
if [ -s "$work/new" ]; then
    sed 's/^/not ok - not judged yet: /' "$work/new"
elif [ -s "$work/gone" ]; then
    sed 's/^/not ok - judged, but no longer found: /' "$work/gone"
else
    echo "ok - $(wc -l <"$work/known") complaints on $(ls -d "$shared"/m[0-9]*/ | wc -l) machines, all judged"
fi

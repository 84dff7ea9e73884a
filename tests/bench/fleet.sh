#!/bin/sh
# What `assay fleet` costs on many reports, beside jq reading the same files; and that its memory stays flat.
set -eu
. tests/bench/table

build/host/tests/bench/machine 64 flat "$scratch/machine"
for asl in "$scratch"/machine/asl/*.asl; do
    iasl -p "$scratch/machine/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl.log" 2>&1 ||
        { cat "$scratch/iasl.log"; exit 1; }
done
build/assay check --quiet --json "$scratch/report.json" "$scratch/machine" || [ $? -eq 1 ]
mkdir "$scratch/many"
for i in $(seq 1 400); do ln "$scratch/report.json" "$scratch/many/$i.json"; done

ours() { # NAME REPORT...
    name=$1
    shift
    $cost "$scratch/$name" build/assay fleet --quiet --db "$scratch/fleet.db" "$@" || [ $? -le 1 ]
}

for round in 1 2 3; do
    ours ours "$scratch"/many/*.json
    ours few "$scratch"/many/1?.json
    $cost "$scratch/theirs" jq -c '[.machine.product, .totals.fail, [.findings[].id]]' "$scratch"/many/*.json \
        >"$scratch/jq.log"
done
row "assay fleet, 400 reports of $(calc %.0f "$(stat -c %s "$scratch/report.json") / 1024") KiB" \
    "$(calc %.2f "$(median 1 "$scratch/ours") / $(median 1 "$scratch/theirs")")" times \
    "jq $(calc %.0f "$(median 1 "$scratch/theirs") / 1000") ms, fleet $(calc %.0f "$(median 1 "$scratch/ours") / 1000") ms" 2
row "  5,000 such reports on two CPUs" "$(calc %.0f "$(median 1 "$scratch/ours") / 400 * 5000 / 1000000 / 2")" s "by the same rate" 60
row "  memory, 400 reports against 10" "$(calc %.2f "$(median 3 "$scratch/ours") / $(median 3 "$scratch/few")")" times \
    "$(calc %.1f "$(median 3 "$scratch/few") / 1024") MB" 1.5

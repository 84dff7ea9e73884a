#!/bin/sh
# Every CPUID and MSR dump of the corpus, read beside one small table: who the CPU is and what its registers say must be
# what the dump's own plain decoding says. One TAP line a dump; the last comment line has the values in total.
set -u

corpus=${CORPUS:-../shared/machines}
work=build/cpuid_dumps

if [ "${1:-}" = --one ]; then
    folder=$2
    name=$(basename "$folder")
    here=$work/$name
    mkdir -p "$here/tables"
    cp "$work/SSDT.aml" "$here/tables/"
    for part in cpuid.txt msr.txt; do
        [ ! -e "$folder/$part" ] || cp "$folder/$part" "$here/"
    done
    status=0
    build/assay check --quiet --json "$here/report.json" "$here" 2>"$here/said" || status=$?
    if [ "$status" -gt 1 ]; then
        echo "not ok - $name: status $status, $(head -n 1 "$here/said")"
    else
        jq -r -n --arg name "$name" --slurpfile want "$folder/expected.json" --slurpfile got "$here/report.json" \
            -f tests/machines/cpuid_dumps.jq
    fi
    rm -rf "$here"
    exit 0
fi
if [ ! -d "$corpus/cpuid" ]; then
    echo "ok - CPUID dumps # SKIP no $corpus/cpuid here"
    exit 0
fi
mkdir -p "$work"
iasl -f -p "$work/SSDT" tests/lab/one_cpu.asl >"$work/iasl.log" 2>&1
for folder in "$corpus"/cpuid/*/; do echo "${folder%/}"; done |
    xargs -P "$(nproc)" -n 1 sh "$0" --one | tee "$work/tap"
awk '/ values,/ { for (i = 1; i <= NF; i++) if ($i == "of") { k += $(i - 1); n += $(i + 1) }; dumps++ }
     END { printf "# %d of %d values of %d dumps\n", k, n, dumps }' "$work/tap"

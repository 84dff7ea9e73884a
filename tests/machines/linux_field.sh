#!/bin/sh
# The kernels' views of every corpus machine against what lscpu showed on real ones with the same CPU. One TAP
# line a machine; the last line wants nine tenths of the answered values to agree.
set -u

corpus=${CORPUS:-../shared/machines}
work=build/machines
compare=build/asan/tests/machines/linux_field

if [ "${1:-}" = --one ]; then
    folder=$2
    name=$(basename "$folder")
    name=${name%%-*}
    grep -q lscpu "$folder/meta.md" 2>/dev/null || exit 0
    status=0
    build/assay check --quiet --json "$work/$name-field.json" "$folder" || status=$?
    if [ "$status" -gt 1 ]; then echo "not ok - $name: status $status"; exit 0; fi
    "$compare" "$name" "$folder/meta.md" "$work/$name-field.json"
    exit 0
fi
if [ ! -d "$corpus" ]; then
    echo "ok - the kernels' views against the field # SKIP no $corpus here"
    exit 0
fi
mkdir -p "$work"
for folder in "$corpus"/m*/; do echo "${folder%/}"; done |
    xargs -P "$(nproc)" -n 1 sh "$0" --one | tee "$work/field.tap"
awk '/ asked, / { for (i = 1; i < NF; i++) { if ($(i + 1) ~ /^asked/) a += $i
                                              if ($(i + 1) ~ /^answered/) n += $i
                                              if ($(i + 1) ~ /^agree/) k += $i } }
     END { verdict = (n > 0 && k * 10 >= n * 9) ? "ok" : "not ok"
           printf("%s - %d of %d answered values agree (%d.%d %%), %d were asked for; each of the others is explained above\n",
                  verdict, k, n, k * 100 / n, k * 1000 / n % 10, a) }' "$work/field.tap"

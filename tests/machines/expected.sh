#!/bin/sh
# Every machine of the corpus: `assay check` without and with a handshake, then every value of its
# expected.json. One TAP line a machine; the last comment line has the values in total.
set -u

corpus=${CORPUS:-../shared/machines}
work=build/machines
compare=build/asan/tests/machines/compare_expected

if [ "${1:-}" = --one ]; then
    folder=$2
    name=$(basename "$folder")
    name=${name%%-*}
    out=$work/$name
    status=0
    # The static values were made without the memory image: the tables alone are judged.
    build/assay check --quiet --os-caps=none --json "$out-static.json" "$folder/tables" || status=$?
    if [ "$status" -gt 1 ]; then echo "not ok - $name: status $status without handshake"; exit; fi
    build/assay check --quiet --os-caps=0x3FFF,0x7FFF --json "$out-handshake.json" "$folder" || status=$?
    if [ "$status" -gt 1 ]; then echo "not ok - $name: status $status with handshake"; exit; fi
    "$compare" "$name" "$folder/expected.json" "$out-static.json" "$out-handshake.json"
    exit 0
fi
if [ ! -d "$corpus" ]; then
    echo "ok - corpus machines # SKIP no $corpus here"
    exit 0
fi
mkdir -p "$work"
for folder in "$corpus"/m*/; do echo "${folder%/}"; done |
    xargs -P "$(nproc)" -n 1 sh "$0" --one | tee "$work/expected.tap"
awk '/values,/ { for (i = 1; i <= NF; i++) if ($i == "of") { k += $(i - 1); n += $(i + 1) }
                 for (i = 1; i <= NF; i++) if ($i == "uncertain,") u += $(i - 1)
                 for (i = 1; i <= NF; i++) if ($i == "known") d += $(i - 1) }
     END { printf "# %d of %d values, %d uncertain, %d with a known cause\n", k, n, u, d }' "$work/expected.tap"

#!/bin/sh
# The 370 further machines of the corpus (extra.tar.zst): each is judged in bounded time, without a crash and with a
# readable report.
set -u

corpus=${CORPUS:-../shared/machines}
work=build/extra

if [ "${1:-}" = --one ]; then
    name=$(basename "$2")
    status=0
    timeout 60 build/assay check --quiet --json "$work/$name.json" "$2" 2>"$work/$name.said" || status=$?
    if [ "$status" -le 1 ] && jq -e '.totals.pass > 0' "$work/$name.json" >/dev/null 2>&1; then
        echo "ok - $name"
    else
        echo "not ok - $name: status $status, $(head -n 1 "$work/$name.said")"
    fi
    rm -f "$work/$name".*
    exit 0
fi
if [ ! -e "$corpus/extra.tar.zst" ] || ! command -v zstd >/dev/null; then
    echo "ok - further machines # SKIP no $corpus/extra.tar.zst here, or no zstd"
    exit 0
fi
rm -rf "$work"
mkdir -p "$work"
tar --zstd -C "$work" -xf "$corpus/extra.tar.zst"
for folder in "$work"/extra/*/; do echo "${folder%/}"; done | xargs -P "$(nproc)" -n 1 sh "$0" --one
rm -rf "$work/extra"

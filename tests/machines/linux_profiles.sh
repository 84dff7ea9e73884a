#!/bin/sh
# Every kernel's view of every machine of the corpus: one run a machine, whose report holds all profiles; which of them
# comes first by --linux goes round with the machines. Each view names a driver and says why, each idle driver and each
# governor too, and a number that is absent has its reason; the text keeps to 80 columns. One TAP line a machine; the
# last line has the sums.
set -u

corpus=${CORPUS:-../shared/machines}
work=build/machines
profiles="5.4 5.10 5.11-rc4 5.11 5.12 5.19 6.0 6.6 6.12 6.14 6.16 newest"

if [ "${1:-}" = --one ]; then
    folder=$2
    name=$(basename "$folder")
    number=${name%%-*}
    index=$(expr "${number#m}" % 12 + 1)
    version=$(echo "$profiles" | cut -d ' ' -f "$index")
    out=$work/$number-profiles
    status=0
    if [ "$version" = newest ]; then
        build/assay check --json "$out.json" --text "$out.txt" "$folder" || status=$?
    else
        build/assay check --linux "$version" --json "$out.json" --text "$out.txt" "$folder" || status=$?
    fi
    if [ "$status" -gt 1 ]; then echo "not ok - $number: status $status with --linux $version"; exit 0; fi
    wrong=$(jq -r --arg profiles "$profiles" --arg first "$version" '
        ($profiles | split(" ") - ["newest"]) as $wanted
        | [.linux[].version] as $there
        | if ($wanted - $there) != [] then "no view of \($wanted - $there | join(" "))"
          elif $first != "newest" and $there[0] != $first then "\($there[0]) comes first"
          else (.linux[]
            | select((.driver | length) == 0 or (.why | length) == 0 or any(.why[]; length == 0)
                     or (.idle_driver | length) == 0 or (.governor_inputs.default_why | length) == 0
                     or (.cpuinfo_max_khz == null and .cpuinfo_max_why == null)
                     or (.invariance.ratio_1024 == null and .invariance.why == null)
                     or (.governor == [] and .governor_inputs.no_runs_why == null))
            | "\(.version) leaves out a reason") end' "$out.json" | head -n 1)
    long=$(awk 'length > 80 { print NR; exit }' "$out.txt")
    if [ -n "$wrong" ]; then
        echo "not ok - $number: $wrong"
    elif [ -n "$long" ]; then
        echo "not ok - $number: line $long of the text is longer than 80 columns"
    else
        drivers=$(jq -r '[.linux[].driver] | unique | join(", ")' "$out.json")
        columns=$(jq -r '"\(.columns | length) rows, \([.columns[] | select(.mark == "differ")] | length) differ"' "$out.json")
        echo "ok - $number: $(jq '.linux | length' "$out.json") views, --linux $version, $drivers; $columns"
    fi
    exit 0
fi
if [ ! -d "$corpus" ]; then
    echo "ok - every kernel's view of the corpus # SKIP no $corpus here"
    exit 0
fi
mkdir -p "$work"
for folder in "$corpus"/m*/; do echo "${folder%/}"; done |
    xargs -P "$(nproc)" -n 1 sh "$0" --one | tee "$work/profiles.tap"
awk '/ views, / { machines++; for (i = 2; i <= NF; i++) if ($i == "views,") views += $(i - 1) }
     END { printf("%s - %d views of %d machines, each with a driver and the reason\n",
                  machines > 0 ? "ok" : "not ok", views, machines) }' "$work/profiles.tap"

#!/bin/sh
# The demonstration machine of `make run`: one finding, a clean rest, every CPU asked, the two C2 timings,
# and a snapshot from which the host program comes to the same objects and the same failures.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=build/test-lab/efi_demo
report=$out/report.json

status=0
tools/lab qemu --out "$out" --cpu EPYC-Rome --smp 8,sockets=2,cores=4,threads=1 \
    --acpi tests/lab/demo/epyc7742.asl -- --format=json,text,html,snapshot || status=$?
tr -d '\r' <"$out/serial.log" >"$work/serial"

check() { # NAME FILTER
    if jq -e "$2" "$report" >/dev/null 2>&1; then echo "ok - $1"; else echo "not ok - $1: $2"; fi
}

if [ "$status" = 1 ]; then echo "ok - status 1"; else echo "not ok - status $status"; fi
check 'one failure, and it is the domain' '[.findings[] | select(.verdict == "FAIL") | .id] == ["PSD-010"]'
check 'no warning' '.totals.warn == 0'
check 'eight processors, all of one kind' '(.processors | length) == 8 and ([.processors[].pss] | unique) == ["pss#0"]'
check 'every CPU was asked for its MSRs' 'any(.msrs[]; .name == "IA32_APIC_BASE" and .cpus == "1-7")'
check 'the boost entry' '.frequency.boost_ratio_1024 == 1554 and .frequency.max_boost_khz == 3414550'
check 'C2 by I/O, with and without the second read' \
    '[.idle[] | select(.entry == "io" and .address == 224) | .dummy_read] == ["none", "pm_timer"]'

steps=$(sed -n 's|^\[ *\([0-9]*\)/ *\([0-9]*\)\] .*|\1 \2|p' "$work/serial")
if echo "$steps" | awk '$1 != NR { bad = 1 } END { exit bad || NR < 10 || $1 != $2 }'; then
    echo "ok - steps are counted to the end"
else
    echo "not ok - steps: $(echo "$steps" | tr '\n' ';')"
fi

fails='[.findings[] | select(.verdict == "FAIL") | {id, cpus, object, actual}]'
host_status=0
build/assay check --json "$work/host.json" "$out/machine" || host_status=$?
if [ "$host_status" = 1 ] && [ "$(jq -S .sets "$work/host.json")" = "$(jq -S .sets "$report")" ]; then
    echo "ok - the host reads the same objects from the snapshot"
else
    echo "not ok - objects of the snapshot differ, host status $host_status"
fi
if [ "$(jq -S "$fails" "$work/host.json")" = "$(jq -S "$fails" "$report")" ]; then
    echo "ok - the host comes to the same failures"
else
    echo "not ok - failures of the snapshot differ"
fi

# The page that the application wrote is the one that the host makes of the snapshot, but for where it is from and
# the reasons for what is absent.
page() {
    sed -e '/^<dt>From<\/dt>/d' -e '/^<p class="absent">/d' "$1"
}
build/assay check --quiet --html "$work/host.html" "$out/machine" || true
if [ "$(tail -n 1 "$out/report.html")" = '</html>' ] && page "$out/report.html" >"$work/a" &&
    page "$work/host.html" >"$work/b" && cmp -s "$work/a" "$work/b"; then
    echo "ok - report.html is whole, and the host makes the same"
else
    echo "not ok - report.html: $(diff "$work/a" "$work/b" | head -n 5 | cut -c 1-100 | tr '\n' ';')"
fi

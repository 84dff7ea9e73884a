#!/bin/sh
# An expectation file of this computer goes onto the medium and is judged there, a line a finding: what
# holds, what does not, and a waiver that takes the demonstration's one failure back.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=build/test-lab/expect
report=$out/report.json

cat >"$work/product.txt" <<'END'
# What this product must have.
cpus = 8
pss[0].freq_mhz = 2250MHz
cst.C2.latency_us <= 100us
waive PSD-010 until 2099-01-01 "known, mended in the next release"
END
status=0
tools/lab qemu --out "$out" --cpu EPYC-Rome --smp 8 --acpi tests/lab/demo/epyc7742.asl \
    -- --run=tables --format=json,junit,tap --expect="$work/product.txt" || status=$?

check() { # NAME FILTER
    if jq -e "$2" "$report" >/dev/null 2>&1; then echo "ok - $1"; else echo "not ok - $1: $2"; fi
}
if [ "$status" = 1 ]; then echo "ok - status 1"; else echo "not ok - status $status"; fi
check 'what holds passes' '[.findings[] | select(.id == "EXP-002" or .id == "EXP-003") | .verdict] == ["PASS", "PASS"]'
check 'what does not hold is the only failure' '[.findings[] | select(.verdict == "FAIL") | .id] == ["EXP-004"]'
check 'the waiver is shown with its reason' \
    'any(.findings[]; .id == "PSD-010" and .verdict == "INFO" and (.actual | test("2099-01-01.*known")))'
if grep -q '<failure' "$out/report.xml"; then echo "ok - JUnit has it"; else echo "not ok - report.xml"; fi
if grep -q '^not ok' "$out/report.tap"; then echo "ok - TAP has it"; else echo "not ok - report.tap"; fi

# What holds altogether is status 0, and firmware without tables is 3, whatever was expected of it.
printf 'cpus = 2\n' >"$work/holds.txt"
status=0
tools/lab qemu --out "$out" --smp 2 --acpi tests/lab/two_cpus.asl -- --run=tables --format=json,junit \
    --expect="$work/holds.txt" || status=$?
if [ "$status" = 0 ]; then echo "ok - status 0"; else echo "not ok - status $status"; fi
check 'and was judged' 'any(.findings[]; .id == "EXP-001" and .verdict == "PASS")'
status=0
tools/lab qemu --out "$out" --smp 2 --broken no-acpi -- --run=tables --format=json,junit \
    --expect="$work/holds.txt" || status=$?
if [ "$status" = 3 ]; then echo "ok - status 3"; else echo "not ok - status $status"; fi

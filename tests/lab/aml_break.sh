#!/bin/sh
# Tables whose own code leads the AML interpreter into an endless loop of its own (acpi/scope_guard.h): on the host and
# on the machine the run comes to its end and says why.
set -eu
. tests/tap.sh

lab=build/test-lab/aml_break
mkdir -p "$lab"
why="would never come back"

for table in break continue; do
    aml=build/asl/engine_$table.aml
    check "on the host, $table: status 3, not for ever" status 3 timeout 60 build/assay check --text "$lab/$table.txt" --quiet "$aml"
    check "and the reason" says "$why" sh -c "tr -s ' \\n' ' ' <$lab/$table.txt"
done

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "on the machine" "QEMU is not installed"
    exit 0
fi

check "on the machine: a verdict" status 1 tools/lab qemu --out "$lab/machine" --smp 2 --timeout 120 \
    --acpi tests/asl/engine_break.asl -- --run=tables --format=json,text
check "the reason" jq -e 'any(.findings[]; .verdict == "FAIL" and (tostring | contains("'"$why"'")))' \
    "$lab/machine/report.json"
check "and what does not need the interpreter is there" jq -e \
    '(.cpuid | length) > 0 and .madt.enabled == 2 and .fadt != null and .totals.pass > 30' \
    "$lab/machine/report.json"

#!/bin/sh
# What one does with reports afterwards: show, diff of two variants of a machine, many machines at once; and that
# hostile files get a message.
set -eu
. tests/tap.sh

assay=build/assay
out=build/offline
rm -rf "$out"
mkdir -p "$out/a/tables" "$out/b/tables"
for source in tests/machines/amd-two-cpus/tables/*.asl; do
    iasl -f -p "$out/a/tables/$(basename "$source" .asl)" "$source" >/dev/null 2>&1
done
cp tests/machines/amd-two-cpus/cpuid.txt tests/machines/amd-two-cpus/msr.txt "$out/a"
cp -r "$out/a/." "$out/b"
# The same machine with another first frequency and a wrong checksum, as a beta firmware might be.
sed 's/0x0D48/0x0DAC/; s/3400,/3500,/' tests/machines/amd-two-cpus/tables/00_DSDT.asl >"$out/variant.asl"
iasl -f -p "$out/b/tables/00_DSDT" "$out/variant.asl" >/dev/null 2>&1
printf 'X' | dd of="$out/b/tables/APIC.aml" bs=1 seek=12 conv=notrunc 2>/dev/null

$assay check --quiet --json "$out/a.json" "$out/a" || true
$assay check --quiet --json "$out/b.json" "$out/b" || true

check "a report is shown" says '^machine.cpu' $assay show "$out/a.json"
check "as HTML that needs nothing else" says '<table>' $assay show --html - "$out/a.json"
check "as it is" cmp "$out/a.json" - <<END
$($assay show --json - "$out/a.json")
END
check "of an older schema" says 'Findings' sh -c "sed 's/\"schema\": 1/\"schema\": 0/' '$out/a.json' | $assay show -"
check "of a newer one, with a word about it" says 'schema 99' sh -c "sed 's/\"schema\": 1/\"schema\": 99/' '$out/a.json' | $assay show -"
{
    echo noise
    echo '-----BEGIN ASSAY report.json-----'
    base64 -w 76 "$out/a.json"
    echo '-----END ASSAY report.json-----'
} >"$out/serial.log"
check "out of a serial log" says '^machine.cpu' $assay show "$out/serial.log"

check "a machine and its report are the same" status 0 $assay diff "$out/a" "$out/a.json"
check "two variants are not" status 1 $assay diff "$out/a" "$out/b"
check "the checksum is a new finding" says 'TBL-003\|checksum' $assay diff "$out/a.json" "$out/b.json"
check "as JSON" says '"changed": true' $assay diff --json - "$out/a" "$out/b"
check "as HTML" says '<h1>Assay' $assay diff --html - "$out/a" "$out/b"
check "the other way round it is fixed" says '^Fixed' $assay diff "$out/b" "$out/a"
check "one machine is wrong use" status 2 $assay diff "$out/a"
check "a wrong word is named" says 'nearest: --json' $assay diff --jsom x "$out/a" "$out/b"

for i in $(seq 1 40); do cp "$out/a.json" "$out/fleet$i.json"; done
check "many reports" status 0 $assay fleet --db "$out/fleet.db" --ndjson "$out/fleet.ndjson" --csv "$out/fleet.csv" "$out"/fleet*.json
check "one report a line" equal 40 "$(jq -c 'select(.findings)' "$out/fleet.ndjson" | wc -l)"
check "every line is the report" equal "$(jq -cS . "$out/a.json")" "$(head -n 1 "$out/fleet.ndjson" | jq -cS .)"
check "tidy CSV" says '^machine,model,firmware_version,kind,name,cpus,value,severity' head -n 1 "$out/fleet.csv"
check "an SQLite file" says '^SQLite format 3' head -c 15 "$out/fleet.db"
check "the odd one out is named" says 'b.json .*1 of 41' $assay show "$out"/fleet*.json "$out/b.json"
check "check takes several machines" says 'a  .*\|Machines' $assay check "$out/a" "$out/b"
check "one that cannot be read is named, the others go on" says 'Machines' $assay fleet "$out/a.json" "$out/none.json"
check "with status 3" status 3 $assay fleet --quiet "$out/a.json" "$out/none.json"

printf '{"assay":{},"findings":[' >"$out/cut.json"
head -c 200000 /dev/zero | tr '\0' '[' >"$out/deep.json"
printf '{"x":%s' "$(head -c 100000 /dev/zero | tr '\0' '[')" >"$out/deep2.json"
check "a report that is cut" says 'is not JSON: line' $assay show "$out/cut.json"
check "one that is deep" says 'is not JSON' $assay show "$out/deep2.json"
check "JSON that is no report" says 'no report of Assay' $assay show tests/machines/intel-dynamic/memory.json
check "status 3 for those" status 3 $assay show "$out/cut.json"
check "a folder full of rubbish" status 3 $assay show "$out/deep.json"

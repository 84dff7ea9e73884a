#!/bin/sh
# A fleet of over 300 machines: those of ../shared and a variant of each with another FADT flag. Its table, its
# files, one query; how long it took. Then 5,000 reports at once.
set -eu
. tests/tap.sh

assay=build/assay
machines=../shared/machines
out=build/fleet
ls "$machines"/m*/tables >/dev/null 2>&1 || { skip "a fleet" "$machines is not there"; exit 0; }
rm -rf "$out"
mkdir -p "$out/variants" "$out/many"
for machine in "$machines"/m*/; do
    variant=$out/variants/$(basename "$machine")
    cp -r "$machine" "$variant"
    chmod -R u+w "$variant"
    # ACPI 6.5, Table 5.9: Flags are at 112; bit 4 is PWR_BUTTON. The checksum then is wrong, which is a finding.
    fadt=$(ls "$variant"/tables/*FACP* 2>/dev/null | head -n 1 || true)
    [ -z "$fadt" ] || printf '\377' | dd of="$fadt" bs=1 seek=112 conv=notrunc 2>/dev/null
done
count=$(ls -d "$machines"/m*/ "$out"/variants/*/ | wc -l)

start=$(date +%s)
check "$count machines are judged" status 1 $assay fleet --db "$out/fleet.db" --csv "$out/fleet.csv" \
    --ndjson "$out/fleet.ndjson" --html "$out/fleet.html" --quiet "$machines"/m*/ "$out"/variants/*/
echo "# $count machines in $(($(date +%s) - start)) s"
check "it is a fleet of 300" test "$count" -ge 300
check "each has its line" equal "$count" "$(wc -l <"$out/fleet.ndjson")"
check "a query: variants have the wrong checksum" test \
    "$(awk -F, '$1 ~ /variants/ && $0 ~ /finding,TBL-003,/' "$out/fleet.csv" | wc -l)" -ge 1
sed 's/^/# /' <<END
$(awk -F, '$0 ~ /,finding,/ && $0 ~ /,FAIL,/' "$out/fleet.csv" | sed 's/.*,finding,\([^,]*\),.*/\1/' | sort | uniq -c | sort -rn | head -n 10)
END

$assay check --quiet --json "$out/report.json" "$machines"/m048* || true
for i in $(seq 1 5000); do ln "$out/report.json" "$out/many/$i.json"; done
# CPU time and not the clock's: what else runs here is not the fleet's fault.
check "5,000 reports" sh -c "$assay fleet --quiet --db '$out/many.db' '$out'/many/*.json; [ \$? -le 1 ] && times >'$out/times'"
took=$(tail -n 1 "$out/times" | tr 'ms' '  ' | awk '{ print int(($1 + $3) * 60 + $2 + $4) }')
echo "# 5000 reports of $(stat -c %s "$out/report.json") bytes: $took s of CPU time"
check "within a minute on two CPUs" test "$took" -le 120
rm -rf "$out/many" "$out/variants"

#!/bin/sh
# A medium without room for the report: that is said at once, and the report goes to the serial port as
# base64 between markers, from which it comes back whole.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=build/test-lab/efi_full
export MTOOLS_SKIP_CHECK=1
image=$work/image@@1M
cp --sparse=always build/assay.img "$work/image"
room=$(mdir -i "$image" :: | sed -n 's/ *\([0-9 ]*\) bytes free/\1/p' | tr -d ' ')
head -c $((room - 12288)) /dev/zero >"$work/filler"
mcopy -Q -i "$image" "$work/filler" ::FILLER

status=0
tools/lab qemu --out "$out" --image "$work/image" --keep "$work/kept" --timeout 120 \
    -- --run=tables --format=json,text || status=$?
tr -d '\r' <"$out/serial.log" >"$work/serial"

if grep -aq '^report.json could not be written: the medium is full' "$work/serial" &&
    grep -aq '^all results now go to the serial port' "$work/serial"; then
    echo "ok - the full medium is named at once"
else
    echo "not ok - nothing said of the full medium"
fi
for name in report.json report.txt; do
    sed -n "/^-----BEGIN ASSAY $name-----/,/^-----END ASSAY $name-----/p" "$work/serial" |
        grep -v ASSAY | base64 -d >"$work/$name" || true
done
if jq -e '.assay.version and .totals' "$work/report.json" >/dev/null 2>&1; then
    echo "ok - report.json comes back from the serial log"
else
    echo "not ok - report.json on serial cannot be read"
fi
if grep -q '^ACPI tables' "$work/report.txt" && tail -n 1 "$work/report.txt" | grep -q '^assay: '; then
    echo "ok - report.txt comes back from the serial log"
else
    echo "not ok - report.txt on serial is not whole"
fi
if mdir -b -/ -i "$work/kept@@1M" :: | grep -i 'report\.'; then
    echo "not ok - half a report is left on the medium"
else
    echo "ok - no half report is left on the medium"
fi
if tail -n 1 "$work/serial" | grep -aqE '^assay: [0-9]+ pass'; then
    echo "ok - the final line is the last"
else
    echo "not ok - last line: $(tail -n 1 "$work/serial")"
fi

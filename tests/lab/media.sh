#!/bin/sh
# A medium that is write-protected, full or pulled out: it is said at once, the results go to the next
# volume that takes them, all of them, or through the serial port; results that exist are left alone.
set -eu
. tests/tap.sh
. tests/lab/media

rm -rf "$out"
check 'a write-protected medium: the run ends as ever' status 0 run --protected
check 'it is said, and why' says '^no journal: the medium cannot be written' cat "$serial"
check 'the results go to the serial port' grep -aq '^results: the serial port' "$serial"
check 'and are whole' is_whole
check 'the log alone is a report' says '^Verdict' build/assay show "$serial"

new_second
check 'with a second medium they go there' status 0 run --protected --second "$second"
check 'it is named' grep -aq '^results: .assay.results.* on the volume "SPARE"' "$serial"
check 'they are whole' is_whole
check 'a second run has its own folder' status 0 run --protected --second "$second"
check 'and the first is still there' equal "$(count_of "$second" report.json)" 2

# Room for the journal and the first report, not for all.
cp --sparse=always build/assay.img "$scratch/full"
room=$(mdir -i "$scratch/full@@1M" :: | tr -d ' ' | sed -n 's/bytesfree$//p')
truncate -s $((room - 120000)) "$scratch/filler"
mcopy -i "$scratch/full@@1M" "$scratch/filler" ::FILLER
new_second
check 'a full medium: the run ends as ever' \
    status 0 run --image "$scratch/full" --second "$second" --keep "$scratch/kept"
check 'it is said, and why' says 'could not be written: the medium is full' cat "$serial"
check 'the second one has all results' is_whole
check 'the full one has no half file' equal "$(count_of "$scratch/kept@@1M" run.json)" 0
check 'and without a second one they go through the serial port' status 0 run --image "$scratch/full"
check 'whole' is_whole
check 'and read from there' says '^Verdict' build/assay show "$serial"

new_second
check 'a stick that is pulled out in the middle: the run ends as ever' status 0 pulled --second "$second"
check 'it is said at once, and not only when the reports are written' \
    says '^journal: the medium was removed' sed '/write the reports/,$d' "$serial"
check 'the second one has all results' is_whole

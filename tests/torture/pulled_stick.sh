#!/bin/sh
# A stick that is pulled out in the middle, with a second medium beside it. Not in the quick suite: the firmware takes from
# seconds to minutes until it gives the stick up.
set -eu
. tests/tap.sh
. tests/lab/media

rm -rf "$out"
new_second
cat >"$scratch/pull" <<'END'
await read CPUID and MSRs
monitor device_del usbstick
END
check 'a stick that is pulled out in the middle' \
    status 0 lab --keys "$scratch/pull" --second "$second" -- --run=tables,clocks --batch --exit=shutdown \
    --format=json,text,snapshot
check 'it is said at once, and not only when the reports are written' \
    says '^journal: the medium was removed' sed '/write the reports/,$d' "$serial"
check 'the second one has all results' is_whole

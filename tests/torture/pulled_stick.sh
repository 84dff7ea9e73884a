#!/bin/sh
# A stick that is pulled out in the middle, with a second medium beside it. Not in the quick suite: the firmware takes from
# seconds to minutes until it gives the stick up.
set -eu
. tests/tap.sh

out=build/test-lab/media
serial=$out/serial.log
second=$scratch/second
export MTOOLS_SKIP_CHECK=1

lab() { # OPTION...
    tools/lab qemu --out "$out" --smp 2 --timeout 400 --acpi tests/lab/two_cpus.asl "$@"
}

run() { # LAB-OPTION...
    lab "$@" -- --run=tables --format=json,text,snapshot
}

new_second() {
    rm -f "$second"
    truncate -s 40M "$second"
    mkfs.vfat -n SPARE "$second" >/dev/null
}

# Everything that a run writes is there, and the report is whole.
is_whole() {
    jq -e '.totals.pass > 0' "$out/report.json" && grep -q '^Verdict' "$out/report.txt" &&
        ls "$out/machine/run.json" "$out/machine/tables/DSDT.aml"
}

count_of() { # FILES OF A VOLUME
    mdir -b -/ -i "$1" ::assay/results 2>/dev/null | grep -c "$2" || true
}

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

#!/bin/sh
# What a run adds to the time of an application that does nothing, from the emulator's start to its end:
# emulated (TCG), the same firmware, the same medium, in turn.
set -eu
. tests/bench/table

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    not_measured "added by --run=tables" "no QEMU"
    exit 0
fi
tools/mkimage "$scratch/empty.img" build/empty.efi

boot() { # NAME CPUS IMAGE
    COST_COMMAND=${QEMU:-qemu-system-x86_64} COST_OUT="$scratch/$1-$2" QEMU=$cost \
        tools/lab qemu --out "$scratch/out" --smp "$2" --image "$3" \
        -- --run=tables --batch --format=json,text --exit=debug-port >"$scratch/said" 2>&1
}

added() { # CPUS LIMIT
    for round in 1 2 3; do
        # The empty application leaves no report, which the runner calls a failure.
        boot empty "$1" "$scratch/empty.img" || [ $? = 125 ]
        status=0
        boot assay "$1" build/assay.img || status=$?
        [ $status -le 1 ] || { cat "$scratch/said"; exit 1; }
    done
    empty_us=$(median 2 "$scratch/empty-$1")
    row "added by --run=tables, $1 CPUs" "$(calc %.2f "($(median 2 "$scratch/assay-$1") - $empty_us) / 1000000")" s \
        "empty application $(calc %.2f "$empty_us / 1000000") s" "$2"
    row "  the same in processor time of the emulator" \
        "$(calc %.2f "($(median 1 "$scratch/assay-$1") - $(median 1 "$scratch/empty-$1")) / 1000000")" s \
        "empty application $(calc %.2f "$(median 1 "$scratch/empty-$1") / 1000000") s" -
}

added 8 1.5
added 128 4

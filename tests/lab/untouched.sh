#!/bin/sh
# Runs in a row, from a program of ours that acts as a shell (tests/lab/firmware): after each run no memory, pool,
# event or protocol is left, the clock of the firmware ticks, and registers, tables, variables and ACPI memory are what
# they were; on the medium nothing has changed but the folder assay. RUNS is their number (tests/torture/repeat.sh: 50).
set -eu
. tests/tap.sh

runs=${RUNS:-6}
lab=build/test-lab/untouched
serial=$scratch/serial
esp=$((1024 * 1024))
export MTOOLS_SKIP_CHECK=1
PATH=$PATH:/sbin:/usr/sbin

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "what a run leaves" "QEMU is not installed"
    exit 0
fi

# Files of others, some with names that are near to ours.
mkdir -p "$scratch/others" "$lab"
for name in journal.txt assay.conf report.json "a file with a long name.txt"; do
    head -c 40000 /dev/urandom >"$scratch/others/$name"
done
tools/mkimage "$scratch/image" build/assay.efi "$scratch/others=others" "$scratch/others/journal.txt=journal.txt" \
    "$scratch/others=EFI/assay2" "$scratch/others/report.json=assay.txt"

boot() { # RUNS OPTION...
    times=$1
    shift
    result=0
    tools/lab qemu --out "$lab" --smp 4 --image "$scratch/image" --keep "$scratch/kept" --broken "repeat $times" \
        --acpi tests/lab/idle/c1_c2.asl --timeout 560 -- --batch --exit=return --seconds=3 "$@" || result=$?
    tr -d '\r' <"$lab/serial.log" >"$serial"
    return $result
}

# files IMAGE FOLDER: everything on the medium but what the lab itself put there.
files() {
    mkdir -p "$2"
    mcopy -Q -s -n -i "$1@@1M" '::*' "$2"
    rm -rf "$2/assay" "$2/EFI/assay" "$2/EFI/BOOT/BOOTX64.EFI"
    (cd "$2" && find . -type f -exec sha256sum {} + | sort -k 2)
}

same_edges() { # the partition table at both ends
    cmp -n "$esp" "$scratch/image" "$scratch/kept" &&
        tail -c "$esp" "$scratch/image" >"$scratch/end" && tail -c "$esp" "$scratch/kept" | cmp - "$scratch/end"
}

file_system() {
    tail -c +$((esp + 1)) "$scratch/kept" | head -c -"$esp" >"$scratch/fat"
    fsck.fat -n "$scratch/fat"
}

times_of() { # PATTERN: how many lines have it
    grep -cE "$1" "$serial" || true
}

# What is held after the second run, when the firmware has settled, is held after the last one.
census() {
    grep '^lab: census' "$serial" | sed '1d; s/^lab: census [0-9]*: //; s/ boot [0-9]*//; s/ free [0-9]*//' | sort -u
}

# The firmware's own memory: its FAT driver keeps the entries of the last eight folders, and ours grow by one a run.
growth() {
    grep '^lab: census' "$serial" | sed '1d; s/.* boot \([0-9]*\).*/\1/' |
        awk 'NR == 1 { first = $1 } { last = $1 } END { print last - first }'
}

check "$runs runs" status 0 boot "$runs" --run=quick --format=json,snapshot
check "all came to their end" equal "$(times_of '^lab: run [0-9]+: status 0,')" "$runs"
check "each gave back its pages, pool, events and files" equal "$(times_of '^lab: run .* holds pages 0 pools 0 events 0 files 0,')" "$runs"
check "and asked for some" equal "$(times_of '^lab: run .* asked ([3-9]|[1-9][0-9]+),')" "$runs"
check "memory by kind, handles, protocols and who opened them are the same after each" \
    equal "$(census | wc -l)" 1
echo "# $(census); the firmware's own memory grew by $(growth) pages"
check "the firmware's own grows by no more than its cache of folders" test "$(growth)" -le 64
check "hundreds of registers and other things are looked at" \
    equal "$(times_of '^lab: [4-9][0-9][0-9] registers and other things noted, 3 other CPUs')" 1
check "without a run they stay the same" grep -q '^lab: registers without a run: 0 differ' "$serial"
check "and with one" equal "$(times_of '^lab: registers [0-9]+: 0 differ')" "$((runs - 1))"
check "the firmware's clock ticks" equal "$(times_of '^lab: run .* clock ticks')" "$runs"
files "$scratch/image" "$scratch/before" >"$scratch/sums"
check "no file of others is changed, gone or new" \
    sh -c '[ "$(wc -l <"$1")" -ge 9 ] && [ "$2" = "$(cat "$1")" ]' - "$scratch/sums" "$(files "$scratch/kept" "$scratch/after")"
check "nor the partition table" same_edges
check "the file system is sound" file_system

# The timed groups take the interrupt table, the local APIC's timer and the other CPUs.
check "idle states and frequencies are timed, twice" status 0 boot 2 --run=idle,frequency --samples=3 --format=json
check "idle states were timed" jq -e '.idle | length > 0' "$lab/report.json"
check "nothing is left of that" equal "$(times_of '^lab: run .* holds pages 0 pools 0 events 0 files 0, clock ticks')" 2
check "and every register is as before" grep -q '^lab: registers 2: 0 differ' "$serial"

# A run that fails, too.
check "a run that ends with a wrong word, without a final line" status 125 boot 2 --tables=nowhere
check "leaves nothing" equal "$(times_of '^lab: run .* holds pages 0 pools 0 events 0 files 0, clock ticks')" 2
check "and changes nothing" grep -q '^lab: registers 2: 0 differ' "$serial"

#!/bin/sh
# Media that are damaged before the start, that fail now and then, and slow ones: no hang, one line that says what it is,
# nothing of others lost, and the results in the best place that is left.
set -eu
. tests/tap.sh
. tests/lab/media

out=build/test-lab/damaged
serial=$out/serial.log
rm -rf "$out"

new_medium() {
    cp --sparse=always build/assay.img "$scratch/medium"
}

on_medium() { # MTOOL WORD...: on the medium's volume
    tool=$1
    shift
    "$tool" -i "$scratch/medium@@1M" "$@"
}

# The medium through another block driver of QEMU, or with more words of its -drive.
through() { # SED-SCRIPT LAB-OPTION...
    cat >"$scratch/qemu" <<END
#!/bin/sh
for word; do
    shift
    case \$word in *id=stick*) word=\$(printf '%s' "\$word" | sed '$1') ;; esac
    set -- "\$@" "\$word"
done
exec "${QEMU:-qemu-system-x86_64}" "\$@"
END
    chmod +x "$scratch/qemu"
    shift
    (QEMU=$scratch/qemu && export QEMU && run "$@")
}

# --- Names that are there and something else.
new_medium
on_medium mmd ::assay/journal.txt
check 'a folder in the journal'"'"'s place: the run ends as ever' status 0 run --image "$scratch/medium" --keep "$scratch/kept"
check 'it is said' says 'no journal: .assay.journal.txt is a folder' cat "$serial"
check 'the results are there' is_whole

new_medium
echo 'mine' >"$scratch/mine"
on_medium mdeltree ::assay/results 2>/dev/null || true
on_medium mcopy "$scratch/mine" ::assay/results
check 'a file in the place of the results: the run ends as ever' status 0 run --image "$scratch/medium" --keep "$scratch/kept"
check 'it is said' says '^no results on the boot volume: ' cat "$serial"
check 'the results go to the serial port, and are whole' is_whole
check 'the file is what it was' equal "$(mtype -i "$scratch/kept@@1M" ::assay/results)" mine

new_medium
head -c 70000 /dev/urandom >"$scratch/noise"
on_medium mcopy "$scratch/noise" ::assay/journal.txt
check 'a journal of 70 KB of noise: the run ends as ever' status 0 run --image "$scratch/medium" --keep "$scratch/kept"
check 'it is started afresh, and that is said' says 'journal.txt is damaged or of another version' cat "$serial"
check 'the next start reads it' says '^assay journal 2 machine .* finished' mtype -i "$scratch/kept@@1M" ::assay/journal.txt

# --- A damaged second volume beside a write-protected first.
new_second
dd if="$scratch/noise" of="$second" bs=512 seek=4 count=100 conv=notrunc 2>/dev/null
check 'a second volume with a damaged allocation table: the run ends as ever' status 0 run --protected --second "$second"
check 'the results are whole, wherever they went' is_whole
new_second
head -c 512 "$scratch/noise" | dd of="$second" bs=512 conv=notrunc 2>/dev/null
check 'one without a boot sector: the run ends as ever' status 0 run --protected --second "$second"
check 'the results go to the serial port' grep -aq '^results: the serial port' "$serial"
check 'and are whole' is_whole

# --- Writes that fail, and a slow medium.
check 'a medium of 100 accesses a second: the run ends as ever' status 0 through 's|$|,throttling.iops-total=100|'
check 'the results are there' grep -aq '^results: .assay.results' "$serial"
check 'and are whole' is_whole

cat >"$scratch/faults" <<'END'
[inject-error]
event = "write_aio"
errno = "5"
once = "on"
END
check 'a write that fails once: the run ends as ever' status 0 through "s|file=|file=blkdebug:$scratch/faults:|"
check 'the results are whole' is_whole

cat >"$scratch/faults" <<'END'
[set-state]
event = "write_aio"
state = "1"
new_state = "2"
[set-state]
event = "write_aio"
state = "2"
new_state = "3"
[inject-error]
state = "3"
event = "write_aio"
errno = "5"
END
check 'every write from the third on: the run ends as ever' status 0 through "s|file=|file=blkdebug:$scratch/faults:|"
check 'it is said at once' says '^journal: the medium was removed or fails' sed '/write the reports/,$d' "$serial"
check 'the results go to the serial port, and are whole' is_whole

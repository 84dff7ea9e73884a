#!/bin/sh
# The application gives the firmware back unharmed: it returns to the boot manager, which starts the
# Shell (it does so after a failed boot only: so there is a fault to find), which starts it again with a
# command line; that run has to give the same verdicts.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=build/test-lab/efi_return
printf '%s\r\n' 'fs0:\EFI\BOOT\BOOTX64.EFI --exit=debug-port' >"$work/startup.nsh"
tools/mkimage "$work/image" build/assay.efi "$work/startup.nsh=startup.nsh"

status=0
tools/lab qemu --out "$out" --image "$work/image" --smp 8 --timeout 180 \
    --acpi tests/lab/demo/epyc7742.asl \
    -- --exit=return --run=quick --format=json,text || status=$?

# What this run said, without what differs between two runs on the same machine.
verdicts() {
    tr -d '\r' <"$out/serial.log" | grep -aE '^assay: [0-9]+ pass'
}

if [ "$status" -le 1 ]; then
    echo "ok - started from the Shell after a return to the firmware, status $status"
else
    echo "not ok - status $status"
fi
if [ "$(verdicts | wc -l)" = 2 ] && [ "$(verdicts | sort -u | wc -l)" = 1 ]; then
    echo "ok - both runs give the same verdicts: $(verdicts | head -n 1)"
else
    echo "not ok - verdicts: $(verdicts | tr '\n' ';')"
fi
if tr -d '\r' <"$out/serial.log" | sed -n '/^Assay /,/^assay: [0-9]* pass/p' | grep -aq "$(printf '\033')"; then
    echo "not ok - screen codes between the first and the last line of a run"
else
    echo "ok - no screen codes on serial while it runs"
fi

#!/bin/sh
# The application gives the firmware back unharmed. A wrong word in assay.conf ends the first start, so
# the boot manager goes on to the Shell, whose script asks for the version, gives a wrong word, makes a
# whole run that returns, and one more that ends the machine: both have to give the same verdicts. Between them
# idle states are timed while the other CPU spins, and afterwards the Shell waits for a key, which comes.
set -eu

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
out=build/test-lab/efi_return
app='EFI\BOOT\BOOTX64.EFI'
run="$app --batch --run=quick --format=json,text"
sed 's/$/\r/' >"$work/startup.nsh" <<END
fs0:
rm -q assay\\assay.conf
$app --version
echo after version: %lasterror%
$app --formt=json
echo after wrong word: %lasterror%
$run --exit=return
$app --batch --run=idle --samples=5 --cpus=0-1 --park=spin --format=json --out=\\idle --exit=return
echo after idle: %lasterror%
echo type a key
pause -q
echo the key came
$run --exit=debug-port
END
tools/mkimage "$work/image" build/assay.efi "$work/startup.nsh=startup.nsh"

printf 'await type a key\nkey x\n' >"$work/keys"
status=0
tools/lab qemu --out "$out" --image "$work/image" --smp 8 --timeout 180 \
    --acpi tests/lab/demo/epyc7742.asl --keys "$work/keys" -- --batch --exit=return --wrong=word || status=$?
sed 's/\x1b\[[0-9;=]*[A-Za-z]//g; s/\r//g' "$out/serial.log" >"$work/serial"

says() {
    if grep -aqE "$2" "$work/serial"; then echo "ok - $1"; else echo "not ok - $1: no line like $2"; fi
}

says 'a wrong word in assay.conf is named' '^assay: .*--wrong'
says '--version names the interpreter' '^build .*ACPICA 20[0-9]{6}'
says '--version succeeds' 'after version: 0x0$'
says 'a wrong word is named with the right one' '^assay: .*--formt.*--format'
says 'a wrong word aborts' 'after wrong word: 0x(80000000000000)?15$'

says 'idle states are timed, with the other CPU spinning' '^ *CPU 0: C1 by HLT'
says 'and the keyboard works afterwards' '^the key came$'

verdicts=$(grep -aE '^assay: [0-9]+ pass' "$work/serial" | sed -n '1p;$p')
if [ "$status" = 1 ] && [ "$(echo "$verdicts" | wc -l)" = 2 ] && [ "$(echo "$verdicts" | sort -u | wc -l)" = 1 ]; then
    echo "ok - a run after a run gives the same verdicts"
else
    echo "not ok - status $status, verdicts: $verdicts"
fi
if tr -d '\r' <"$out/serial.log" | sed -n '/^\[ 1\//,/^assay: [0-9]* pass/p' | grep -aq "$(printf '\033')"; then
    echo "not ok - screen codes between the first and the last line of a run"
else
    echo "ok - no screen codes on serial while it runs"
fi

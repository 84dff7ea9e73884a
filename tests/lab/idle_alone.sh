#!/bin/sh
# A machine with one CPU whose local APIC timer is said to stop: the HPET watches it, through the I/O APIC and by
# message, and is given back, so that the firmware's keyboard and clock go on. Without an HPET such states are left
# alone, and it is said why.
set -eu
. tests/tap.sh

lab=build/test-lab/idle_alone
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "one CPU alone" "QEMU is not installed"
    exit 0
fi
emulator=${QEMU:-qemu-system-x86_64}

# Without the hypervisor's bit it is an AMD family 0Fh, whose C1E stops the timer, and it has no ARAT.
boot() { # NAME EMULATOR'S-OPTION... -- LAB'S-OPTION...
    name=$1
    shift
    printf '#!/bin/sh\nexec %s "$@"' "$emulator" >"$scratch/qemu"
    while [ "$1" != -- ]; do
        printf ' %s' "$1" >>"$scratch/qemu"
        shift
    done
    shift
    echo >>"$scratch/qemu"
    chmod +x "$scratch/qemu"
    QEMU=$scratch/qemu tools/lab qemu --out "$lab/$name" --smp 1 --timeout 500 --cpu qemu64,-hypervisor \
        --acpi tests/lab/idle/c1_c2.asl "$@"
}

json() { # NAME FILTER
    jq -e "$2" "$lab/$1/report.json"
}

watched() { # NAME
    check "$1: every way is entered at every length, and the HPET watches" json "$1" \
        '(.idle | length) == 33 and all(.idle[]; .watched_by == "HPET") and .idle_skipped == null'
    check "$1: every set has samples" json "$1" 'all(.idle[]; .samples > 0)'
}

words="--batch --run=idle --samples=5 --format=json,text"
# shellcheck disable=SC2086 # words of ours
check "a run, the HPET through the I/O APIC" status 0 boot inputs -- --icount 2 -- $words
watched inputs
# In real time a busy host may let the HPET come first.
check "none of its interrupts falls into a sleep" json inputs 'all(.idle[]; .dropped == 0 and .never_woke == null)'
check "a sleep is as long as it was told" json inputs \
    '[.idle[] | select(.entry == "hlt") | .asleep_ns.min == .requested_ns and .asleep_ns.max == .requested_ns] | all'

app='EFI\BOOT\BOOTX64.EFI'
printf '%s\r\n' fs0: 'rm -q assay\assay.conf' "$app $words --exit=return" 'echo after idle: %lasterror%' 'echo type a key' \
    'pause -q' 'echo the key came' "$app $words --exit=debug-port" >"$scratch/startup.nsh"
tools/mkimage "$scratch/image" build/assay.efi "$scratch/startup.nsh=startup.nsh"
printf 'await type a key\nkey x\n' >"$scratch/keys"
check "two runs and a key between them, the HPET by message" status 0 boot messages -global hpet.msi=on -- \
    --image "$scratch/image" --keys "$scratch/keys" -- --batch --exit=return --wrong=word
watched messages
check "the keyboard works after the first" grep -aq '^the key came' "$lab/messages/serial.log"

# shellcheck disable=SC2086
check "a run without an HPET" status 0 boot without -machine hpet=off -- -- $words
check "enters nothing that may stop the timer, and says why" json without \
    '(.idle | length) == 0 and all(.idle_not_timed[]; .why | test("ARAT.*; the firmware names no HPET"))
        and (.idle_not_timed | length) == 3'

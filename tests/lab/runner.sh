#!/bin/sh
# What tools/lab promises: pictures, Secure Boot, time-outs, nothing left behind, and a second emulator
# whose registers come from a file and whose unknown registers really fault.
set -eu
. tests/tap.sh

quick="--run=tables --format=json"
lab=build/test-lab/runner
export TMPDIR="$scratch"

json() {
    jq -e "$2" "$lab/$1/report.json"
}

# An emulator that was ended is gone, or waits only for somebody to read its status.
nothing_runs() {
    sleep 1
    left=$(ps -eo stat=,args= | grep -e "$TMPDIR" | grep -v -e '^Z' -e grep || true)
    [ -z "$left" ] || { echo "$left"; return 1; }
}

# shellcheck disable=SC2086
run() {
    name=$1
    shift
    tools/lab "$@" --out "$lab/$name" -- $quick
}

killed() {
    tools/lab qemu --out "$lab/killed-$1" &
    runner=$!
    sleep 2
    kill "-$1" $runner
    wait $runner 2>/dev/null || true
    nothing_runs
}

check "wrong use of the runner is 2" status 2 tools/lab
check "an unknown option of the runner is 2" status 2 tools/lab qemu --out "$lab/none" --bogus x
check "a file that is not there is 125" status 125 tools/lab qemu --out "$lab/none" --image no-such-file
if command -v qemu-system-x86_64 >/dev/null; then
    check "an application signed with the enrolled key starts under Secure Boot" status 0 run signed qemu --secure-boot
    check "there is a picture of the screen" says 'PNG' head -c 8 "$lab/signed/screen.png"
    check "an unsigned application does not start" status 124 run unsigned qemu --secure-boot --image build/assay.img --timeout 30
    check "the firmware says why" grep -qa -e 'Security Violation' -e 'Access Denied' "$lab/unsigned/serial.log"
    check "a time-out is 124" status 124 run late qemu --timeout 1
    check "and leaves no emulator" nothing_runs
    check "a wrong word of the application's is no report: 125" status 125 tools/lab qemu --out "$lab/wrong" --timeout 60 -- --formt=json
    check "and the right word is given" grep -aq "^assay: .*--formt.*--format" "$lab/wrong/serial.log"
    check "an unknown CPU model is the emulator's failure" status 125 run failed qemu --cpu no-such-model
    check "a runner that is ended takes its emulator along" killed TERM
    check "a runner that is killed takes its emulator along" killed KILL
else
    skip "QEMU" "it is not installed"
fi

# Not at hand in the distribution; the image is linked for both, see the image's own tests.
skip "firmware in which no memory is writable and executable" "the distribution has none"
skip "firmware with five levels of page tables" "OVMF makes four, also on a CPU with 57 address bits"

if [ "$(stat -c %s /usr/share/ovmf/OVMF.fd 2>/dev/null)" = 2097152 ] && command -v bochs >/dev/null; then
    # TURBO_RATIO_LIMIT, its core counts (1AEH), PLATFORM_INFO with base ratio 24; MISC_ENABLE with turbo on.
    cat >"$scratch/msrs" <<END
0x1AD 1 22222222 23232525 00000000 00000000 00000000 00000000
0x1AE 1 1C181410 0C080402 00000000 00000000 00000000 00000000
0x0CE 1 00000800 00001800 00000000 00000000 00000000 00000000
0x1A0 1 00000000 00000001 00000000 00000000 00000000 00000000
END
    check "no tables in Bochs: status 3" status 3 run bochs bochs --cpu corei7_skylake_x --msrs "$scratch/msrs"
    check "a register from the file has its value" json bochs '.msrs[] | select(.msr == "0x1ad").value == "0x2222222223232525"'
    # By hand: the first group with 4 cores or more is byte 1 (04H), its ratio 25H = 37; 37 * 1024 / 24 = 1578.
    check "the invariance ratio is computed from those registers" json bochs '.linux[0].invariance | .method == "skx4" and .ratio_1024 == 1578'
    check "a register that is not there is a fault" json bochs '[.msrs[] | select(.fault)] | length > 0'
    check "and leaves no emulator" nothing_runs
else
    skip "Bochs" "needs bochs and an OVMF.fd of 2 MB"
fi

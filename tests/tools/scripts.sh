#!/bin/sh
# The scripts that everything else relies on: a result that is lost here is lost everywhere.
set -eu
. tests/tap.sh

here=$PWD
cat >"$scratch/good.sh" <<'END'
echo "ok 1 - one"
echo "ok 2 - two # SKIP no such machine"
echo "skip three"
END
cat >"$scratch/bad.sh" <<'END'
echo "ok 1 - one"
echo "not ok 2 - two"
exit 1
END
cat >"$scratch/crash.sh" <<'END'
echo "ok 1 - one"
kill -SEGV $$
END
echo : >"$scratch/nothing.sh"

last() {
    wanted=$1
    shift
    equal "$(cd "$scratch" && "$here/tools/runtests" "$@" | tail -n 1)" "$wanted"
}

check "passed and skipped are counted" last '1 passed, 0 failed, 2 skipped' ./good.sh
check "failures are counted" last '2 passed, 1 failed, 2 skipped' ./good.sh ./bad.sh
check "a crash is a failure" last '1 passed, 1 failed, 0 skipped' ./crash.sh
check "no result is a failure" last '0 passed, 1 failed, 0 skipped' ./nothing.sh
mkdir "$scratch/tests"
echo '3 good.sh' >"$scratch/tests/counts"
check "a script that skips may have less to do" last '1 passed, 0 failed, 2 skipped' ./good.sh
echo '3 bad.sh' >"$scratch/tests/counts"
check "fewer results than expected are a failure" last '1 passed, 2 failed, 0 skipped' ./bad.sh
echo '2 bad.sh' >"$scratch/tests/counts"
check "as many as expected are none" last '1 passed, 1 failed, 0 skipped' ./bad.sh
rm -r "$scratch/tests"
check "failures give status 1" sh -c "cd '$scratch' && ! '$here/tools/runtests' ./bad.sh"

echo 'ID=fedora' >"$scratch/os-release"
check "an unknown system gets the list" says 'gnu-efi  *start-up code' env OS_RELEASE="$scratch/os-release" tools/setup build
check "and status 3" status 3 env OS_RELEASE="$scratch/os-release" tools/setup build
check "a second set-up is silent" silent tools/setup unit
check "the lab refuses unknown words" status 2 tools/lab qemu --frobnicate
check "the lab needs a folder for results" status 2 tools/lab qemu --smp 2
check "a missing firmware is the emulator's failure" status 125 tools/lab qemu --out "$scratch/out" --firmware /none /none

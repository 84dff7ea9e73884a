#!/bin/sh
# Out of memory at every request in turn: a program of ours (tests/lab/firmware) refuses the application's nth request
# for pages or pool, alone and with all that come later. Each run ends, says so in one line or lacks nothing, gives back
# what it had, and leaves the machine as it was. RUN, FORMATS and CPUS make it longer (tests/torture/exhaust.sh).
set -eu
. tests/tap.sh

run=${RUN:-tables}
formats=${FORMATS:-json}
cpus=${CPUS:-2}
lab=build/test-lab/exhaust-$run
serial=$scratch/serial

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "out of memory" "QEMU is not installed"
    exit 0
fi

boot() {
    tools/lab qemu --out "$lab" --smp "$cpus" --broken "exhaust 1 200" --acpi tests/lab/idle/c1_c2.asl --timeout 560 -- \
        --batch --exit=return --seconds=1 --samples=3 --run="$run" --format="$formats" || true
    tr -d '\r' <"$lab/serial.log" >"$serial"
}

times_of() { # PATTERN: how many lines have it
    grep -cE "$1" "$serial" || true
}

# of_each AWK: what one awk action prints for each run, its lines joined by "|".
each_run() {
    awk '/^lab: refusing request/ { text = "" } { text = text "|" $0 } /^lab: (one|all) [0-9]+: / { print text }' "$serial"
}

# A run that lacks something says so; one that ends with success lacks nothing that was asked for twice.
said() {
    each_run | grep -E 'status 21,|status 9,' | grep -vE 'assay: (memory ran out: the report lacks|not enough memory to start)' |
        grep . && return 1
    return 0
}

# No failure is made up out of what is missing: only MP-006, which is about that.
accuses() {
    each_run | grep -oE '\|(FAIL|WARN)  ?[A-Z]+-[0-9]+' | sort | uniq -c | grep -v ' MP-006$' | grep . && return 1
    return 0
}

boot
count=$(times_of '^lab: (one|all) [0-9]+: ')
echo "# $count runs, $(times_of '^lab: (one|all) .* refused [1-9]') of them with refused requests"
check "the last request was reached" grep -q '^lab: done' "$serial"
check "each request was refused once alone and once with the rest" test "$count" -ge 13
check "nothing crashed" equal "$(times_of '(^assay: exception|Exception Type)')" 0
check "each run gave back what it had, and the clock ticks" \
    equal "$(times_of '^lab: (one|all) .* holds pages 0 pools 0 events 0 files 0, clock ticks')" "$count"
check "and every register is as before" \
    equal "$(times_of '^lab: registers [0-9]+: 0 differ')" "$(times_of '^lab: registers [0-9]+: ')"
check "a run that lacks something says so in a line" said
check "what is missing is no finding against the firmware" accuses
check "most runs still wrote a report" test "$(times_of '^results: .assay.results')" -ge $((count * 2 / 3))
check "with the requests that are left the run is whole" \
    equal "$(each_run | tail -n 1 | grep -cE 'assay: [1-9][0-9]* pass, 0 fail.*status 0, .* refused 0,')" 1

#!/bin/sh
# The machines of this folder: compiles their tables, judges them, and compares with each expect.txt:
#   P pass, F fail, W warn, S skip     the first line: the four counts of the final line
#   ran >= N                           at least so many rules gave a verdict that is not SKIP
#   status N                           the exit status
#   VERDICT ID                         this finding is there
#   json EXPRESSION                    jq's -e over report.json is true
#   text WORDS                         report.txt holds these words
# `UPDATE=1 sh tests/machines/own.sh` writes the first line anew, when rules were added.
set -u

assay=build/assay
work=build/own

fail() { echo "not ok - $name: $*"; failed=1; }

compile() {
    for source in "$machine"/tables/*.asl "$machine"/dynamic/*.asl; do
        [ -e "$source" ] || continue
        part=${source#"$machine"/}
        mkdir -p "$(dirname "$out/$part")"
        iasl -f -p "$out/${part%.asl}" "$source" >"$out/iasl.log" 2>&1
        [ -s "$out/${part%.asl}.aml" ] || { fail "$source does not compile"; cat "$out/iasl.log"; }
    done
    for other in cpuid.txt msr.txt trace.txt memory.json; do
        [ ! -e "$machine/$other" ] || cp "$machine/$other" "$out/"
    done
}

# One line of the expectation.
expect() {
    case $1 in
    ran) [ $((pass + fails + warn)) -ge "$3" ] || fail "only $((pass + fails + warn)) rules ran" ;;
    status) [ "$status" -eq "$2" ] || fail "status $status, not $2" ;;
    json) shift; jq -e "$*" "$out/report.json" >/dev/null || fail "not true: $*" ;;
    text) shift; grep -qF -- "$*" "$out/report.txt" || fail "not in the report: $*" ;;
    PASS | FAIL | WARN | INFO | SKIP)
        jq -e --arg v "$1" --arg i "$2" 'any(.findings[]; .verdict == $v and .id == $i)' \
            "$out/report.json" >/dev/null || fail "no $1 of $2" ;;
    *) fail "unknown line: $*" ;;
    esac
}

judge() {
    status=0
    timeout 60 "$assay" check --json "$out/report.json" --text "$out/report.txt" "$out" \
        2>"$out/stderr.log" || status=$?
    counts=$(sed -n '$s/^assay: //p' "$out/report.txt")
    pass=$(jq .totals.pass "$out/report.json")
    fails=$(jq .totals.fail "$out/report.json")
    warn=$(jq .totals.warn "$out/report.json")
}

one_machine() {
    name=$(basename "$machine")
    out=$work/$name
    failed=0
    rm -rf "$out"
    mkdir -p "$out"
    compile
    judge
    if [ -n "${UPDATE:-}" ]; then
        sed -i "1s/.*/$counts/" "$machine/expect.txt"
    fi
    [ "$counts" = "$(head -n 1 "$machine/expect.txt")" ] ||
        fail "$counts; expected $(head -n 1 "$machine/expect.txt")"
    sed 1d "$machine/expect.txt" >"$out/expect.rest"
    while IFS= read -r line; do
        case $line in '' | '#'*) continue ;; esac
        set -f
        # shellcheck disable=SC2086
        expect $line
        set +f
    done <"$out/expect.rest"
    [ "$failed" -ne 0 ] || echo "ok - $name: $counts"
}

for machine in tests/machines/*/; do
    machine=${machine%/}
    one_machine
done

#!/bin/sh
# The machines of this folder: compiles their tables, judges them, and compares with each expect.txt:
#   P pass, F fail, W warn, S skip     the first line: the four counts of the final line
#   ran >= N                           at least so many rules gave a verdict that is not SKIP
#   status N                           the exit status
#   VERDICT ID                         this finding is there
#   json EXPRESSION                    jq's -e over report.json is true
#   text WORDS                         report.txt holds these words, however they are spaced and broken into lines
#   linux VERSION WORDS                the text report with --linux VERSION does
# Where a folder has view.txt, the whole assumed view of the report, folded over the kernels by view.jq, is exactly
# that; meta.md derives its numbers by hand. Tables may come from shape.txt and DSDT.in: tests/machines/expand.
# `UPDATE=1 sh tests/machines/own.sh` writes the first line and view.txt anew, when rules were added:
# read the difference.
set -u

assay=${ASSAY:-build/assay}
work=${OWN:-build/own}

fail() { echo "not ok - $name: $*"; failed=1; }

compile() {
    from=$machine
    if [ -e "$machine/shape.txt" ]; then
        from=$out/source
        mkdir -p "$from/tables"
        sh tests/machines/expand "$machine" "$from/tables"
    fi
    for source in "$from"/tables/*.asl "$from"/dynamic/*.asl; do
        [ -e "$source" ] || continue
        part=${source#"$from"/}
        mkdir -p "$(dirname "$out/$part")"
        iasl -f -p "$out/${part%.asl}" "$source" >"$out/iasl.log" 2>&1
        [ -s "$out/${part%.asl}.aml" ] || { fail "$source does not compile"; cat "$out/iasl.log"; }
    done
    for other in cpuid.txt msr.txt trace.txt memory.json measured.json; do
        [ ! -e "$machine/$other" ] || cp "$machine/$other" "$out/"
    done
}

# holds FILE WORDS
holds() { tr -s ' \n' '  ' <"$1" | tr -s ' ' | grep -qF -- "$2"; }

# The text report with another kernel first, once a version.
view_by() {
    [ -e "$out/report-$1.txt" ] || "$assay" check --linux "$1" --text "$out/report-$1.txt" "$out" 2>>"$out/stderr.log"
}

# One line of the expectation.
expect() {
    case $1 in
    ran) [ $((pass + fails + warn)) -ge "$3" ] || fail "only $((pass + fails + warn)) rules ran" ;;
    status) [ "$status" -eq "$2" ] || fail "status $status, not $2" ;;
    json) shift; jq -e "$*" "$out/report.json" >/dev/null || fail "not true: $*" ;;
    text) shift; holds "$out/report.txt" "$*" || fail "not in the report: $*" ;;
    linux)
        version=$2
        shift 2
        view_by "$version"
        holds "$out/report-$version.txt" "$*" || fail "not in the report for Linux $version: $*"
        ;;
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

# The assumed view, whole.
compare_view() {
    jq -r -f tests/machines/view.jq "$out/report.json" >"$out/view.txt"
    if [ -n "${UPDATE:-}" ]; then
        cp "$out/view.txt" "$machine/view.txt"
    fi
    cmp -s "$machine/view.txt" "$out/view.txt" ||
        fail "the view differs: $(diff "$machine/view.txt" "$out/view.txt" | grep '^[<>]' | head -n 1)"
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
    [ ! -e "$machine/view.txt" ] || compare_view
    [ "$failed" -ne 0 ] || echo "ok - $name: $counts"
}

for machine in tests/machines/*/; do
    machine=${machine%/}
    one_machine
done

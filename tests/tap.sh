# Sourced by the test scripts (`. tests/tap.sh`, run from the project's folder): results in TAP, and a
# scratch folder $scratch that goes away at the end.

tap_count=0
tap_failed=0
scratch=$(mktemp -d)
trap 'tap_status=$?; rm -rf "$scratch"; [ "$tap_failed" -eq 0 ] || tap_status=1; exit $tap_status' EXIT

# check NAME COMMAND...: ok when the command succeeds; its output is shown when it does not.
check() {
    tap_name=$1
    shift
    tap_count=$((tap_count + 1))
    if "$@" >"$scratch/said" 2>&1; then
        echo "ok $tap_count - $tap_name"
    else
        tap_failed=$((tap_failed + 1))
        echo "not ok $tap_count - $tap_name"
        sed 's/^/# /' "$scratch/said" | tail -n 20
    fi
}

# skip NAME REASON
skip() {
    tap_count=$((tap_count + 1))
    echo "ok $tap_count - $1 # SKIP $2"
}

# status N COMMAND...: succeeds when the command ends with status N.
status() {
    tap_wanted=$1
    shift
    tap_got=0
    "$@" || tap_got=$?
    [ "$tap_got" -eq "$tap_wanted" ] || { echo "status $tap_got, not $tap_wanted"; return 1; }
}

# says PATTERN COMMAND...: succeeds when the command's output, whatever its status, has the pattern.
says() {
    tap_pattern=$1
    shift
    "$@" >"$scratch/output" 2>&1 || true
    grep -q -e "$tap_pattern" "$scratch/output" || { cat "$scratch/output"; return 1; }
}

# silent COMMAND...: succeeds when the command does and prints nothing.
silent() {
    "$@" >"$scratch/output" 2>&1 || { cat "$scratch/output"; return 1; }
    [ ! -s "$scratch/output" ] || { cat "$scratch/output"; return 1; }
}

equal() {
    [ "$1" = "$2" ] || { echo "'$1' is not '$2'"; return 1; }
}

# valid_report FILE...: each report.json is what its schema says.
valid_report() {
    build/asan/tests/machines/validate docs/report.schema.json "$@"
}

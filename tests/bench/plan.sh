#!/bin/sh
# What the group idle takes at default length on simulated machines, in their own time, and the memory of its figures.
set -eu
. tests/bench/table

plan() { # CPUS
    build/asan/tests/bench/plan "$1"
}

# shellcheck disable=SC2046
one() { set -- $(plan 1); one_ms=$1 one_kb=$(($3 / 1024)); }
one

rows() { # CPUS LIMIT OUTSIDE-LIMIT MS COVERED BYTES
    row "group idle, $1 CPUs, simulated" "$(calc %.1f "$4 / 1000")" s "1 CPU $(calc %.1f "$one_ms / 1000") s" "$2"
    row "  of that outside sleeps" "$((100 - $5))" % "-" "$3"
    row "  memory of its figures" "$(($6 / 1024))" KB "1 CPU $one_kb KB" -
}

# shellcheck disable=SC2046
rows 64 120 10 $(plan 64)
# shellcheck disable=SC2046
rows 128 120 10 $(plan 128)

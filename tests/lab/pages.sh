#!/bin/sh
# The pictures in characters on the machine itself: the demonstration machine is run, and the pages of its results are
# read one after the other. What they look like is left in build/test-lab/pages.
set -eu
. tests/tap.sh

out=build/test-lab/pages
rm -rf "$out"
pages() {
    tools/lab qemu --out "$out" --cpu EPYC-Rome --smp 8,sockets=2,cores=4,threads=1 \
        --acpi tests/lab/demo/epyc7742.asl --keys tests/lab/pages.keys
}

# Each page is on serial as it is in report.txt: a row of each picture, whatever the screen's own codes between rows.
shown() { # ROW
    [ -n "$1" ] || { echo "no such row"; return 1; }
    grep -qF -- "$1" "$out/report.txt" || { echo "not in report.txt: $1"; return 1; }
    tr -d '\r' <"$out/serial.log" | grep -aqF -- "$1"
}

# The row of report.txt that has this, without blanks at its ends.
row() { # PATTERN
    sed -n "s/^ *\($1\) *\$/\1/p" "$out/report.txt" | head -n 1
}

check "a person reads the pages" status 1 pages
check "the ladder has its lanes" shown "claimed                 assumed, with boost     measured"
check "and its rungs" shown "=== 2000 P1            === 2000 P1"
check "idle latencies are drawn" shown "$(row 'second read .*|.*2.*|')"
check "what a read of the PM timer costs is there" shown "PM timer at 0x608, 1 CPU at once: "
check "each page has a picture" ls "$out/ladder.png" "$out/idle.png" "$out/ports.png"
check "the report has 80 columns" sh -c "! LC_ALL=C grep -nE '^.{81}|[^ -~]' '$out/report.txt'"

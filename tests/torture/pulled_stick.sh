#!/bin/sh
# A stick that is pulled out in the middle, RUNS times (10) with a second medium beside it and as often without: each run
# comes to its end, with all results on the second medium or the serial port.
set -eu
. tests/tap.sh
. tests/lab/media

rm -rf "$out"
runs=${RUNS:-10}

pull() { # LAB-OPTION...
    start_s=$(date +%s)
    pulled "$@" || return 1
    took_s=$(($(date +%s) - start_s))
    [ "$took_s" -le "$longest_s" ] || longest_s=$took_s
}

longest_s=0
round=0
while [ "$round" -lt "$runs" ]; do
    round=$((round + 1))
    new_second
    check "run $round with a second medium comes to its end" status 0 pull --second "$second"
    check 'which has all results' is_whole
    check "run $round without comes to its end" status 0 pull
    check 'and all results went to the serial port' is_whole
done
echo "# the longest run took $longest_s s"

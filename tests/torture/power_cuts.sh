#!/bin/sh
# The power goes at random moments of a run: QEMU is killed CUTS times (200), RENEW_EVERY cuts (50) one after the other on
# one medium, and every FULL_EVERYth start (5) is let run to its end. After each cut the file system can be mounted, every finished result
# is whole, no file of others has changed, and the journal names the step; each whole start comes to its end and says
# where the one before had stopped. SEED repeats a series. tests/lab/power_cut.sh is the short form.
set -eu
. tests/tap.sh

cuts=${CUTS:-200}
full_every=${FULL_EVERY:-5}
renew_every=${RENEW_EVERY:-50}
seed=${SEED:-$(od -An -N4 -tu4 /dev/urandom | tr -d ' ')}
lab=build/test-lab/${NAME:-power_cuts}
medium=$scratch/medium
esp=$((1024 * 1024))
export MTOOLS_SKIP_CHECK=1
PATH=$PATH:/sbin:/usr/sbin

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "power cuts" "QEMU is not installed"
    exit 0
fi
mkdir -p "$lab"
echo "# seed $seed"

# QEMU as the lab starts it; killed AFTER seconds after the application said its first line, or not at all.
cat >"$scratch/qemu" <<'END_QEMU'
#!/bin/sh
exec 4<&0 # a command in the background has no standard input of its own
"$REAL_QEMU" "$@" <&4 &
pid=$!
trap 'kill -KILL $pid 2>/dev/null' TERM
until grep -qa 'and what is true' "$SERIAL" 2>/dev/null; do
    kill -0 $pid 2>/dev/null || break
    sleep 0.02
done
date +%s%N >"$SERIAL.first"
if [ -n "$AFTER" ]; then
    sleep "$AFTER"
    kill -KILL $pid 2>/dev/null
fi
wait $pid
END_QEMU
chmod +x "$scratch/qemu"
REAL_QEMU=${QEMU:-qemu-system-x86_64}
SERIAL=$lab/serial.log
export REAL_QEMU SERIAL

start() { # SECONDS, or nothing for a whole run
    rm -f "$lab/serial.log"
    AFTER=$1 QEMU=$scratch/qemu tools/lab qemu --out "$lab" --smp 2 --image "$medium" --keep "$scratch/next" \
        --acpi tests/lab/idle/c1_c2.asl --timeout 200 -- --batch --run=quick --format=json,text,html,snapshot \
        >"$scratch/lab.said" 2>&1
}

# The next number of the series, below LIMIT, in $random_below: the minimal standard generator of Park and Miller. Not in
# a subshell, where the series would not go on.
random=$((seed % 2147483646 + 1))
next_random() { # LIMIT
    random=$((random * 48271 % 2147483647))
    random_below=$((random % $1))
}

cut_out() {
    tail -c +$((esp + 1)) "$medium" | head -c -"$esp" >"$scratch/fat"
}

# The files, after what a file system check mends on another computer: the last cluster of a file that was being written
# may not be its own yet. The medium itself is not mended.
others() {
    rm -rf "$scratch/files"
    mkdir "$scratch/files"
    cut_out
    fsck.fat -a "$scratch/fat" >/dev/null 2>&1 || true
    mcopy -Q -s -n -i "$scratch/fat" '::*' "$scratch/files" && (cd "$scratch/files" && find . -type f ! -path './assay/*' \
        ! -name 'FSCK*' -exec sha256sum {} + | sort -k 2)
}

# What fsck.fat may find: clusters that were taken and not yet in a file, and the last file's length.
is_mountable() {
    cut_out
    fsck.fat -n "$scratch/fat" >"$scratch/fsck" 2>&1 || true
    grep -qE '^[^ ].* files, [0-9]+/[0-9]+ clusters' "$scratch/fsck" || return 1
    # Between its two writes: the first copy is whole, and is the one that everybody reads.
    ! grep -q 'FATs differ but appear to be intact' "$scratch/fsck" || differing=$((differing + 1))
    ! grep -iE 'bad|loop|shares? clusters|start with|circular|invalid|does not|differ' "$scratch/fsck" |
        grep -vE 'Free cluster summary|boot sector and its backup|FATs differ but appear to be intact' | grep . || return 1
    grep -qE 'Reclaimed|unused|File size|cluster chain' "$scratch/fsck" && lost=$((lost + 1))
    return 0
}

# A file under its own name is finished: it is written under another one.
results_are_whole() {
    for file in "$scratch"/files/assay/results/*/report.json; do
        [ -e "$file" ] || continue
        jq -e '.totals and .assay.version' "$file" >/dev/null || { echo "$file"; return 1; }
        finished=$((finished + 1))
    done
    for file in "$scratch"/files/assay/results/*/report.html; do
        [ ! -e "$file" ] || tail -c 10 "$file" | grep -q '</html>' || { echo "$file"; return 1; }
    done
    for file in "$scratch"/files/assay/results/*/report.txt; do
        [ ! -e "$file" ] || tail -n 1 "$file" | grep -q '^assay: ' || { echo "$file"; return 1; }
    done
    # The newest is shown: not each one each time.
    newest=$(ls "$scratch"/files/assay/results/*/report.json 2>/dev/null | tail -n 1)
    [ -z "$newest" ] || build/assay show "$newest" >"$scratch/shown" 2>&1 || [ $? -eq 1 ]
}

# Running, with a step; or between two runs.
journal_says() {
    journal=$scratch/files/assay/journal.txt
    is_running=
    [ -s "$journal" ] || { [ "$announced" = 0 ]; return; }
    head -n 1 "$journal" | grep -qE '^assay journal 2 machine [0-9a-f]+ (running since [0-9: -]*|finished) *$' || return 1
    if head -n 1 "$journal" | grep -q running; then
        is_running=1
        named=$((named + 1))
        grep -qE '^step  [a-z]' "$journal" || [ "$announced" -le 1 ]
    fi
}

new_medium() {
    cp --sparse=always build/assay.img "$medium"
}

new_medium
check "a run that is not cut" start ''
run_ms=$((($(stat -c %.9Y "$lab/serial.log" | tr -d .) - $(cat "$lab/serial.log.first")) / 1000000))
mv "$scratch/next" "$medium"
others >"$scratch/sums"
# From the first line to the last; moments after that would be cuts of an idle machine.
window_ms=${WINDOW_MS:-$run_ms}
echo "# a run takes $run_ms ms; cuts come up to $window_ms ms after its first line"

cut=0
lost=0
differing=0
finished=0
named=0
whole=0
bad=0
is_running=
while [ "$cut" -lt "$cuts" ]; do
    [ $((cut % renew_every)) -ne 0 ] || new_medium
    cut=$((cut + 1))
    next_random "$window_ms"
    after_ms=$random_below
    start "$((after_ms / 1000)).$(printf %03d $((after_ms % 1000)))" || true
    mv "$scratch/next" "$medium"
    # Where it was cut: the step by the serial log, 0 before the first.
    announced=$(tr -d '\r' <"$lab/serial.log" | grep -caE '^\[ *[0-9]+/' || true)
    reason=
    is_mountable || reason="the file system is broken: $(tr '\n' ' ' <"$scratch/fsck" | head -c 300)"
    [ "$(others)" = "$(cat "$scratch/sums")" ] || reason="$reason another file changed"
    results_are_whole >"$scratch/bad" || reason="$reason not whole: $(cat "$scratch/bad")"
    journal_says || reason="$reason the journal says nothing of the step"
    echo "$announced" >>"$scratch/moments"
    if [ -n "$reason" ]; then
        bad=$((bad + 1))
        echo "# cut $cut after $after_ms ms, step $announced: $reason"
        [ -z "${KEEP_BAD:-}" ] || cp --sparse=always "$medium" "$KEEP_BAD.$cut"
    fi
    [ $((cut % full_every)) -eq 0 ] || continue
    was_running=$is_running
    start '' && status=0 || status=$?
    # Two hangs in a row are a failure that the run itself tells of: status 1.
    if [ "$status" -le 1 ] && mv "$scratch/next" "$medium" && others >"$scratch/now" && cmp -s "$scratch/now" "$scratch/sums" &&
        grep -q '^assay journal 2 .* finished' "$scratch/files/assay/journal.txt" &&
        { [ -z "$was_running" ] || grep -qa 'the last run did not come to its end' "$lab/serial.log"; }; then
        whole=$((whole + 1))
    else
        echo "# the start after cut $cut: $(tail -n 1 "$scratch/lab.said")"
    fi
    echo "# $cut cuts, $bad bad; $named in the middle of a run, $lost with lost clusters; $whole whole starts"
done
echo "# $cuts cuts: in $named the journal names a run that was cut; lost clusters after $lost, two different copies of the FAT after $differing; finished reports seen $finished times"
echo "# cuts by the step that was under way: $(sort -n "$scratch/moments" | uniq -c | awk '{ printf "%s%s: %s", (NR > 1 ? ", " : ""), $2, $1 }')"
check "after each of $cuts cuts the medium is sound, what is finished is whole, and the journal is right" equal "$bad" 0
check "each whole start between them comes to its end and says where the last one stopped" \
    equal "$whole" $((cuts / full_every))
check "the cuts came in the middle of runs" test "$named" -ge $((cuts / 3))

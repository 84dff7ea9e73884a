#!/bin/sh
# The size of the screen: letters three times as large on 3840 by 2160 pixels, in the firmware's size where that is asked
# for, and menus on a console of 80 columns and 25 rows. Pictures are left in build/test-lab/screens.
set -eu
. tests/tap.sh

out=build/test-lab/screens
mkdir -p "$out"

boot() { # FAULT NAME [LETTERS]
    cat >"$scratch/keys" <<END
await The run starts in
key down
await Run everything
picture $2
monitor screendump $out/$2.ppm
key 9
await Switch off
key 3
END
    tools/lab qemu --out "$out" --broken "$1" --keys "$scratch/keys" -- --letters="${3:-auto}" || [ $? = 125 ]
}

# Leaving without a run leaves no report. Bytes of a picture that are not black.
ink() {
    tail -c +18 "$out/$1.ppm" | tr -d '\000' | wc -c
}

is_times() { # NAME TIMES OTHER
    echo "$(ink "$1") $(ink "$3")"
    [ "$(ink "$3")" -gt 1000 ] && [ "$(ink "$1")" -eq $(($2 * $(ink "$3"))) ]
}

check 'a screen of 3840 by 2160 pixels' status 0 boot 'screen 3840 2160' large
check 'the same with letters as the firmware has them' status 0 boot 'screen 3840 2160' small 1
check 'each of their pixels was nine, and none was lost' is_times large 9 small
check 'a console of 80 columns and 25 rows' status 0 boot small-console narrow
check 'its menu has every item, and each whole' says 'frequencies, idle states' cat "$out/serial.log"
check 'each has a picture' ls "$out/large.png" "$out/small.png" "$out/narrow.png"
rm -f "$out"/*.ppm

#!/bin/sh
# report.html in a browser: machines of 2, 128 and 1024 CPUs and one with every measurement, each in a window of 360
# and of 1440 pixels, light and dark, and on paper. page_check.js looks at each from within.
set -u
. tests/tap.sh

assay=build/assay
work=build/page
browser=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
rm -rf "$work"
mkdir -p "$work"

machine() { # CPUS
    build/host/tests/bench/machine "$1" nest "$work/m$1" || return 1
    for asl in "$work/m$1"/asl/*.asl; do
        iasl -p "$work/m$1/tables/$(basename "$asl" .asl)" "$asl" >"$work/iasl.log" 2>&1 || return 1
    done
    "$assay" check --linux 5.11-rc4 --html "$work/$1.html" "$work/m$1" >/dev/null || [ $? -eq 1 ]
}

below_3_mb() { # FILE
    bytes=$(wc -c <"$1")
    echo "$bytes bytes"
    [ "$bytes" -lt 3000000 ]
}

# Without a script everything is there: no row is hidden, and the filter, which would do nothing, is.
whole_without_script() { # FILE
    grep -q '<form class="filter" id="filter" hidden ' "$1" && ! grep -q 'data-verdict="[^>]* hidden' "$1"
}

for cpus in 2 128 1024; do
    check "a page for $cpus CPUs" machine "$cpus"
    check "the page for $cpus CPUs is below 3 MB" below_3_mb "$work/$cpus.html"
    check "the page for $cpus CPUs is whole without a script" whole_without_script "$work/$cpus.html"
done
# The first screen alone names the cause: the loop that never comes back, the read that only costs.
first_screen_says() { # FILE WORDS
    sed -n '/<header class="top"/,/<\/header>/p' "$1" | grep -qF -- "$2"
}

epyc=$work/epyc-7742
mkdir -p "$epyc/tables"
sh tests/machines/expand tests/machines/epyc-7742 "$scratch"
for asl in "$scratch"/*.asl; do
    iasl -p "$epyc/tables/$(basename "$asl" .asl)" "$asl" >"$work/iasl.log" 2>&1
done
cp tests/machines/epyc-7742/cpuid.txt tests/machines/epyc-7742/msr.txt "$epyc"
# The same of a console of 25 lines, however the words are broken into lines.
first_console_says() { # FILE WORDS
    head -n 25 "$1" | tr '\n' ' ' | tr -s ' ' | grep -qF -- "$2"
}

epyc_page() {
    "$assay" check --quiet --linux 5.11-rc4 --html "$work/epyc.html" --text "$work/epyc.txt" "$epyc" || [ $? -eq 1 ]
}
check "a page for the EPYC 7742" epyc_page
trap="a CPU that once leaves P0 never comes back, however loaded. Frequency invariance (amd_midpoint) scales utilisation by 2832.275 MHz"
cure="Cure: a maximum that contains the boost clock, 3414.550 MHz"
dummy="the PM-timer read after the C-state port (Linux before 6.0 does it on every CPU, later only on Intel's), is harmful here"
check "its first screen says what schedutil does" first_screen_says "$work/epyc.html" "$trap"
check "and where it ends, and the cure" first_screen_says "$work/epyc.html" "$cure"
check "the firmware alone is said to have no failure" first_screen_says "$work/epyc.html" \
    '<div class="verdict info"><strong>Verdict: no failure of the firmware</strong>'
check "a console's first screen says what schedutil does" first_console_says "$work/epyc.txt" "$trap"
check "and the cure" first_console_says "$work/epyc.txt" "$cure"
build/asan/tests/machines/page_sample "$work" >"$work/sample.log" 2>&1 || { cat "$work/sample.log"; exit 1; }
check "the page for 1024 measured CPUs is below 3 MB" below_3_mb "$work/many.html"
check "the first screen of Zen 3 says what the dummy read does" first_screen_says "$work/zen3.html" "$dummy"
check "and a console's first screen" first_console_says "$work/zen3-summary.txt" "$dummy"

# The pictures of the text report, by their headings and a row of each.
picture() { # HEADING ROW
    grep -qxF -- "$1" "$work/zen3.txt" && grep -qE -- "$2" "$work/zen3.txt"
}
check "the text draws the ladder" picture "P-states on one axis of frequency" '^  2000 \+ === 2000 P1 +=== 2000 P1 +=== 2000 P1$'
check "boost by active cores" picture "Boost by active cores of a package" '^ +16 cores +2950 MHz +\|\.+\* +B +\|$'
check "settling times" picture "Settling time of a change between two rows" '^ +1 to 2 +median 130 us +\|D +: +=+M=*-+ +:  :\|$'
check "work per joule" picture "Work and energy" '^  P0, 16 cores: 230.244 +\|#+ +\|$'
check "idle latencies" picture "Idle latencies on a logarithmic axis" '^  second read +median 13.6 us +\| +-*2=*-* +D +\|$'
check "and contention" picture "Ports that several CPUs read at once" '^   2 CPUs PM timer +\|\.+K +\|$'
check "in 80 columns of ASCII" sh -c '! LC_ALL=C grep -nE "^.{81}|[^ -~]" '"$work/zen3.txt"

if [ -z "$browser" ]; then
    skip "the page in a browser" "there is no chromium; CHROMIUM= names one"
    exit 0
fi

# The page with what looks at it at its end, and what catches its errors at its start.
prepare() { # FILE
    awk -v script=tests/machines/page_check.js '
        /<head>/ { print; print "<script>window.pageErrors=[];window.onerror=function(m){pageErrors.push(m);};</script>"; next }
        /<\/body>/ { print "<script>"; while ((getline line < script) > 0) print line; print "</script>" }
        { print }' "$1" >"${1%.html}.checked.html"
}

frame() { # TITLE URL WIDTH
    echo "<iframe title=\"$1\" src=\"$2\" style=\"border:0;width:$3px;height:900px\"></iframe>"
}

pages=
for page in "$work"/*.html; do
    prepare "$page"
    pages="$pages $(basename "$page" .html)"
done
{
    cat <<'END'
<!DOCTYPE html><html lang="en"><head><title>pages</title></head><body><pre id="said"></pre><script>
window.onmessage = function (e) {
    for (var i = 0; i < frames.length; i++) {
        if (frames[i] === e.source) {
            document.getElementById("said").textContent +=
                "\npage " + document.getElementsByTagName("iframe")[i].title + "\n" + e.data + "\n";
        }
    }
};
</script>
END
    for page in $pages; do
        for width in 360 1440; do
            frame "$page-$width" "$page.checked.html" "$width"
        done
        case $page in
        128 | 1024 | many) ;; # as the small ones, but long
        *) frame "$page-print" "$page.checked.html#print" 718 ;; # A4 without its margins, 190 mm at 96 pixels an inch
        esac
    done
    echo '</body></html>'
} >"$work/all.html"

look() { # light|dark
    blink=1
    [ "$1" = light ] || blink=0
    timeout 120 "$browser" --headless --no-sandbox --disable-gpu --disable-dev-shm-usage --hide-scrollbars \
        --enable-logging=stderr --blink-settings=preferredColorScheme=$blink --virtual-time-budget=20000 \
        --user-data-dir="$scratch/profile" --dump-dom "file://$(pwd)/$work/all.html" \
        >"$work/$1.dom" 2>"$work/$1.log" || { cat "$work/$1.log"; return 1; }
    sed -n '/<pre id="said">/,/<\/pre>/{s/<pre id="said">//;s/<\/pre>.*//;p}' "$work/$1.dom" >"$work/$1.tap"
    equal "$(grep -c '^page ' "$work/$1.tap")" "$(grep -c '<iframe' "$work/all.html")" || return 1
    ! grep 'CONSOLE' "$work/$1.log" || return 1
}

# One result a check and page, as the page gave it.
results() { # light|dark
    while IFS= read -r line; do
        case $line in
        'page '*) page=${line#page } ;;
        'ok - '*) check "$1 $page: ${line#ok - }" true ;;
        'not ok - '*) check "$1 $page: ${line#not ok - }" false ;;
        "#"*) echo "$line" ;;
        esac
    done <"$work/$1.tap"
}

for scheme in light dark; do
    check "every page is rendered, $scheme, without a message on the console" look "$scheme"
    results "$scheme"
done

#!/bin/sh
# Mutation of the source: slips that a programmer makes (tests/mutants/mutate.c) are put into the rules, the
# model and the decoders one at a time, and the unit and rule suites or the machines of tests/machines/own.sh must
# notice. What got past them when this was last run stands with its reason in tests/mutants/survivors.txt; what gets past
# them now and is not there is printed. A change of the sources changes the choice.
#
#   MUTANTS=N    how many, default 290 (two a file); SEED=N another choice; ONLY=TEXT files with TEXT
#   MUTANT_S=N   suites that take longer than this by themselves are not asked, default 20
#
# A mutant costs one compilation and one link. Only suites that run the changed line are asked (all of them where a
# file is a table and no line of it runs), the quick ones first, up to the first that fails. One that gives the same
# machine code is no mutant.
set -u

build=build/mutants
wanted=${MUTANTS:-290}
seed=${SEED:-1}
slow_ms=$((${MUTANT_S:-20} * 1000))
listed=tests/mutants/survivors.txt
# The share in percent that must be caught. The aim is 90; what was once reached is never given up.
least_pct=80
acpica="-U__linux__ -U__linux -Ulinux -D_GNU_EFI -isystem build/acpica/include -isystem acpi/platform"

# compile SOURCE OBJECT: as the library is, but optimized, so that equal code is seen to be equal.
compile() {
    case $1 in
    *acpi/*) gcc -std=c17 -I. -DASSAY_HOST -O2 -w $acpica -c -o "$2" "$1" ;;
    *) gcc -std=c17 -I. -DASSAY_HOST -O2 -w -c -o "$2" "$1" ;;
    esac
}

# link PROGRAM OBJECT...: with the library behind them, so that the mutant goes before the original.
link() {
    program=$1
    shift
    gcc -o "$program" "$@" $build/libassay.a build/acpica/host/libacpica.a \
        -Wl,--as-needed -lcmocka -ljansson -lsqlite3 -larchive -lm
}

# --one "FILE TAB NUMBER TAB LINE TAB KIND TAB TEXT": prints the same with the result before it.
if [ "${1:-}" = --one ]; then
    row=$2
    file=$(printf '%s' "$row" | cut -f 1)
    number=$(printf '%s' "$row" | cut -f 2)
    line=$(printf '%s' "$row" | cut -f 3)
    mine=$build/work/$(echo "$file" | tr / _).$number
    suite_objects=$(cat $build/objects)
    say() { printf '%s\t%s\n' "$1" "$row"; rm -rf "$mine"; exit 0; }
    mkdir -p "$mine/$(dirname "$file")"
    $build/mutate show "$file" "$number" >"$mine/$file"
    suites=$(awk -v at="$file:$line" -v file="$file:" '
        FNR == NR { all[$1] = $2; next }
        $1 == at { here[$2] = $3; is_run = 1 }
        index($1, file) == 1 { near[$2] = $3; is_code = 1 }
        END { if (is_run) for (s in here) print here[s], s
              else if (is_code) for (s in near) print near[s], s
              else for (s in all) print all[s], s }' $build/times $build/reach/lines | sort -n |
        awk -v slow="$slow_ms" '$1 <= slow && $2 != "none" { print $2 "=" ($1 * 8 + 5000) }')
    cp "$mine/$file" "$mine/m.c"
    compile "$mine/$file" "$mine/m.o" 2>"$mine/said" || say "no-code -"
    cp "$file" "$mine/$file"
    compile "$mine/$file" "$mine/o.o" 2>>"$mine/said"
    ! cmp -s "$mine/m.o" "$mine/o.o" || say "same-code -"
    link "$mine/suites" "$mine/m.o" $build/tests/mutants/suites.o $suite_objects 2>"$mine/said" || say "no-code -"
    caught=
    [ -z "$suites" ] || caught=$("$mine/suites" run $suites)
    [ -z "$caught" ] || say "caught $caught"
    link "$mine/assay" "$mine/m.o" $build/host/main.o 2>"$mine/said" || say "no-code -"
    ASSAY=$mine/assay OWN=$mine/own sh tests/machines/own.sh >"$mine/said" 2>&1
    ! grep -q '^not ok' "$mine/said" || say "caught own.sh $(grep -c '^not ok' "$mine/said")"
    say "survives $(echo "$suites" | wc -w)-suites"
fi

# --reach NAME: the lines that suite runs.
reach() {
    find build/cover -name '*.gcda' -delete
    build/cover/suites run "$1=600000" >/dev/null
    ms=$(awk -v s="$1" '$1 == s { print $2 }' $build/times)
    gcov -t $(find build/cover/rules build/cover/model build/cover/acpi -name '*.gcda') 2>/dev/null |
        awk -v suite="$1" -v ms="$ms" '
            $2 == "0:Source" || /:Source:/ { sub(/.*Source:/, ""); file = $0; next }
            { split($0, part, ":"); gsub(/[ *]/, "", part[1]); gsub(/ /, "", part[2]) }
            part[1] == "#####" { print file ":" part[2], "none", 0 }
            part[1] ~ /^[0-9]/ { print file ":" part[2], suite, ms }'
}

make_reach() {
    mkdir -p $build/reach
    [ $build/reach/lines -nt build/cover/suites ] && return 0
    $build/suites time >$build/times || { grep -v passed $build/times; return 1; }
    for suite in $($build/suites names); do reach "$suite"; done | sort -u >$build/reach/lines.part
    mv $build/reach/lines.part $build/reach/lines
}

list_all() {
    for file in rules/*.c model/*.c model/linux/*.c acpi/decode_*.c acpi/convert.c; do
        case $file in *"${ONLY:-}"*) $build/mutate list "$file" | awk -v f="$file" '{ print f "\t" $0 }' ;; esac
    done
}

make_reach || { echo "not ok - a suite fails without any mutant"; exit 1; }
find $build/tests/unit $build/tests/rules $build/tests/sim -name '*.o' >$build/objects
rm -rf $build/work
mkdir -p $build/work
list_all | $build/mutate choose "$seed" "$wanted" | tr '\n' '\0' |
    xargs -0 -r -P "$(nproc)" -n 1 sh "$0" --one >$build/result.txt

# A survivor is known by its file and its changed line.
awk -F '\t' -v listed="$listed" -v least="$least_pct" -v total_all="$(list_all | wc -l)" '
    BEGIN { while ((getline row < listed) > 0) if (row !~ /^#/ && split(row, p, "\t") >= 3) known[p[1] "\t" p[2]] = p[3] }
    { split($1, how, " "); count[how[1]]++ }
    how[1] == "survives" && !(($2 "\t" $6) in known) { print "# not listed: " $2 ":" $4 "\t" $6 "\t(" how[2] ")"; open++ }
    END {
        mutants = count["caught"] + count["survives"]
        printf "# %d of %d possible mutants: %d caught, %d survive (%d not listed); left out: %d give the same code, %d none\n",
            mutants, total_all, count["caught"], count["survives"], open, count["same-code"], count["no-code"]
        print (mutants >= 200 || "'"${ONLY:-}${MUTANTS:-}"'" != "" ? "ok" : "not ok") " - " mutants " mutants"
        print (count["caught"] * 100 >= mutants * least ? "ok" : "not ok") " - " least " % of them are caught"
        exit count["caught"] * 100 < mutants * least
    }' $build/result.txt

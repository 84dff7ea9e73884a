#!/bin/sh
# What `assay check` costs on generated machines of 256, 1024 and 4096 CPUs, beside acpiexec, which loads
# the same tables and evaluates the predefined objects, and how it grows.
set -eu
. tests/bench/table

machine() { # CPUS nest|flat
    build/host/tests/bench/machine "$1" "$2" "$scratch/$2$1"
    for asl in "$scratch/$2$1"/asl/*.asl; do
        iasl -p "$scratch/$2$1/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl.log" 2>&1 ||
            { cat "$scratch/iasl.log"; exit 1; }
    done
    echo "$scratch/$2$1"
}

ours() { # NAME MACHINE
    status=0
    $cost "$scratch/$1" build/assay check --quiet "$2" || status=$?
    [ "$status" -le 1 ] || exit "$status"
}

# Judged and written in every format.
written() { # NAME MACHINE
    status=0
    $cost "$scratch/$1" build/assay check --json "$scratch/json" --text "$scratch/text" --html "$scratch/html" \
        --junit "$scratch/junit" --tap "$scratch/tap" --csv "$scratch/csv" "$2" || status=$?
    [ "$status" -le 1 ] || exit "$status"
}

theirs() { # NAME MACHINE
    $cost "$scratch/$1" acpiexec -dt -b "execute predefined" "$2"/tables/DSDT.aml \
        "$2"/tables/SSDT*.aml >"$scratch/acpiexec.log" 2>&1 || { cat "$scratch/acpiexec.log"; exit 1; }
    grep -q 'Evaluated [0-9]* predefined' "$scratch/acpiexec.log"
}

nest256=$(machine 256 nest)
nest1024=$(machine 1024 nest)
nest4096=$(machine 4096 nest)
flat1024=$(machine 1024 flat)
flat4096=$(machine 4096 flat)
for round in 1 2 3 4 5 6 7; do
    ours small "$nest256"
    ours ours "$nest1024"
    theirs theirs "$nest1024"
    ours ours-flat "$flat1024"
    theirs theirs-flat "$flat1024"
    if [ $((round % 2)) = 1 ]; then
        written written "$nest1024"
        written written-large "$nest4096"
        ours large "$nest4096"
        ours large-flat "$flat4096"
        theirs theirs-large-flat "$flat4096"
        theirs theirs-large "$nest4096"
    fi
done

ms() { # NAME
    calc %.1f "$(median 1 "$scratch/$1") / 1000"
}

ratio() { # NAME OURS THEIRS
    row "$1" "$(calc %.2f "$(median 1 "$scratch/$2") / $(median 1 "$scratch/$3")")" times \
        "acpiexec $(ms "$3") ms, assay $(ms "$2") ms" "$4"
}

growth() { # NAME SMALL CPUS LARGE CPUS
    row "$1" "$(calc %.2f "$(median 1 "$scratch/$4") / $5 / ($(median 1 "$scratch/$2") / $3)")" times \
        "$(calc %.1f "$(median 1 "$scratch/$2") / $3") us a CPU at $3" "${6:--}"
}

ratio "assay check, 1024 CPUs in 16 containers" ours theirs 4
ratio "assay check, 1024 CPUs in one scope" ours-flat theirs-flat 4
growth "  a CPU at 1024 against one at 256" small 256 ours 1024 1.5
growth "  a CPU at 4096 against one at 1024" ours 1024 large 4096 1.5
growth "  the same in one scope" ours-flat 1024 large-flat 4096
growth "  the same in one scope, acpiexec" theirs-flat 1024 theirs-large-flat 4096
row "judged and written in every format, 1024 CPUs" \
    "$(calc %.2f "$(median 1 "$scratch/written") / $(median 1 "$scratch/ours")")" times \
    "judged $(ms ours) ms, with reports $(ms written) ms" 3
growth "  a CPU at 4096 against one at 1024" written 1024 written-large 4096 1.5
row "assay check, memory at 1024 CPUs" "$(calc %.1f "$(median 3 "$scratch/ours") / 1024")" MB \
    "acpiexec $(calc %.1f "$(median 3 "$scratch/theirs") / 1024") MB" 64
row "assay check, memory at 4096 CPUs" "$(calc %.1f "$(median 3 "$scratch/large") / 1024")" MB \
    "acpiexec $(calc %.1f "$(median 3 "$scratch/theirs-large") / 1024") MB" -

judging() { # CPUS MACHINE LIMIT
    # shellcheck disable=SC2046
    set -- "$1" "$3" $(build/host/tests/bench/rules "$2")
    row "all $4 rules, $1 CPUs" "$(calc %.1f "$3 / 1000")" ms \
        "slowest rule $6: $(calc %.1f "$7 / 1000") ms" "$2"
}

judging 1024 "$nest1024" 100
judging 4096 "$nest4096" -

# shellcheck disable=SC2046
views() { # CPUS MACHINE LIMIT-ALL LIMIT-ONE
    set -- "$1" "$3" "$4" $(build/host/tests/bench/views "$2")
    row "the Linux model, all versions, $1 CPUs" "$(calc %.1f "$4 / 1000")" ms \
        "assay check $(ms ours) ms, one version $(calc %.1f "$5 / 1000") ms" "$2"
    row "the Linux model, one version, $1 CPUs" "$(calc %.1f "$5 / 1000")" ms \
        "$(calc %.1f "100 * $5 / $4") % of all versions" "$3"
}

views 1024 "$nest1024" 200 20

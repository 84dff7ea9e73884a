#!/bin/sh
# Every form of every machine's report: JSON by its schema (docs/report.schema.json), JUnit by its schema, TAP 14 by
# its grammar, text in 80 columns of printable ASCII. The machines are those of this folder, generated ones, and
# those of ../shared where it is there.
set -u
. tests/tap.sh

assay=build/assay
work=build/forms
corpus=${CORPUS:-../shared/machines}
rm -rf "$work"
mkdir -p "$work/tables" "$work/out"

for machine in tests/machines/*/; do
    name=$(basename "$machine")
    mkdir -p "$work/tables/$name/asl" "$work/tables/$name/tables"
    if [ -e "$machine/shape.txt" ]; then
        sh tests/machines/expand "${machine%/}" "$work/tables/$name/asl"
    else
        cp "$machine"/tables/*.asl "$work/tables/$name/asl/"
    fi
    for asl in "$work/tables/$name"/asl/*.asl; do
        iasl -f -p "$work/tables/$name/tables/$(basename "$asl" .asl)" "$asl" >"$work/iasl.log" 2>&1
    done
    cp "$machine"/*.txt "$machine"/*.json "$work/tables/$name/" 2>/dev/null
done

# All forms of one machine; status 0 and 1 are verdicts.
write() { # NAME MACHINE
    "$assay" check --quiet --json "$work/out/$1.json" --junit "$work/out/$1.xml" --tap "$work/out/$1.tap" \
        --text "$work/out/$1.txt" "$2" >"$work/$1.log" 2>&1 || [ $? -le 1 ] || { cat "$work/$1.log"; return 1; }
}

all_written() {
    for folder in "$work"/tables/*/; do
        write "$(basename "$folder")" "$folder" || return 1
    done
}

corpus_written() {
    for folder in "$corpus"/m*/; do
        write "$(basename "$folder" | cut -d- -f1)" "$folder" || return 1
    done
}

ascii_in_80_columns() {
    ! LC_ALL=C grep -nHE '^.{81}|[^ -~]' "$work"/out/*.txt
}

# The suite's counts are those of its cases.
counts_agree() {
    for file in "$work"/out/*.xml; do
        for pair in 'tests:<testcase ' 'failures:<failure ' 'skipped:<skipped '; do
            said=$(sed -n "2s/.* ${pair%%:*}=\"\([0-9]*\)\".*/\1/p" "$file")
            equal "$(basename "$file") ${pair%%:*} $(grep -c "${pair#*:}" "$file")" \
                "$(basename "$file") ${pair%%:*} $said" || return 1
        done
    done
}

check "all forms of the machines here are written" all_written
if [ -d "$corpus" ]; then
    check "all forms of the corpus are written" corpus_written
else
    skip "all forms of the corpus are written" "no $corpus here"
fi
echo "# $(ls "$work"/out/*.json | wc -l) reports of each form"
check "report.json is what its schema says" valid_report "$work"/out/*.json
check "report.tap is TAP 14" awk -f tests/machines/tap14.awk "$work"/out/*.tap
check "report.txt is ASCII in 80 columns" ascii_in_80_columns
if command -v xmllint >/dev/null; then
    check "report.xml is what its schema says" xmllint --noout --schema tests/machines/junit.xsd "$work"/out/*.xml
else
    skip "report.xml is what its schema says" "there is no xmllint"
fi
check "its counts are those of its cases" counts_agree

# A machine on which everything was measured, and one whose strings try to break out of every form.
samples=$work/samples
mkdir -p "$samples"
check "the samples are written" build/asan/tests/machines/page_sample "$samples"
utf8() {
    for file in "$samples"/*; do
        iconv -f UTF-8 -t UTF-8 "$file" >/dev/null || { echo "$file"; return 1; }
    done
}
rfc4180() { # FILE: eight columns in every line, none of them quoted
    awk -F, 'NF != 8 || /["\r]/ { print; wrong = 1 } END { exit wrong }' "$1"
}
check "each is UTF-8" utf8
check "their JSON is what its schema says" valid_report "$samples"/*.json
check "and as jq reads it" sh -c "jq -e '.machine.vendor | contains(\"</script>\")' '$samples/hostile.json' >/dev/null"
check "the hostile TAP is TAP 14" awk -f tests/machines/tap14.awk "$samples/hostile.tap"
check "no line of the hostile page closes a script or leaves a tag open" \
    equal "$(grep -c '</script>' "$samples/hostile.html")" 1
check "samples.csv has eight columns" rfc4180 "$samples/zen3.csv"
if command -v xmllint >/dev/null; then
    check "the hostile JUnit is what its schema says" \
        xmllint --noout --schema tests/machines/junit.xsd "$samples/hostile.xml"
else
    skip "the hostile JUnit is what its schema says" "there is no xmllint"
fi
check "the text of both is ASCII in 80 columns" sh -c "! LC_ALL=C grep -nHE '^.{81}|[^ -~]' '$samples'/*.txt"

# What checks must itself refuse what is wrong.
name=$(ls "$work"/out/*.json | head -n 1)
jq '.findings[0].verdict = "MAYBE"' "$name" >"$scratch/bad.json"
check "a wrong report.json is refused" says 'findings/0/verdict' \
    status 1 valid_report "$scratch/bad.json"
jq '.machine.color = "red"' "$name" >"$scratch/new.json"
check "a member that the schema does not have is refused" says '"color" is not in the schema' \
    status 1 valid_report "$scratch/new.json"
sed 's/^ok 3 /ok 4 /' "${name%.json}.tap" >"$scratch/bad.tap"
check "a wrong report.tap is refused" says 'out of order' status 1 awk -f tests/machines/tap14.awk "$scratch/bad.tap"

#!/bin/sh
# The script that docs/ci.md gives to firmware projects, with firmware builds other than the default one: one file, and
# two files of 2 MB. Its status is the build's.
set -eu
. tests/tap.sh

report=firmware-report
example=docs/examples/check-firmware.sh
project=$(pwd)
lab=$project/build/test-lab/ci

judge() { # NAME EXPECTATIONS CODE [VARS]
    mkdir -p "$lab/$1"
    (cd "$lab/$1" && shift && ASSAY=$project EXPECTATIONS=$1 && export ASSAY EXPECTATIONS && shift &&
        "$project/$example" "$@")
}

echo 'cpus = 5' >"$scratch/wrong.txt"
echo 'cpus = four' >"$scratch/senseless.txt"
if [ -r /usr/share/ovmf/OVMF.fd ]; then
    check 'a firmware in one file passes: 0' status 0 judge one "$project/docs/examples/product.txt" /usr/share/ovmf/OVMF.fd
    check 'with JUnit for the CI server' says '<testsuite' cat "$lab/one/$report/report.xml"
    check 'each expectation was judged' jq -e '[.findings[] | select(.id | startswith("EXP-"))] | length >= 3' \
        "$lab/one/$report/report.json"
else
    skip 'a firmware in one file' 'no /usr/share/ovmf/OVMF.fd'
fi
if [ -r /usr/share/OVMF/OVMF_CODE.fd ]; then
    check 'what the product lacks is a failure: 1' status 1 judge two "$scratch/wrong.txt" \
        /usr/share/OVMF/OVMF_CODE.fd /usr/share/OVMF/OVMF_VARS.fd
    check 'and is named' jq -e '[.findings[] | select(.verdict == "FAIL") | .expected] == ["cpus = 5"]' "$lab/two/$report/report.json"
else
    skip 'a firmware of 2 MB' 'no /usr/share/OVMF/OVMF_CODE.fd'
fi
check 'no firmware at all is no verdict: 125' status 125 judge none "$scratch/wrong.txt" /no/such/file

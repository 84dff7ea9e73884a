#!/bin/sh
# The host program's words, exit status and messages; and that a folder, its tables and their acpidump text give
# the same verdicts. Uses the machines that own.sh describes, compiled into a folder of its own.
set -u

assay=build/assay
work=build/cli
rm -rf "$work"
mkdir -p "$work/broken" "$work/clean/tables" "$work/empty/tables" "$work/cut/tables"

number=0
# case NAME STATUS PATTERN COMMAND...: the exit status, and a pattern in what it wrote.
check() {
    number=$((number + 1))
    name=$1 want=$2 pattern=$3
    shift 3
    status=0
    "$@" >"$work/out" 2>&1 </dev/null || status=$?
    if [ "$status" -ne "$want" ]; then
        echo "not ok - $name: status $status, not $want: $(head -n 1 "$work/out")"
    elif ! grep -q -- "$pattern" "$work/out"; then
        echo "not ok - $name: no \"$pattern\" in: $(head -n 1 "$work/out")"
    else
        echo "ok - $name"
    fi
}

for source in tests/machines/amd-two-cpus/tables/*.asl; do
    iasl -f -p "$work/clean/tables/$(basename "$source" .asl)" "$source" >"$work/iasl.log" 2>&1
done
cp tests/machines/amd-two-cpus/cpuid.txt tests/machines/amd-two-cpus/msr.txt "$work/clean/"
: >"$work/empty/tables/DSDT.aml"
head -c 100 "$work/clean/tables/00_DSDT.aml" >"$work/cut/tables/00_DSDT.aml"
head -c 20 "$work/clean/tables/APIC.aml" >"$work/cut/tables/APIC.aml"
echo hello >"$work/text"
mkdir -p "$work/pipes/tables"
cp "$work"/clean/tables/*.aml "$work/pipes/tables/"
mkfifo "$work/pipes/tables/x.aml" "$work/pipes/cpuid.txt"

# A table as acpidump prints it.
dump() {
    echo "$1 @ 0x00000000DEAD0000"
    od -An -v -tx1 -w16 "$2" | awk '{ printf "    %04X:%-48s  ................\n", (NR - 1) * 16, " " toupper($1 " " $2 " " $3 " " $4 " " $5 " " $6 " " $7 " " $8 " " $9 " " $10 " " $11 " " $12 " " $13 " " $14 " " $15 " " $16) }'
    echo
}
{
    dump APIC "$work/clean/tables/APIC.aml"
    dump FACP "$work/clean/tables/FACP.aml"
    dump DSDT "$work/clean/tables/00_DSDT.aml"
} >"$work/acpidump.txt"

check "no command" 2 "needs a command" "$assay"
check "wrong command" 2 "chekc is not a command; nearest: check" "$assay" chekc
check "help" 0 "assay check \[options\] MACHINE" "$assay" --help
check "version" 0 "^assay [0-9.]* (.*), ACPICA 20[0-9]*" "$assay" --version
check "rules" 0 "^PSS-001 " "$assay" rules
check "one rule" 0 "^advice" "$assay" rules PSS-001
check "wrong rule" 2 "nearest: PSS-00" "$assay" rules PSS-00l
check "a rule in small letters" 0 "^PSS-007 (" "$assay" rules pss-007
check "help" 0 "^assay fleet" "$assay" help
check "-h" 0 "^assay fleet" "$assay" -h
check "check without a machine" 2 "needs a MACHINE" "$assay" check --quiet
check "wrong option" 2 "nearest: --json" "$assay" check --jason x "$work/clean"
check "option without its value" 2 "needs a value" "$assay" check "$work/clean" --json
check "wrong capabilities" 2 "os-caps" "$assay" check --os-caps=none,1,2 "$work/clean"
check "no such machine" 3 "is not there" "$assay" check "$work/nowhere"
check "a text that is no dump" 3 "nor acpidump text" "$assay" check "$work/text"
check "a folder without tables" 3 "no ACPI table" "$assay" check "$work/broken"
check "a folder with an empty table" 3 "is empty" "$assay" check "$work/empty"
check "a folder among several is a machine of its own" 3 "clean .*none\|neither a machine folder" "$assay" check "$work/clean" "$work/text"
check "a clean machine" 0 "^assay: [0-9]* pass, 0 fail" "$assay" check "$work/clean"
check "JSON on standard output" 0 '"totals"' "$assay" check --json - "$work/clean"
check "HTML on standard output" 0 "^<!DOCTYPE html>" "$assay" check --html - "$work/clean"
check "JUnit" 0 "</testsuite>" "$assay" check --junit - "$work/clean"
check "TAP" 0 "^TAP version 14" "$assay" check --tap - "$work/clean"
check "a full medium" 3 "cannot be written" "$assay" check --json /dev/full "$work/clean"
check "a file that cannot be made" 3 "cannot be made" "$assay" check --json "$work/no/x" "$work/clean"
check "pipes in a folder are left out" 0 "x.aml cannot be read; left out" timeout 20 "$assay" check "$work/pipes"
check "two reports on standard output" 2 "only one report" "$assay" check --json - --text - "$work/clean"
check "truncated tables" 1 "100 of 779 bytes" "$assay" check "$work/cut"
check "acpidump text" 0 "MADT 2 of 2" "$assay" check "$work/acpidump.txt"
check "several tables" 0 "MADT 2 of 2" "$assay" check "$work"/clean/tables/*.aml
check "one SSDT alone" 0 "in the namespace" "$assay" check "$work/clean/tables/00_DSDT.aml"
check "quiet is quiet" 0 "^$" sh -c "$assay check --quiet $work/clean; echo"

status=0
cat "$work/acpidump.txt" | "$assay" check --json "$work/pipe.json" - || status=$?
"$assay" check --json "$work/files.json" "$work"/clean/tables/*.aml
"$assay" check --json "$work/dump.json" "$work/acpidump.txt"
for form in pipe files dump; do
    jq 'del(.machine.source_name, .machine.tables, .machine.source)' "$work/$form.json" >"$work/$form.plain"
done
if [ "$status" -eq 0 ] && cmp -s "$work/files.plain" "$work/dump.plain" &&
    cmp -s "$work/pipe.plain" "$work/dump.plain"; then
    echo "ok - files, dump and standard input give the same report"
else
    echo "not ok - files, dump and standard input differ"
fi

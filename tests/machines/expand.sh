#!/bin/sh
# Sources of a machine folder's tables, for machines with many CPUs alike: sh expand.sh FOLDER OUT writes
# OUT/*.asl. FOLDER/shape.txt says "cpus N" and "profile P" (FADT Preferred_PM_Profile; may be left out):
#   DSDT.in    its lines between @each and @end are repeated for each CPU: @X is the number in two hexadecimal
#              digits, @N in decimal, @H half of it; "@each FIRST LAST" only for those
#   MADT       written here: one enabled local APIC a CPU, ids 0, 1, 2, ...
#   FADT       that of amd-two-cpus with the profile
set -eu

folder=$1
out=$2
cpus=$(awk '$1 == "cpus" { print $2 }' "$folder/shape.txt")
profile=$(awk '$1 == "profile" { print $2 }' "$folder/shape.txt")

awk -v cpus="$cpus" '
    $1 == "@each" { first = NF > 1 ? $2 : 0; last = NF > 1 ? $3 : cpus - 1; block = ""; inside = 1; next }
    $1 == "@end" {
        for (cpu = first; cpu <= last; cpu++) {
            text = block
            gsub(/@X/, sprintf("%02X", cpu), text)
            gsub(/@N/, cpu, text)
            gsub(/@H/, int(cpu / 2), text)
            printf "%s", text
        }
        inside = 0
        next
    }
    inside { block = block $0 "\n"; next }
    { print }' "$folder/DSDT.in" >"$out/00_DSDT.asl"

{
    sed -n '1,/PC-AT/p' tests/machines/amd-two-cpus/tables/APIC.asl
    cpu=0
    while [ "$cpu" -lt "$cpus" ]; do
        id=$(printf '%02X' "$cpu")
        echo
        echo "[0001]                      Subtable Type : 00"
        echo "[0001]                             Length : 08"
        echo "[0001]                       Processor ID : $id"
        echo "[0001]                      Local Apic ID : $id"
        echo "[0004]              Flags (decoded below) : 00000001"
        echo "                        Processor Enabled : 1"
        echo "                   Runtime Online Capable : 0"
        cpu=$((cpu + 1))
    done
} >"$out/APIC.asl"

sed "s/PM Profile : 04/PM Profile : $(printf '%02X' "${profile:-0}")/" \
    tests/machines/amd-two-cpus/tables/FACP.asl >"$out/FACP.asl"

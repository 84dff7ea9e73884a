#!/bin/sh
# What one does with reports afterwards: show, diff of two variants of a machine, many machines at once; and that
# hostile files get a message.
set -eu
. tests/tap.sh

assay=build/assay
out=build/offline
rm -rf "$out"
mkdir -p "$out/a/tables" "$out/b/tables"
for source in tests/machines/amd-two-cpus/tables/*.asl; do
    iasl -f -p "$out/a/tables/$(basename "$source" .asl)" "$source" >/dev/null 2>&1
done
cp tests/machines/amd-two-cpus/cpuid.txt tests/machines/amd-two-cpus/msr.txt "$out/a"
cp -r "$out/a/." "$out/b"
# The same machine with another first frequency and a wrong checksum, as a beta firmware might be.
sed 's/0x0D48/0x0DAC/; s/3400,/3500,/' tests/machines/amd-two-cpus/tables/00_DSDT.asl >"$out/variant.asl"
iasl -f -p "$out/b/tables/00_DSDT" "$out/variant.asl" >/dev/null 2>&1
printf 'X' | dd of="$out/b/tables/APIC.aml" bs=1 seek=12 conv=notrunc 2>/dev/null

$assay check --quiet --json "$out/a.json" "$out/a" || true
$assay check --quiet --json "$out/b.json" "$out/b" || true

check "a report is shown" says '^ACPI tables' $assay show "$out/a.json"
check "as HTML that needs nothing else" says '<table>' $assay show --html - "$out/a.json"
check "as it is" cmp "$out/a.json" - <<END
$($assay show --json - "$out/a.json")
END
check "of an older schema" says 'Findings' sh -c "sed 's/\"schema\": 1/\"schema\": 0/' '$out/a.json' | $assay show -"
check "of a newer one, with a word about it" says 'schema 99' sh -c "sed 's/\"schema\": 1/\"schema\": 99/' '$out/a.json' | $assay show -"
{
    echo noise
    echo '-----BEGIN ASSAY report.json-----'
    base64 -w 76 "$out/a.json"
    echo '-----END ASSAY report.json-----'
} >"$out/serial.log"
check "out of a serial log" says '^ACPI tables' $assay show "$out/serial.log"

check "a machine and its report are the same" status 0 $assay diff "$out/a" "$out/a.json"
check "two variants are not" status 1 $assay diff "$out/a" "$out/b"
check "the checksum is a new finding" says 'TBL-003\|checksum' $assay diff "$out/a.json" "$out/b.json"
check "as JSON" says '"changed": true' $assay diff --json - "$out/a" "$out/b"
check "as HTML" says '<h1>Assay' $assay diff --html - "$out/a" "$out/b"
check "the other way round it is fixed" says '^Fixed' $assay diff "$out/b" "$out/a"
# Other code, the same values: a method that nobody calls.
cp -r "$out/a" "$out/c"
sed 's/Scope (\\_SB)/Method (NEWM, 0) {Return (7)}\n    Scope (\\_SB)/' tests/machines/amd-two-cpus/tables/00_DSDT.asl >"$out/code.asl"
iasl -f -p "$out/c/tables/00_DSDT" "$out/code.asl" >/dev/null 2>&1
check "AML that gives the same values is a change" status 1 $assay diff "$out/a" "$out/c"
check "the table is named" says '^  DSDT AMD2CPUS .*bytes, 0x' $assay diff "$out/a" "$out/c"
check "and that no value differs" says 'No value that was evaluated differs' $assay diff "$out/a" "$out/c"
check "with values it says so" says 'What of it shows in values' $assay diff "$out/a" "$out/b"
# Two runs on one machine: a figure that moved by more than both are uncertain, and one that did not.
measured() {
    jq ".measured = {frequency: [{cpu: 0, request: {kind: \"perf_ctl\", control: 1, khz: 2400000}, effective_khz: 2400000,
          uncertainty_ppm: 30}],
        boost_by_active_cores: [{kind: \"cores\", package: 0, active: 2, cpu: 0, khz: $1, uncertainty_ppm: 50}],
        settling: [{cpu: 0, kind: \"perf_ctl\", from: 1, to: 0, changes: 100, unsettled: 0, settle_us:
          {n: 100, min: 90, p50: $2, p90: 130, p99: 140, max: 150, mean: $2, stddev: 5}}]}
      | .work = [{kernel: \"integer\", boost_off: false, package: 0, active_cores: 4, cpu: 0, requested_khz: 2400000, work: $3}]" \
        "$out/a.json"
}
measured 3600000 100 5000 >"$out/run1.json"
measured 3500000 120 5100 >"$out/run2.json"
measured 3600100 100 5010 >"$out/run3.json"
check "boost that moved is told" says 'boost, package 0, cores, 2 active, CPU 0: khz' $assay diff "$out/run1.json" "$out/run2.json"
check "so is a settling time" says 'perf_ctl change 1 to 0: settle_us' $assay diff "$out/run1.json" "$out/run2.json"
check "so is work" says 'integer kernel, package 0, 4 cores' $assay diff "$out/run1.json" "$out/run2.json"
check "what is within its uncertainty is not" status 0 $assay diff "$out/run1.json" "$out/run3.json"
check "one machine is wrong use" status 2 $assay diff "$out/a"
check "a wrong word is named" says 'nearest: --json' $assay diff --jsom x "$out/a" "$out/b"

for i in $(seq 1 40); do cp "$out/a.json" "$out/fleet$i.json"; done
check "many reports" status 0 $assay fleet --db "$out/fleet.db" --ndjson "$out/fleet.ndjson" --csv "$out/fleet.csv" "$out"/fleet*.json
check "one report a line" equal 40 "$(jq -c 'select(.findings)' "$out/fleet.ndjson" | wc -l)"
check "every line is the report" equal "$(jq -cS . "$out/a.json")" "$(head -n 1 "$out/fleet.ndjson" | jq -cS .)"
check "tidy CSV" says '^machine,model,firmware_version,kind,name,cpus,value,severity' head -n 1 "$out/fleet.csv"
check "an SQLite file" says '^SQLite format 3' head -c 15 "$out/fleet.db"
check "the odd one out is named" says 'b.json .*1 of 41' $assay show "$out"/fleet*.json "$out/b.json"
check "check takes several machines" says 'a  .*\|Machines' $assay check "$out/a" "$out/b"
check "one that cannot be read is named, the others go on" says 'Machines' $assay fleet "$out/a.json" "$out/none.json"
check "with status 3" status 3 $assay fleet --quiet "$out/a.json" "$out/none.json"

# The queries of docs/fleet.md as they stand there, on these files; without its server, curl only says what it was given.
mkdir -p "$scratch/bin"
printf '#!/bin/sh\ncase "$*" in *data-binary*) cat ;; esac\n' >"$scratch/bin/curl"
chmod +x "$scratch/bin/curl"
awk -v to="$scratch/query" '/^## Queries/ { on = 1 }
    on && /^```/ { if (!inside) file = to "." ++count; inside = !inside; next }
    inside { print >file }' docs/fleet.md
for query in "$scratch"/query.*; do
    tool=$(awk 'NR == 1 { print $1 }' "$query")
    if [ "$tool" != jq ] && ! command -v "$tool" >/dev/null; then
        skip "a query of docs/fleet.md" "$tool is not installed"
        continue
    fi
    check "$tool: the query of docs/fleet.md answers" sh -c "cd '$out' && PATH='$scratch/bin':\$PATH sh -e '$query' >'$scratch/answer' && [ -s '$scratch/answer' ]"
    sed 's/^/# /; s/\(.\{150\}\).*/\1 .../' "$scratch/answer" | head -n 4
done

# --- Files of other tools.
same() {
    $assay check --quiet --json "$out/import.json" "$@" || [ $? -eq 1 ] || return 1
    $assay diff "$out/a.json" "$out/import.json"
}

# acpidump's text of a table.
dump() {
    echo "$1 @ 0x00000000DEAD0000"
    od -An -v -tx1 -w16 "$2" | awk '{ printf "    %04X:%-48s  ................\n", (NR - 1) * 16, toupper($0) }'
    echo
}
mkdir -p "$out/fwts"
{
    dump APIC "$out/a/tables/APIC.aml"
    dump FACP "$out/a/tables/FACP.aml"
    dump DSDT "$out/a/tables/00_DSDT.aml"
} >"$out/fwts/acpidump.log"
printf 'This is output captured by fwts --dump.\n' >"$out/fwts/README.txt"
printf '[    0.000000] Linux version 6.1.0\n' >"$out/fwts/dmesg.log"
printf 'processor\t: 0\nvendor_id\t: AuthenticAMD\n' >"$out/fwts/cpuinfo.log"
printf '00:00.0 Host bridge\n' >"$out/fwts/lspci.log"
cp "$out/a/cpuid.txt" "$out/a/msr.txt" "$out/fwts"
check "a folder of fwts --dump, with dumps beside it" same "$out/fwts"

# The same CPUs as 'cpuid -r' prints them: every CPU in full.
awk 'BEGIN { for (cpu = 0; cpu < 2; cpu++) { print "CPU " cpu ":"; while ((getline line < ARGV[1]) > 0)
    if (split(line, part, /[ :-]+/) >= 6 && part[1] == "CPUID")
        printf "   0x%s 0x%02x: eax=0x%s ebx=0x%s ecx=0x%s edx=0x%s\n", tolower(part[2]), sub_of[part[2], cpu]++,
            tolower(part[3]), tolower(part[4]), tolower(part[5]), tolower(part[6])
    close(ARGV[1]) } }' "$out/a/cpuid.txt" >"$out/cpuid-r.txt"
check "cpuid -r is read" grep -q 'eax=0x' "$out/cpuid-r.txt"
check "tables one by one with cpuid -r" same "$out"/a/tables/*.aml "$out/cpuid-r.txt" "$out/a/msr.txt"
if command -v zip >/dev/null; then
    (cd "$out/a" && zip -qr ../a.zip .)
    check "a zip of the machine" same "$out/a.zip"
else
    skip "a zip of the machine" "zip is not installed"
fi
tar -C "$out/a" -czf "$out/a.tar.gz" .
check "a packed machine" same "$out/a.tar.gz"
mkdir -p "$out/xtract"
for name in 00_DSDT APIC FACP; do
    cp "$out/a/tables/$name.aml" "$out/xtract/$(echo "${name#00_}" | tr 'A-Z' 'a-z').dat"
done
cp "$out/a/cpuid.txt" "$out/a/msr.txt" "$out/xtract"
check "a folder of acpixtract's files with dumps beside them" same "$out/xtract"
check "the same one by one" same "$out"/xtract/*
echo 'cpu0: MSR_PLATFORM_INFO: 0x80838f1012700 (8 * 100.0 = 800.0 MHz max efficiency frequency)' >"$out/turbostat.txt"
{
    echo 'cpu0: MSR_PLATFORM_INFO: 0x80838f1012700 (8 * 100.0 = 800.0 MHz max efficiency frequency)'
    echo 'cpu0: MSR_TURBO_RATIO_LIMIT: 0x2222222223232525'
} >"$out/turbostat.log"
echo 'CPUID 00000000: 00000016-756E6547-6C65746E-49656E69 [GenuineIntel]' >"$out/instlat.txt"
echo 'CPUID 00000001: 000906EA-00100800-7FFAFBBF-BFEBFBFF' >>"$out/instlat.txt"
$assay check --quiet --json "$out/turbo.json" "$out"/a/tables/*.aml "$out/instlat.txt" "$out/turbostat.log" || true
check "InstLatx64 and turbostat: the CPU and its registers" equal '"GenuineIntel" "0x2222222223232525"' \
    "$(jq -c '.machine.cpu.vendor, (.msrs[] | select(.msr == "0x1ad") | .value)' "$out/turbo.json" | tr '\n' ' ' | sed 's/ $//')"
check "registers without tables: a word about it" says 'no ACPI table' $assay check "$out/turbostat.txt"
check "an archive of something else" says 'neither a machine folder' sh -c "tar -czf '$out/other.tgz' Makefile; $assay check '$out/other.tgz'"
head -c 3000 "$out/a.tar.gz" >"$out/cut.tar.gz"
check "an archive that is cut gives a message or a verdict" sh -c "$assay check --quiet '$out/cut.tar.gz' 2>&1; [ \$? -le 3 ]"
head -c 300000000 /dev/zero | gzip -1 >"$out/bomb.gz"
check "an archive that only gets large" status 3 $assay check --quiet "$out/bomb.gz"

# --- A running Linux, as a tree in a folder.
root=$out/root
mkdir -p "$root/sys/firmware/acpi/tables/dynamic" "$root/sys/class/dmi/id" "$root/dev/cpu/0" "$root/dev/cpu/1"
cp "$out/a/tables/00_DSDT.aml" "$root/sys/firmware/acpi/tables/DSDT"
cp "$out/a/tables/APIC.aml" "$root/sys/firmware/acpi/tables/APIC"
cp "$out/a/tables/FACP.aml" "$root/sys/firmware/acpi/tables/FACP"
echo KEY-SECRET >"$root/sys/firmware/acpi/tables/MSDM"
echo SECRET >"$root/sys/class/dmi/id/product_serial"
# SMBIOS type 4 of 48 bytes with a Max Speed of 4000 MHz (0FA0h at 14h) and a serial number.
mkdir -p "$root/sys/firmware/dmi/tables"
{ printf '\004\060\001\000'; head -c 16 /dev/zero; printf '\240\017'; head -c 26 /dev/zero; printf 'SECRET\000\000\177\004\002\000\000\000'; } >"$root/sys/firmware/dmi/tables/DMI"
echo MAKER >"$root/sys/class/dmi/id/sys_vendor"
# Leaf 0 of family 17h: the largest leaf is 1.
for cpu in 0 1; do
    printf '\001\000\000\000AuthcAMDenti\020\017\203\000\000\000\000\000\000\000\000\000\000\000\000\000' >"$root/dev/cpu/$cpu/cpuid"
done
check "a snapshot of it" says '3 tables, 2 CPUs; left out: 1 tables with licence keys' $assay snapshot --root "$root" "$out/snapshot"
check "says what is missing" says 'no MSRs of 2 CPUs' $assay snapshot --root "$root" "$out/snapshot"
check "has no secret in it" equal "" "$(grep -rl SECRET "$out/snapshot" || true)"
check "has the speed that SMBIOS names" equal "max_speed_mhz 4000" "$(cat "$out/snapshot/smbios.txt")"
check "which is read again" says '"smbios_max_speed_mhz": 4000' $assay check --json - "$out/snapshot"
check "has the CPUs" grep -q '^CPUID 00000001: 00830F10' "$out/snapshot/cpuid.txt"
check "can be judged" says 'AuthenticAMD family 23' $assay check "$out/snapshot"
check "changed nothing" equal KEY-SECRET "$(cat "$root/sys/firmware/acpi/tables/MSDM")"
check "without tables there is a message" says 'run it as root' $assay snapshot --root "$out/none" "$out/snapshot2"
check "without a folder it is wrong use" status 2 $assay snapshot

# --- Hostile files.
printf '{"assay":{},"findings":[' >"$out/cut.json"
head -c 200000 /dev/zero | tr '\0' '[' >"$out/deep.json"
printf '{"x":%s' "$(head -c 100000 /dev/zero | tr '\0' '[')" >"$out/deep2.json"
check "a report that is cut" says 'is not JSON: line' $assay show "$out/cut.json"
check "one that is deep" says 'is not JSON' $assay show "$out/deep2.json"
check "JSON that is no report" says 'no report of Assay' $assay show tests/machines/intel-dynamic/memory.json
check "status 3 for those" status 3 $assay show "$out/cut.json"
check "a folder full of rubbish" status 3 $assay show "$out/deep.json"

#!/bin/sh
# QEMU with tables of our own on one, two and eight CPUs of three makers' models: report.json has what the
# .asl says, per CPU; the handshake brings a table; an endless loop, --read-only, --skip-msr, the ways out.
set -eu
. tests/tap.sh

lab=build/test-lab/qemu
mkdir -p "$lab"

if ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "QEMU" "it is not installed"
    exit 0
fi

boot() { # NAME RUNNER-OPTION... -- APPLICATION-OPTION...
    name=$1
    shift
    tools/lab qemu --out "$lab/$name" "$@"
}

json() { # NAME FILTER
    jq -e "$2" "$lab/$1/report.json"
}

# One CPU. _CSD never returns: everything else is there all the same.
check "one CPU, Denverton: a run with findings, left by shutdown" status 1 boot one --cpu Denverton \
    --acpi tests/lab/one_cpu.asl -- --run=tables --format=json --skip-msr=0x1b,0x198-0x199 --exit=shutdown
check "its report.json is what the schema says" valid_report "$lab/one/report.json"
check "_PSS as written" json one '.sets["pss#0"] == [
    {freq_mhz: 2201, power_mw: 95000, latency_us: 10, bm_latency_us: 10, control: 8960, status: 8960},
    {freq_mhz: 2200, power_mw: 90000, latency_us: 10, bm_latency_us: 10, control: 5632, status: 5632},
    {freq_mhz: 1200, power_mw: 40000, latency_us: 10, bm_latency_us: 10, control: 3072, status: 3072}]'
check "_PCT as written" json one '.sets["pct#0"] == [
    {reg: {space: 127, width: 16, offset: 0, access: 0, address: 409}},
    {reg: {space: 127, width: 16, offset: 0, access: 0, address: 408}}]'
check "_PPC as its method returns it" json one '.processors[0].ppc == 1'
check "_CST as written" json one '.sets["cst#0"] == {count: 2, states: [
    {register: {reg: {space: 127, width: 1, offset: 2, access: 0, address: 0}}, type: 1, latency_us: 3, power_mw: 1000},
    {register: {reg: {space: 1, width: 8, offset: 0, access: 1, address: 224}}, type: 2, latency_us: 40, power_mw: 500}]}'
check "an endless loop ends with an error of its own" json one \
    '.processors[0].csd == {error: "AE_AML_LOOP_TIMEOUT", at: "\\_SB.CPUS.C000._CSD"}'
check "and is a finding" json one 'any(.findings[]; .verdict == "FAIL" and .id == "AML-002")'
check "the CPU is the model's" json one '.machine.cpu | .vendor == "GenuineIntel" and .family == 6 and .model == 95'
check "MSRs left alone are not in the report" json one \
    '(.msrs | length) > 5 and (any(.msrs[]; .msr == "0x1b" or .msr == "0x198" or .msr == "0x199") | not)'

# Two CPUs, whose objects come with a table that _PDC loads.
iasl -p "$scratch/inner" tests/lab/two_cpus_inner.asl >"$scratch/iasl" 2>&1 || cat "$scratch/iasl"
bytes=$(od -An -v -tx1 "$scratch/inner.aml" | tr -d '\n' | sed 's/ \(..\)/0x\1,/g; s/,$//')
sed "s/Buffer () {0}/Buffer () {$bytes}/" tests/lab/two_cpus.asl >"$scratch/two_cpus.asl"
check "two CPUs, Skylake-Server: left by reset" status 1 boot two --cpu Skylake-Server --smp 2 \
    --acpi "$scratch/two_cpus.asl" -- --run=tables --format=json,text --exit=reset
check "_PDC loads a table" json two '.handshake | .dynamic_tables == 1 and .processor_pdc == 1 and .platform_osc'
check "which is listed as loaded by AML" json two \
    'any(.machine.tables[]; .oem_table_id == "INNER" and .origin != "xsdt" and .checksum_ok)'
check "its objects are there, on each CPU its own" json two \
    '[.sets[.processors[].pss][0].freq_mhz] == [3000, 2000]'
check "_OSC was given what the report says" json two \
    '(.processors[0].ppc | tostring) == (.handshake.platform_caps | ltrimstr("0x") | explode
     | reduce .[] as $c (0; . * 16 + (if $c > 96 then $c - 87 else $c - 48 end)) | tostring)'
check "the text report says so" grep -q '1 table' "$lab/two/report.txt"

# Eight CPUs, no two alike, and nothing written.
check "eight CPUs, EPYC-Milan: left by the debug port" status 1 boot eight --cpu EPYC-Milan --smp 8 \
    --acpi tests/lab/eight_cpus.asl -- --run=tables --format=json --read-only --exit=debug-port
check "all are enabled, though their _STA was not allowed to write" json eight \
    '[.processors[].cpu] == [0, 1, 2, 3, 4, 5, 6, 7]'
check "each has its own _CPC" json eight \
    '[.sets[.processors[].cpc].highest_perf] == [255, 254, 253, 252, 251, 250, 249, 248]'
check "two share a _PSD" json eight \
    '[.sets[.processors[].psd][0][2]] == [0, 0, 1, 1, 2, 2, 3, 3] and ([.processors[].psd] | unique | length) == 4'
check "a refused write is counted and named" json eight \
    '.aml.denied > 0 and .aml.io_writes == 0 and (.aml.first_denied | test("I/O port"))'
check "MSRs were read on every CPU, the boot CPU told apart" json eight \
    '[.msrs[] | select(.name == "IA32_APIC_BASE") | .cpus] == ["0", "1-7"]'
check "no write of an MSR or a port in a read-only run" json eight '(.idle | length) == 0 and .measured.frequency == null or .measured.frequency == []'

# Tables from the medium, one of them cut off: said, judged, and the rest still made.
mkdir -p "$scratch/cut/tables"
for asl in tests/machines/amd-two-cpus/tables/*.asl; do
    iasl -f -p "$scratch/cut/tables/$(basename "$asl" .asl)" "$asl" >"$scratch/iasl" 2>&1 || true
done
truncate -s 200 "$scratch/cut/tables/00_DSDT.aml"
check "a cut-off DSDT on the medium" status 1 boot cut --smp 2 --machine "$scratch/cut" -- --run=tables --format=json,text
check "is told on serial by what is there of it" grep -aq "200 of 779 bytes" "$lab/cut/serial.log"
check "and the report is made all the same" json cut '.assay.version and (.msrs | length) > 0 and
    any(.findings[]; .verdict == "FAIL" and .id == "TBL-004") and (any(.findings[]; .verdict == "WARN" and .id == "TBL-005") | not)'

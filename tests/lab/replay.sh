#!/bin/sh
# A run and the replay of its machine folder give the same report.json, byte for byte apart from the source:
# with AML that reads what only the trace holds, and on a second emulator with tables from the medium.
set -eu
. tests/tap.sh

lab=build/test-lab/replay
assay=build/assay

# The report of a replay with the run's own source field.
replay() {
    $assay check --quiet --json "$lab/$1.json" "$lab/$1/machine" || [ $? -eq 1 ] || return 1
    grep -q '^  "source": "folder",$' "$lab/$1.json" || return 1
    sed 's/^  "source": "folder",$/  "source": "firmware",/' "$lab/$1.json" >"$lab/$1.as-run.json"
}

is_same() {
    replay "$1" && diff "$lab/$1/report.json" "$lab/$1.as-run.json"
}

# samples.csv again out of the machine folder.
same_samples() {
    $assay check --quiet --csv "$lab/$1.csv" "$lab/$1/machine" || [ $? -eq 1 ] || return 1
    cmp "$lab/$1/samples.csv" "$lab/$1.csv" && cmp "$lab/$1/samples.csv" "$lab/$1/machine/samples.csv"
}

is_shown() {
    $assay show --text "$lab/$1.txt" --junit "$lab/$1.xml" --tap "$lab/$1.tap" "$lab/$1" &&
        cmp "$lab/$1/report.txt" "$lab/$1.txt" && cmp "$lab/$1/report.xml" "$lab/$1.xml" &&
        cmp "$lab/$1/report.tap" "$lab/$1.tap"
}

has() {
    grep -q "$2" "$lab/$1"
}

mkdir -p "$lab"
if command -v qemu-system-x86_64 >/dev/null; then
    printf 'cpus = 4\nwaive PSS-040 until 2020-01-01 "an old promise"\n' >"$scratch/product.txt"
    # The machine has its owner's secrets: a serial number in SMBIOS, a licence key in MSDM.
    {
        echo '#!/bin/sh'
        echo 'exec qemu-system-x86_64 "$@" -smbios type=1,serial=SECRETSERIAL,uuid=5ec2e7e5-0000-4000-8000-00005ec2e75e'
    } >"$scratch/qemu"
    chmod +x "$scratch/qemu"
    check "QEMU runs" status 1 env "QEMU=$scratch/qemu" tools/lab qemu --smp 3 --out "$lab/qemu" \
        --acpi tests/lab/replay/access.asl --acpi tests/lab/replay/msdm.asl --acpi tests/lab/replay/slic.asl \
        -- --os-caps=0x3FFF,0x7FFF --samples=64 --cpus=0-1 \
        "--expect=$scratch/product.txt"
    check "its report.json is what the schema says" valid_report "$lab/qemu/report.json"
    check "its replay gives the same report" is_same qemu
    check "and the diff of the two is empty" says 'No difference' $assay diff "$lab/qemu/report.json" "$lab/qemu.json"
    check "with status 0" status 0 $assay diff "$lab/qemu/report.json" "$lab/qemu/machine"
    check "and the same samples" same_samples qemu
    check "which are there" has qemu/samples.csv '^idle,0,0,C1,'
    check "the stored report is shown as the run wrote it" is_shown qemu
    check "the trace has the clock" has qemu/machine/trace.txt '^io r 0x71 1 '
    check "and a PCI register" has qemu/machine/trace.txt '^pci r 0000:00:00.0 0x0 2 0x8086$'
    check "and memory that is not there" has qemu/machine/trace.txt '^mem r 0x90000000 4 absent$'
    check "and a denied write" has qemu/machine/trace.txt '^mem w 0x100000 4 denied$'
    check "the table that AML loaded is kept" test -s "$lab/qemu/machine/dynamic/SSDT-012.aml"
    check "the times are the run's" has qemu.json '"name": "tsc", "hz": [0-9]*, .*"status": "used"'
    check "the run's expectations are judged again" has qemu.json '"id": "EXP-001"'
    check "MSRs are folded" has qemu/machine/msr.txt '^\[cpu 0-1\] '
    check "the table with the key is known" has qemu/report.json '"signature": "MSDM"'
    check "the older one too" has qemu/report.json '"signature": "SLIC"'
    check "neither key nor serial number is in any file" equal "" "$(grep -rl -e SECRET -e 5345435245 -e '5ec2e7e5' -e '53 45 43 52' "$lab/qemu" || true)"
    check "and the folder says so" has qemu/machine/meta.md 'Left out: serial numbers'
    rm -rf "$lab/changed"
    mkdir -p "$lab/changed"
    cp -r "$lab/qemu/machine" "$lab/qemu/report.json" "$lab/changed"
    grep -v 'io r 0x71' "$lab/qemu/machine/trace.txt" >"$lab/changed/machine/trace.txt"
    check "without a part of the trace it does not" status 1 is_same changed
else
    skip "QEMU" "it is not installed"
fi

if [ "$(stat -c %s /usr/share/ovmf/OVMF.fd 2>/dev/null)" = 2097152 ] && command -v bochs >/dev/null; then
    mkdir -p "$scratch/machine/tables"
    for source in tests/machines/intel-dynamic/tables/*.asl; do
        iasl -f -p "$scratch/machine/tables/$(basename "$source" .asl)" "$source" >/dev/null 2>&1
    done
    echo '0x1AD 1 22222222 23232525 00000000 00000000 00000000 00000000' >"$scratch/msrs"
    tools/lab bochs --smp 2 --out "$lab/bochs" --machine "$scratch/machine" --msrs "$scratch/msrs" \
        -- --run=tables,clocks --samples=16 || true
    check "Bochs, tables from the medium: the replay gives the same report" is_same bochs
    check "and the stored report is shown as the run wrote it" is_shown bochs
    check "a fault stays a fault" has bochs.json '"fault": true'
    tools/lab bochs --out "$lab/none" --msrs "$scratch/msrs" -- --run=tables || true
    check "no tables at all: the same report" status 3 $assay check --quiet --json "$lab/none.json" "$lab/none/machine"
    sed 's/^  "source": "folder",$/  "source": "firmware",/' "$lab/none.json" >"$lab/none.as-run.json"
    check "and the same status" cmp "$lab/none/report.json" "$lab/none.as-run.json"
else
    skip "Bochs" "needs bochs and an OVMF.fd of 2 MB"
fi

#!/bin/sh
# What the finishing step and the image maker leave behind.
set -eu
. tests/tap.sh

finish=build/tools/pefinish

# byte FILE OFFSET VALUE: overwrites one byte.
byte() {
    printf '%b' "\\0$(printf %o "$3")" | dd of="$1" bs=1 seek="$2" conv=notrunc status=none
}

number() {
    od -An -t u4 -j "$2" -N 4 "$1" | tr -d ' '
}

cp build/assay.efi "$scratch/a"
pe=$(number "$scratch/a" 60)
table=$((pe + 24 + 240))
check "NX_COMPAT is set" says 'NX_COMPAT' objdump -p "$scratch/a"
check "the image is under 1.2 MB" [ "$(stat -c %s "$scratch/a")" -lt 1258291 ]
check "finishing twice changes nothing" sh -c "$finish '$scratch/a' && cmp '$scratch/a' build/assay.efi"

linked=$(readelf -rW build/efi/assay.so | grep -c R_X86_64_RELATIVE)
based=$(objdump -p build/assay.efi | grep -c DIR64)
check "every relocation of the linked program is a base relocation" [ "$linked" -eq "$based" ]
check "and there are some" [ "$based" -gt 100 ]
check "nothing of the linker's own tables is in the image" sh -c "! objdump -h build/assay.efi | grep -q rela"
check "a file that is no linked program is refused" says 'not an ELF' build/tools/perelocs "$scratch/a" "$scratch/a"
check "a file that is no image is refused" says 'not a PE' build/tools/perelocs tests/tap.sh build/efi/assay.so

cp build/assay.efi "$scratch/a"
byte "$scratch/a" $((pe + 24 + 64)) 0
byte "$scratch/a" $((pe + 24 + 65)) 0
check "the checksum is put back" sh -c "$finish '$scratch/a' && cmp '$scratch/a' build/assay.efi"

cp build/assay.efi "$scratch/a"
byte "$scratch/a" $((table + 39)) 224
check "a writable and executable section is refused" says 'both writable and executable' "$finish" "$scratch/a"
check "with status 1" status 1 "$finish" "$scratch/a"

head -c 50 build/assay.efi >"$scratch/a"
check "a file that is too short is refused" says 'shorter than' "$finish" "$scratch/a"
head -c $((pe + 300)) build/assay.efi >"$scratch/a"
check "a cut section table is refused" says 'leaves the file' "$finish" "$scratch/a"

mkdir -p "$scratch/extra/deep folder"
echo hello >"$scratch/extra/deep folder/a long name.txt"
tools/mkimage "$scratch/disk" build/assay.efi "$scratch/extra=assay/more/extra"
export MTOOLS_SKIP_CHECK=1
disk="$scratch/disk@@1M"
check "the partition table is sound" says 'No problems found' env PATH="$PATH:/usr/sbin" sgdisk -v "$scratch/disk"
check "the partition is an EFI system partition" says 'EF00' env PATH="$PATH:/usr/sbin" sgdisk -p "$scratch/disk"
check "the volume has a label" says 'ASSAY' mdir -i "$disk" ::
mcopy -i "$disk" ::EFI/BOOT/BOOTX64.EFI "$scratch/out"
check "the application is in its place" cmp build/assay.efi "$scratch/out"
check "extra folders are copied whole" says '^hello' mtype -i "$disk" "::assay/more/extra/deep folder/a long name.txt"
check "there is a text that says what it is" says 'judges how' mtype -i "$disk" ::README.TXT

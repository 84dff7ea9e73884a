#!/bin/sh
# Another firmware: U-Boot's UEFI, which shares no code with edk2, has no MP services and renames no file. It starts
# the default boot path from an AHCI disk; what it would give Linux as options is taken away by hand.
set -eu
. tests/tap.sh

out=build/test-lab/uboot
serial=$out/serial.log
uboot=/usr/lib/u-boot/qemu-x86_64/u-boot.rom

if [ ! -r "$uboot" ] || ! command -v "${QEMU:-qemu-system-x86_64}" >/dev/null; then
    skip "U-Boot as the firmware" "needs QEMU and u-boot-qemu"
    exit 0
fi

cat >"$scratch/qemu" <<END
#!/bin/sh
for word; do
    shift
    case \$word in usb-storage,id=usbstick,bus=usb.0,*) word=ide-hd,bus=ide.0,\${word#*bus=usb.0,} ;; esac
    set -- "\$@" "\$word"
done
exec "${QEMU:-qemu-system-x86_64}" "\$@"
END
chmod +x "$scratch/qemu"

cat >"$scratch/keys" <<'END'
await Hit any key
key spc
await =>
key s e t e n v spc b o o t a r g s ret
await =>
key b o o t ret
END

rm -rf "$out"
boot() {
    QEMU=$scratch/qemu tools/lab qemu --out "$out" --smp 2 --firmware "$uboot" - --keys "$scratch/keys" \
        -- --batch --exit=debug-port --run=quick --format=json,text,html,snapshot
}
check "a run comes to its end" status 1 boot
check "its one failure is U-Boot's own" jq -e \
    '[.findings[] | select(.verdict == "FAIL") | [.id, .actual]] == [["FADT-009", "pm1a_evt_blk: address 0x0, length 4"]]' \
    "$out/report.json"
check "the boot CPU alone was asked, and that is said" jq -e \
    '.machine.other_cpus == "the firmware has no MP services: only the boot CPU was asked"' "$out/report.json"
check "clocks were measured" jq -e '[.clocks[] | select(.name == "tsc") | .hz > 100000000] | any' "$out/report.json"
check "each file has its own name" sh -c "ls $out/report.html $out/machine/run.json && ! ls $out/*.part"
check "its report.json is what the schema says" valid_report "$out/report.json"

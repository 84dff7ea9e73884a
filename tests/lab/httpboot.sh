#!/bin/sh
# Started over HTTP, from a web server that DHCP names (dnsmasq, on a tap device of its own), on a machine without a
# medium: docs/booting.md as it stands there. Needs root, for the tap device.
set -eu
. tests/tap.sh

name='a run that came over HTTP ends well'
tap=assay$$
net=192.168.77

for program in ip dnsmasq busybox; do
    command -v "$program" >/dev/null || { skip "$name" "no $program"; exit 0; }
done
ip tuntap add dev "$tap" mode tap 2>/dev/null || { skip "$name" 'no tap device can be made'; exit 0; }
servers=
end() {
    for pid in $servers; do kill "$pid" 2>/dev/null || true; done
    ip link del "$tap"
    rm -rf "$scratch"
    [ "$tap_failed" -eq 0 ] || exit 1
}
trap end EXIT
ip addr add "$net.1/24" dev "$tap"
ip link set "$tap" up

# QEMU as tools/lab starts it, but on that network, and without PXE, which OVMF tries first and for minutes.
cat >"$scratch/qemu" <<END
#!/bin/sh
for word; do
    shift
    case \$word in user,id=net,*) word=tap,id=net,ifname=$tap,script=no,downscript=no ;; esac
    set -- "\$@" "\$word"
done
exec qemu-system-x86_64 "\$@" -fw_cfg name=opt/org.tianocore/IPv4PXESupport,string=n \\
    -fw_cfg name=opt/org.tianocore/IPv6PXESupport,string=n
END
chmod +x "$scratch/qemu"
mkdir "$scratch/www"
cp build/assay.efi "$scratch/www/"
dnsmasq --keep-in-foreground --port=0 --interface="$tap" --bind-interfaces --conf-file=/dev/null --pid-file= \
    --dhcp-leasefile="$scratch/leases" --dhcp-range="$net.10,$net.50,1h" \
    --dhcp-match=set:efihttp,option:client-arch,16 --dhcp-option-force=tag:efihttp,60,HTTPClient \
    --dhcp-boot="tag:efihttp,http://$net.1:8077/assay.efi" >"$scratch/dnsmasq.log" 2>&1 &
servers="$servers $!"
busybox httpd -f -v -p "$net.1:8077" -h "$scratch/www" 2>"$scratch/httpd.log" &
servers="$servers $!"

cat >"$scratch/keys" <<'END'
await The run starts in
key spc
await Past results
key 3
await Assay: results
key q
await Switch off
key 3
END
out=build/test-lab/httpboot
rm -rf "$out"
boot() {
    QEMU=$scratch/qemu tools/lab qemu --netboot --no-screen --timeout 240 --out "$out" --smp 2 --keys "$scratch/keys"
}

# On a busy computer the firmware's download may fail, which is no fault of what is downloaded: once more then.
boot_or_again() {
    boot || { grep -aq 'failed to load.*HTTPv4' "$out/serial.log" && boot; }
}

check "$name" boot_or_again
check 'the server gave it' grep -q 'response:200' "$scratch/httpd.log"
check 'the firmware loaded it from there' grep -aq 'starting Boot.* "UEFI HTTPv4' "$out/serial.log"
check 'it says where the results go' grep -aq 'results go to the serial port' "$out/serial.log"
check 'the report is whole' jq -e '.totals.pass > 0 and .machine.source == "firmware"' "$out/report.json"

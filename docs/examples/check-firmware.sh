#!/bin/sh
# check-firmware.sh CODE [VARS]: boots a firmware image in QEMU with Assay's disk image and judges it. VARS is left out
# for an image in one file. The status is that of the build: 0 good, 1 at least one failure, anything else: the job
# could not be done. JUnit for the CI server is in firmware-report/report.xml.
#
# Run it in Assay's folder, after "make image" (which installs what it needs), or set ASSAY to that folder.
set -eu

code=$1
vars=${2:--}
assay=${ASSAY:-.}
expectations=${EXPECTATIONS:-$assay/docs/examples/product.txt}

exec "$assay/tools/lab" qemu --out firmware-report --firmware "$code" "$vars" --smp 4 --timeout 300 \
    -- --run=quick --expect="$expectations"

#!/bin/sh
# How large the UEFI application is, beside an application that does nothing.
set -eu
. tests/bench/table

bytes() {
    stat -c %s "$1"
}

row "UEFI image, size" "$(calc %.1f "$(bytes build/assay.efi) / 1000")" KB \
    "empty application $(calc %.1f "$(bytes build/empty.efi) / 1000") KB" 1200

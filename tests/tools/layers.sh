#!/bin/sh
# The layer check finds each kind of offence that is planted, and only that.
set -eu
. tests/tap.sh

program=$PWD/build/tools/layers
cd "$scratch"
mkdir -p model rules report drivers/x86 acpi run efi host tests

# plant NAME FILE EXPECTED: standard input becomes FILE; EXPECTED must be its only offence.
plant() {
    cat >"$2"
    check "$1" says "^$2:[0-9]*: $3" "$program" "$2"
    check "$1: one line, status 1" only_one "$2"
}

only_one() {
    status 1 "$program" "$1" >lines
    equal "$(wc -l <lines)" 1
}

plant "model includes nothing above it" model/a.c 'this layer may not include: rules/r.h' <<'END'
#include "rules/r.h"
END
plant "rules do not touch the machine" rules/a.c 'this layer may not include: drivers/hw.h' <<'END'
#include "drivers/hw.h"
END
plant "drivers do not know ACPICA" drivers/a.c 'this layer may not include: acpi/acpi.h' <<'END'
#include "acpi/acpi.h"
END
plant "acpi sees only the seam of drivers" acpi/a.c 'this layer may not include: drivers/clocks.h' <<'END'
#include "acpi/acpi.h"
#include "drivers/clocks.h"
END
plant "code for both worlds does not use that for UEFI" drivers/b.c 'this layer may not include: drivers/x86/' <<'END'
#include "drivers/x86/native.h"
END
plant "no ACPICA in a header of acpi" acpi/a.h 'no ACPICA in a header' <<'END'
#include "acpi/acpi.h"
END
plant "no ACPICA type in a header of acpi" acpi/b.h 'no ACPICA type in a header' <<'END'
int evaluate(acpi_handle handle);
END
plant "nobody includes efi" host/a.c 'this layer may not include: efi/' <<'END'
#include "efi/console.h"
END
plant "nobody includes host" run/a.c 'this layer may not include: host/' <<'END'
#include "host/files.h"
END
plant "an include names its layer" model/b.c 'an include names its layer: units.h' <<'END'
#include "units.h"
END
plant "freestanding headers only" report/a.c 'not a freestanding header: stdio.h' <<'END'
#include <stdio.h>
END
plant "UEFI headers only in efi" drivers/x86/a.c 'not a freestanding header: efi.h' <<'END'
#include <efi.h>
END
plant "no line comments" model/c.c 'forbidden: // comment' <<'END'
int a; // planted
END
plant "no goto" model/d.c 'forbidden: goto' <<'END'
void f(void) { goto out; out: return; }
END
plant "no floating point" model/e.c 'no floating point in the UEFI application: double' <<'END'
static double ratio;
END

cat >model/clean.c <<'END'
#include "model/units.h"

#include <string.h>

/* A comment may say goto, double, // and "a.h". */
const char *const text = "http://goto/double";
/* over
   several lines: float // */
const char quote = '"';
END
cat >host/clean.c <<'END'
#include "host/files.h"
#include "model/units.h"

#include <stdio.h>

static double host_may_use_floating_point;
END
check "clean files are silent" silent "$program" model/clean.c host/clean.c
check "a file outside the layers is an offence" status 1 "$program" elsewhere.c

#!/bin/sh
# Each analyser of `make check` finds a planted fault. An analyser that is not here is skipped aloud.
set -eu
. tests/tap.sh

# planted NAME TOOL COMMAND...
planted() {
    name=$1
    tool=$2
    shift 2
    if command -v "$tool" >/dev/null; then
        check "$name" says "$expected" "$@"
        check "$name: and fails" fails "$@"
    else
        skip "$name" "$tool is not installed"
    fi
}

fails() {
    ! "$@"
}

cat >"$scratch/null.c" <<'END'
#include <stdlib.h>
int planted(void);
int planted(void)
{
    int *memory = malloc(4);
    return *memory;
}
END
cat >"$scratch/zero.c" <<'END'
int planted(int a);
int planted(int a)
{
    int values[2] = {a, a};
    return values[2];
}
END
cat >"$scratch/shape.c" <<'END'
int   planted( int a ) { return a; }
END
cat >"$scratch/clean.c" <<'END'
int planted(int a);
int planted(int a)
{
    return a;
}
END

mkdir -p "$scratch/cache"
cp .clang-tidy "$scratch/"
expected='possibly-NULL'
planted "gcc's analyser finds an unchecked allocation" gcc gcc -Werror -fanalyzer -c -o /dev/null "$scratch/null.c"
expected='Undefined or garbage'
planted "clang-tidy finds a read beyond an array" clang-tidy-14 tools/tidy clang-tidy-14 "$scratch/zero.c" -std=c17
expected='out of bounds'
planted "cppcheck finds a read beyond an array" cppcheck tools/cppcheck "$scratch/cache" 1 "$scratch/zero.c"
expected='clang-formatted'
planted "clang-format finds a misshapen line" clang-format-14 tools/format clang-format-14 check "$scratch/shape.c"
if command -v clang-tidy-14 >/dev/null; then
    check "clang-tidy is silent on a clean file" silent tools/tidy clang-tidy-14 "$scratch/clean.c" -std=c17
fi
check "a formatter of another version says SKIP" says '^SKIP format' tools/format clang-format-0 check "$scratch/shape.c"

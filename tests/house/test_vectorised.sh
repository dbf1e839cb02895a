#!/usr/bin/env bash
# The loops that CN_SYSTEM makes, and those of mathematics over arrays, must be vector code on every
# SIMD path, with gcc and with clang.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
. tests/house/lacking.sh

# expect COMPILER FUNCTION PATTERN
expect() {
    local found
    found=$(objdump -d --no-show-raw-insn --disassemble="$2" "$scratch/$1.o" | grep -cE "$3" || true)
    if ((found == 0)); then
        echo "$1: $2 has no instruction like $3"
        failed=1
    else
        echo "$1: $2 has $found instructions like $3"
    fi
}

for compiler in gcc clang; do
    have "$compiler" || continue
    flags=(-std=c17 -D_GNU_SOURCE -O3 -DNDEBUG -fPIC -ffp-contract=off -fno-math-errno -Iinclude -Isrc)
    "$compiler" "${flags[@]}" -c src/base/math/math_trig_float.c -o "$scratch/$compiler.o"
    expect "$compiler" sincos_usual_scalar '\smulpd.*%xmm'
    expect "$compiler" sincos_usual_avx2 'vmulpd.*%ymm'
    expect "$compiler" sincos_usual_avx512 'vmulpd.*%[yz]mm'
    "$compiler" "${flags[@]}" -c tests/house/vectorised.c -o "$scratch/$compiler.o"
    for system in move_packed move_fields; do
        expect "$compiler" "${system}_in_chunk_scalar" '\smulps.*%xmm'
        expect "$compiler" "${system}_in_chunk_avx2" 'vmulps.*%ymm'
        expect "$compiler" "${system}_in_chunk_avx512" 'vmulps.*%[yz]mm'
    done
done
finish "$failed"

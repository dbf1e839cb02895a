#!/usr/bin/env bash
# test_descriptions.sh LIBRARY: what compilers and linkers make of component descriptions. Two source files that describe
# different types under one name are distinguished with every compiler and linker that is here, also when unused sections are
# removed; and a mistake in a description is one error, at its place, that says what to write instead.
set -euo pipefail
cd "$(dirname "$0")/../.."
library=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
. tests/house/lacking.sh

fail() {
    echo "FAILED: $*"
    failed=1
}

cat >"$scratch/a.c" <<'END'
#include <cairn/ecs.h>
#include <stdio.h>
CN_COMPONENT(State, (u8, mood));
CN_COMPONENT(Shared, (f32, x));
CN_EXTERN_C_BEGIN
CnComponent register_there(CnWorld *world, CnError *error);
CN_EXTERN_C_END
int main(void)
{
    CnWorld *world = cn_world_create(NULL, NULL);
    CnError error[2] = {};
    CnComponentDesc desc = {}, same = {};
    desc.type = &cn_type_State, same.type = &cn_type_Shared;
    bool here = cn_component_register(world, &desc, &error[0]).id != 0;
    bool there = register_there(world, &error[1]).id != 0;
    bool shared = cn_component_register(world, &same, NULL).id != 0;
    printf("%d%d%d %s\n", here, there, shared, error[0].message);
    cn_world_destroy(world);
}
END
cat >"$scratch/b.c" <<'END'
#include <cairn/ecs.h>
CN_COMPONENT(Shared, (f32, x));

CN_COMPONENT(State, (f32, x), (f32, y));
CN_EXTERN_C_BEGIN
CnComponent register_there(CnWorld *world, CnError *error);
CN_EXTERN_C_END
CnComponent register_there(CnWorld *world, CnError *error)
{
    CnComponentDesc desc = {};
    desc.type = &cn_type_State;
    return cn_component_register(world, &desc, error);
}
END

sections='-ffunction-sections -fdata-sections -Wl,--gc-sections'
while read -r compiler flags; do
    have "$compiler" || continue
    # shellcheck disable=SC2086 # the words of a command
    if ! "$compiler" $flags -Iinclude "$scratch/a.c" "$scratch/b.c" "$library" -Wl,-rpath,"$(dirname "$library")" \
        -o "$scratch/program" 2>"$scratch/errors"; then
        fail "$compiler $flags does not build the program: $(head -5 "$scratch/errors")"
        continue
    fi
    said=$(CAIRN_LOG=off "$scratch/program" 2>/dev/null)
    [[ $said == "001 component State is described differently in $scratch/"*".c:"*" and in $scratch/"*".c:"*": rename one of them" ]] ||
        fail "$compiler $flags: $said"
    [[ $said == *"/a.c:3 "* && $said == *"/b.c:4 "* ]] || fail "$compiler $flags: places: $said"
done <<END
gcc -std=c17 -O2 -fuse-ld=bfd
gcc -std=c17 -O2 -fuse-ld=bfd $sections
gcc -std=c17 -O2 -fuse-ld=lld $sections
gcc -std=c17 -O0 -no-pie -fuse-ld=lld
gcc -std=c17 -O2 -flto
clang -std=c17 -O2 -fuse-ld=lld $sections
clang -std=c17 -O2 -fuse-ld=bfd $sections
g++ -x c++ -std=c++17 -O2 -fuse-ld=lld
END

refused() { # FACT DESCRIPTION WORDS
    printf '#include <cairn/ecs.h>\nCN_COMPONENT(Thing, (f32, x), %s, (u32, n));\n' "$2" >"$scratch/c.c"
    for compiler in gcc clang; do
        have $compiler || continue
        if $compiler -std=c17 -Iinclude -fsyntax-only "$scratch/c.c" 2>"$scratch/errors"; then
            fail "$1: $compiler accepts it"
            continue
        fi
        [[ $(grep -c 'error:' "$scratch/errors") == 1 ]] || fail "$1: $compiler gives more than one error"
        grep -qF "$3" "$scratch/errors" || fail "$1: $compiler does not say '$3'"
        grep -qE '/c\.c:2:.*error:' "$scratch/errors" || fail "$1: $compiler does not name the line"
    done
}
refused 'a C type in place of a field type is one error with a hint' '(float, y)' 'Thing.y: float is not a field type; use f32'
refused 'an array of a C type is one error with a hint' '(int, y, 4)' 'Thing.y: int is not a field type; use f32'
refused 'a text without a size is one error with a hint' '(text, s)' 'Thing.s needs a size in bytes, as in (text, s, 32)'

gcc -std=c17 -Iinclude -fsyntax-only "$scratch/c.c" 2>"$scratch/errors" && fail 'c.c compiles'
(($(wc -l <"$scratch/errors") < 15)) || fail "a mistake takes $(wc -l <"$scratch/errors") lines"

finish "$failed"

#!/usr/bin/env bash
# What compilers make of CN_SYSTEM and cn_system: they compile as C17 and as C++17 without a warning, and what they cannot
# honour is an error that names it.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
. tests/house/lacking.sh

fail() {
    echo "FAILED: $*"
    failed=1
}

# source_of TERMS OPTIONS: a program with one system.
source_of() {
    cat <<SOURCE
#include <cairn/ecs.h>
CN_COMPONENT(Position, (f32, x), (f32, y));
CN_COMPONENT(Velocity, (f32, x), (f32, y));
CN_COMPONENT(Sparks, (f32, age), (f32, heat));
CN_TAG(Frozen);
CN_TAG(Enemy);
CN_SYSTEM(move, $1)
{
    *(uint32_t *)context->user += count;
}
CN_EXTERN_C_BEGIN
CnSystem add_systems(CnWorld *world);
CN_EXTERN_C_END
CnSystem add_systems(CnWorld *world)
{
    return cn_system(world, move$2);
}
SOURCE
}

compilers='gcc -std=c17
clang -std=c17
g++ -x c++ -std=c++17
clang++ -x c++ -std=c++17'

accepted() { # FACT TERMS OPTIONS
    source_of "$2" "$3" >"$scratch/a.c"
    while read -r compiler flags; do
        have "$compiler" || continue
        # shellcheck disable=SC2086 # the words of a command
        "$compiler" $flags -O1 -Wall -Wextra -Wno-unused-parameter -Werror -Iinclude -c "$scratch/a.c" -o "$scratch/a.o" \
            2>"$scratch/errors" || fail "$1: $compiler: $(head -5 "$scratch/errors")"
    done <<<"$compilers"
}

refused() { # FACT TERMS OPTIONS WORD
    source_of "$2" "$3" >"$scratch/a.c"
    while read -r compiler flags; do
        have "$compiler" || continue
        # shellcheck disable=SC2086 # the words of a command
        if "$compiler" $flags -Iinclude -fsyntax-only "$scratch/a.c" 2>"$scratch/errors"; then
            fail "$1: $compiler accepts it"
            continue
        fi
        grep -E 'error:' "$scratch/errors" | grep -qF "$4" ||
            fail "$1: $compiler does not name $4: $(head -5 "$scratch/errors")"
    done <<<"$compilers"
}

accepted 'columns' '(write, Position, p), (read, Velocity, v)' ', .stage = CN_STAGE_UPDATE'
accepted 'single fields' '(write, Sparks, age, age), (read, Sparks, heat, heat)' ', .stage = CN_STAGE_UPDATE'
accepted 'terms that select' '(tag, Enemy), (without, Frozen)' ', .stage = CN_STAGE_UPDATE'
accepted 'optional columns' '(optional_read, Position, p), (optional_write, Sparks, age, age)' ', .stage = CN_STAGE_UPDATE'
accepted 'changes' '(read, Position, p), (changed, Position), (changed, Velocity)' ', .stage = CN_STAGE_UPDATE'
accepted 'options' '(write, Position, p)' \
    ', .user = world, .stage = CN_STAGE_UPDATE, .access = {cn_reads(Velocity)}, .after = {"steer"}, .split = true'

refused 'a query is no option' '(write, Position, p)' ', .query = {}' query
refused 'a function is no option' '(write, Position, p)' ', .run = NULL' run
refused 'a name is no option' '(write, Position, p)' ', .name = "walk"' name
refused 'an unknown kind of term' '(write, Position, p), (exclude, Frozen)' '' 'move: exclude is not a kind of term'
refused 'a term that selects has no name' '(write, Position, p), (without, Frozen, f)' '' without
refused 'a tag has no changes' '(write, Position, p), (changed, Frozen)' '' Frozen
many='(tag, Enemy), (tag, Enemy), (tag, Enemy), (tag, Enemy), (tag, Enemy), (tag, Enemy)'
refused 'more terms than a query takes' "$many, $many, $many" '' 'move has more than CN_MAX_TERMS terms'

finish "$failed"

#!/usr/bin/env bash
# test_modules.sh BUILD_DIR: modules.toml decides what is compiled in; a module that is off costs
# nothing, and mistakes in the file are named. Only configures, in a scratch folder.
set -euo pipefail
cd "$(dirname "$0")/../.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
compiler=$(sed -n 's/^CMAKE_C_COMPILER:[A-Z]*=//p' "$1/CMakeCache.txt")
failed=0

configure() { # CONTENT of modules.toml
    printf '%s' "$1" >"$scratch/modules.toml"
    rm -rf "$scratch/build"
    cmake -S . -B "$scratch/build" -G Ninja -DCMAKE_C_COMPILER="$compiler" \
        -DCAIRN_MODULES_FILE="$scratch/modules.toml" -DCMAKE_EXPORT_COMPILE_COMMANDS=ON \
        >"$scratch/output" 2>&1
}
expect() { # WHAT COMMAND...
    if ! "${@:2}"; then
        echo "FAILED: $1"
        failed=1
    fi
}
in_table() { grep -q "&cn_module_census," "$scratch/build/modules/table.c"; }
compiled() { grep -q modules/census/census.c "$scratch/build/compile_commands.json"; }
refused() { # CONTENT WORDS
    ! configure "$1" && tr -s ' \n' ' ' <"$scratch/output" | grep -qF "$2"
}

configure $'[modules]\ncensus = true # counts\n'
expect 'a module that is on is in the table' in_table
expect 'a module that is on is compiled' compiled
configure $'[modules]\ncensus = false\n'
expect 'a module that is off is not in the table' eval '! in_table'
expect 'a module that is off is not compiled' eval '! compiled'
configure ''
expect 'a module that is not named is off' eval '! in_table && ! compiled'
expect 'an unknown module is named' refused $'[modules]\nnobody = true\n' 'modules.toml:2: there is no module nobody'
expect 'a module listed twice is named' refused $'census = true\ncensus = true\n' 'modules.toml:2: module census is listed twice'
expect 'a line that is no setting is named' refused $'census = maybe\n' 'modules.toml:1: expected'
exit "$failed"

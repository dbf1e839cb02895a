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
read_file() { # CONTENT of modules.toml: the parser alone
    printf '%s' "$1" >"$scratch/modules.toml"
    cmake -D FILE="$scratch/modules.toml" -D FOLDER="$PWD/modules" -P cmake/modules_file.cmake >"$scratch/output" 2>&1
}
accepted() { # CONTENT
    read_file "$1" && grep -qx 'modules: census' "$scratch/output"
}
refused() { # CONTENT WORDS
    ! read_file "$1" && tr -s ' \n' ' ' <"$scratch/output" | grep -qF "$2"
}

configure $'[modules]\ncensus = true # counts\n'
expect 'a module that is on is in the table' in_table
expect 'a module that is on is compiled' compiled
expect 'a mistake ends the configuration' eval '! configure "nobody = true"'
configure $'[modules]\ncensus = false\n'
expect 'a module that is off is not in the table' eval '! in_table'
expect 'a module that is off is not compiled' eval '! compiled'
configure ''
expect 'a module that is not named is off' eval '! in_table && ! compiled'
expect 'an unknown module is named' refused $'[modules]\nnobody = true\n' 'modules.toml:2: unknown module nobody'
expect 'a module listed twice is named' refused $'census = true\ncensus = true\n' 'modules.toml:2: module census is listed twice'
expect 'a line that is no setting is named' refused $'census = maybe\n' 'modules.toml:1: expected'
while read -r -d '' content; do
    expect "what is beside a setting does not hide it: ${content@Q}" accepted "$content"
done < <(printf '%s\0' $'# list [see docs\ncensus = true\n' $'# a ] b [ c\n[modules]\ncensus = true\n' $'# "quoted\ncensus = true' \
    $'# x; y [\ncensus = true # [1\n' $'# ends with \\\ncensus = true\n' $'[modules] # [\r\ncensus = true\r\n' \
    $'\xEF\xBB\xBF[modules]\n\tcensus\t=\ttrue\n' $'# ${x} $ENV{HOME} @y@\ncensus = true\n')
expect 'another table is named' refused $'census = true\n[other]\n' 'modules.toml:2: expected the table [modules]: [other]'
expect 'an unclosed table is named' refused $'# [\n[modules\ncensus = true\n' 'modules.toml:2: expected the table [modules]: [modules'
expect 'a table that is there twice is named' refused $'[modules]\n[modules]\n' 'modules.toml:2: duplicate table [modules]'
expect 'a table behind its modules is named' refused $'census = true\n[modules]\n' 'modules.toml:2: the table [modules] must come before'
expect 'a quoted name is named' refused $'# [\n\n"census" = true\n' 'modules.toml:3: expected'
expect 'a semicolon is named' refused $'# ;[\ncensus = true; nobody = true\n' 'modules.toml:2: expected'
expect 'a list is named' refused $'modules = [\n"census"]\n' 'modules.toml:1: expected'
exit "$failed"

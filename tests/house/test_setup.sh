#!/usr/bin/env bash
# tools/setup on machines that do not exist: every command it calls is a stub in a scratch folder.
set -euo pipefail

setup=$PWD/tools/setup
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

# The stubs note what they were called with; variables of the test decide what they answer.
stub() {
    printf '#!%s\n%s\n' "$BASH" "$2" >"$machine/$1"
    chmod +x "$machine/$1"
}
new_machine() {
    machine=$scratch/machine
    rm -rf "$machine"
    mkdir "$machine"
    : >"$scratch/calls"
    ln -s "$(command -v env)" "$machine/env"
    stub id 'echo 0'
    stub apt-get "echo \"apt-get \$*\" >>$scratch/calls"
    # Everything asked for is installed, but for the packages in $absent and $removed.
    stub dpkg-query '
        for package in "${@:4}"; do
            case " $absent " in *" $package "*) continue ;; esac
            case " $removed " in
            *" $package "*) echo "$package config-files" ;;
            *) echo "$package installed" ;;
            esac
        done
        [[ -z $absent ]]'
    export absent= removed=
}
run_setup() {
    status=0
    PATH=$machine "$BASH" "$setup" >"$scratch/output" 2>&1 || status=$?
}
expect() {
    if ! eval "$2"; then
        printf 'FAILED: %s\n  expected %s, status %s\n' "$1" "$2" "$status"
        sed 's/^/  output: /' "$scratch/output"
        sed 's/^/  called: /' "$scratch/calls"
        failures=$((failures + 1))
    fi
}
printed() { grep -qF -- "$1" "$scratch/output"; }
called() { grep -qxF -- "$1" "$scratch/calls"; }
called_nothing() { [[ ! -s $scratch/calls ]]; }

new_machine
run_setup
expect 'nothing missing: succeeds' '((status == 0))'
expect 'nothing missing: is silent' '[[ ! -s $scratch/output ]]'
expect 'nothing missing: installs nothing' called_nothing

new_machine
absent='libcmocka-dev ninja-build'
run_setup
expect 'root: succeeds' '((status == 0))'
expect 'root: says what and why' 'printed "libcmocka-dev       the unit tests"'
expect 'root: does not mention what is there' '! printed libxxhash-dev'
expect 'root: fetches the lists' 'called "apt-get update"'
expect 'root: installs exactly what is missing' \
    'called "apt-get install -y --no-install-recommends ninja-build libcmocka-dev"'

new_machine
removed=cmake
run_setup
expect 'a removed package with its settings kept counts as missing' \
    'called "apt-get install -y --no-install-recommends cmake"'

new_machine
absent=clang
stub id 'echo 1000'
stub sudo "echo \"sudo \$1\" >>$scratch/calls; exec \"\$@\""
run_setup
expect 'user with sudo: succeeds' '((status == 0))'
expect 'user with sudo: asks for rights' 'called "sudo env"'
expect 'user with sudo: installs' 'called "apt-get install -y --no-install-recommends clang"'

new_machine
absent='clang python3'
stub id 'echo 1000'
run_setup
expect 'user without sudo: fails' '((status == 1))'
expect 'user without sudo: calls nothing' called_nothing
expect 'user without sudo: gives the command to run' 'printed \
    "apt-get update && apt-get install -y --no-install-recommends clang python3"'

new_machine
absent=cmake
stub apt-get 'exit 100'
run_setup
expect 'apt-get fails: fails' '((status == 1))'
expect 'apt-get fails: says so' 'printed "apt-get failed"'

new_machine
rm "$machine/dpkg-query"
run_setup
expect 'not Debian, no compiler: fails' '((status == 1))'
expect 'not Debian, no compiler: lists what is needed' 'printed libxxhash-dev'
stub cmake ''
stub cc ''
run_setup
expect 'not Debian, cmake and cc there: goes on' '((status == 0))'
expect 'not Debian: installs nothing' called_nothing

if ((failures > 0)); then
    exit 1
fi

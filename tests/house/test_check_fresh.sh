#!/usr/bin/env bash
# tools/check-fresh says what is missing, leaves nothing behind, and reports each command. mmdebstrap, the other root and
# its commands are stubs: the real ones run in `make soak`.
set -uo pipefail
cd "$(dirname "$0")/../.." || exit 1
tree=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failed=0
mkdir -p "$scratch/bin" "$scratch/tmp" "$scratch/tree/tools"
cp tools/check-fresh "$scratch/tree/tools/"
printf 'ID=debian\nVERSION_ID="12"\n' >"$scratch/debian12"
printf 'ID=debian\nVERSION_ID="13"\n' >"$scratch/debian13"

stub() { # NAME BODY
    printf '#!/usr/bin/env bash\n%s\n' "$2" >"$scratch/bin/$1"
    chmod +x "$scratch/bin/$1"
}
# shellcheck disable=SC2016
{
    stub id 'echo "${STUB_UID-0}"'
    stub mmdebstrap '[[ -z ${STUB_NO_NETWORK-} ]] || { echo "E: no network"; exit 1; }
        for argument; do [[ $argument == */root ]] && mkdir -p "$argument/etc" "$argument/srv"; done; exit 0'
    stub git 'case $1 in clone) mkdir -p "${@: -1}/out"; [[ -n ${STUB_NO_IMAGE-} ]] || touch "${@: -1}/out/a.png" ;;
        rev-parse) echo abc1234 ;; esac'
    stub unshare 'command="${*: -2}"
        if [[ $command == "make ${STUB_FAILS-nothing}" ]]; then echo "7 passed, 1 failed, 2 skipped"; exit 1; fi
        [[ $command == "make run" ]] || echo "8 passed, 0 failed, 0 skipped"'
}

# STATUS PATTERN ARGUMENT...: with the settings in $settings
expect() {
    local expected=$1 words=$2 status=0
    shift 2
    (cd "$scratch/tree" && env CAIRN_OS_RELEASE="$scratch/debian12" "${settings[@]}" PATH="$scratch/bin:$PATH" \
        TMPDIR="$scratch/tmp" tools/check-fresh "$@") >"$scratch/output" 2>&1 || status=$?
    if [[ $status != "$expected" ]] || ! grep -qE -- "$words" "$scratch/output"; then
        printf 'FAILED: check-fresh %s (%s): status %s, expected %s and "%s"\n' "$*" "${settings[*]}" "$status" "$expected" \
            "$words"
        sed 's/^/    /' "$scratch/output"
        failed=1
    fi
    if [[ -n $(ls "$scratch/tmp") ]]; then
        echo "FAILED: check-fresh $* leaves a root behind"
        failed=1
    fi
}

settings=(_=)
expect 0 '--all' --help
expect 2 'usage:' --nonsense
expect 0 '^test +[0-9]+ s  ok: 8 passed, 0 failed, 0 skipped'
expect 0 '^test-all +[0-9]+ s  ok: 8 passed, 0 failed, 0 skipped' --all
settings=(STUB_FAILS=test)
expect 1 'FAILED, status 1: 7 passed, 1 failed, 2 skipped'
settings=(STUB_NO_IMAGE=1)
expect 1 'no screenshot in out/'
settings=(STUB_UID=1000)
expect 1 'only root can'
settings=(STUB_NO_NETWORK=1)
expect 1 'cannot build the root'
settings=(CAIRN_OS_RELEASE="$scratch/debian13")
expect 1 'is not Debian 12'
cd "$tree" || exit 1
exit "$failed"

# shellcheck shell=bash
# Sourced by tests that run one program many times. The caller sets `program` to its path.
#
#     expect STATUS ARGUMENT...          runs it; its output is in $scratch/out and $scratch/err
#     refuses STATUS WORDS ARGUMENT...   it fails with one line on stderr that contains WORDS
#     says WORDS                         the last run printed WORDS
#     fail MESSAGE                       reports a failure and counts it in $failed

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export XDG_STATE_HOME=$scratch/state # of crash reports
failed=0

fail() {
    echo "FAILED: $*" >&2
    sed 's/^/    /' "$scratch/out" "$scratch/err" >&2
    failed=$((failed + 1))
}

expect() {
    local expected=$1 status=0
    shift
    "$program" "$@" >"$scratch/out" 2>"$scratch/err" </dev/null || status=$?
    [[ $status == "$expected" ]] ||
        fail "${program##*/} $* ends with status $status, expected $expected"
    # Whatever files and names contain, no control character reaches a terminal.
    if LC_ALL=C grep -qP '[\x00-\x08\x0b-\x1f\x7f]' "$scratch/out" "$scratch/err"; then
        fail "${program##*/} $* prints control characters"
    fi
}

says() {
    grep -qF -- "$1" "$scratch/out" || fail "\"$1\" is not printed"
}

refuses() {
    local status=$1 words=$2
    shift 2
    expect "$status" "$@"
    if [[ $(wc -l <"$scratch/err") != 1 ]] || ! grep -qF -- "$words" "$scratch/err"; then
        fail "${program##*/} $* does not say \"$words\" in one line"
    fi
}

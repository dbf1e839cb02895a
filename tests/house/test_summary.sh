#!/usr/bin/env bash
# tools/test adds up its parts, goes on after a failure, and fails if any part did. The build and
# the tests are stubs: a part's line in $results is its ctest closing line, or how it fails.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0

cat >"$scratch/cmake" <<'STUB'
#!/usr/bin/env bash
[[ $results != *"${*: -1} does not build"* ]]
STUB
cat >"$scratch/ctest" <<'STUB'
#!/usr/bin/env bash
line=$(grep "^$2 " <<<"$results") || exit 0
echo "${line#* }"
[[ $line == *" 0 tests failed"* ]]
STUB
chmod +x "$scratch/cmake" "$scratch/ctest"

# what, expected status, expected last line, then the parts' results
expect() {
    local status=0
    export results=$4
    PATH=$scratch:$PATH tools/test release validate asan tsan >"$scratch/output" 2>&1 || status=$?
    if [[ $status != "$2" || $(tail -n 1 "$scratch/output") != "$3" ]]; then
        printf 'FAILED: %s\n  status %s, expected %s and last line "%s"\n' "$1" "$status" "$2" "$3"
        sed 's/^/  /' "$scratch/output"
        failures=$((failures + 1))
    fi
}

expect 'tests of all parts are added' 0 '32 passed, 0 failed' \
'release 100% tests passed, 0 tests failed out of 12
validate 100% tests passed, 0 tests failed out of 10
asan 100% tests passed, 0 tests failed out of 10'

expect 'a failure in one part is counted, and the parts after it run' 1 '29 passed, 2 failed' \
'release 82% tests passed, 2 tests failed out of 11
validate 100% tests passed, 0 tests failed out of 10
asan 100% tests passed, 0 tests failed out of 10'

expect 'a part that does not build is one failure' 1 '20 passed, 1 failed' \
'release 100% tests passed, 0 tests failed out of 10
validate does not build
asan 100% tests passed, 0 tests failed out of 10'

if ((failures > 0)); then
    exit 1
fi

#!/usr/bin/env bash
# tools/test adds up its parts, counts what was skipped, goes on after a failure, and fails if any part did. The build
# and the tests are stubs, in a copy of the tree's tools: a part's lines in $results are what its ctest closes with, or
# how it fails, and its lines in $logs are those of ctest's log.
set -euo pipefail

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
failures=0
mkdir "$scratch/tools" "$scratch/bin"
cp tools/test "$scratch/tools"

cat >"$scratch/bin/cmake" <<'STUB'
#!/usr/bin/env bash
[[ $results != *"${*: -1} does not build"* ]]
STUB
cat >"$scratch/bin/ctest" <<'STUB'
#!/usr/bin/env bash
mkdir -p "build/$2/Testing/Temporary"
sed -n "s/^$2 //p" <<<"$logs" >"build/$2/Testing/Temporary/LastTest.log"
lines=$(sed -n "s/^$2 //p" <<<"$results")
echo "$lines"
[[ -z $lines || $lines == *" 0 tests failed"* ]]
STUB
cat >"$scratch/tools/check-determinism" <<'STUB'
#!/usr/bin/env bash
sed -n 's/^determinism //p' <<<"$results"
[[ $results != *"runs differ"* ]]
STUB
chmod +x "$scratch"/bin/* "$scratch/tools/check-determinism"

check() { # what, expected status, expected last line, the parts
    local status=0
    PATH=$scratch/bin:$PATH "$scratch/tools/test" "${@:4}" >"$scratch/output" 2>&1 || status=$?
    if [[ $status != "$2" || $(tail -n 1 "$scratch/output") != "$3" ]]; then
        printf 'FAILED: %s\n  status %s, expected %s and last line "%s"\n' "$1" "$status" "$2" "$3"
        sed 's/^/  /' "$scratch/output"
        failures=$((failures + 1))
    fi
}

expect() { # what, expected status, expected last line, the parts' results, ctest's logs
    export results=$4 logs=${5-}
    check "${@:1:3}" release validate asan tsan
}

expect_parts() { # what, expected status, expected last line, results, parts
    export results=$4 logs=
    check "${@:1:3}" "${@:5}"
}

expect 'tests of all parts are added' 0 '32 passed, 0 failed, 0 skipped' \
'release 100% tests passed, 0 tests failed out of 12
validate 100% tests passed, 0 tests failed out of 10
asan 100% tests passed, 0 tests failed out of 10'

expect 'a failure in one part is counted, and the parts after it run' 1 '29 passed, 2 failed, 0 skipped' \
'release 82% tests passed, 2 tests failed out of 11
validate 100% tests passed, 0 tests failed out of 10
asan 100% tests passed, 0 tests failed out of 10'

expect 'a part that does not build is one failure' 1 '20 passed, 1 failed, 0 skipped' \
'release 100% tests passed, 0 tests failed out of 10
validate does not build
asan 100% tests passed, 0 tests failed out of 10'

expect 'nothing is skipped, whatever the log of the tests says' 0 '10 passed, 0 failed, 0 skipped' \
'release 100% tests passed, 0 tests failed out of 10' \
'release 1/10 Testing: unit.gpu.draw
release [  PASSED  ] 4 test(s).
release Test Passed.'

expect 'a test that was skipped has not passed' 0 '18 passed, 0 failed, 2 skipped' \
'release 100% tests passed, 0 tests failed out of 10
release The following tests did not run:
release 	  3 - unit.gpu.draw (Skipped)
release 	 10 - unit.gpu.window (Skipped)
asan 100% tests passed, 0 tests failed out of 10'

expect 'a program with cases that were skipped has not passed' 0 '9 passed, 0 failed, 1 skipped' \
'release 100% tests passed, 0 tests failed out of 10
release The following tests did not run:
release 	  1 - unit.gpu.draw (Skipped)' \
'release 1/10 Testing: unit.gpu.draw
release [  PASSED  ] 4 test(s).
release [  SKIPPED ] 2 test(s), listed below:
release [  SKIPPED ] one
release [  SKIPPED ] two
release Test Passed.
release 2/10 Testing: unit.gpu.choice
release [  PASSED  ] 7 test(s).
release Test Passed.'

grep -qxF '    skipped: unit.gpu.draw: one two' "$scratch/output" || {
    echo 'FAILED: the cases that were skipped beside others are named'
    failures=$((failures + 1))
}

expect 'a program that only skipped is one test' 0 '9 passed, 0 failed, 1 skipped' \
'release 100% tests passed, 0 tests failed out of 10
release The following tests did not run:
release 	  3 - unit.gpu.draw (Skipped)' \
'release 3/10 Testing: unit.gpu.draw
release [  PASSED  ] 0 test(s).
release [  SKIPPED ] 3 test(s), listed below:
release [  SKIPPED ] one
release Test Passed.'

grep -qxF '    skipped: unit.gpu.draw' "$scratch/output" || {
    echo 'FAILED: of a program that only skipped, the name is enough'
    failures=$((failures + 1))
}

expect_parts 'the release is tested when nothing is named' 0 '12 passed, 0 failed, 0 skipped' \
'release 100% tests passed, 0 tests failed out of 12
asan 100% tests passed, 0 tests failed out of 10'

expect_parts 'compilers that agree are one test' 0 '1 passed, 0 failed, 0 skipped' \
'determinism 28 runs agree' determinism

expect_parts 'compilers that differ are a failure' 1 '0 passed, 1 failed, 0 skipped' \
'determinism 2 of 28 runs differ' determinism

expect_parts 'a compiler that is not there is skipped' 0 '1 passed, 0 failed, 1 skipped' \
'determinism not compared: clang -O2, because clang is not installed
determinism 28 runs agree' determinism

expect_parts 'an unknown part is refused' 2 \
'test: unknown part nonsense; the parts are release debug validate asan tsan determinism' '' nonsense

if ((failures > 0)); then
    exit 1
fi

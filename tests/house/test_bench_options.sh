#!/usr/bin/env bash
# Every benchmark explains its options, and refuses invalid ones in one line with status 2.
# Usage: test_bench_options.sh path/to/bin
set -uo pipefail
. "$(dirname "$0")/program.sh"

for program in "$1"/bench_*; do
    expect 0 --help
    says --json
    refuses 2 '--nonsense' --nonsense
    expect 0 --help
    if grep -q -- '--runs N' "$scratch/out"; then
        refuses 2 '--runs needs a number from 1 to ' --runs
        for value in 0 -1 3x x '' 99999999999999999999; do
            refuses 2 "--runs needs a number from 1 to " --runs "$value"
        done
    fi
    if grep -q -- '--only NAME' "$scratch/out"; then
        refuses 2 '"nothing"' --only nothing
    fi
done
((failed == 0))

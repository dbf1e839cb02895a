#!/usr/bin/env bash
# bench_math measures every function and prints lines that other programs can read. Says nothing about
# speed. Usage: test_bench_math.sh path/to/bench_math
set -euo pipefail

"$1" --quick --json | python3 -c '
import json
import sys

machine, *lines = [json.loads(line) for line in sys.stdin]
assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys(), machine
names = [line["function"] for line in lines]
assert len(set(names)) == len(names), "a function appears twice"
for name in "sin cos sincos tan asin acos atan atan2 exp exp2 log log2 pow hypot sqrt fmod".split():
    assert name in names and name + "f" in names, name
assert all(line["ns"] >= 0 and line["libm_ns"] >= 0 for line in lines)
'

status=0
"$1" --unknown >/dev/null 2>&1 || status=$?
if [[ $status != 2 ]]; then
    echo "FAILED: bench_math --unknown ends with status $status, expected 2"
    exit 1
fi

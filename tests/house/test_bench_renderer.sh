#!/usr/bin/env bash
# bench_renderer measures frames and prints lines that other programs can read. Says nothing about speed.
# Usage: test_bench_renderer.sh path/to/bench_renderer
set -euo pipefail

"$1" --quick --json | python3 -c '
import json
import sys

machine, *lines = [json.loads(line) for line in sys.stdin]
assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys(), machine
assert [line["workload"] for line in lines] == ["moving", "rest"], lines
assert all(line["n"] == 10000 and line["threads"] == 1 for line in lines), lines
assert all(line["ns"] > 0 and line["raw_ns"] > 0 for line in lines), lines
'

status=0
"$1" --unknown >/dev/null 2>&1 || status=$?
if [[ $status != 2 ]]; then
    echo "FAILED: bench_renderer --unknown ends with status $status, expected 2"
    exit 1
fi

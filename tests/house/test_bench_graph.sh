#!/usr/bin/env bash
# bench_graph measures graphs of several sizes and prints lines that other programs can read. Says nothing about
# speed. Usage: test_bench_graph.sh path/to/bench_graph
set -euo pipefail

"$1" --quick --json | python3 -c '
import json
import sys

machine, *lines = [json.loads(line) for line in sys.stdin]
assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys(), machine
found = {(line["workload"], line["n"]) for line in lines}
assert len(found) == len(lines), "a workload appears twice"
assert {("declare", 61), ("compile", 61)} <= found, found
assert all(line["threads"] == 1 and line["ns"] > 0 and line["raw_ns"] > 0 for line in lines)
'

status=0
"$1" --unknown >/dev/null 2>&1 || status=$?
if [[ $status != 2 ]]; then
    echo "FAILED: bench_graph --unknown ends with status $status, expected 2"
    exit 1
fi

#!/usr/bin/env bash
# bench_post measures passes in both forms and prints lines that other programs can read. Says nothing about
# speed. Usage: test_bench_post.sh path/to/bench_post
set -euo pipefail
. "$(dirname "$0")/lacking.sh"
have_device "$(dirname "$1")" || finish 0

"$1" --quick --json | python3 -c '
import json
import sys

machine, *lines = [json.loads(line) for line in sys.stdin]
assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys(), machine
found = {(line["workload"], line["n"]) for line in lines}
assert len(found) == len(lines), "a workload appears twice"
assert {name for name, _ in found} == {
    "bloom first", "bloom down", "bloom up", "bloom", "ao", "ao blur", "ao full", "dof half", "dof blur", "dof"}, found
assert all(line["threads"] == 1 and line["ns"] > 0 and line["raw_ns"] > 0 for line in lines)
'

status=0
"$1" --unknown >/dev/null 2>&1 || status=$?
if [[ $status != 2 ]]; then
    echo "FAILED: bench_post --unknown ends with status $status, expected 2"
    exit 1
fi

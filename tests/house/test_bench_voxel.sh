#!/usr/bin/env bash
# bench_voxel measures every workload it promises and prints lines that other programs can read. Says
# nothing about speed. Usage: test_bench_voxel.sh path/to/bench_voxel
set -euo pipefail

"$1" --quick --json | python3 -c '
import json
import sys

machine, *lines = [json.loads(line) for line in sys.stdin]
assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys(), machine
cases = [(line["workload"], line["n"], line["threads"]) for line in lines]
assert len(set(cases)) == len(cases), "a case appears twice"
names = {line["workload"] for line in lines}
WANTED = """
    perlin_24 perlin_5 generate_surface generate_underground generate_sky mesh_surface
    mesh_surface_lit fill_view bytes_per_chunk
""".split()
for name in WANTED:
    assert name in names, name
for line in lines:
    assert line["ns"] > 0 and (line["raw_ns"] is None or line["raw_ns"] > 0), line
'

for options in --unknown --only "--only nothing" "--runs none"; do
    status=0
    # shellcheck disable=SC2086 # an option and its value
    "$1" $options >/dev/null 2>&1 || status=$?
    if [[ $status != 2 ]]; then
        echo "FAILED: bench_voxel $options ends with status $status, expected 2"
        exit 1
    fi
done

#!/usr/bin/env bash
# bench_ecs measures every workload it promises and prints lines that other programs can read.
# Says nothing about speed. Usage: test_bench.sh path/to/bench_ecs
set -euo pipefail

bench=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

"$bench" --quick --json >"$scratch/packed"
"$bench" --quick --json --layout both >"$scratch/both"

python3 - "$scratch/packed" "$scratch/both" <<'CHECK'
import json
import math
import sys

WORKLOADS = """
    iterate_move fragmented_26 create_pv create_pv_bulk destroy_order destroy_random add_remove_tag
    observe_add_remove add_remove_component bulk_add_remove get_random deferred_add_remove deferred_spawn
    event query_create_1000 query_empty new_archetype_100_queries sorted_query_update grouped_query
    tree_transforms tick_100_systems split_send split_silent bytes_per_entity changes_per_entity world_clone
    world_create_destroy
""".split()


def refuse_constant(name):
    raise ValueError(f"{name} is not JSON")


def read(path):
    with open(path, encoding="utf-8") as lines:
        machine, *results = [json.loads(line, parse_constant=refuse_constant) for line in lines]
    assert {"machine", "cores", "l1d_kib", "l2_kib", "l3_kib", "huge_pages"} <= machine.keys()
    return results


def is_time(value):
    return isinstance(value, (int, float)) and math.isfinite(value) and value >= 0


def case(line):
    return line["workload"], line["n"], line["threads"]


packed, both = (read(path) for path in sys.argv[1:])
for line in packed + both:
    assert {"workload", "n", "threads", "ns", "raw_ns"} <= line.keys(), line
    assert line["workload"] in WORKLOADS, line
    assert line["n"] >= 1 and line["threads"] in (1, 2), line
    assert is_time(line["ns"]) and (line["raw_ns"] is None or is_time(line["raw_ns"])), line

names = list(dict.fromkeys(line["workload"] for line in packed))
assert names == WORKLOADS, f"expected {WORKLOADS} in this order, found {names}"
assert len({case(line) for line in packed}) == len(packed), "a case appears twice"
assert not any("layout" in line for line in packed), "packed lines name no layout"
assert any(case(line)[0] == "iterate_move" and case(line)[2] == 2 for line in packed)
assert [case(line) for line in both if "layout" not in line] == [case(line) for line in packed]
fields = [line for line in both if line.get("layout") == "fields"]
assert [case(line) for line in fields] == [case(line) for line in packed]
CHECK

expect_refusal() {
    local status=0
    "$bench" "$@" >"$scratch/output" 2>"$scratch/message" || status=$?
    if [[ $status != 2 || ! -s $scratch/message ]]; then
        echo "FAILED: bench_ecs $* ends with status $status, expected 2 and a message"
        exit 1
    fi
}
expect_refusal --unknown
expect_refusal --only
expect_refusal --only nothing
expect_refusal --layout sideways
expect_refusal --runs none

#!/usr/bin/env python3
"""Checks that simulation code is deterministic: it must use the math functions of <cairn/base/math.h>,
the tick for time, random streams for random numbers, and its own sorts. The functions of the C library
differ between versions and machines.

With --objects, checks the imports of the compiled objects as well, which include those added by macros,
inline functions and the compiler.

Usage: check_sim.py [--objects FOLDER]... [root of the tree]

FOLDER holds objects by the paths of their sources, such as build/release/CMakeFiles/cairn_objects.dir.
"""

import argparse
import re
import subprocess
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from check_arrows import INCLUDE, without_comments

MODULES = ("ecs", "sim", "input", "scene", "voxel", "physics", "script")
# Simulation code: these modules with their public headers, and these folders, where they exist.
FOLDERS = ("scenes", "games/*/world", "games/*/sim", "modules")

MATH, CLOCK, RANDOM, SORT = "mathematics", "the clock", "random numbers", "sorting"
FUNCTIONS = {
    MATH: """sin cos tan sincos asin acos atan atan2 sinh cosh tanh asinh acosh atanh exp exp2 exp10
             expm1 log log2 log10 log1p pow cbrt hypot erf erfc tgamma lgamma""",
    CLOCK: "time clock gettimeofday clock_gettime timespec_get cn_clock_ns cn_clock_thread_ns",
    RANDOM: """rand rand_r srand random random_r srandom drand48 erand48 lrand48 nrand48 mrand48
               jrand48 srand48 getrandom getentropy arc4random""",
    SORT: "qsort qsort_r bsearch",
}
HEADERS = {
    "math.h": MATH, "tgmath.h": MATH, "complex.h": MATH, "fenv.h": MATH,
    "time.h": CLOCK, "sys/time.h": CLOCK, "cairn/base/clock.h": CLOCK, "sys/random.h": RANDOM,
}
# (file, what it may use): why it does not affect the state of a world.
ALLOWED = {
    ("src/ecs/snapshot/snapshot_apply.c", SORT): "equal items are identical, so every sort gives the same result",
    ("src/ecs/snapshot/snapshot_write.c", SORT): "no two items are equal, so every sort gives the same result",
    ("src/scene/file/world_json_read.c", SORT): "equal items are identical, so every sort gives the same result",
    ("src/ecs/entity/tree_order.c", SORT): "no two items are equal, so every sort gives the same result",
    ("src/script/sandbox/budget.c", CLOCK): "last resort against scripts that hang the process",
    ("src/script/sandbox/hidden_work.c", SORT): "the largest operation of a line counts, so every sort gives the same result",
    ("src/script/bind/bind_subscription.c", SORT): "ids and places are unique, so every sort gives the same result",
    ("src/script/runtime/script_owners_save.c", SORT): "objects with numbers are unique, so every sort gives the same result",
    ("src/ecs/schedule/stage_run.c", CLOCK): "measures the cost of systems to distribute them over threads",
}

KIND_OF = {}
for kind, names in FUNCTIONS.items():
    for name in names.split():
        variants = ("", "f", "l") if kind == MATH else ("",)
        KIND_OF.update({name + variant: kind for variant in variants})

STRING = re.compile(r'"(?:\\.|[^"\\\n])*"')
# A call, but not of a member or a longer name.
CALL = re.compile(r"(?<![\w.])(?<!->)(?:__builtin_)?(" + "|".join(KIND_OF) + r")\s*\(")


def sources(root):
    """Yields the files of simulation code, relative to the root."""
    places = [pattern.format(module) for module in MODULES
              for pattern in ("src/{}", "include/cairn/{}", "include/cairn/{}.h")]
    for place in (*places, *FOLDERS):
        for found in sorted(root.glob(place)):
            inside = sorted(found.rglob("*")) if found.is_dir() else [found]
            yield from (path.relative_to(root) for path in inside if path.suffix in (".c", ".h"))


def uses_of(text):
    """Yields (line, kind, what) for every forbidden use in a source text."""
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        if match.group(2) in HEADERS:
            line = text.count("\n", 0, match.start(2)) + 1
            yield line, HEADERS[match.group(2)], f"includes {match.group(2)}"
    text = STRING.sub(lambda found: '"' + " " * (len(found.group(0)) - 2) + '"', text)
    for match in CALL.finditer(text):
        line = text.count("\n", 0, match.start(1)) + 1
        yield line, KIND_OF[match.group(1)], f"calls {match.group(1)}"


def check(root, allowed=None):
    """Returns the errors in the sources, one line each."""
    root = Path(root).resolve()
    allowed = ALLOWED if allowed is None else allowed
    found, unused = [], {entry for entry in allowed if (root / entry[0]).is_file()}
    for path in sources(root):
        for line, kind, what in sorted(uses_of((root / path).read_text())):
            if (str(path), kind) in allowed:
                unused.discard((str(path), kind))
            else:
                found.append(f"{path}:{line}: {what}: not allowed in simulation code ({kind})")
    found += [f"{path}: the exception for {kind} is no longer needed" for path, kind in sorted(unused)]
    return found


def imports_of(path):
    listed = subprocess.run(["nm", "-u", "-P", path], check=True, capture_output=True, text=True)
    return [line.split()[0] for line in listed.stdout.splitlines()]


def check_objects(root, folder):
    """Returns the errors in the objects of existing sources."""
    found = []
    for place in (*(f"src/{module}" for module in MODULES), *FOLDERS):
        for path in sorted(Path(folder).glob(f"{place}/**/*.o")):
            source = path.relative_to(folder).parent / f"{path.name.split('.')[0]}.c"
            if not (Path(root) / source).is_file():
                continue
            for name in imports_of(path):
                kind = KIND_OF.get(name.split("@")[0])
                if kind and (str(source), kind) not in ALLOWED:
                    found.append(
                        f"{source}: its object imports {name}: not allowed in simulation code ({kind})")
    return found


def main():
    parser = argparse.ArgumentParser(usage="check_sim.py [--objects FOLDER]... [root of the tree]")
    parser.add_argument("root", nargs="?", default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--objects", action="append", default=[])
    options = parser.parse_args()
    found = check(options.root)
    for folder in options.objects:
        found += check_objects(options.root, folder)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

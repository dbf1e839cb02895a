#!/usr/bin/env python3
"""tools/check_sim.py finds everything that would make a simulation differ, and nothing else."""

import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_sim


class Simulation(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def right(self, path, text):
        self.write(path, text)
        self.assertEqual([], check_sim.check(self.root))

    def wrong(self, path, text, *expected):
        self.write(path, text)
        self.assertEqual([f"{path}:{line}" for line in expected], check_sim.check(self.root))

    def test_every_function_is_found(self):
        for name, kind in check_sim.KIND_OF.items():
            with self.subTest(name):
                self.wrong("src/sim/a.c", f"int i;\nint x = {name}(0);\n",
                           f"2: calls {name}: not allowed in simulation code ({kind})")

    def test_every_header_is_found(self):
        for name, kind in check_sim.HEADERS.items():
            with self.subTest(name):
                self.wrong("src/sim/a.c", f"#  include <{name}>\n",
                           f"1: includes {name}: not allowed in simulation code ({kind})")

    def test_float_and_long_double_variants_are_found(self):
        self.wrong("src/ecs/a.c", "float s = sinf(x);\nlong double p = powl (x, y);\n",
                   "1: calls sinf: not allowed in simulation code (mathematics)",
                   "2: calls powl: not allowed in simulation code (mathematics)")

    def test_builtins_are_found(self):
        self.wrong("src/ecs/a.c", "float s = -__builtin_sinf(x);\n",
                   "1: calls sinf: not allowed in simulation code (mathematics)")

    def test_a_call_over_two_lines_is_found(self):
        self.wrong("src/ecs/a.c", "x = qsort\n(a, b, c, d);\n",
                   "1: calls qsort: not allowed in simulation code (sorting)")

    def test_every_place_of_simulation_is_searched(self):
        for place in ("src/ecs", "src/sim", "src/scene", "src/voxel", "src/physics", "src/script",
                      "include/cairn/sim", "scenes", "scenes/galaxy", "games/crafty/world", "games/crafty/sim",
                      "modules/weather"):
            with self.subTest(place):
                path = f"{place}/a.h"
                self.wrong(path, "rand();\n", "1: calls rand: not allowed in simulation code (random numbers)")
                (self.root / path).unlink()

    def test_the_header_of_a_module_is_searched(self):
        self.wrong("include/cairn/ecs.h", "#include <math.h>\n",
                   "1: includes math.h: not allowed in simulation code (mathematics)")

    def test_other_places_are_free(self):
        for place in ("src/base", "src/render", "tests/unit/ecs", "bench", "games/crafty/client"):
            self.right(f"{place}/a.c", "#include <math.h>\nfloat x = sinf(clock());\n")

    def test_our_own_functions_are_free(self):
        self.right("src/sim/a.c", "float s = cn_sinf(x) + cn_log2(y) + cn_sqrtf(z);\n"
                   "sort_random(a);\nuint64_t n = ticks_of_clock(c) + logarithm(2);\n")

    def test_members_are_free(self):
        self.right("src/sim/a.c", "stream.random(x);\nstream->time(y);\nint time = log.exp;\n")

    def test_comments_and_strings_are_free(self):
        self.right("src/sim/a.c", '/* sin(x)\n#include <math.h>\n */\n// time(0)\n'
                   'const char *s = "rand() \\" clock()";\n')

    def test_an_allowed_file_may_use_what_it_is_allowed(self):
        self.write("src/sim/a.c", "qsort(a);\n")
        self.assertEqual([], check_sim.check(self.root, {("src/sim/a.c", check_sim.SORT): ""}))

    def test_an_allowed_file_may_use_nothing_else(self):
        self.write("src/sim/a.c", "qsort(a);\ntime(0);\n")
        self.assertEqual(["src/sim/a.c:2: calls time: not allowed in simulation code (the clock)"],
                         check_sim.check(self.root, {("src/sim/a.c", check_sim.SORT): ""}))

    def test_an_allowance_that_nobody_needs_is_found(self):
        self.write("src/sim/a.c", "")
        self.assertEqual(["src/sim/a.c: the exception for sorting is no longer needed"],
                         check_sim.check(self.root, {("src/sim/a.c", check_sim.SORT): ""}))

    def compile(self, source, text):
        self.write(source, text)
        target = self.root / "objects" / (source + ".o")
        target.parent.mkdir(parents=True, exist_ok=True)
        subprocess.run(["cc", "-O0", "-c", self.root / source, "-o", target], check=True)
        return check_sim.check_objects(self.root, self.root / "objects")

    def test_an_import_that_no_source_shows_is_found(self):
        self.assertEqual(
            ["src/sim/a.c: its object imports cosf: not allowed in simulation code (mathematics)"],
            self.compile("src/sim/a.c", "float cosf(float);\n#define TURN(x) cos##f(x)\n"
                         "float a(float x) { return TURN(x); }\n"))

    def test_imports_of_other_functions_are_free(self):
        self.assertEqual([], self.compile("src/sim/a.c", "float cn_cosf(float);\n"
                                          "float a(float x) { return cn_cosf(x); }\n"))

    def test_an_object_whose_source_is_gone_is_left_alone(self):
        self.compile("src/sim/a.c", "float cosf(float);\nfloat a(float x) { return (cosf)(x); }\n")
        (self.root / "src/sim/a.c").unlink()
        self.assertEqual([], check_sim.check_objects(self.root, self.root / "objects"))


if __name__ == "__main__":
    unittest.main()

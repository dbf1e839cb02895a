#!/usr/bin/env python3
"""tools/check_client.py finds clients that change the simulation, and nothing else."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_client


class Client(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def errors(self, path, text, allowed=None):
        self.write(path, text)
        return check_client.check(self.root, allowed)

    def test_calls_that_change_the_world_are_found(self):
        for name in ("cn_get_mut", "cn_set", "cn_add", "cn_resource_mut", "cn_voxels_edit", "cn_remove",
                     "cn_camera_set_perspective", "crafty_weather_hold", "crafty_player_capture"):
            with self.subTest(name):
                found = self.errors("games/crafty/client/a.c", f"int i;\nvoid *p = {name}(world, e, T);\n")
                self.assertEqual([f"games/crafty/client/a.c:2: calls {name}: clients only read the simulation; "
                                  "send a command instead"], found)

    def test_reading_is_allowed(self):
        self.assertEqual([], self.errors("games/crafty/client/a.c",
                                         "p = cn_get(world, e, T);\nr = cn_resource(world, R);\n"
                                         "/* cn_get_mut(world) */ n = my_cn_add(1);\n"))

    def test_the_simulation_changes_itself(self):
        self.assertEqual([], self.errors("games/crafty/sim/a.c", "p = cn_get_mut(world, e, T);\n"))

    def test_an_exception_that_nobody_needs_is_found(self):
        allowed = {("games/crafty/client/a.c", "cn_set"): "a reason"}
        self.assertEqual([], self.errors("games/crafty/client/a.c", "cn_set(world, e, T, {0});\n", allowed))
        self.assertEqual(["games/crafty/client/a.c: the exception for cn_set is no longer needed"],
                         self.errors("games/crafty/client/a.c", "", allowed))

    def test_includes_point_downwards(self):
        for folder, name in (("world", "sim"), ("world", "client"), ("sim", "client"), ("sim", "server"),
                             ("client", "server"), ("server", "client")):
            with self.subTest(f"{folder} {name}"):
                path = f"games/crafty/{folder}/a.h"
                self.assertEqual([f"{path}:1: {folder}/ may not include {name}/"],
                                 self.errors(path, f'#include "crafty/{name}/b.h"\n'))
                self.write(path, "")
        self.assertEqual([], self.errors("games/crafty/sim/a.h", '#include "crafty/world/b.h"\n'))

    def test_headless_folders_include_nothing_that_draws(self):
        for folder in ("world", "sim", "server"):
            path = f"games/crafty/{folder}/a.h"
            self.assertEqual([f"{path}:1: {folder}/ is headless and may not include cairn/engine.h"],
                             self.errors(path, "#include <cairn/engine.h>\n"))
            self.write(path, "")
        self.assertEqual([], self.errors("games/crafty/client/a.h", "#include <cairn/render/blocks.h>\n"))


if __name__ == "__main__":
    unittest.main()

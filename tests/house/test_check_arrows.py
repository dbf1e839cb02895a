#!/usr/bin/env python3
"""tools/check_arrows.py finds every kind of wrong arrow, and no right one."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_arrows


class Arrows(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.write("cmake/modules.cmake", (ROOT / "cmake/modules.cmake").read_text())
        for module in ("base", "store", "vfs", "ecs", "engine"):
            self.write(f"include/cairn/{module}.h", "")
            self.write(f"src/{module}/inside.h", "")

    def write(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)

    def right(self, path, text):
        self.write(path, text)
        self.assertEqual([], check_arrows.check(self.root))

    def wrong(self, path, text, *expected):
        self.write(path, text)
        self.assertEqual([f"{path}:{line}" for line in expected], check_arrows.check(self.root))

    def test_a_module_may_include_itself_and_what_lies_below(self):
        self.right("src/ecs/world/world.c", '#include <cairn/ecs.h>\n#include "ecs/inside.h"\n'
                   '#include "inside.h"\n#include <cairn/store.h>\n#include <cairn/base.h>\n'
                   '#include <stdio.h>\n#include <xxhash.h>\n')

    def test_a_module_may_not_include_one_above(self):
        self.wrong("src/base/a.c", "\n#include <cairn/ecs.h>\n",
                   "2: base may not include ecs, which is in a row above")

    def test_a_module_may_not_include_one_beside(self):
        self.wrong("src/store/a.c", "#include <cairn/vfs.h>\n",
                   "1: store may not include vfs, which is in the same row")

    def test_a_part_of_a_module_counts_as_the_module(self):
        self.write("include/cairn/ecs/query.h", "")
        self.wrong("include/cairn/base/array.h", "#include <cairn/ecs/query.h>\n",
                   "1: base may not include ecs, which is in a row above")

    def test_a_missing_public_header_draws_an_arrow(self):
        self.wrong("src/ecs/a.c", "#  include <cairn/scene.h>\n",
                   "1: ecs may not include scene, which is in a row above")

    def test_a_private_header_belongs_to_its_module(self):
        self.wrong("src/ecs/a.c", '#include "base/inside.h"\n#include "../base/inside.h"\n',
                   "1: ecs may not include a private header of base: use <cairn/base.h>",
                   "2: ecs may not include a private header of base: use <cairn/base.h>")

    def test_a_public_header_may_not_include_a_private_one(self):
        self.wrong("include/cairn/ecs.h", '#include "ecs/inside.h"\n',
                   "1: a public header may not include a private header (of ecs)")

    def test_a_module_may_not_include_everything(self):
        self.write("include/cairn/cairn.h", "#include <cairn/engine.h>\n")
        self.wrong("src/engine/a.c", "#include <cairn/cairn.h>\n",
                   "1: engine may not include cairn.h: that includes the modules above it")

    def test_an_unknown_module_is_named(self):
        self.wrong("src/ecs/a.c", "#include <cairn/magic.h>\n",
                   "1: magic is not a module of cmake/modules.cmake")

    def test_a_program_may_include_public_headers_and_its_own_folder(self):
        self.write("bench/table.h", "")
        self.write("include/cairn/cairn.h", "")
        self.right("bench/bench_ecs/raw.c", '#include "../table.h"\n#include <cairn/engine.h>\n'
                   "#include <cairn/cairn.h>\n#include <math.h>\n")

    def test_a_program_may_not_include_private_headers(self):
        self.wrong("samples/01_a.c", '#include "ecs/inside.h"\n',
                   "1: samples is a program: it may include only <cairn/...> and files of its own folder")

    def test_a_program_may_not_include_another_program(self):
        self.write("games/other/shared.h", "")
        self.wrong("games/crafty/main.c", '#include "../other/shared.h"\n',
                   "1: games/crafty is a program: "
                   "it may include only <cairn/...> and files of its own folder")

    def test_a_program_may_include_the_blocks_of_crafty_and_nothing_else_of_it(self):
        self.write("games/crafty/world/blocks.h", "")
        self.write("games/crafty/world/world.h", "")
        self.right("samples/25_a.c", '#include "crafty/world/blocks.h"\n')
        self.wrong("samples/26_a.c", '#include "crafty/world/world.h"\n',
                   "1: samples is a program: it may include only <cairn/...> and files of its own folder")

    def test_benchmarks_and_tools_may_include_headers_of_games(self):
        self.write("games/crafty/world/world.h", "")
        self.right("bench/bench_a.c", '#include "crafty/world/world.h"\n')
        self.right("tools/a.c", '#include "crafty/world/world.h"\n')

    def test_the_library_may_not_include_a_program(self):
        self.write("samples/shared.h", "")
        self.wrong("src/base/a.c", '#include "../../samples/shared.h"\n',
                   "1: base is part of the library: it may not include samples/shared.h")

    def test_comments_draw_no_arrows(self):
        self.right("src/base/a.c", "/*\n#include <cairn/ecs.h>\n*/\n// \\\n"
                   'const char *s = "/*";\n#include <cairn/base.h>\n')

    def test_lines_are_counted_after_comments(self):
        self.wrong("src/base/a.c", "/* one\n * two */\n#include <cairn/ecs.h>\n",
                   "3: base may not include ecs, which is in a row above")


if __name__ == "__main__":
    unittest.main()

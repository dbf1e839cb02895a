#!/usr/bin/env python3
"""tools/check_house.py finds what it is there to find."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_house


class House(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)

    def found_with(self, path, text):
        (self.root / path).parent.mkdir(parents=True, exist_ok=True)
        (self.root / path).write_text(text)
        return check_house.check(self.root)

    def test_a_source_of_900_lines_is_allowed(self):
        self.assertEqual([], self.found_with("bench/a.c", "\n" * 900))

    def test_a_source_of_901_lines_is_too_long(self):
        self.assertEqual(["bench/a.c: 901 lines, more than 900: split it by concept"],
                         self.found_with("bench/a.c", "\n" * 901))

    def test_long_data_is_allowed(self):
        self.assertEqual([], self.found_with("bench/results.csv", "\n" * 5000))

    def test_a_module_needs_a_readme(self):
        self.assertEqual(["src/base: has no README.md"], self.found_with("src/base/a.c", ""))
        self.assertEqual([], self.found_with("src/base/README.md", ""))

    def test_a_path_of_one_machine_is_found(self):
        for folder in ("work", "root"):
            self.assertEqual(["docs/a.md:2: contains a path of a particular machine"],
                             self.found_with("docs/a.md", f"\nsee /{folder}/notes\n"))

    def test_a_path_of_the_tree_is_allowed(self):
        for folder in ("work", "root"):
            self.assertEqual([], self.found_with("docs/a.md", f"src/{folder}/a.c ../{folder}/b.c"))

    def test_what_a_merge_left_open_is_found(self):
        for mark in ("<" * 7, ">" * 7):
            self.assertEqual(["docs/a.md:2: contains a merge conflict marker"],
                             self.found_with("docs/a.md", f"a\n{mark} other\n"))

    def test_arrows_in_a_line_are_allowed(self):
        self.assertEqual([], self.found_with("docs/a.md", "a <<<<<<< b\n<<<<<<<<\n=======\n"))

    def test_text_that_is_printed_unescaped_is_found(self):
        self.assertEqual(["tools/cairn/a.c:2: prints text with printf: use cn_print, which escapes it"],
                         self.found_with("tools/cairn/a.c", '\n    fprintf(stderr, "no %-3s\\n",\n        name);\n'))
        self.assertEqual([], self.found_with("tools/cairn/a.c", 'printf("%u\\n", 3); cn_print("%s", name);'))

    def test_build_folders_are_not_looked_at(self):
        self.assertEqual([], self.found_with("build/a.c", "\n" * 901))


if __name__ == "__main__":
    unittest.main()

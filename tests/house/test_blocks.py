#!/usr/bin/env python3
"""games/crafty/blocks refuses bad metadata and says where it is bad. Usage: test_blocks.py path/to/blocks"""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
TOOL = sys.argv.pop(1)

AIR = '{"name": "air", "material": "air", "hardness": 0, "surface": "stone"}'
STONE = '{"name": "stone", "hardness": 1.5, "surface": "stone"}'


class Blocks(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_tool(self, text):
        """Returns what the tool says about metadata of this text, a error a line."""
        path = self.folder / "blocks.json"
        if isinstance(text, bytes):
            path.write_bytes(text)
        else:
            path.write_text(text)
        done = subprocess.run([TOOL, path, self.folder / "out"], capture_output=True, text=True)
        self.assertEqual("", done.stdout)
        errors = done.stderr.replace(f"{path}:", "").strip().split("\n")
        self.assertEqual(done.returncode, 1 if errors != [""] else 0, done.stderr)
        if done.returncode:
            self.assertFalse((self.folder / "out" / "standard_blocks.c").exists())
        return [line.strip() for line in errors]

    def errors_about(self, *blocks):
        """Of an array with these blocks, one a line; the first line has the bracket."""
        return self.run_tool("[\n" + ",\n".join((AIR, *blocks)) + "\n]\n")

    def block_with(self, more):
        return f'{{"name": "stone", "hardness": 1.5, "surface": "stone", {more}}}'

    def assert_refused(self, more, error):
        self.assertEqual([f"3: {error}"], self.errors_about(self.block_with(more)))

    def test_what_is_good_is_written(self):
        self.assertEqual([""], self.errors_about(STONE))
        numbers = (self.folder / "out/standard_block_numbers.h").read_text()
        self.assertIn("BLOCK_AIR = 0,\n    BLOCK_STONE = 1,\n    BLOCK_SPECIAL_COUNT = 2,", numbers)
        table = (self.folder / "out/standard_blocks.c").read_text()
        self.assertIn('.name = "stone"', table)

    def test_two_runs_write_the_same_bytes(self):
        metadata = ROOT / "games/crafty/blocks/block_metadata.json"
        for out in ("one", "two"):
            subprocess.run([TOOL, metadata, self.folder / out], check=True)
        files = sorted(path.relative_to(self.folder / "one") for path in (self.folder / "one").rglob("*.*"))
        self.assertGreaterEqual(len(files), 2)
        for file in files:
            self.assertEqual((self.folder / "one" / file).read_bytes(),
                             (self.folder / "two" / file).read_bytes())

    def test_names_are_there_once(self):
        self.assertEqual(['4: "stone" is already defined in line 3'], self.errors_about(STONE, STONE))

    def test_keys_are_known(self):
        self.assert_refused('"hardnes": 2', 'unknown key "hardnes"')
        self.assert_refused('"light": {"level": 3, "size": 2}', 'unknown key "size" in "light"')

    def test_keys_are_there_once(self):
        errors = self.errors_about(self.block_with('"hardness": 2'))
        self.assertEqual(1, len(errors))
        self.assertTrue(errors[0].startswith("3: duplicate object key"), errors)

    def test_what_is_required_is_there(self):
        self.assertEqual(['3: "hardness" is missing'],
                         self.errors_about('{"name": "stone", "surface": "stone"}'))
        self.assertEqual(['3: "surface" is missing'],
                         self.errors_about('{"name": "stone", "hardness": 1}'))

    def test_names_are_good(self):
        for name in ("", "Stone", "stone wall", "_stone", "stone_", "a__b", "9", "x" * 48, "\\u00e9"):
            errors = self.errors_about(STONE.replace('"stone", "hard', f'"{name}", "hard'))
            self.assertEqual(['3: "name" must be words of lower-case letters joined by _'], errors)

    def test_names_do_not_take_those_of_the_header(self):
        errors = self.errors_about(STONE.replace('"stone", "hard', '"count", "hard'))
        self.assertEqual(['3: the name "count" is reserved'], errors)

    def test_values_are_in_range(self):
        bad = {
            '"light_loss": 16': '"light_loss" must be a whole number from 0 to 15',
            '"light_loss": 1.5': '"light_loss" must be a whole number from 0 to 15',
            '"material": "solid"': '"material" must be one of opaque, semi, water, prop, air',
            '"material": 3': '"material" must be one of opaque, semi, water, prop, air',
            '"placeable": 1': '"placeable" must be true or false',
            '"collidable": "yes"': '"collidable" must be true or false',
            '"light_loss": 14': '"light_loss" of an opaque block must be 15',
            '"stacks": "high"': '"stacks" must be true or false',
            '"stands_on_water": 0': '"stands_on_water" must be true or false',
            '"appearance": "turns"': '"appearance" must be an array of words',
            '"appearance": ["spins"]': '"appearance" must be one of turns, mirrors, climate, foliage',
            '"tint": "red"': '"tint" must be written as "#rrggbb"',
            '"tint": "#12345g"': '"tint" must be written as "#rrggbb"',
            '"title": ""': '"title" must be plain text of 1 to 47 bytes',
            '"title": 7': '"title" must be plain text of 1 to 47 bytes',
            '"tiles": ["stone", "stone"]': '"tiles" must name one tile, or three: side, bottom and top',
            '"tiles": "Stone"': '"tiles" must name one tile, or three: side, bottom and top',
            '"light": 3': '"light" must be an object',
            '"light": {"level": 16}': '"level" must be a whole number from 0 to 15',
            '"light": {"color": [1, 0]}': '"color" must be three numbers from 0 to 1',
            '"light": {"color": [1, 0, 2]}': '"color" must be a number from 0 to 1',
            '"light": {"radius": -1}': '"radius" must be a number from 0 to 64',
            '"light": {"intensity": "much"}': '"intensity" must be a number from 0 to 1000',
        }
        for more, error in bad.items():
            with self.subTest(more):
                self.assert_refused(more, error)

    def test_hardness_is_a_number_or_never(self):
        for hardness, error in (("101", '"hardness" must be a number from -1 to 100'),
                                    ('"hard"', '"hardness" must be a number from -1 to 100'),
                                    ("-0.5", '"hardness" must be -1 (unbreakable) or at least 0')):
            self.assertEqual([f"3: {error}"], self.errors_about(STONE.replace("1.5", hardness)))

    def test_surfaces_are_known(self):
        self.assertEqual(['3: "surface" must be one of stone, grass, sand, wood'],
                         self.errors_about(STONE.replace('"surface": "stone"', '"surface": "metal"')))

    def test_the_line_is_that_of_the_key(self):
        block = '{\n"name": "stone",\n"hardness": 1,\n"surface": "stone",\n"placeable": 0}'
        self.assertEqual(['7: "placeable" must be true or false'], self.errors_about(block))

    def test_all_errors_are_reported_at_once(self):
        errors = self.errors_about(self.block_with('"tint": 1, "light_loss": -1'),
                                           STONE.replace('"stone", "hard', '"sand", "hard')
                                           .replace("1.5", "-3"))
        self.assertEqual(["3", "3", "4"], [line.split(":")[0] for line in errors])

    def test_tiles_are_painted_by_somebody(self):
        self.assert_refused('"tiles": "stone_that_nobody_knows"',
                            'stone: unknown tile "stone_that_nobody_knows"')

    def test_air_comes_first(self):
        self.assertEqual(["2: the first block must be air"], self.run_tool(f"[\n{STONE}]"))

    def test_broken_files_are_refused(self):
        for text in ("", "{}", "[", "[]", f"[{AIR}", f"[{AIR} {STONE}]", f"[{AIR},]", f"[{AIR}] 1", "[1]",
                     f"[{AIR}, 5]", f'[{AIR}, {{"name"]', b"[\xff]", b"[\0]", "[" * 10000):
            with self.subTest(text):
                self.assertNotEqual([""], self.run_tool(text))

    def test_files_that_are_not_there_are_named(self):
        done = subprocess.run([TOOL, self.folder / "none", self.folder], capture_output=True, text=True)
        self.assertEqual(1, done.returncode)
        self.assertIn("none: No such file", done.stderr)
        done = subprocess.run([TOOL, ROOT / "games/crafty/blocks/block_metadata.json", "/dev/null"],
                              capture_output=True, text=True)
        self.assertEqual(1, done.returncode)
        self.assertIn("/dev/null", done.stderr)

    def test_it_says_how_it_is_used(self):
        self.assertEqual(2, subprocess.run([TOOL], capture_output=True).returncode)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""tools/check_sounds.py finds sounds that are never played, and names that are no sounds."""

import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
import check_sounds

EVENTS = 'static const char *const names[] = {"stone"};\nformat(name, "block.%s.%s", names[0], "dig");\n'
CREATURES = """static const char *const voices[2][3] = {[0] = {"idle"}};
static const char *const young[][2] = {{"duck", "duckling"}};
"""


class Sounds(unittest.TestCase):
    def setUp(self):
        self.root = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.root)
        self.sounds({})
        self.write("data/creatures.json", '{"creatures": [{"name": "cow"}]}')
        self.write("client/sound_events.c", EVENTS)
        self.write("client/sound_creatures.c", CREATURES)
        self.write("client/sound.c", 'play("ui.click");\n')

    def write(self, path, text):
        path = self.root / "games/crafty" / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def sounds(self, more):
        names = ["ui.click", "block.stone.dig", "creature.cow.idle", "creature.duckling.idle"] + list(more)
        self.write("sounds/all.json", "{" + ", ".join(f'"{name}": {{}}' for name in names) + "}")

    def test_sounds_that_are_named_or_composed_are_played(self):
        self.assertEqual([], check_sounds.check(self.root))

    def test_a_sound_that_nothing_names_is_found(self):
        self.sounds(["ui.hover"])
        self.assertEqual(["the sound ui.hover is never played"], check_sounds.check(self.root))

    def test_a_surface_and_an_action_that_nothing_names_are_found(self):
        self.sounds(["block.glass.dig", "block.stone.polish"])
        self.assertEqual(2, len(check_sounds.check(self.root)))

    def test_an_unknown_kind_and_an_unknown_voice_are_found(self):
        self.sounds(["creature.cow.sing", "creature.whale.idle"])
        self.assertEqual(2, len(check_sounds.check(self.root)))

    def test_a_name_that_is_no_sound_is_found(self):
        self.write("client/sound.c", 'play("ui.click"); play("ui.klick");\n')
        self.assertEqual(["the client plays ui.klick, which is no sound"], check_sounds.check(self.root))

    def test_the_tree_is_right(self):
        self.assertEqual([], check_sounds.check(ROOT))


if __name__ == "__main__":
    unittest.main()

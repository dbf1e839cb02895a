#!/usr/bin/env python3
"""Checks that every sound of games/crafty/sounds is played by the client of Crafty, and that the client plays no
sound that does not exist.

A sound is played if a source file of games/crafty/client contains its name as a string. Names that are composed
while the game runs:

- block.SURFACE.ACTION: surfaces and actions are strings of sound_events.c and sound_creatures.c.
- creature.KIND.VOICE: kinds are those of data/creatures.json and the young ones of sound_creatures.c, voices the
  strings of its table `voices`.

Usage: check_sounds.py [root of the tree]
"""

import json
import re
import sys
from pathlib import Path

STRING = re.compile(r'"((?:[^"\\\n]|\\.)*)"')
# Prefixes of names of sounds; a string that begins with one of them and is none is a mistake.
NAME = re.compile(r"^[a-z]+(\.[a-z]+)+$")


def strings_of(path: Path) -> set[str]:
    return set(STRING.findall(path.read_text(encoding="utf-8")))


def table_of(path: Path, name: str) -> set[str]:
    """Returns the strings of the initialiser of an array."""
    match = re.search(re.escape(name) + r"\b[^=;]*=\s*\{(.*?)\};", path.read_text(encoding="utf-8"), re.S)
    return set(STRING.findall(match.group(1))) if match else set()


def check(root: Path) -> list[str]:
    game = root / "games/crafty"
    client = game / "client"
    sounds = {name for file in sorted((game / "sounds").glob("*.json"))
              for name in json.loads(file.read_text(encoding="utf-8"))}
    if not sounds:
        return ["games/crafty/sounds has no sounds"]
    strings = {text for file in sorted(client.glob("*.c")) for text in strings_of(file)}
    creatures = json.loads((game / "data/creatures.json").read_text(encoding="utf-8"))
    kinds = {kind["name"] for kind in creatures["creatures"]} | table_of(client / "sound_creatures.c", "young")
    voices = table_of(client / "sound_creatures.c", "voices")
    words = strings_of(client / "sound_events.c") | strings_of(client / "sound_creatures.c")

    def is_played(name: str) -> bool:
        parts = name.split(".")
        if name in strings:
            return True
        if parts[0] == "block" and len(parts) == 3:
            return parts[1] in words and parts[2] in words
        return parts[0] == "creature" and len(parts) == 3 and parts[1] in kinds and parts[2] in voices

    groups = {name.split(".")[0] for name in sounds if "." in name}
    errors = [f"the sound {name} is never played" for name in sorted(sounds) if not is_played(name)]
    errors += [f"the client plays {text}, which is no sound" for text in sorted(strings)
               if NAME.match(text) and text.split(".")[0] in groups and text not in sounds]
    return errors


def main() -> int:
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent.parent)
    errors = check(root)
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

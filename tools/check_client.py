#!/usr/bin/env python3
"""Checks that the clients of games only read the simulation: everything that changes simulated state is
input or a command, which a tick applies. Checks the includes between the folders of a game as well.

- games/*/client calls no function that changes a world or blocks.
- world/ includes nothing of the other folders; sim/ includes world/; save/ includes both; mods/ and net/ include
  these three; bots/ these and net/; replay/ the three and mods/; crash/ these and replay/; client/ and server/ all
  but bots/ and each other; world_command/ and mod_command/ all but net/, crash/ and client/, which calls them.
- Folders other than client/ include no header of a module that draws.

Usage: check_client.py [root of the tree]
"""

import re
import sys
from pathlib import Path

sys.dont_write_bytecode = True
from check_arrows import INCLUDE, without_comments

# Functions and macros that change a world, its entities, or blocks.
CHANGES = """
    cn_get_mut cn_get_component_mut cn_set cn_set_component cn_set_parent cn_add cn_add_component cn_remove
    cn_remove_\\w+ cn_spawn cn_spawn_\\w+ cn_destroy cn_destroy_many cn_column
    cn_resource_mut cn_resource_get_mut cn_resource_set cn_resource_set_value cn_resource_remove
    cn_resource_remove_value cn_send cn_send_value cn_signal cn_world_update cn_sim_tick_n cn_sim_restore
    cn_object cn_object_create cn_object_set_\\w+ cn_camera_set_\\w+ cn_transform_set_\\w+
    cn_voxels_edit cn_voxels_tick cn_voxels_schedule
    cn_produce cn_produce_value cn_producer_create cn_player_actions_send cn_sim_input cn_input_push
    crafty_player_make crafty_player_take crafty_player_capture crafty_player_set_\\w+
    crafty_day_set_hours crafty_weather_hold crafty_torches_place crafty_place_update
""".split()
CALL = re.compile(r"(?<![\w.])(?<!->)(" + "|".join(CHANGES) + r")\s*\(")
# (file, function): why it does not change the state.
ALLOWED = {
    ("games/crafty/client/lamps.c", "cn_resource_mut"): "CnRenderOut, the output of a tick",
    ("games/crafty/client/lens.c", "cn_resource_mut"): "CnRenderOut, the output of a tick",
    ("games/crafty/client/play.c", "cn_add"): "the scene without a world",
    ("games/crafty/client/play.c", "cn_object"): "the scene without a world",
}

BELOW = {"world": (), "sim": ("world",), "save": ("world", "sim"), "mods": ("world", "sim", "save"),
         "replay": ("world", "sim", "save", "mods"), "crash": ("world", "sim", "save", "mods", "replay"),
         "world_command": ("world", "sim", "save", "mods", "replay"),
         "mod_command": ("world", "sim", "save", "mods", "replay"),
         "net": ("world", "sim", "save"), "bots": ("world", "sim", "save", "net"),
         "client": ("world", "sim", "save", "mods", "net", "replay", "crash", "world_command", "mod_command"),
         "server": ("world", "sim", "save", "mods", "net", "replay", "crash")}
HEADLESS = ("world", "sim", "save", "mods", "net", "bots", "replay", "crash", "server", "world_command",
            "mod_command")
DRAWING = ("gpu", "render", "ui", "audio", "engine")


def calls_of(text):
    """Yields (line, function) for every call that changes a simulation."""
    text = without_comments(text)
    for match in CALL.finditer(text):
        yield text.count("\n", 0, match.start(1)) + 1, match.group(1)


def includes_of(text):
    text = without_comments(text)
    for match in INCLUDE.finditer(text):
        yield text.count("\n", 0, match.start(2)) + 1, match.group(2)


def wrong_include(game, folder, name):
    """Returns the error of including a header in a folder of a game, or None."""
    parts = name.split("/")
    if parts[0] == game and len(parts) > 2 and parts[1] != folder and parts[1] not in BELOW[folder]:
        return f"{folder}/ may not include {parts[1]}/"
    if folder in HEADLESS and parts[0] == "cairn" and len(parts) > 1 and parts[1].split(".")[0] in DRAWING:
        return f"{folder}/ is headless and may not include {name}"
    return None


def check(root, allowed=None):
    """Returns the errors, one line each."""
    root = Path(root).resolve()
    allowed = ALLOWED if allowed is None else allowed
    found, unused = [], {entry for entry in allowed if (root / entry[0]).is_file()}
    for path in sorted((root / "games").rglob("*.[ch]")):
        source = path.relative_to(root)
        if len(source.parts) < 4 or source.parts[2] not in BELOW:
            continue
        game, folder = source.parts[1:3]
        text = path.read_text(encoding="utf-8")
        for line, name in includes_of(text):
            wrong = wrong_include(game, folder, name)
            found += [f"{source}:{line}: {wrong}"] if wrong else []
        for line, function in calls_of(text) if folder == "client" else ():
            if (str(source), function) in allowed:
                unused.discard((str(source), function))
            else:
                found.append(f"{source}:{line}: calls {function}: clients only read the simulation; "
                             "send a command instead")
    found += [f"{path}: the exception for {function} is no longer needed" for path, function in sorted(unused)]
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Mods in a window, with real key and mouse events: those that come with the game are enabled and played, and changed
code runs in the open world. Usage: test_crafty_mods_window.py path/to/crafty

A floor in the air keeps the test independent of the terrain. Like test_crafty_window.py, it waits for states that the
program logs and asserts no times.
"""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import test_crafty_window as base
import test_crafty_survival_window as survival
from test_crafty_window import Game, Server, lacking

FLOOR = 120
AT_LEVER, AT_ELDER = "-45,-59", "-90,-10"  # yaw and pitch
# Below the first text in a dialog in a window of 640 x 360 points.
FIRST_CHOICE = (survival.MIDDLE[0], 134)
# Says where the player is.
WHERE = """command { name = "where", run = function(e)
    local at = players.get(e.player).position
    return string.format("height %d", math.floor(at.y + 0.5))
end }
"""
ECHO = 'command { name = "echo", run = function(e) return "%s " .. e.text end }\n'


class ModsWindow(unittest.TestCase):
    command = survival.SurvivalWindow.command

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "worlds").mkdir()
        (self.folder / "settings.json").write_text('{"version": 1, "quality": "low", "viewDistance": 2}')
        self.server = Server()
        self.addCleanup(self.server.stop)

    def install(self, name, code, permissions):
        """Writes a mod into the player's folder."""
        folder = self.folder / ".local/share/crafty/mods" / name
        folder.mkdir(parents=True)
        (folder / "mod.json").write_text(f'{{"name": "{name}", "version": "1.0.0", "permissions": {permissions}}}')
        (folder / "main.lua").write_text(code)
        return folder / "main.lua"

    def enable(self, *names):
        environment = {"HOME": str(self.folder), "PATH": "/usr/bin:/bin"}
        for name in names:
            subprocess.run([base.CRAFTY, "mod", "enable", name], env=environment, check=True, capture_output=True)

    def start(self, direction="0,-35"):
        game = Game(self.server, self.folder,
                    ["--world", "test", "--time", "10:00", "--camera", f"0.5,{FLOOR + 2.7},0.5,{direction}"])
        self.addCleanup(game.kill)
        game.wait_log("play after")
        game.click_until(*survival.MIDDLE, "the mouse is captured")
        return game

    def lay_floor(self, game):
        self.command(game, f"fill -4 {FLOOR} -4 5 {FLOOR} 5 stone", "100 blocks changed")

    def wait_shown(self, game, words):
        """Waits until the program has logged the words, also before what was waited for last."""
        game.wait(words, lambda: words in game.log_path.read_text())

    def test_the_minimap_shows_a_map_and_waypoints(self):
        self.enable("minimap")
        game = self.start()
        self.command(game, "waypoint add home", "Waypoint home is here.")
        self.wait_shown(game, "mods show 6 elements")
        self.command(game, "map", "The map is hidden.")
        self.wait_shown(game, "mods show 1 elements")
        self.assertEqual(game.close(), 0)

    def test_a_lift_carries_the_player(self):
        self.install("where", WHERE, '["commands"]')
        self.enable("elevator", "where")
        game = self.start(AT_LEVER)
        self.lay_floor(game)
        y = FLOOR + 1
        self.command(game, f"fill 1 {y} 0 1 {y + 5} 0 elevator:rail", "6 blocks changed")
        self.command(game, f"fill 1 {y} -1 1 {y} -1 elevator:lever", "1 block changed")
        self.command(game, f"fill 0 {y} 0 0 {y} 0 elevator:lift", "1 block changed")
        self.command(game, f"tp 0 {y + 1} 0", "player1 is now at")
        self.command(game, "clear", "")  # an empty hand places nothing
        self.command(game, "where", f"height {y + 1}")
        game.xdotool("mousedown", "3", "sleep", "0.2", "mouseup", "3")
        self.command(game, "where", f"height {y + 6}")
        self.assertEqual(game.close(), 0)

    def test_a_quest_is_accepted_and_rewarded(self):
        self.enable("quest")
        game = self.start(AT_ELDER)
        self.lay_floor(game)
        self.command(game, f"tp 0 {FLOOR + 1} 0", "player1 is now at")

        def talk(words):
            def call_and_use():
                self.command(game, "elder", "The elder comes.")
                game.xdotool("sleep", "0.3", "mousedown", "3", "sleep", "0.2", "mouseup", "3")
            game.repeat_until(words, call_and_use, lambda: game.has_logged(f"the mod quest asks: {words}"))

        talk("My roof leaks")
        game.click_until(*FIRST_CHOICE, "mods show 4 elements")
        self.command(game, "give oak_planks 8", "player1 got 8")
        talk("You have the planks!")
        words = "The elder gives you 4 bread."  # the first choice has the focus
        game.repeat_until(words, lambda: game.keys("Return"), lambda: game.has_logged(words))
        self.wait_shown(game, "the mod quest asks: The roof holds.")
        self.assertEqual(game.close(), 0)

    def test_changed_code_runs_and_broken_code_does_not(self):
        main = self.install("parrot", ECHO % "first", '["commands"]')
        self.enable("parrot")
        game = self.start()
        self.command(game, "echo a", "first a")
        main.write_text(ECHO % "second")
        game.wait_log("The mod parrot runs its changed code.")
        self.command(game, "echo b", "second b")
        main.write_text(ECHO % "third" + "x = = 1\n")
        game.wait_log("errors of mods: parrot keeps its old code: mods://parrot/main.lua:2")
        self.command(game, "echo c", "second c")
        main.write_text(ECHO % "fourth")
        game.wait_log("errors of mods: none")
        self.command(game, "echo d", "fourth d")
        self.assertEqual(game.close(), 0)


if __name__ == "__main__":
    if lacking():
        print("skipped: without", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()

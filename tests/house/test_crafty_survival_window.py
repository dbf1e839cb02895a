#!/usr/bin/env python3
"""The first steps of survival in a window, with real key and mouse events: breaks a log, crafts planks and a table by
hand, places the table and makes a tool at it, uses a chest and a furnace, and finds everything again.
Usage: test_crafty_survival_window.py path/to/crafty

A floor in the air, built with commands of the chat, keeps the test independent of the terrain. Like
test_crafty_window.py, it waits for states that the program logs and asserts no times.
"""
import sys
import tempfile
import time
import unittest
from pathlib import Path

from test_crafty_inventory_window import GAP, GRID, PADDING, PANEL_X, PITCH, RESULT, SIDE_WIDTH, SIDE_X, SLOT
from test_crafty_inventory_window import TITLE, TOP, hotbar_slot
from test_crafty_window import SIZE, Game, Server, lacking

FLOOR = 120
# The player stands at x 0, z 0 and looks along -z, down at the block at z -2.
CAMERA = f"0.5,{FLOOR + 2.7},0.5,0,-35"
MIDDLE = (SIZE[0] // 2, SIZE[1] // 2)


def shifted(place, x, y):
    return place[0] + x, place[1] + y


# Of the page of a table, whose grid is 3 slots wide, as client/inventory_pages.c places it.
TABLE_RESULT = shifted(RESULT, PITCH, 0)
RECIPE_SEARCH = (SIDE_X + 60, TOP + 26 + 13)
FIRST_RECIPE = (SIDE_X + SIDE_WIDTH // 2, TOP + 26 + 36 + 18)
# Pages without a list are in the middle.
MOVED = -(SIDE_WIDTH + GAP) // 2
CHEST = (PANEL_X + MOVED + PADDING + SLOT // 2, TOP + TITLE + SLOT // 2)
FURNACE_INPUT = (PANEL_X + MOVED + PADDING + 5 * PITCH // 2 + SLOT // 2, TOP + TITLE + 6 + SLOT // 2)
FURNACE_FUEL = shifted(FURNACE_INPUT, 0, 3 * PITCH // 2)
FURNACE_RESULT = shifted(FURNACE_INPUT, 3 * PITCH, 3 * PITCH // 4)


def slot(index, has_list):
    """Returns the middle of a slot of the hotbar."""
    return shifted(hotbar_slot(index), 0 if has_list else MOVED, 0)


class SurvivalWindow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "worlds").mkdir()
        (self.folder / "settings.json").write_text('{"version": 1, "quality": "low", "viewDistance": 2}')
        self.server = Server()
        self.addCleanup(self.server.stop)

    def start(self, *options):
        game = Game(self.server, self.folder, ["--world", "test", *options])
        self.addCleanup(game.kill)
        game.wait_log("play after")
        game.click_until(*MIDDLE, "the mouse is captured")
        return game

    def command(self, game, line, answer):
        """Types a command without its slash, which opens the chat, until it is answered like this: keys that arrive
        before the window accepts text are lost, and an incomplete command is refused."""
        def type_line():
            game.repeat_until("the chat", lambda: game.keys("slash"), lambda: game.has_logged("the chat is open"))
            time.sleep(0.2)
            game.xdotool("type", "--delay", "12", "--", line)
            game.keys("Return")
        game.repeat_until(line, type_line, lambda: game.has_logged(f"chat: {answer}"))

    def click(self, game, place, button="1"):
        """Slow enough not to be a double click, for which 0.35 s are allowed."""
        game.xdotool("mousemove", "--window", str(game.window), str(place[0]), str(place[1]), "sleep", "0.6",
                     "mousedown", button, "sleep", "0.12", "mouseup", button)

    def click_slot(self, game, place, count, item="", button="1"):
        """Clicks, and waits until the player carries so many items."""
        self.click(game, place, button)
        game.wait_log(f"the player carries {count} {item}")

    def use(self, game, title):
        """Uses the block in front, which opens a screen."""
        def click():
            game.xdotool("sleep", "0.1", "mousedown", "3", "sleep", "0.2", "mouseup", "3")
        game.repeat_until(title, click, lambda: game.has_logged(f"slots: {title}"))

    def close_screen(self, game):
        game.repeat_until("the game", lambda: game.keys("Escape"), lambda: game.has_logged("the screen is closed"))

    def stand_at(self, game, x):
        self.command(game, f"tp {x} {FLOOR + 1} 0", f"player1 is now at {x}.5 {FLOOR + 1}.0 0.5")

    def place_in_front(self, game, x, key):
        """Places the item of a slot of the hotbar."""
        self.stand_at(game, x)
        game.keys(key)
        game.hold_until("3", f"placed a block at {x} {FLOOR + 1} -2")

    def build_floor(self, game):
        self.command(game, f"fill -3 {FLOOR} -4 9 {FLOOR} 3 stone", "104 blocks changed")
        self.command(game, f"fill 0 {FLOOR + 1} -2 0 {FLOOR + 1} -2 oak_log", "1 block changed")
        self.command(game, "clear", "9 items of player1 are removed")
        self.stand_at(game, 0)  # a fall would hurt
        self.command(game, "gamemode survival", "The mode of player1 is now survival")

    def break_log(self, game):
        """Breaks the log and walks until the drop is picked up."""
        game.hold_until("1", f"broke a block at 0 {FLOOR + 1} -2")
        game.xdotool("keydown", "w")
        game.wait_log("the player picked up 1 oak_log")
        game.xdotool("keyup", "w")

    def craft_table(self, game):
        """By hand, from the log in the first slot."""
        game.repeat_until("the inventory", lambda: game.keys("e"), lambda: game.has_logged("slots: Crafting"))
        self.click_slot(game, slot(0, True), 1, "oak_log")
        self.click_slot(game, GRID, 0)
        self.click_slot(game, RESULT, 4, "oak_planks")
        self.click_slot(game, GRID, 3, button="3")
        self.click_slot(game, shifted(GRID, PITCH, 0), 2, button="3")
        self.click_slot(game, shifted(GRID, 0, PITCH), 1, button="3")
        self.click_slot(game, shifted(GRID, PITCH, PITCH), 0, button="3")
        self.click_slot(game, RESULT, 1, "crafting_table")
        self.click_slot(game, slot(0, True), 0)
        self.close_screen(game)

    def craft_pickaxe(self, game):
        """At the table, with the list of recipes."""
        self.command(game, "give oak_planks 3", "player1 got 3")
        self.command(game, "give stick 2", "player1 got 2")
        self.use(game, "Crafting Table")
        def craft():
            self.click(game, RECIPE_SEARCH)
            game.keys("ctrl+a")
            game.xdotool("type", "--delay", "60", "pickaxe")
            self.click(game, FIRST_RECIPE)
            self.click(game, TABLE_RESULT)
        game.repeat_until("a pickaxe", craft, lambda: game.has_logged("the player crafted 1 wooden_pickaxe"))
        self.click_slot(game, slot(8, True), 0)
        self.close_screen(game)

    def use_chest(self, game):
        """Puts the pickaxe into a chest, and takes out half of the carrots that are put in with it."""
        self.command(game, "give chest", "player1 got 1")
        self.command(game, "give carrot 8", "player1 got 8")
        self.place_in_front(game, 3, "1")
        self.use(game, "Chest")
        self.click_slot(game, slot(8, False), 1, "wooden_pickaxe")
        self.click_slot(game, CHEST, 0)
        self.click_slot(game, slot(1, False), 8, "carrot")
        self.click_slot(game, shifted(CHEST, PITCH, 0), 0)
        self.click_slot(game, shifted(CHEST, PITCH, 0), 4, "carrot", "3")
        self.click_slot(game, slot(1, False), 0)
        self.close_screen(game)

    def use_furnace(self, game):
        self.command(game, "give furnace", "player1 got 1")
        self.command(game, "give coal", "player1 got 1")
        self.place_in_front(game, 6, "1")
        self.use(game, "Furnace")
        self.click_slot(game, slot(1, False), 4, "carrot")
        self.click_slot(game, FURNACE_INPUT, 3, button="3")
        self.click_slot(game, slot(1, False), 0)
        self.click_slot(game, slot(2, False), 1, "coal")
        self.click_slot(game, FURNACE_FUEL, 0)
        game.click_until(*FURNACE_RESULT, "the player carries 1 baked_carrot")
        self.click_slot(game, slot(8, False), 0)
        self.close_screen(game)

    def test_a_log_leads_to_tools_and_a_furnace_and_everything_is_kept(self):
        game = self.start("--camera", CAMERA)
        self.build_floor(game)
        self.break_log(game)
        self.craft_table(game)
        self.place_in_front(game, 0, "1")
        self.craft_pickaxe(game)
        self.use_chest(game)
        self.use_furnace(game)
        self.stand_at(game, 3)
        self.assertEqual(game.close(), 0)

        game = self.start()
        self.use(game, "Chest")
        self.click_slot(game, CHEST, 1, "wooden_pickaxe")
        self.click_slot(game, slot(5, False), 0)
        self.click_slot(game, slot(8, False), 1, "baked_carrot")
        self.click_slot(game, slot(8, False), 0)
        self.close_screen(game)
        self.assertEqual(game.close(), 0)


if __name__ == "__main__":
    if lacking():
        print("skipped: without", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()

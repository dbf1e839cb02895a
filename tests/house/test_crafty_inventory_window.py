#!/usr/bin/env python3
"""The inventory in a window, with real key and mouse events: takes logs from the list of all items, crafts planks and
puts them into slots. Usage: test_crafty_inventory_window.py path/to/crafty

Like test_crafty_window.py, it waits for states that the program logs and asserts no times.
"""
import sys
import tempfile
import time
import unittest
from pathlib import Path

import test_crafty_window as base
from test_crafty_window import SIZE, Game, Server, lacking

# Of the panels in a window of 640 x 360 points, as client/inventory_pages.c places them.
SLOT, PITCH, PADDING, TITLE, LABEL = 30, 32, 10, 28, 18
PANEL_WIDTH, SIDE_WIDTH, GAP = 9 * PITCH - 2 + 2 * PADDING, 236, 8
HEIGHT = TITLE + 3 * PITCH + LABEL + 3 * PITCH + 6 + SLOT + PADDING
SIDE_X, TOP = (SIZE[0] - PANEL_WIDTH - SIDE_WIDTH - GAP) // 2, (SIZE[1] - HEIGHT) // 2
PANEL_X = SIDE_X + SIDE_WIDTH + GAP


def inventory_slot(index):
    """Returns the middle of a slot of the 27."""
    return (PANEL_X + PADDING + index % 9 * PITCH + SLOT // 2,
            TOP + TITLE + 3 * PITCH + LABEL + index // 9 * PITCH + SLOT // 2)


def hotbar_slot(index):
    x, y = inventory_slot(index)
    return x, y + 3 * PITCH + 6


GRID = (PANEL_X + PADDING + 48 + SLOT // 2, TOP + TITLE + PITCH // 2 + SLOT // 2)
RESULT = (PANEL_X + PADDING + 48 + 3 * PITCH + 20 + SLOT // 2, TOP + TITLE + PITCH + SLOT // 2)
SEARCH = (SIDE_X + SIDE_WIDTH // 2, TOP + 26 + 13)


class InventoryWindow(unittest.TestCase):
    open_list = base.Window.open_list
    create_world = base.Window.create_world

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "settings.json").write_text('{"version": 1, "quality": "low", "viewDistance": 2}')
        self.server = Server()
        self.addCleanup(self.server.stop)

    def click(self, game, place, button="1"):
        """Slow enough not to be a double click."""
        game.xdotool("mousemove", "--window", str(game.window), str(place[0]), str(place[1]), "sleep", "0.6",
                     "mousedown", button, "sleep", "0.3", "mouseup", button)

    def test_logs_of_the_list_become_planks_in_slots(self):
        game = Game(self.server, self.folder)
        self.addCleanup(game.kill)
        self.create_world(game)
        game.click_until(SIZE[0] // 2, SIZE[1] // 2, "the mouse is captured")
        game.repeat_until("the inventory", lambda: game.keys("e"), lambda: game.has_logged("a screen shows 41 slots"))
        self.click(game, SEARCH)
        time.sleep(1)  # until the window accepts text
        game.xdotool("type", "--delay", "120", "oak log")
        game.keys("Return")
        game.wait_log("the player carries 64 oak_log")
        self.click(game, GRID, "3")
        game.wait_log("the player carries 63 oak_log")
        self.click(game, inventory_slot(26))
        game.wait_log("the player carries 0 items")
        self.click(game, RESULT)
        game.wait_log("the player carries 4 oak_planks")
        self.click(game, inventory_slot(25), "3")
        game.wait_log("the player carries 3 oak_planks")
        self.click(game, hotbar_slot(8))  # changes places with what is there
        game.wait_log("the player carries 1 ")
        game.keys("Escape")
        self.assertEqual(game.close(), 0)


if __name__ == "__main__":
    if lacking():
        print("skipped: without", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()

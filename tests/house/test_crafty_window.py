#!/usr/bin/env python3
"""A player in a window, with real key and mouse events: creates a world in the list, breaks and places blocks, closes
the window, and finds everything again. Usage: test_crafty_window.py path/to/crafty

The test waits for states that the program logs or shows, with limits that a slow machine does not reach; it asserts
no times. It is skipped without Xvfb, xdotool or a Vulkan device.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from x11_window import Display

CRAFTY = sys.argv.pop(1)
LIMIT_S = 120  # for one state
TRY_S = 5  # for the effect of one key or click, before it is repeated
SIZE = (640, 360)
MIDDLE = (SIZE[0] // 2 - 60, SIZE[1] // 2 - 60, 120, 120)  # around the block that the player aims at


class Server:
    """Xvfb on a display of its own."""

    def __init__(self):
        read, write = os.pipe()
        self.process = subprocess.Popen(
            ["Xvfb", "-displayfd", str(write), "-screen", "0", "800x600x24", "-noreset", "-ac", "-nolisten", "tcp"],
            pass_fds=[write], stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.number = int(pipe.readline())

    def stop(self):
        self.process.terminate()
        self.process.wait()


class Program:
    """A program in a window: `process`, `window`, its `display` and `log_path`."""

    def wait(self, what, condition):
        """Returns what the condition returns once that is true."""
        end = time.monotonic() + LIMIT_S
        while time.monotonic() < end:
            result = condition()
            if result:
                return result
            if self.process.poll() is not None:
                raise AssertionError(f"the program ended while waiting for {what}:\n{self.log_path.read_text()}")
            time.sleep(0.05)
        raise AssertionError(f"{what}: not within {LIMIT_S} s:\n{self.log_path.read_text()}")

    def close(self):
        """Closes the window as a window manager does. Returns the exit status."""
        self.display.close_window(self.window)
        status = self.process.wait(LIMIT_S)
        self.display.close()
        return status

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()


class Game(Program):
    """The game in a window. `options` are further ones of the command line."""

    def __init__(self, server, folder, options=()):
        self.folder = folder
        self.display = Display(server.number)
        self.log_path = folder / "log"
        self.read_bytes = 0
        self.environment = {**os.environ, "DISPLAY": f":{server.number}", "SDL_VIDEODRIVER": "x11",
                            "CAIRN_LOG": "debug", "HOME": str(folder)}
        for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "WAYLAND_DISPLAY"):
            self.environment.pop(name, None)
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(
                [CRAFTY, "--worlds", folder / "worlds", "--settings", folder / "settings.json", "--size",
                 f"{SIZE[0]}x{SIZE[1]}", "--off", "far,clouds,particles", "--weather", "clear", "--walk",
                 *options],
                env=self.environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.window = self.wait("a window", lambda: self.display.find("Crafty"))
        self.xdotool("windowfocus", str(self.window))

    def has_logged(self, words):
        """Returns whether the program has logged the words, after those of the last call that returned true."""
        at = self.log_path.read_text().find(words, self.read_bytes)
        if at >= 0:
            self.read_bytes = at + len(words)
        return at >= 0

    def wait_log(self, words):
        self.wait(f'"{words}"', lambda: self.has_logged(words))

    def repeat_until(self, what, act, condition):
        """Repeats an action until it has an effect: slow frames can miss keys and clicks."""
        def try_once():
            act()
            return any(condition() or time.sleep(0.1) for _ in range(TRY_S * 10))
        self.wait(what, try_once)

    def xdotool(self, *arguments):
        subprocess.run(["xdotool", *arguments], env=self.environment, check=True, stdout=subprocess.DEVNULL)

    def keys(self, *names, delay_ms=60):
        self.xdotool("key", "--delay", str(delay_ms), *names)

    def hold_until(self, button, words):
        """Holds a mouse button until the program logs the words."""
        self.xdotool("mousedown", button)
        self.wait_log(words)
        self.xdotool("mouseup", button)

    def click_until(self, x, y, words):
        """Clicks until the program logs the words."""
        def click():
            self.xdotool("mousemove", "--window", str(self.window), str(x), str(y), "sleep", "0.3", "mousedown", "1",
                         "sleep", "0.1", "mouseup", "1")
        self.repeat_until(f'"{words}"', click, lambda: self.has_logged(words))

    def look_down(self, pixels):
        for _ in range(pixels // 20):
            self.xdotool("mousemove_relative", "--", "0", "20")

    def picture(self):
        return self.display.read_pixels(self.window, *MIDDLE)

    def still_picture(self):
        """Returns what the middle shows once it hardly changes: chunks have faded in, the player stands."""
        pictures = [self.picture()]

        def is_still():
            time.sleep(0.5)
            pictures.append(self.picture())
            return difference(pictures[-2], pictures[-1]) < 1
        self.wait("a picture that does not change", is_still)
        return pictures[-1]


def difference(a, b):
    """Returns the mean difference of two pictures, in levels of 0 to 255."""
    return sum(abs(x - y) for x, y in zip(a, b)) * 4 / (3 * len(a))


class Window(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "settings.json").write_text(
            '{"version": 1, "quality": "low", "viewDistance": 3, "titleLandscape": false}')  # frames are fast
        self.server = Server()
        self.addCleanup(self.server.stop)

    def start(self):
        game = Game(self.server, self.folder)
        self.addCleanup(game.kill)
        return game

    def info(self):
        """Returns what the only world says."""
        path, = (self.folder / "worlds").glob("*.crafty")
        done = subprocess.run([CRAFTY, "world", "info", path, "--json"], capture_output=True, text=True, check=True)
        return json.loads(done.stdout)

    def open_list(self, game, count):
        """Leaves the title for the list of worlds."""
        game.wait_log("the title is shown")
        game.repeat_until("the list", lambda: game.keys("Return"),
                          lambda: game.has_logged(f"the list shows {count} worlds"))

    def create_world(self, game):
        self.open_list(game, 0)
        game.wait_log("a dialog has the focus")
        time.sleep(1)  # until the window accepts text
        game.xdotool("type", "--delay", "60", "Window test")  # replaces the name that is selected
        game.keys("Tab")
        time.sleep(1)  # until the next field has the focus, also with slow frames
        game.xdotool("type", "--delay", "60", "--", "-5")
        game.keys("Return")
        game.wait_log("play after")

    def dig(self, game):
        """Looks at the ground in front, and breaks and places blocks. Returns the picture before that."""
        game.click_until(SIZE[0] // 2, SIZE[1] // 2, "the mouse is captured")
        game.look_down(480)
        before = game.still_picture()
        game.hold_until("1", "broke a block at")
        game.keys("2")
        game.hold_until("3", "placed a block at")
        for _ in range(2):
            game.hold_until("1", "broke a block at")
        return before

    def change_settings(self, game):
        """Raises the view distance with the keyboard. It is the second widget below the four tabs."""
        settings = self.folder / "settings.json"

        game.repeat_until("the settings file",
                          lambda: game.keys("F4", *["Tab"] * 5, "Right", "Escape"),  # leaving the page writes the file
                          lambda: json.loads(settings.read_text()).get("viewDistance", 3) > 3)
        self.assertEqual(json.loads(settings.read_text())["quality"], "low")

    def open_chat(self, game):
        game.repeat_until("the chat", lambda: game.keys("slash"), lambda: game.has_logged("the chat is open"))
        time.sleep(0.5)  # until the window accepts text

    def test_commands_are_typed_completed_and_remembered(self):
        game = self.start()
        self.create_world(game)
        game.click_until(SIZE[0] // 2, SIZE[1] // 2, "the mouse is captured")
        self.open_chat(game)
        game.xdotool("type", "--delay", "60", "time set 14:30")
        game.keys("Return")
        game.wait_log("chat: It is 14:30")
        self.open_chat(game)
        game.xdotool("type", "--delay", "60", "giv")
        game.keys("Tab")  # the only command that begins so
        game.xdotool("type", "--delay", "60", "diamond_bl")
        game.keys("Tab")
        game.xdotool("type", "--delay", "60", "3")
        game.keys("Return")
        game.wait_log("chat: player1 got 3 ")
        self.open_chat(game)
        game.keys("Up", "Up", "Return")  # the line before the last one
        game.wait_log("chat: It is 14:30")
        self.assertEqual(game.close(), 0)
        history = (self.folder / ".config/crafty/chat_history.txt").read_text().splitlines()
        self.assertEqual([line.split()[0] for line in history], ["/time", "/give", "/time"])

    def test_a_killed_game_goes_on_from_its_last_tick(self):
        game = self.start()
        self.create_world(game)
        before = self.dig(game)
        last = game.still_picture()
        game.process.kill()  # what was dug last may not be saved yet
        game.process.wait()
        game.display.close()

        game = self.start()
        game.wait_log("a dialog offers to continue")
        game.still_picture()
        game.keys("Tab", "Return")
        game.wait_log("tick ")  # the process that continues prints its last tick
        game.wait_log("play after")
        limit = difference(before, last) / 2
        game.wait("what was dug", lambda: difference(last, game.still_picture()) < limit)
        self.assertEqual(game.close(), 0)
        self.assertEqual(list((self.folder / ".local/state/crafty/crashes").iterdir()), [])

    def raise_distance(self, wanted):
        """Starts the program, raises the view distance by one in the settings of the title, and ends the program."""
        settings = self.folder / "settings.json"
        game = self.start()
        game.wait_log("the title is shown")
        game.still_picture()
        # Nothing says which widget has the focus, so no key may be lost, also with slow frames.
        game.keys("Down", "Down", "Return", delay_ms=500)
        game.still_picture()
        game.keys(*["Tab"] * 5, "Right", delay_ms=500)
        game.repeat_until("the settings file", lambda: game.keys("Escape"),
                          lambda: json.loads(settings.read_text())["viewDistance"] == wanted)
        self.assertEqual(game.close(), 0)

    def test_settings_are_kept_over_a_restart(self):
        self.raise_distance(4)
        self.raise_distance(5)

    def test_a_world_is_created_changed_closed_and_found_again(self):
        game = self.start()
        self.create_world(game)
        before = self.dig(game)
        last = game.still_picture()
        self.assertEqual(game.close(), 0)
        info = self.info()
        self.assertIn("test", info["name"])
        self.assertEqual((info["seed"], info["mode"]), ("-5", "creative"))
        self.assertNotEqual(int(info["blocks_hash"], 16), 0)  # it is 0 without changes

        game = self.start()
        self.open_list(game, 1)
        self.assertEqual(self.info()["blocks_hash"], info["blocks_hash"])  # plants grow when it is played
        time.sleep(1)  # until the list has the focus
        game.keys("Return")
        game.wait_log("play after")
        again = game.still_picture()
        print(f"pictures: {difference(before, last):.1f} by digging, {difference(last, again):.1f} after reopening")
        self.assertLess(difference(last, again), difference(before, last) / 2)
        self.change_settings(game)
        game.click_until(235, 134, "the title is shown")  # in the pause menu: save and quit to title
        self.assertEqual(game.close(), 0)


def lacking():
    missing = [name for name in ("Xvfb", "xdotool") if not shutil.which(name)]
    hello = subprocess.run([Path(CRAFTY).parent / "17_hello_window", "--headless", "--frames", "1", "--size", "16x16"],
                           capture_output=True, text=True)
    if "Vulkan cannot be initialized" in hello.stderr or "no Vulkan device" in hello.stderr:
        missing.append("a Vulkan device")
    return missing


if __name__ == "__main__":
    if lacking():
        print("skipped: without", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()

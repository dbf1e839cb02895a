#!/usr/bin/env python3
"""Files that change while a scene is shown in a window: a script, a shader, a material, the scene, and one with an error.
Usage: test_hot_reload_window.py path/to/cairn

The test waits for what the window shows and the program logs; it asserts no times. It is skipped without Xvfb or a
Vulkan device.
"""

import os
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import test_crafty_window as base
from test_crafty_window import Program, Server, lacking
from x11_window import Display

CAIRN = base.CRAFTY  # the first argument
SIZE = (640, 360)
LEFT, MIDDLE, BOTTOM = (140, 180), (320, 180), (14, SIZE[1] - 14)  # the last one is in the panel of errors
SCENE = """{"id": "Window", "nodes": [
 {"id": "Eye", "components": [{"type": "CameraComponent"},
  {"type": "TransformComponent", "position": [0, 0, 3]}]},
 {"id": "Left", "components": [{"type": "MeshRendererComponent", "mesh": "shapes://cube", "material": "Flat"},
  {"type": "TransformComponent", "position": [-1.6, 0, 0]}]},
 {"id": "Middle", "components": [{"type": "MeshRendererComponent", "mesh": "shapes://cube", "material": "Glow"},
  {"type": "TransformComponent", "position": [0, %s, 0]},
  {"type": "ScriptComponent", "scriptName": "count", "scriptPath": "scripts://count.lua"}]}],
 "pipelines": [{"id": "Glow", "surface": "assets://glow.glsl"}],
 "materials": [{"id": "Glow", "pipeline": "Glow"},
  {"id": "Flat", "unlit": true, "baseColor": %s}]}
"""
SHADER = "void surface(inout Surface s)\n{\n    s.unlit = true; s.albedo = %s;\n}\n"
SCRIPT = """function on_init() this.state.ticks = 0 end
function on_reload() log("%s with the state " .. tostring(this.state.ticks > 0)) end
function on_update() this.state.ticks = this.state.ticks + 1 end
"""
RED, GREEN, BLUE = 0, 1, 2


class Viewer(Program):
    def __init__(self, server, folder):
        self.display = Display(server.number)
        self.log_path = folder / "log"
        environment = {**os.environ, "DISPLAY": f":{server.number}", "SDL_VIDEODRIVER": "x11", "CAIRN_LOG": "info"}
        environment.pop("WAYLAND_DISPLAY", None)
        with open(self.log_path, "w") as log:
            self.process = subprocess.Popen(
                [CAIRN, "view", folder / "main.json", "--preset", "forward", "--size", f"{SIZE[0]}x{SIZE[1]}",
                 "--no-audio"],
                env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        self.window = self.wait("a window", lambda: self.display.find("cairn view"))

    def color(self, place):
        blue, green, red, _ = self.display.read_pixels(self.window, *place, 1, 1)
        return red, green, blue

    def wait_color(self, what, place, strongest):
        def is_strong():
            color = self.color(place)
            return all(color[strongest] > 2 * color[other] + 20 for other in range(3) if other != strongest)
        self.wait(what, is_strong)

    def wait_log(self, words):
        self.wait(f'"{words}"', lambda: words in self.log_path.read_text())


class HotReload(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write("main.json", SCENE % ("0", "[1, 0, 0, 1]"))
        self.write("glow.glsl", SHADER % "vec3(1.0, 0.0, 0.0)")
        self.write("count.lua", SCRIPT % "the old text")
        server = Server()
        self.addCleanup(server.stop)
        self.viewer = Viewer(server, self.folder)
        self.addCleanup(self.viewer.kill)
        self.viewer.wait_color("a red cube", MIDDLE, RED)

    def write(self, name, text):
        (self.folder / (name + ".new")).write_text(text)
        (self.folder / (name + ".new")).rename(self.folder / name)

    def test_everything_that_is_saved_is_shown_with_state_kept(self):
        viewer = self.viewer
        self.write("glow.glsl", SHADER % "vec3(0.0, 1.0, 0.0)")
        viewer.wait_color("the new shader", MIDDLE, GREEN)
        viewer.wait_color("the old material", LEFT, RED)
        self.write("main.json", SCENE % ("0", "[0, 0, 1, 1]"))
        viewer.wait_color("the new material", LEFT, BLUE)
        viewer.wait_color("the middle as before", MIDDLE, GREEN)
        self.write("count.lua", SCRIPT % "the new text")
        viewer.wait_log("the new text with the state true")
        self.write("main.json", SCENE % ("5", "[0, 0, 1, 1]"))
        viewer.wait_log("objects: 1 changed")
        viewer.wait("an empty middle", lambda: viewer.color(MIDDLE)[GREEN] < 2 * viewer.color(MIDDLE)[RED] + 20)
        self.assertNotIn("error", viewer.log_path.read_text())
        self.assertEqual(viewer.close(), 0)

    def test_errors_are_shown_until_they_are_mended(self):
        viewer = self.viewer
        before = viewer.color(BOTTOM)
        self.write("count.lua", "local a = 1\nlocal b = = 2\n")
        viewer.wait_color("a panel for the script", BOTTOM, RED)
        self.assertEqual(viewer.log_path.read_text().count("count.lua:2: "), 1)
        self.write("count.lua", SCRIPT % "the mended text")
        viewer.wait("no panel", lambda: viewer.color(BOTTOM) == before)
        self.write("glow.glsl", SHADER % "nonsense")
        viewer.wait_color("a panel for the shader", BOTTOM, RED)
        viewer.wait_color("the old shader", MIDDLE, RED)
        self.write("main.json", SCENE % ("nonsense", "[1, 0, 0, 1]"))
        viewer.wait_log("main.json:7:")
        if "HOT_RELOAD_IMAGE" in os.environ:  # for the documentation
            time.sleep(1)
            save_image(viewer, Path(os.environ["HOT_RELOAD_IMAGE"]))
        self.write("main.json", SCENE % ("0", "[1, 0, 0, 1]"))
        self.write("glow.glsl", SHADER % "vec3(0.0, 1.0, 0.0)")
        viewer.wait_color("the mended shader", MIDDLE, GREEN)
        viewer.wait("no panel", lambda: viewer.color(BOTTOM) == before)
        self.assertEqual(viewer.close(), 0)


def save_image(viewer, path):
    """Writes what the window shows as PPM."""
    pixels = viewer.display.read_pixels(viewer.window, 0, 0, *SIZE)
    rows = bytes(pixels[i + 2 - c] for i in range(0, len(pixels), 4) for c in range(3))
    path.write_bytes(b"P6 %d %d 255\n" % SIZE + rows)


if __name__ == "__main__":
    if lacking():
        print("skipped: without", ", ".join(lacking()))
        sys.exit(77)
    unittest.main()

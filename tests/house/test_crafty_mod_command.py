#!/usr/bin/env python3
"""crafty mod: each action with the files that it leaves, its exit status and its errors.

Usage: test_crafty_mod_command.py path/to/crafty path/to/crafty-server
"""

import os
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

CRAFTY, SERVER = sys.argv[1:3]


class Failure(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Failure(message)


class Home:
    """A folder in which commands run, with settings, worlds and mods of its own."""

    def __init__(self, folder):
        self.folder = folder
        self.mods = folder / "data/crafty/mods"
        self.mods.mkdir(parents=True)
        self.environment = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
        # Neither SDL nor Vulkan may be opened: both would fail.
        self.environment.update(SDL_VIDEODRIVER="none", VK_ICD_FILENAMES="/nonexistent",
                                VK_DRIVER_FILES="/nonexistent", XDG_DATA_HOME=str(folder / "data"),
                                XDG_CONFIG_HOME=str(folder / "config"), HOME=str(folder))

    def run(self, *arguments, status=0, program=(CRAFTY, "mod")):
        done = subprocess.run([*program, *arguments], capture_output=True, env=self.environment, cwd=self.folder,
                              timeout=250)
        need(done.returncode == status, f"{arguments}: status {done.returncode} instead of {status}\n"
             f"{done.stdout.decode(errors='replace')}{done.stderr.decode(errors='replace')}")
        need(all(byte >= 0x20 or byte == 0x0A for byte in done.stdout + done.stderr),
             f"{arguments}: the output has control characters")
        return done.stdout.decode(), done.stderr.decode()

    def write(self, path, text):
        path = self.folder / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def install(self, name, more="", code="-- nothing\n"):
        self.write(f"data/crafty/mods/{name}/mod.json", f'{{"name": "{name}", "version": "1.0.0"{more}}}\n')
        self.write(f"data/crafty/mods/{name}/main.lua", code)

    def row(self, name, *options):
        """Returns the words of the line of a mod in the list."""
        out, _ = self.run("list", *options)
        lines = [line.split() for line in out.splitlines() if line.startswith(f"{name} ")]
        need(len(lines) == 1, f"{name} has {len(lines)} lines in the list:\n{out}")
        return lines[0]


def test_help_and_usage(home):
    out, _ = home.run("--help")
    for action in "list new check enable disable pack annotations".split():
        need(f"\n  {action} " in out, f"--help does not list {action}")
    for arguments, words in (((), "which action"), (("lst",), "did you mean list"), (("new",), "NAME"),
                             (("list", "a"), "takes no"), (("list", "--nonsense"), "unknown option"),
                             (("list", "--output", "a"), "has no option --output"), (("pack", "a", "b"), "unexpected"),
                             (("list", "--mods"), "needs a value"), (("list", "--worlds", "a"), "--world NAME")):
        _, err = home.run(*arguments, status=2)
        need(words in err and err.count("\n") == 1, f"{arguments}: {err!r}")
    out, _ = home.run("--help", program=(CRAFTY,))
    need("crafty mod" in out, "crafty --help does not mention crafty mod")


def test_the_example_has_no_mistakes_and_plays(home):
    out, _ = home.run("new", "moon_lamp")
    need("crafty mod check moon_lamp" in out, f"new does not say what to do next: {out!r}")
    annotations = (home.folder / "moon_lamp/.annotations/crafty.lua").read_text()
    need(annotations.startswith("---@meta") and "function world.set(" in annotations, "editors get no annotations")
    out, _ = home.run("check", "moon_lamp")
    need("moon_lamp 0.1.0: no mistakes found" in out, f"the example has mistakes: {out!r}")
    home.run("--mods", "moon_lamp", "--ticks", "5", "--world", "Home", program=(SERVER,))
    need("moon_lamp" in home.run("list", "--world", "Home", status=1)[0], "the world does not know the mod")


def test_annotations_are_written_anew(home):
    home.run("new", "castle")
    annotations = home.folder / "castle/.annotations/crafty.lua"
    good = annotations.read_text()
    annotations.write_text("-- of an old version\n")
    (home.folder / "castle/.luarc.json").write_text("{}")
    home.run("annotations", "castle")
    need(annotations.read_text() == good, "the annotations are not those of this version")
    need((home.folder / "castle/.luarc.json").read_text() == "{}", "the settings of the author are lost")
    home.install("bees")
    home.run("annotations", "data/crafty/mods/bees")
    need((home.folder / "data/crafty/mods/bees/.luarc.json").exists(), "editors do not find the annotations")
    need("no mod in" in home.run("annotations", "missing", status=1)[1], "a folder that is missing")


def test_new_refuses_names_and_folders(home):
    for name in ("Castle", "1st", "a-b", "../evil", ""):
        _, err = home.run("new", name, status=1)
        need("a-z, 0-9" in err, f"{name!r}: {err!r}")
    (home.folder / "taken").mkdir()
    need("already exists" in home.run("new", "taken", status=1)[1], "new overwrites a folder")


def test_check_names_mod_file_and_line(home):
    home.run("new", "castle")
    main = home.folder / "castle/main.lua"
    good = main.read_text()
    main.write_text(good + "block { name = 'gate', hardness = 'hard' }\n")
    line = good.count("\n") + 1
    out, _ = home.run("check", "castle", status=1)
    need(f"castle: castle/main.lua:{line}: " in out and "hardness" in out, f"a wrong definition: {out!r}")
    main.write_text("x = = 1\n")
    need("castle: castle/main.lua:1: " in home.run("check", "castle", status=1)[0], "a wrong syntax")
    main.write_text("\nwhile true do end\n")
    need("castle: castle/main.lua:2: " in home.run("check", "castle", status=1)[0], "an endless loop")
    home.write("castle/mod.json", '{"name": "castle",\n "version": "one"}\n')
    out, _ = home.run("check", "castle", status=1)
    need("castle: castle/mod.json:2: " in out, f"a wrong manifest: {out!r}")


def test_check_of_nothing_is_an_error(home):
    (home.folder / "empty").mkdir()
    need("no mod" in home.run("check", "empty", status=1)[1], "an empty folder")
    need("missing" in "".join(home.run("check", "missing", status=1)), "a missing folder")


def test_list_and_enable(home):
    home.install("bees", ', "title": "Bees", "description": "Honey.", "authors": ["Ann"], "permissions": ["blocks"]')
    home.install("castle", ', "dependencies": {"bees": "^1"}')
    need(home.row("bees")[1:3] == ["1.0.0", "disabled"], f"{home.row('bees')}")
    need("Honey." in home.run("list")[0] and "by Ann" in home.run("list")[0], "the description is not listed")
    home.run("enable", "castle")
    need(home.row("castle")[2] == "enabled" and home.row("bees")[2] == "needed", home.run("list")[0])
    out, _ = home.run("enable", "bees")
    need("changes blocks" in out, f"enable does not show the permissions: {out!r}")
    home.run("disable", "castle")
    need(home.row("castle")[2] == "disabled" and home.row("bees")[2] == "enabled", home.run("list")[0])
    need("is not enabled" in home.run("disable", "castle", status=1)[1], "disabling twice")
    need("did you mean bees" in home.run("enable", "bee", status=1)[1], "no similar name")


def test_the_mods_that_come_with_the_game_are_listed_and_run_in_worlds(home):
    for name in ("minimap", "elevator", "quest"):
        need(home.row(name)[2] == "disabled", f"{name}: {home.row(name)}")
    home.run("enable", "minimap")
    need(home.row("minimap")[2] == "enabled", home.run("list")[0])
    home.run("--ticks", "5", "--world", "Map", program=(SERVER,))
    need(home.row("minimap", "--world", "Map")[2] == "enabled", home.run("list", "--world", "Map")[0])


def test_enable_refuses_mods_that_cannot_run(home):
    home.install("castle", ', "dependencies": {"stones": "^1"}')
    need("stones" in home.run("enable", "castle", status=1)[1], "a dependency is missing")
    home.install("old", ', "game": "^0.1"')
    need("version" in home.run("enable", "old", status=1)[1], "made for another version")
    home.write("data/crafty/mods/broken/mod.json", "{")
    home.write("data/crafty/mods/broken/main.lua", "")
    out, _ = home.run("list", status=1)
    need("broken: broken/mod.json:1: " in out, f"a broken mod is not listed: {out!r}")


def test_mods_of_a_world(home):
    home.install("bees")
    home.run("--ticks", "5", "--world", "Home", program=(SERVER,))
    need(home.row("bees", "--world", "Home")[2] == "disabled", "a world has a mod")
    home.run("enable", "bees", "--world", "Home")
    need(home.row("bees", "--world", "Home")[2] == "enabled", "a world has no mod")
    need(home.row("bees")[2] == "disabled", "new worlds have the mod of another world")
    home.run("disable", "bees", "--world", "Home")
    need("does not have" in home.run("disable", "bees", "--world", "Home", status=1)[1], "disabling twice")
    need("Nowhere" in home.run("enable", "bees", "--world", "Nowhere", status=1)[1], "a missing world")


COUNTER = """on("join", function(e)
    storage.set("joins", (storage.get("joins") or 0) + 1)
    print("joined", storage.get("joins"))
end)
"""


def test_a_mod_runs_in_a_saved_world_also_after_it_was_missing(home):
    world = ("--ticks", "5", "--world", "Home")
    home.install("counter", ', "permissions": ["storage"]', COUNTER)
    home.run("enable", "counter")
    need("joined 1" in home.run(*world, program=(SERVER,))[1], "the mod does not run in a new world")
    need("joined 2" in home.run(*world, program=(SERVER,))[1], "the mod does not run in a saved world")
    missing = home.run(*world, "--no-mods", program=(SERVER,))[1]
    need("joined" not in missing, "the mod runs with --no-mods")
    need("joined 3" in home.run(*world, program=(SERVER,))[1], "what the mod keeps is lost")


def test_a_recording_plays_with_its_mods_only(home):
    home.install("counter", ', "permissions": ["storage"]', COUNTER)
    mods = ("--mods", str(home.mods))
    out, _ = home.run("--ticks", "20", "--record", "a.cnr", *mods, program=(SERVER,))
    need(home.run("--replay", "a.cnr", *mods, program=(SERVER,))[0] == out, "the replay has other hashes")
    home.install("counter", ', "permissions": ["storage"]', COUNTER + "-- changed\n")
    need("other files" in home.run("--replay", "a.cnr", *mods, status=1, program=(SERVER,))[1],
         "a changed mod plays a recording")


def test_pack_is_deterministic_and_complete(home):
    home.run("new", "castle")
    home.write("castle/.hidden", "secret")
    out, _ = home.run("pack", "castle")
    archive = home.folder / "castle-0.1.0.zip"
    need("castle-0.1.0.zip: 3 files" in out, f"{out!r}")
    first = archive.read_bytes()
    for path in (home.folder / "castle").rglob("*"):
        os.utime(path, (1, 1))
    home.run("pack", "castle", "--output", "other.zip")
    need((home.folder / "other.zip").read_bytes() == first, "the archive depends on more than the files")
    with zipfile.ZipFile(archive) as opened:
        need(opened.testzip() is None, "the archive is damaged")
        need(opened.namelist() == ["lib/colors.lua", "main.lua", "mod.json"], f"{opened.namelist()}")
        need(opened.read("main.lua") == (home.folder / "castle/main.lua").read_bytes(), "other content")
    need("no mistakes" in home.run("check", "castle-0.1.0.zip")[0], "the archive is not a mod")
    archive.rename(home.mods / archive.name)
    need(home.row("castle")[2] == "disabled", "the archive is not found")


def test_pack_refuses_what_is_not_a_mod(home):
    (home.folder / "empty").mkdir()
    need("not a mod" in home.run("pack", "empty", status=1)[1], "an empty folder")
    home.run("new", "castle")
    need(".zip" in home.run("pack", "castle", "--output", "castle.rar", status=1)[1], "another suffix")
    home.run("pack", "castle")
    need("already is" in home.run("pack", "castle-0.1.0.zip", status=1)[1], "an archive")
    need(home.run("pack", "castle", "--output", "no/where.zip", status=1)[1] != "", "a missing folder")


def main():
    failed = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Home(Path(folder)))
            except (Failure, OSError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"{name}: {type(problem).__name__}: {problem}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

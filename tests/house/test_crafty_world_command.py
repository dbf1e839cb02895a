#!/usr/bin/env python3
"""crafty world: each action, as text and as JSON, with the files that it leaves, its exit status and its errors.

Usage: test_crafty_world_command.py path/to/crafty path/to/crafty-server
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

CRAFTY, SERVER = sys.argv[1:3]


class Failure(Exception):
    pass


def need(condition, message):
    if not condition:
        raise Failure(message)


def run(*arguments, status=0, environment=None):
    """Runs crafty world without a display. Returns the standard output and the standard error."""
    clean = {k: v for k, v in os.environ.items() if k not in ("DISPLAY", "WAYLAND_DISPLAY")}
    clean.update(environment or {})
    # Neither SDL nor Vulkan may be opened: both would fail.
    clean.update(SDL_VIDEODRIVER="none", VK_ICD_FILENAMES="/nonexistent", VK_DRIVER_FILES="/nonexistent")
    done = subprocess.run([CRAFTY, "world", *arguments], capture_output=True, env=clean, timeout=250)
    need(done.returncode == status, f"{arguments}: status {done.returncode} instead of {status}\n"
         f"{done.stdout.decode(errors='replace')}{done.stderr.decode(errors='replace')}")
    need(all(byte >= 0x20 or byte == 0x0A for byte in done.stdout + done.stderr),
         f"{arguments}: the output has control characters")
    return done.stdout.decode(), done.stderr.decode()


def document(*arguments, status=0):
    """Returns the JSON document of an action. Nothing else may be printed."""
    out, err = run(*arguments, "--json", status=status)
    need(err == "", f"{arguments}: --json prints {err!r}")
    return json.loads(out)


class Worlds:
    def __init__(self, folder):
        self.folder = folder / "worlds"

    def json(self, *arguments, status=0):
        return document(*arguments, "--worlds", str(self.folder), status=status)

    def text(self, *arguments, status=0):
        return run(*arguments, "--worlds", str(self.folder), status=status)

    def names(self, *options):
        return [world["name"] for world in self.json("list", *options)["worlds"]]

    def play(self, name, ticks=30):
        subprocess.run([SERVER, "--world", name, "--worlds", str(self.folder), "--ticks", str(ticks)],
                       check=True, capture_output=True)

    def damage(self, name):
        """Changes bytes in the middle of the file."""
        path = self.folder / f"{name}.crafty"
        data = bytearray(path.read_bytes())
        page = len(data) // 8192 * 4096
        data[page:page + 4096] = b"\xee" * 4096
        path.write_bytes(data)


def test_help_and_usage(worlds):
    out, _ = run("--help")
    for action in ("list create info rename copy backup restore export import verify repair compact delete "
                   "torture").split():
        need(f"\n  {action} " in out, f"--help does not list {action}")
    for arguments, words in (((), "which action"), (("lst",), "did you mean list"), (("rename", "a"), "NEW"),
                             (("list", "a"), "takes no"), (("list", "--nonsense"), "unknown option"),
                             (("list", "--seed", "1"), "has no option --seed"), (("info",), "NAME"),
                             (("torture", "--rounds", "0"), "from 1 to"), (("list", "--worlds"), "needs a value")):
        _, err = run(*arguments, status=2)
        need(words in err and err.count("\n") == 1, f"{arguments}: {err!r}")
    help_of_crafty = subprocess.run([CRAFTY, "--help"], capture_output=True, check=True).stdout
    need(b"crafty world" in help_of_crafty, "crafty --help does not mention crafty world")


def test_create_with_rules(worlds):
    worlds.json("create", "Old")
    need("start_mode" not in worlds.json("info", "Old"), "a world without options has rules")
    for name, options, mode, commands in (("A", ["--mode", "creative"], "creative", True),
                                          ("B", ["--mode", "survival"], "survival", False),
                                          ("C", ["--allow-commands"], "survival", True),
                                          ("D", ["--mode", "spectator"], "spectator", True)):
        worlds.json("create", name, *options)
        info = worlds.json("info", name)
        need(info["start_mode"] == mode and info["allow_commands"] is commands, str(info))
    out, _ = worlds.text("info", "B")
    need("survival, commands not allowed" in out, out)
    _, error = worlds.text("create", "E", "--mode", "hard", status=2)
    need("survival, creative or spectator" in error, error)
    worlds.text("list", "--mode", "creative", status=2)


def test_create_and_list(worlds):
    need(worlds.json("list") == {"folder": str(worlds.folder), "worlds": []}, "a new folder is not empty")
    need(worlds.json("create", "Home", "--seed", "-5")["seed"] == "-5", "the seed is not the given one")
    need(worlds.json("create", "Ice \"cave\"\\", "--seed", "glacier")["seed"] == "-2512233608209078924",
         "the seed of a text is not its hash")
    worlds.json("create", "Tom/Anna")
    need(sorted(worlds.names()) == ["Home", "Ice \"cave\"\\", "Tom/Anna"], "the names are wrong")
    need((worlds.folder / "Tom_Anna.crafty").exists(), "the file has another name")
    error = worlds.json("create", "hOME", status=1)["error"]
    need(error["code"] == "already exists" and "choose another name" in error["message"], str(error))
    worlds.text("create", "\x1b[31mred", status=1)
    out, _ = worlds.text("list")
    need(out.count("\n") == 3 and "not played yet" in out, out)


def test_info(worlds):
    worlds.json("create", "Home", "--seed", "7")
    need(worlds.json("info", "Home")["is_new"] is True, "a new world is not new")
    worlds.play("Home", 40)
    info = worlds.json("info", "Home")
    need(info["tick"] == 40 and info["seed"] == "7" and info["mode"] == "survival", str(info))
    out, _ = worlds.text("info", "Home")
    need("tick 40" in out, out)
    error = worlds.json("info", "Nowhere", status=1)["error"]
    need(error["code"] == "not found", str(error))


def test_unreadable_worlds_are_listed(worlds):
    worlds.json("create", "Home")
    (worlds.folder / "bad.crafty").write_text("nonsense " * 100)
    listed = {world["name"]: world for world in worlds.json("list")["worlds"]}
    need("error" in listed["bad"] and "error" not in listed["Home"], str(listed))
    out, _ = worlds.text("list")
    need("cannot be read" in out, out)


def test_rename_and_copy(worlds):
    worlds.json("create", "Home", "--seed", "7")
    path = worlds.json("rename", "Home", "Old home")["path"]
    need(path.endswith("/Old home.crafty") and not (worlds.folder / "Home.crafty").exists(), path)
    worlds.json("copy", "Old home", "Second")
    need(sorted(worlds.names()) == ["Old home", "Second"], str(worlds.names()))
    need(worlds.json("info", "Second")["seed"] == "7", "the copy has another seed")
    worlds.json("rename", "Second", "old HOME", status=1)


def test_backup_and_restore(worlds):
    worlds.play("Home", 10)
    backup = Path(worlds.json("backup", "Home")["path"])
    need(backup.parent.name == "backups" and backup.exists(), str(backup))
    worlds.play("Home", 10)
    restored = worlds.json("restore", "Home")
    need(restored["from"] == str(backup), str(restored))
    need(worlds.json("info", "Home")["tick"] == 10, "the backup did not come back")
    need(len(worlds.names("--backups")) == 2, "the replaced world is no backup")
    need(len(worlds.json("info", "Home")["backups"]) == 2, "info does not list the backups")
    worlds.json("restore", "Home", "--from", backup.name, "--name", "Other")
    need(sorted(worlds.names()) == ["Home", "Other"], str(worlds.names()))
    worlds.json("restore", "Nothing", status=1)


def test_delete(worlds):
    worlds.json("create", "Home")
    worlds.json("delete", "Home")
    need(worlds.names() == [] and worlds.names("--deleted") == ["Home"], "the world was not moved")
    worlds.json("restore", "Home")
    need(worlds.names() == ["Home"] and worlds.names("--deleted") == [], "the world did not come back")
    worlds.json("delete", "Home", "--permanently")
    need(worlds.names() == [] and worlds.names("--deleted") == [], "the world still exists")


def test_export_and_import(worlds):
    worlds.play("Home", 10)
    file = worlds.folder.parent / "exported.world"
    worlds.json("export", "Home", str(file))
    need(file.exists() and not Path(f"{file}-wal").exists(), "there is no single file")
    error = worlds.json("export", "Home", str(file), status=1)["error"]
    need(error["code"] == "already exists", str(error))
    worlds.json("import", str(file))
    worlds.json("import", str(file), "--name", "Guest")
    need(sorted(worlds.names()) == ["Guest", "Home", "Home (2)"], str(worlds.names()))
    need(worlds.json("info", "Guest")["tick"] == 10, "the imported world is another one")
    file.write_bytes(file.read_bytes()[:5000])
    worlds.json("import", str(file), status=1)
    need(len(worlds.names()) == 3, "a damaged file was imported")


def test_verify_and_repair(worlds):
    worlds.play("Home", 10)
    worlds.play("Good", 10)
    need(worlds.json("verify", "Home")["is_intact"] is True, "an intact world is damaged")
    need(worlds.json("repair", "Home")["was_intact"] is True, "an intact world was repaired")
    worlds.damage("Home")
    found = worlds.json("verify", "Home", status=1)
    need(found["is_intact"] is False and found["damage"][0]["message"], str(found))
    worlds.text("verify", "Home", status=1)
    every = worlds.json("verify", "--all", status=1)["worlds"]
    need(sorted(world["is_intact"] for world in every) == [False, True], str(every))
    repaired = worlds.json("repair", "Home")
    need(repaired["was_intact"] is False and Path(repaired["backup"]).exists(), str(repaired))
    need(worlds.json("verify", "--all")["worlds"], "the repaired world is damaged")
    worlds.play("Home", 10)


def test_compact(worlds):
    worlds.play("Home", 10)
    before = worlds.json("info", "Home")
    sizes = worlds.json("compact", "Home")
    need(0 < sizes["bytes_after"] <= sizes["bytes_before"], str(sizes))
    after = worlds.json("info", "Home")
    need({**before, "size_bytes": 0} == {**after, "size_bytes": 0}, "compacting changed the world")


def test_an_open_world_is_left_alone(worlds):
    worlds.play("Home", 1)
    server = subprocess.Popen([SERVER, "--world", "Home", "--worlds", str(worlds.folder)],
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        until = time.monotonic() + 60
        while not (worlds.folder / "Home.crafty-wal").exists() and time.monotonic() < until:
            time.sleep(0.05)
        need(worlds.json("list")["worlds"][0]["is_open"] is True, "an open world is not listed as open")
        for arguments in (("rename", "Home", "New"), ("delete", "Home"), ("delete", "Home", "--permanently"),
                          ("compact", "Home"), ("verify", "Home"), ("repair", "Home"), ("backup", "Home")):
            error = worlds.json(*arguments, status=1)["error"]
            need(error["code"] == "not permitted" and "close it" in error["message"], f"{arguments}: {error}")
    finally:
        server.terminate()
        server.wait()
    need(worlds.json("verify", "Home")["is_intact"] is True, "the world was damaged")


def test_torture(worlds):
    report = worlds.json("torture", "--rounds", "1")
    need(report["is_reliable"] is True and report["failures"] == [], str(report))
    need(all(kind["count"] == 1 for kind in report["rounds"].values()), str(report))
    need(report["sync"]["median_us"] > 0, str(report))
    need(list(worlds.folder.iterdir()) == [], "torture leaves files")


def test_worlds_are_in_the_data_folder(worlds):
    environment = {"XDG_DATA_HOME": str(worlds.folder)}
    run("create", "Home", environment=environment)
    need((worlds.folder / "crafty/worlds/Home.crafty").exists(), "the world is not in XDG_DATA_HOME")
    _, err = run("list", status=1, environment={"XDG_DATA_HOME": "", "HOME": ""})
    need("--worlds" in err, err)


def main():
    failed = 0
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Worlds(Path(folder)))
            except (Failure, KeyError, ValueError, subprocess.SubprocessError) as problem:
                failed += 1
                print(f"{name}: {type(problem).__name__}: {problem}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Runs the real crafty-server: settings that are read again, restarts, signals, kill -9, metrics, the service
manager, backups that are restored, and accounts while no server runs.

Usage: test_crafty_server_run.py path/to/crafty-server path/to/crafty
"""

import json
import os
import re
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

SERVER, CRAFTY = (str(Path(argument).resolve()) for argument in sys.argv[1:3])
SECONDS = 60  # for anything to happen, also on a machine that is busy


def wait_for(condition, what):
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = condition()
        if found:
            return found
        time.sleep(0.02)
    raise AssertionError(f"does not happen: {what}")


class Server:
    def __init__(self, folder, settings, arguments=(), environment=None):
        self.folder = folder
        self.config = folder / "server.conf"
        self.log = folder / "server.log"
        self.write(settings)
        self.start(arguments, environment)

    def write(self, settings):
        self.config.write_text(f'[log]\nformat = json\nfile = {self.log}\n'
                               f'[server]\nworlds = {self.folder}/worlds\n' + settings)

    def start(self, arguments=(), environment=None):
        self.offset = self.log.stat().st_size if self.log.exists() else 0
        self.process = subprocess.Popen([SERVER, "--config", self.config, *arguments], stdin=subprocess.PIPE,
                                        stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
                                        env={**os.environ, **(environment or {})})
        self.wait("ready")

    def events(self, name):
        if not self.log.exists():
            return []
        with open(self.log, encoding="utf-8") as log:
            log.seek(self.offset)
            lines = [line for line in log.read().split("\n")[:-1]]
        return [event for event in map(json.loads, lines) if event["event"] == name]

    def wait(self, name, count=1):
        def check():
            events = self.events(name)
            if len(events) >= count:
                return events
            assert self.process.poll() is None, f"the server ended: {self.process.stderr.read()}"
            return None
        return wait_for(check, f"event {name}")[-1]

    def say(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()

    def end(self, number=signal.SIGTERM):
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


def tick_of(folder, world):
    """Returns the tick in which a world was saved."""
    info = subprocess.run([CRAFTY, "world", "info", str(folder / "worlds" / f"{world}.crafty"), "--json"],
                          capture_output=True, text=True, check=True)
    return int(json.loads(info.stdout)["tick"])


TWO_WORLDS = "[world A]\nseed = 5\n[world B]\nseed = 6\n"


def test_signals_save_and_end(folder):
    for number in (signal.SIGTERM, signal.SIGINT):
        server = Server(folder, TWO_WORLDS)
        time.sleep(0.3)
        assert server.end(number) == 0
        assert [event["saved"] for event in server.events("world_closed")] == ["yes", "yes"]
    verdict = subprocess.run([CRAFTY, "world", "verify", str(folder / "worlds" / "A.crafty")], capture_output=True)
    assert verdict.returncode == 0


def test_a_second_signal_saves_too(folder):
    server = Server(folder, TWO_WORLDS)
    server.process.send_signal(signal.SIGTERM)
    assert server.end() == 0
    assert [event["saved"] for event in server.events("world_closed")] == ["yes", "yes"]


def test_what_is_said_is_in_the_log(folder):
    server = Server(folder, "")
    server.say("say hello there")
    assert server.wait("said")["text"] == "hello there"
    server.say("say " + "x" * 200)
    server.wait("console_command", 2)
    assert [event["result"] for event in server.events("console_command")] == ["done", "refused"]
    assert server.end() == 0
    assert "console: hello there" in server.process.stderr.read()


def test_stop_ends(folder):
    server = Server(folder, "")
    server.say("stop")
    assert server.process.wait(SECONDS) == 0


def test_sighup_changes_what_can_change(folder):
    server = Server(folder, TWO_WORLDS)
    server.write("max_players = 7\n[network]\nport = 4711\n" + TWO_WORLDS)
    server.process.send_signal(signal.SIGHUP)
    server.wait("reloaded")
    assert "server.max_players" in [event["setting"] for event in server.events("setting_changed")]
    assert "network.port" in [event["setting"] for event in server.events("setting_needs_restart")]
    assert server.end() == 0


def test_a_broken_file_changes_nothing(folder):
    server = Server(folder, "")
    server.write("max_plyers = 7\n")
    server.process.send_signal(signal.SIGHUP)
    reason = server.wait("reload_failed")["reason"]
    assert f"{server.config}:6: " in reason and 'did you mean "max_players"' in reason, reason
    assert not server.events("setting_changed")
    assert server.end() == 0
    status = subprocess.run([SERVER, "--config", server.config], capture_output=True, text=True)
    assert status.returncode == 2 and "max_players" in status.stderr


def test_sighup_opens_the_log_again(folder):
    server = Server(folder, "")
    moved = folder / "server.log.1"
    server.log.rename(moved)
    server.offset = 0
    server.process.send_signal(signal.SIGHUP)
    server.wait("reloaded")
    assert '"ready"' in moved.read_text()
    assert server.end() == 0


def test_a_restart_keeps_process_and_world(folder):
    for restart in (lambda server: server.process.send_signal(signal.SIGUSR1), lambda server: server.say("restart")):
        server = Server(folder, "[world A]\nseed = 5\n")
        time.sleep(0.3)
        restart(server)
        server.wait("ready", 2)
        first, second = server.events("world_opened")
        assert second["tick"] > first["tick"], (first, second)
        server.say("status")  # the console works again
        wait_for(lambda: "status" in [event["line"] for event in server.events("console_command")], "a command")
        assert server.end() == 0


def test_kill_9_loses_little(folder):
    """After kill -9, everything that was confirmed is there: saves, bans."""
    last = 0
    for attempt in range(3):
        server = Server(folder, "[world A]\nseed = 5\n")
        server.say("save")
        server.say(f"ban 192.0.2.{attempt}")
        server.wait("console_command", 2)
        time.sleep(0.2)
        server.process.kill()
        server.process.wait()
        tick = tick_of(folder, "A")
        assert tick > last, (tick, last)
        last = tick
    bans = json.loads((folder / "worlds" / "accounts.json").read_text())["bans"]
    assert len(bans) == 3
    server = Server(folder, "[world A]\nseed = 5\n")
    assert server.events("world_opened")[0]["tick"] >= last
    assert server.end() == 0


def test_metrics_are_served(folder):
    server = Server(folder, "[metrics]\nenabled = on\nport = 0\n" + TWO_WORLDS)
    port = server.wait("metrics_served")["port"]
    def ticks():
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
            text = answer.read().decode()
        assert 'crafty_world_up{world="B"} 1' in text
        return int(re.search(r'crafty_tick_seconds_count\{world="A"\} (\d+)', text)[1])
    first = ticks()
    wait_for(lambda: ticks() > first, "ticks are counted")
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/health") as answer:
        assert answer.status == 200
    assert server.end() == 0


def test_the_service_manager_hears_of_it(folder):
    manager = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    manager.bind(str(folder / "notify"))
    manager.settimeout(SECONDS)
    server = Server(folder, "", environment={"NOTIFY_SOCKET": str(folder / "notify"), "WATCHDOG_USEC": "2000000"})

    def wait_message(wanted):
        while wanted not in manager.recv(1000).split(b"\n"):
            pass
    wait_message(b"READY=1")
    wait_message(b"WATCHDOG=1")
    server.process.send_signal(signal.SIGHUP)
    wait_message(b"RELOADING=1")
    wait_message(b"READY=1")
    server.process.send_signal(signal.SIGUSR1)
    wait_message(b"RELOADING=1")
    wait_message(b"READY=1")
    server.process.send_signal(signal.SIGTERM)
    wait_message(b"STOPPING=1")
    assert server.process.wait(SECONDS) == 0
    manager.close()


def test_a_backup_is_made_and_can_be_restored(folder):
    server = Server(folder, "[backups]\nevery = 1 s\n[world A]\nseed = 5\n")
    server.wait("backup_done")
    server.say("save")
    server.wait("console_command")
    server.wait("backup_done", len(server.events("backup_done")) + 1)
    assert server.end() == 0
    newest = sorted((folder / "worlds" / "backups" / "scheduled").iterdir())[-1]
    restored = subprocess.run([CRAFTY, "world", "restore", "A", "--from", str(newest), "--name", "Restored",
                               "--worlds", str(folder / "worlds")], capture_output=True, text=True)
    assert restored.returncode == 0, restored.stderr
    assert tick_of(folder, "Restored") > 0


def test_one_world_that_fails_leaves_the_other(folder):
    (folder / "worlds").mkdir()
    (folder / "worlds" / "B.crafty").write_bytes(b"not a world" * 1000)
    server = Server(folder, TWO_WORLDS)
    assert server.events("world_not_opened")[0]["world"] == "B"
    server.say("save")
    server.wait("console_command")
    assert server.end() == 1  # says that something failed
    assert tick_of(folder, "A") > 0


def test_accounts_without_a_server(folder):
    server = Server(folder, "")
    account = [SERVER, "account", "--config", server.config]
    busy = subprocess.run([*account, "list"], capture_output=True, text=True)
    assert busy.returncode == 1 and "use its console" in busy.stderr, busy.stderr
    assert server.end() == 0
    assert subprocess.run([*account, "ban", "192.0.2.0/24", "7d", "spam"], capture_output=True).returncode == 0
    bans = subprocess.run([*account, "bans"], capture_output=True, text=True)
    assert "192.0.2.0/24  until" in bans.stdout and "spam" in bans.stdout
    assert subprocess.run([*account, "ban", "Nobody"], capture_output=True).returncode == 1


def test_one_server_at_a_time(folder):
    server = Server(folder, "")
    second = subprocess.run([SERVER, "--config", server.config], capture_output=True, text=True, stdin=subprocess.DEVNULL)
    assert second.returncode == 1
    assert "in use by a server" in server.events("not_started")[0]["reason"]
    assert server.end() == 0


def main():
    for name, test in sorted(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            os.environ["XDG_STATE_HOME"] = os.environ["XDG_DATA_HOME"] = folder
            os.environ.pop("CAIRN_LOG", None)
            try:
                test(Path(folder))
            except Exception:
                log = Path(folder) / "server.log"
                print(f"FAILED: {name}", log.read_text() if log.exists() else "", sep="\n", file=sys.stderr)
                raise
    print("passed")


if __name__ == "__main__":
    main()

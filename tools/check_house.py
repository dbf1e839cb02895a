#!/usr/bin/env python3
"""Checks the tree: no source file is too long, every module has a README, no file contains a path of a
developer's machine or merge conflict markers, and programs print text only with cn_print.

Usage: check_house.py [root of the tree]
"""

import re
import sys
from pathlib import Path

MAX_LINES = 900
SOURCES = (".c", ".h", ".py")
NOT_OURS = ("build", "out", ".git")
# An absolute path below one of these folders, but not a folder of that name in the tree.
MACHINE_PATH = re.compile(rb"(?<![\w.-])/(?:work|root)/")
OPEN_MERGE = re.compile(rb"^(?:<{7}|>{7}) ", re.MULTILINE)

# Text may come from outside, so it is printed with cn_print and cn_print_error, which escape it.
PRINTERS = ("src", "games/crafty/client", "games/crafty/server", "games/crafty/sim", "games/crafty/world",
            "tools/cairn")
MAY_PRINT = ("src/base/assert.c", "src/base/log.c")  # they escape it themselves
PRINTS_TEXT = re.compile(rb"(?<!\w)v?f?printf\([^;]*?%[-+ #0-9.*]*s[^;]*;")


def files(root):
    for entry in sorted(root.iterdir()):
        if entry.name in NOT_OURS:
            continue
        if entry.is_dir():
            yield from (path for path in sorted(entry.rglob("*")) if path.is_file())
        else:
            yield entry


def check(root):
    """Returns the errors in the tree, one line each."""
    root = Path(root).resolve()
    found = []
    for path in files(root):
        name = path.relative_to(root)
        content = path.read_bytes()
        lines = content.count(b"\n")
        if path.suffix in SOURCES and lines > MAX_LINES:
            found.append(f"{name}: {lines} lines, more than {MAX_LINES}: split it by concept")
        for pattern, problem in ((MACHINE_PATH, "contains a path of a particular machine"),
                                   (OPEN_MERGE, "contains a merge conflict marker")):
            for match in pattern.finditer(content):
                line = content.count(b"\n", 0, match.start()) + 1
                found.append(f"{name}:{line}: {problem}")
        if path.suffix == ".c" and name.as_posix().startswith(PRINTERS) and name.as_posix() not in MAY_PRINT:
            for match in PRINTS_TEXT.finditer(content):
                line = content.count(b"\n", 0, match.start()) + 1
                found.append(f"{name}:{line}: prints text with printf: use cn_print, which escapes it")
    for module in sorted((root / "src").glob("*/")):
        if not (module / "README.md").is_file():
            found.append(f"src/{module.name}: has no README.md")
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

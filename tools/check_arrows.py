#!/usr/bin/env python3
"""Checks the includes between modules. The rows of modules come from cmake/modules.cmake.

- A module includes its own headers and the public headers of modules in rows below its own.
- The private headers of a module, src/<module>/*.h, are for that module (and for tests), and for the program
  cairn-decode, src/decode_program, which decodes what the modules give it.
- Programs include public headers and the files of their own folder; programs that generate worlds also
  the blocks of Crafty, by which the generator finds its blocks. Benchmarks and tools include the headers of
  the games that they measure and show.

Usage: check_arrows.py [root of the tree]
"""

import re
import sys
from pathlib import Path, PurePosixPath

COMMENT_OR_STRING = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"', re.DOTALL)
INCLUDE = re.compile(r'^\s*#\s*include\s*([<"])([^>"]+)[>"]', re.MULTILINE)
PROGRAM_FOLDERS = ("games", "samples", "tools", "bench")
SHARED_BY_PROGRAMS = (Path("games/crafty/world/blocks.h"),)
USERS_OF_GAMES = ("bench", "tools")
DECODE_PROGRAM = ("src", "decode_program")


def read_rows(root):
    """Returns {module: row}, row 0 being the lowest."""
    text = (root / "cmake/modules.cmake").read_text()
    listed = re.search(r"set\(CAIRN_MODULE_ROWS([^)]*)\)", text).group(1)
    rows = re.findall(r'"([^"]*)"', listed)
    return {module: row for row, modules in enumerate(rows) for module in modules.split()}


def owner(path):
    """Returns (kind, name) of a path relative to the root.

    Kinds: "private" and "public" (headers and sources of the named module), "all" (the header
    cairn/cairn.h, which includes every module), "program" (of the named folder), "other".
    """
    parts = path.parts
    if parts[:2] == DECODE_PROGRAM:
        return "decoder", None
    if parts[0] == "src" and len(parts) > 2:
        return "private", parts[1]
    if parts[:2] == ("include", "cairn"):
        if parts[2:] == ("cairn.h",):
            return "all", None
        return "public", PurePosixPath(parts[2]).stem
    if parts[0] in PROGRAM_FOLDERS:
        return "program", "/".join(parts[:2]) if parts[0] == "games" else parts[0]
    return "other", None


def without_comments(text):
    def blank(match):
        found = match.group(0)
        return found if found.startswith('"') else re.sub(r"[^\n]", " ", found)

    return COMMENT_OR_STRING.sub(blank, text)


def resolve(root, source, bracket, name):
    """Returns the path that the compiler would open, relative to root; None if not ours."""
    places = [root / "include", root / "src", root / "games"]
    if bracket == '"':
        places.insert(0, (root / source).parent)
    for place in places:
        target = (place / name).resolve()
        if target.is_file() and target.is_relative_to(root):
            return target.relative_to(root)
    # A missing public header still counts as a dependency.
    return Path("include") / name if name.startswith("cairn/") else None


def violation(rows, source, target):
    """Returns the error in source including target, or None."""
    kind, name = owner(source)
    target_kind, target_name = owner(target)

    for each_kind, each in ((kind, name), (target_kind, target_name)):
        if each_kind in ("private", "public") and each not in rows:
            return f"{each} is not a module of cmake/modules.cmake"

    if target_kind == "decoder" and kind != "decoder":
        return "src/decode_program is a program: nothing may include its files"
    if kind == "decoder":
        return None

    if kind == "program":
        if (target_kind in ("public", "all") or (target_kind, target_name) == (kind, name)
                or target in SHARED_BY_PROGRAMS
                or (name in USERS_OF_GAMES and target.parts[0] == "games")):
            return None
        return f"{name} is a program: it may include only <cairn/...> and files of its own folder"

    if kind == "all":
        if target_kind == "public":
            return None
        return "cairn.h may include only public headers"

    if target_kind == "private":
        if kind == "private" and name == target_name:
            return None
        if kind == "public":
            return f"a public header may not include a private header (of {target_name})"
        return f"{name} may not include a private header of {target_name}: use <cairn/{target_name}.h>"

    if target_kind == "public":
        if name == target_name or rows[target_name] < rows[name]:
            return None
        where = "the same row" if rows[target_name] == rows[name] else "a row above"
        return f"{name} may not include {target_name}, which is in {where}"

    if target_kind == "all":
        return f"{name} may not include cairn.h: that includes the modules above it"
    return f"{name} is part of the library: it may not include {target}"


def check(root):
    """Returns the errors in the tree as "file:line: message"."""
    root = Path(root).resolve()
    rows = read_rows(root)
    found = []
    for folder in ("include/cairn", "src") + PROGRAM_FOLDERS:
        for path in sorted((root / folder).rglob("*.[ch]")):
            source = path.relative_to(root)
            text = without_comments(path.read_text(encoding="utf-8"))
            for match in INCLUDE.finditer(text):
                target = resolve(root, source, *match.groups())
                wrong = violation(rows, source, target) if target else None
                if wrong:
                    line = text.count("\n", 0, match.start(1)) + 1
                    found.append(f"{source}:{line}: {wrong}")
    return found


def main():
    root = sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent
    found = check(root)
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

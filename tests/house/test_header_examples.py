#!/usr/bin/env python3
"""Checks that every example in a public header compiles.

An example is code that is indented by four spaces in a comment, after an empty line. It is compiled
with the declarations of header_examples.h. "..." stands for omitted code. Functions that do not
belong to the library need no declaration, so that an example can call draw(x).

Usage: test_header_examples.py [-I FOLDER]...      FOLDER contains generated headers
"""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DECLARATIONS = ROOT / "tests/house/header_examples.h"
COMMENT = re.compile(r"/\*(.*?)\*/", re.DOTALL)
# Tables, JSON and Lua are indented, too. They have no line that ends like a line of C.
IS_C = re.compile(r"(?:;|[^{]\{|\))\s*(?://.*)?$", re.MULTILINE)
# Definitions are compiled at file scope, everything else in a function.
DEFINITION = re.compile(
    r"#|CN_(?!ASSERT|LOG)[A-Z_]+\(|static\b|typedef\b|(?!return)(?:const )?\w+[ *]+\w+\([^;=]*[{;]")
OWN_TYPE = re.compile(r"^CN_(?:COMPONENT|STRUCT|TAG)\((\w+)|^} (\w+);", re.MULTILINE)


def examples(text):
    """Yields the line number and the code of each example in a header."""
    for comment in COMMENT.finditer(text):
        number = text.count("\n", 0, comment.start()) + 1
        lines = [re.sub(r"^\s*\* ?", "", line) for line in comment.group(1).split("\n")]
        # A line that follows directly belongs to the example: wrapping has moved it to the margin.
        for match in re.finditer(r"\n\n((?=    )(?:.+(?:\n|$)|\n(?=    ))+)", "\n".join(lines)):
            code = re.sub(r"^    ", "", match.group(1), flags=re.MULTILINE)
            if IS_C.search(code):
                yield number + "\n".join(lines).count("\n", 0, match.start(1)), code


def statements(line, code):
    """Splits code into statements and definitions, each with a directive that gives its line."""
    start, depth = None, 0
    for number, text in enumerate(code.split("\n"), line):
        bare = re.sub(r'//.*|"(?:\\.|[^"\\])*"', "", text).rstrip()
        if start is None and bare:
            start, piece = number, []
        if start is None:
            continue
        piece.append(text)
        depth += sum(map(bare.count, "({[")) - sum(map(bare.count, ")}]"))
        if depth == 0 and (bare.endswith((";", "}")) or bare.startswith("#")):
            yield start, "\n".join(piece)
            start = None
    if start is not None:
        yield start, "\n".join(piece) + "\n;"


def source(header, line, code):
    """Returns the source file that contains an example."""
    code = re.sub(r",?\s*\.\.\.\s*(?=[})])", "", code).replace("...", ";")
    parts = {True: [], False: []}
    for number, text in statements(line, code):
        parts[bool(DEFINITION.match(text))] += [f'# {number} "{header}"', text]
    return "\n".join([
        f"#define HEADER_{re.sub(r'[^a-z0-9]', '_', header)}",
        *(f"#define OWN_{''.join(names)}" for names in OWN_TYPE.findall(code)),
        f'#include "{DECLARATIONS}"', *parts[True], "int example(void)\n{", *parts[False], "}", ""])


def errors(header, line, code, includes):
    """Compiles an example and returns the lines with errors."""
    command = ["cc", "-std=gnu17", "-fsyntax-only", "-Werror=incompatible-pointer-types",
               "-Werror=int-conversion", "-I", ROOT / "include", *includes, "-xc", "-"]
    result = subprocess.run(command, input=source(header, line, code), text=True,
                            capture_output=True, check=False)
    return [line for line in result.stderr.splitlines()
            if "error: " in line or re.search(r"declaration of function .(?:cn|CN)_", line)]


def main():
    includes = sys.argv[1:]
    found = [(str(path.relative_to(ROOT / "include")), line, code)
             for path in sorted((ROOT / "include/cairn").rglob("*.h"))
             for line, code in examples(path.read_text(encoding="utf-8"))]
    with ThreadPoolExecutor() as pool:
        results = list(pool.map(lambda example: errors(*example, includes), found))
    for line in sum(results, []):
        print(line)
    print(f"{len(found)} examples, {sum(map(bool, results))} of them do not compile")
    return 1 if any(results) or not found else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Writes docs/recipes.md, the list of recipes, tools, food and fuel, from the data of the game.

Usage: make_recipes.py [--check]

With --check, writes nothing and fails if the file is out of date.
"""

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DATA = ROOT / "games" / "crafty" / "data"
TARGET = ROOT / "docs" / "recipes.md"

HEAD = """# Recipes

Written by `tools/make_recipes.py` from `games/crafty/data`; do not edit it. *Any planks* and the like are groups, listed
at the end, whose items may be mixed. A recipe for a family is one line: in it, \\* stands for each of the words in
parentheses. Shapes may lie anywhere in the grid, also mirrored; a dot is an empty slot. What needs at most two by two
slots is made by hand in the inventory, everything else at a crafting table.

"""
TIERS = {"hand": 0, "wood": 1, "stone": 2, "iron": 3, "gold": 4, "diamond": 5}


def load(name):
    return json.loads((DATA / f"{name}.json").read_text())


def title(name, titles):
    """The title of an item, of a group (#planks) or of a family (*_planks)."""
    if name.startswith("#"):
        return f"any {name[1:].replace('_', ' ')}"
    words = " ".join(word[:1].upper() + word[1:] for word in name.split("_"))
    return titles.get(name) or words.replace("*", "\\*")


def result_of(row, words, titles):
    text = title(row["result"], titles)
    if row.get("count", 1) > 1:
        text = f"{row['count']} {text}"
    over = row.get("over")
    if over:
        text += f" ({', '.join(word.replace('_', ' ') for word in (words[over] if isinstance(over, str) else over))})"
    return text


def shape_of(row, titles):
    lines = " ".join(f"`{line.replace(' ', '.')}`" for line in row["shape"])
    keys = ", ".join(f"{key} {title(name, titles)}" for key, name in row["keys"].items())
    return f"{lines} with {keys}"


def list_of(row, titles):
    counts = {}
    for name in row["shapeless"]:
        counts[name] = counts.get(name, 0) + 1
    return ", ".join((f"{count} " if count > 1 else "") + title(name, titles) for name, count in counts.items())


def needs_table(row):
    if "shape" in row:
        return len(row["shape"]) > 2 or len(row["shape"][0]) > 2
    return len(row["shapeless"]) > 4


def table(heads, rows):
    lines = ["| " + " | ".join(heads) + " |", "| " + " | ".join("---" for _ in heads) + " |"]
    return "\n".join(lines + ["| " + " | ".join(str(cell) for cell in row) + " |" for row in rows]) + "\n"


def recipe_sections(recipes, titles):
    words = recipes["words"]
    crafting = [row for row in recipes["recipes"] if "smelt" not in row]
    for heading, place in (("By hand", False), ("At a crafting table", True)):
        rows = [(result_of(row, words, titles), shape_of(row, titles) if "shape" in row else list_of(row, titles))
                for row in crafting if needs_table(row) == place]
        yield f"## {heading}\n\n" + table(("makes", "of"), rows)
    rows = [(result_of(row, words, titles), title(row["smelt"], titles), f"{row.get('seconds', 10):g} s")
            for row in recipes["recipes"] if "smelt" in row]
    yield "## In a furnace\n\n" + table(("makes", "of", "takes"), rows)


def item_sections(items, recipes, titles):
    tools = [row for row in items["items"] if row.get("durability")]
    yield "## Tools\n\n" + table(("tool", "tier", "uses"), [
        (title(row["name"], titles), row.get("tier", "-"), row["durability"])
        for row in sorted(tools, key=lambda row: TIERS[row.get("tier", "hand")])])
    food = sorted((row for row in items["items"] if row.get("food")), key=lambda row: -row["food"])
    yield "## Food\n\n" + table(("food", "points"), [(title(row["name"], titles), row["food"]) for row in food])
    fuel = [(row.get("name") or row["match"], row["fuel_seconds"])
            for row in items["items"] + items["blocks"] if row.get("fuel_seconds")]
    yield "## Fuel\n\nA furnace takes 10 seconds for most things. \\* stands for any word.\n\n" + table(
        ("fuel", "burns"), [(title(name, titles), f"{seconds:g} s")
                            for name, seconds in sorted(fuel, key=lambda each: -each[1])])
    yield "## Groups\n\n" + table(("group", "items"), [
        (title(f"#{name}", titles), ", ".join(title(each, titles) for each in members))
        for name, members in recipes["groups"].items()])


def text():
    items, recipes = load("items"), load("recipes")
    blocks = json.loads((ROOT / "games" / "crafty" / "blocks" / "block_metadata.json").read_text())
    titles = {row["name"]: row["title"] for row in items["items"] + blocks if "title" in row}
    return HEAD + "\n".join([*recipe_sections(recipes, titles), *item_sections(items, recipes, titles)])


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        sys.exit(__doc__)
    if not sys.argv[1:]:
        TARGET.write_text(text())
    elif not TARGET.exists() or TARGET.read_text() != text():
        print("docs/recipes.md is out of date; run tools/make_recipes.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())

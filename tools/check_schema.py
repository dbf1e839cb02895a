#!/usr/bin/env python3
"""Checks JSON files against JSON schemas. Understands the part of JSON Schema that the schemas of the game use,
and refuses schemas with other keywords.

Usage: check_schema.py FILE...

The schema of a file is the one named by its member "$schema", beside it.
"""

import json
import re
import sys
from pathlib import Path

TYPES = {"object": dict, "array": list, "string": str, "boolean": bool}
NOTES = {"$schema", "title", "description"}


def is_type(value, name):
    if name == "integer":
        return isinstance(value, int) and not isinstance(value, bool)
    if name == "number":
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    return isinstance(value, TYPES[name])


def check_object(value, schema, path):
    for key in schema.get("required", ()):
        if key not in value:
            yield f"{path}: \"{key}\" is missing"
    known = schema.get("properties", {})
    others = schema.get("additionalProperties", True)
    for key, member in value.items():
        if key in known:
            yield from errors_of(member, known[key], f"{path}.{key}")
        elif others is False:
            yield f"{path}: unknown key \"{key}\""
        elif others is not True:
            yield from errors_of(member, others, f"{path}.{key}")


def check_choices(value, schema, path):
    for word, is_good in (("anyOf", lambda count: count > 0), ("oneOf", lambda count: count == 1)):
        if word in schema:
            count = sum(not list(errors_of(value, each, path)) for each in schema[word])
            if not is_good(count):
                yield f"{path}: fits {count} of the forms of {word}"


LIMITS = {
    "minimum": lambda value, limit: value >= limit,
    "maximum": lambda value, limit: value <= limit,
    "minLength": lambda value, limit: len(value) >= limit,
    "maxLength": lambda value, limit: len(value) <= limit,
    "minItems": lambda value, limit: len(value) >= limit,
    "maxItems": lambda value, limit: len(value) <= limit,
    "pattern": lambda value, limit: re.search(limit, value) is not None,
    "enum": lambda value, limit: value in limit,
}
KEYWORDS = NOTES | set(LIMITS) | {"type", "properties", "required", "additionalProperties", "items", "anyOf", "oneOf"}


def errors_of(value, schema, path="$"):
    """Yields what is wrong with a value."""
    unknown = set(schema) - KEYWORDS
    if unknown:
        yield f"{path}: the schema has unknown keywords: {', '.join(sorted(unknown))}"
        return
    if "type" in schema and not is_type(value, schema["type"]):
        yield f"{path}: must be of type {schema['type']}"
        return
    for word, holds in LIMITS.items():
        if word in schema and not holds(value, schema[word]):
            yield f"{path}: {json.dumps(value)} violates {word} {json.dumps(schema[word])}"
    if isinstance(value, dict):
        yield from check_object(value, schema, path)
    if isinstance(value, list) and "items" in schema:
        for number, each in enumerate(value):
            yield from errors_of(each, schema["items"], f"{path}[{number}]")
    yield from check_choices(value, schema, path)


def check_file(path):
    value = json.loads(path.read_text())
    if "$schema" not in value:
        return [f"{path}: names no \"$schema\""]
    schema = json.loads((path.parent / value["$schema"]).read_text())
    return [f"{path}: {error}" for error in errors_of(value, schema)]


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    errors = [error for path in sys.argv[1:] for error in check_file(Path(path))]
    for error in errors:
        print(error)
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())

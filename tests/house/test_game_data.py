#!/usr/bin/env python3
"""The data files of Crafty fit their schemas, and tools/check_schema.py notices those that do not."""

import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
DATA = ROOT / "games" / "crafty" / "data"
sys.dont_write_bytecode = True
sys.path.insert(0, str(ROOT / "tools"))
from check_schema import check_file, errors_of  # noqa: E402

NAMES = ("items", "recipes", "block_rules", "creatures", "creature_models", "trades")


class GameData(unittest.TestCase):
    def test_every_file_fits_its_schema(self):
        for name in NAMES:
            self.assertEqual([], check_file(DATA / f"{name}.json"))

    def test_there_is_no_file_without_a_schema(self):
        self.assertEqual({f"{name}{end}" for name in NAMES for end in (".json", ".schema.json")},
                         {path.name for path in DATA.iterdir()})


class Schemas(unittest.TestCase):
    def assert_refused(self, value, schema, words):
        errors = list(errors_of(value, schema))
        self.assertEqual(1, len(errors), errors)
        self.assertIn(words, errors[0])

    def test_wrong_types_are_noticed(self):
        for value, name in ((True, "integer"), (1.5, "integer"), ("1", "number"), ([], "object"), ({}, "array")):
            self.assert_refused(value, {"type": name}, f"type {name}")

    def test_limits_are_noticed(self):
        for value, schema in ((0, {"minimum": 1}), (3, {"maximum": 2}), ("", {"minLength": 1}),
                              ("abc", {"maxLength": 2}), ([], {"minItems": 1}), ([1, 2], {"maxItems": 1}),
                              ("A", {"pattern": "^[a-z]$"}), ("c", {"enum": ["a", "b"]})):
            self.assert_refused(value, schema, "violates")

    def test_missing_and_unknown_keys_are_noticed(self):
        self.assert_refused({}, {"required": ["a"]}, "missing")
        self.assert_refused({"b": 1}, {"properties": {"a": {}}, "additionalProperties": False}, "unknown key")
        self.assert_refused({"b": 1}, {"additionalProperties": {"type": "string"}}, "$.b")

    def test_elements_are_checked(self):
        self.assert_refused(["a", 1], {"items": {"type": "string"}}, "$[1]")

    def test_choices_are_checked(self):
        either = [{"required": ["a"]}, {"required": ["b"]}]
        self.assert_refused({"a": 1, "b": 1}, {"oneOf": either}, "oneOf")
        self.assert_refused({}, {"anyOf": either}, "anyOf")
        self.assertEqual([], list(errors_of({"a": 1, "b": 1}, {"anyOf": either})))

    def test_unknown_keywords_of_schemas_are_refused(self):
        self.assert_refused(1, {"multipleOf": 2}, "unknown keywords")


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a body can reach, so that copies of it are found: whatever classes, modules and objects a user has, none of which is asked for anything."""

import collections.abc
import functools
import os
import pathlib
import sys
import types
import unittest

import started_worker  # noqa: F401 finds the module
from perfspec import sources
from perfspec.bodies import reached, remembered
from perfspec.bodies.remembered import Source
from remembered_test import Output, source

HERE = os.path.dirname(os.path.abspath(__file__))
KEPT, OF_HELPER, OF_THIS_FILE = {}, {}, [1, 2]


class AttributesOfItems(dict):
    """A dictionary whose entries are its attributes, as of many configurations: it has no others, and says so by KeyError."""

    __getattr__ = dict.__getitem__


class Reached(unittest.TestCase):
    def test_of_a_module_a_body_reaches_what_its_code_names(self):
        KEPT["made"] = [1, 2.5]
        named = {id(each) for each in reached.reached_by(lambda: KEPT["made"].copy(), __file__).objects}
        self.assertIn(id(KEPT["made"]), named)
        within = {id(each) for each in reached.reached_by(lambda: [KEPT for _ in range(2)], __file__).objects}
        self.assertIn(id(KEPT), within)
        of_others = {id(each) for each in reached.reached_by(lambda: sorted([2, 1]), __file__).objects}
        self.assertNotIn(id(KEPT), of_others)

    def test_of_classes_and_modules_beside_the_file_a_body_reaches_what_they_hold(self):
        class Cached:
            entries = {}

            def get(self):
                if not Cached.entries:
                    Cached.entries["made"] = [41, 42]
                return list(Cached.entries["made"])

        class Derived(Cached):
            pass

        self.assertEqual([source(Cached().get), source(lambda: Cached().get()), source(Derived().get)], [Source.REMEMBERED] * 3)
        helper = types.ModuleType("helper")
        helper.__file__, helper.kept = os.path.join(HERE, "helper.py"), {}
        OF_HELPER["module"] = helper
        self.assertEqual(source(lambda: list(OF_HELPER["module"].kept.setdefault("made", [51, 52]))), Source.REMEMBERED)
        helper.__file__ = os.path.join(HERE, "venv", "site-packages", "helper.py")
        self.assertEqual(source(lambda: list(OF_HELPER["module"].kept["made"])), Source.COMPUTED)  # what a library holds is not looked at

    def test_a_large_set_of_data_hides_no_cache(self):
        data, memo = [(each, str(each)) for each in range(40_000)], {}
        self.assertEqual(source(lambda: list(memo.setdefault("made", [61, 62])) if data else []), Source.REMEMBERED)

    def test_what_was_held_among_too_much_to_look_at_is_not_taken_for_remembered(self):
        rows = [Output(each / 7) for each in range(30_000)]
        before = remembered.held_by(lambda: rows, __file__)
        self.assertFalse(before.is_whole)
        first, second = (remembered.places_or_none(rows[15_000]) for _ in range(2))
        self.assertEqual(remembered.source_of(first, second, before, lambda: rows[15_000]), Source.HELD)

    def test_modules_that_a_body_imports_are_looked_into_and_none_is_loaded_by_it(self):
        class Loads(types.ModuleType):
            def __getattribute__(self, name):
                raise AssertionError(f"somebody asked for {name}")

        helper, odd = types.ModuleType("imported_helper"), Loads("odd_helper")
        helper.__file__ = os.path.join(HERE, "imported_helper.py")
        helper.kept = {}
        sys.modules.update(imported_helper=helper, odd_helper=odd)
        self.addCleanup(lambda: [sys.modules.pop(each) for each in ("imported_helper", "odd_helper")])

        def body():
            import imported_helper
            return list(imported_helper.kept.setdefault("made", [71, 72]))

        self.assertEqual(source(body), Source.REMEMBERED)
        self.assertEqual(sources.files_of(pathlib.Path(__file__).parent, [odd, AttributesOfItems()]), [])

    def test_objects_are_not_asked_for_their_class(self):
        class Lazy:
            @property
            def __class__(self):
                raise RuntimeError("settings are not configured")

        lazy, cfg, memo = Lazy(), AttributesOfItems(n=1), {}
        self.assertEqual(source(lambda: list(memo.setdefault("made", [81, 82])) if (lazy, cfg) else []), Source.REMEMBERED)

    def test_a_mapping_of_the_users_is_not_read_unless_one_was_returned(self):
        class Images(collections.abc.Mapping):
            def __getitem__(self, key):
                raise AssertionError("an image was loaded")

            def __iter__(self):
                return iter(range(3))

            def __len__(self):
                return 3

        images, memo = Images(), {}
        self.assertEqual(source(lambda: dict(memo.setdefault("made", {"a": 1, "b": 2, "c": len(images)}))), Source.REMEMBERED)

    def test_what_a_body_holds_is_found_in_closures_attributes_and_modules_of_its_folder(self):
        class Model:
            def __init__(self):
                self.layers = {"first": [1]}

            def forward(self):
                return self.layers["first"]

        model = Model()
        for body in (lambda: model.forward(), model.forward, functools.partial(Model.forward, model), lambda: OF_THIS_FILE):
            found = remembered.places_or_none(body())
            self.assertTrue({each.lies_in for each in found} <= remembered.held_by(body, __file__).places)


if __name__ == "__main__":
    unittest.main()

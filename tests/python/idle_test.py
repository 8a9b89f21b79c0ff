#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bodies that only return what was there, and bodies that do anything else. Tensors and arrays where torch and NumPy are."""

import collections
import dataclasses
import functools
import importlib.util
import types
import unittest

from started_worker import WorkerTest
from perfspec.bodies.idle import place_of_idle

HAS_TORCH, HAS_NUMPY = (importlib.util.find_spec(each) is not None for each in ("torch", "numpy"))
OF_FILE = [1, 2]


def same(value):
    return value


class Box:
    def __init__(self):
        self.made, self.number = [1, 2], 4

    def get(self):
        return self.made

    def __call__(self):
        return self.made

    @property
    def computed(self):
        return self.made


class Lazy(dict):
    def __missing__(self, key):
        return [key] * 3


class Descriptor:
    """It goes before what an object has under the same name."""

    def __get__(self, owner, of):
        return sorted(owner.__dict__["made"])

    def __set__(self, owner, value):
        owner.__dict__["made"] = value


class Described:
    made = Descriptor()


class Slot:
    __slots__ = ("made",)


Named = collections.namedtuple("Named", "made")


class Plain(unittest.TestCase):
    def test_a_body_that_returns_what_was_made_before_is_idle(self):
        made, box, slot = [1, 2], Box(), Slot()
        kept, named, space = {"made": made}, Named(made), types.SimpleNamespace(made=made)
        slot.made = made

        def by_a_variable():
            """It has a text, too."""
            result = made
            again = result
            return again

        for body in (lambda: made, lambda: kept["made"], lambda: box.made, lambda made=made: made, lambda *, made=made: made, functools.partial(same, made),
                     functools.partial(same, value=made), functools.partial(Box.get, box), box.get, box, lambda: OF_FILE, lambda: slot.made, lambda: named.made,
                     lambda: space.made, by_a_variable):
            self.assertRegex(place_of_idle(body), r"^idle_test\.py:\d+$", body)

    def test_reading_that_runs_code_of_a_class_is_none(self):
        described, default = Described(), collections.defaultdict(lambda: [1])
        described.made = [2, 1]
        for body in (lambda: Lazy()["x"], lambda lazy=Lazy(): lazy["x"], lambda: described.made, lambda: default["x"]):
            self.assertEqual(place_of_idle(body), "", body)
        self.assertEqual(len(default), 0)

    def test_numbers_that_were_made_before_are_no_constants(self):
        number = sum(range(1000))
        self.assertTrue(place_of_idle(lambda: number))

    def test_a_body_that_calls_or_computes_anything_is_none(self):
        made, box, large = [1, 2], Box(), {each: [each] for each in range(100)}

        def loop():
            for _ in made:
                pass
            return made

        def branch():
            if made:
                return made
            return OF_FILE

        def tried():
            try:
                return made
            finally:
                box.number += 1

        def assigned():
            box.made = made
            return made

        def yielded():
            yield made

        async def later():
            return made

        for body in (lambda: same(made), lambda: len(made), lambda: made + made, lambda: made == made, lambda: made is made, lambda: f"{made}", lambda: "%s" % made,
                     lambda: not made, lambda: made[0:1], lambda: [*made], lambda: [each for each in made], lambda: box.get(), lambda: box.computed, lambda: -box.number,
                     lambda: made and OF_FILE, made.copy, len, functools.partial(len, made), functools.lru_cache(maxsize=None)(lambda: made), loop, branch, tried, assigned,
                     yielded, later, lambda: large["none"]):
            self.assertEqual(place_of_idle(body), "", body)

    def test_what_somebody_may_want_to_time_of_python_itself_is_none(self):
        """Constants, an attribute that is a number, looking up in a large dictionary, and making a tuple, a list or a dictionary."""
        box, large, number = Box(), {each: [each] for each in range(100)}, 5
        for body in (lambda: None, lambda: 1.5, lambda: "text", lambda: (1, 2), lambda: box.number, lambda: large[5], lambda: (number, box), lambda: [number],
                     lambda: {"a": number}, lambda: ()):
            self.assertEqual(place_of_idle(body), "", body)

    def test_a_variable_without_a_value_is_none(self):
        def build():
            body = lambda: late  # noqa: E731
            found = place_of_idle(body)
            late = 1  # noqa: F841
            return found

        self.assertEqual(build(), "")


@unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
class Arrays(unittest.TestCase):
    def test_operators_on_arrays_are_work_and_arrays_are_none(self):
        import numpy

        made, kept = numpy.ones(3), {each: numpy.ones(3) for each in range(100)}
        for body in (lambda: made, lambda: (made, 1), lambda: {"made": made}, lambda: kept[5]):
            self.assertTrue(place_of_idle(body), body)
        for body in (lambda: made[0], lambda: made[:], lambda: made + 1, lambda: made.T, lambda: made == made, lambda: -made, made.copy, lambda: (made + 1, made)):
            self.assertEqual(place_of_idle(body), "", body)


@unittest.skipUnless(HAS_TORCH, "torch is not installed")
class Tensors(unittest.TestCase):
    def test_models_that_pass_on_their_input_work_and_tensors_that_they_keep_do_not(self):
        import torch

        @dataclasses.dataclass(frozen=True)
        class Output:
            logits: torch.Tensor

        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.out, self.weight = torch.ones(3), torch.nn.Parameter(torch.ones(3))

            def forward(self, x):
                return x

            def get(self):
                return self.out

        made, model, identity = torch.ones(3), Model(), torch.nn.Identity()
        output = Output(made)

        def get():
            return made

        for body in (lambda: made, lambda: output.logits, lambda: model.out, lambda: (made, 1), lambda: [made], lambda: get(), lambda: model.get(), model.get):
            self.assertTrue(place_of_idle(body), body)
        for body in (lambda: identity(made), functools.partial(identity, made), lambda: model(made), functools.partial(model, made), lambda: model.forward(made),
                     lambda: model.weight, lambda: made.T, lambda: made[0], lambda: made + 1, lambda: made.clone(), torch.no_grad()(get),
                     torch.inference_mode()(get), torch.compile(get, backend="eager")):
            self.assertEqual(place_of_idle(body), "", body)


class Refused(WorkerTest):
    FILE = "@perfspec.subject\ndef made():\n    y = sum(range(1000))\n    return lambda: y\n@perfspec.subject\ndef nothing():\n    y = None\n    return lambda: y\n"
    REASON = ("the body of made computes nothing, it only returns what is there before it is called (models.py:5), so its times say nothing: write "
              "`return lambda: model(x)`, which computes in each call")

    def test_its_times_and_its_memory_are_refused_with_the_line(self):
        process = self.served(self.FILE)
        for request in ("run subject=made iterations=2", "memory subject=made", "run subject=made iterations=100"):
            self.assertEqual(process.ask(request), ("invalid", {"reason": self.REASON, "kind": "body_threw"}))

    def test_a_start_and_a_number_that_is_judged_are_not(self):
        process = self.served(self.FILE)
        self.assertEqual(process.ask("load subject=made")[0], "loaded")
        self.assertEqual(process.ask("run subject=made iterations=1")[0], "ran")
        self.assertEqual(process.ask("value subject=made"), ("value", {"value": "499500"}))

    def test_one_that_returns_nothing_has_a_note(self):
        word, fields = self.served(self.FILE).ask("run subject=nothing iterations=2")
        self.assertEqual((word, "its body returned nothing" in fields["note"]), ("ran", True))


if __name__ == "__main__":
    unittest.main()

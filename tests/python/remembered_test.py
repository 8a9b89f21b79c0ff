#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bodies that return what an earlier call computed, and bodies that only look like that. Tensors and arrays where torch and NumPy are."""

import contextlib
import dataclasses
import functools
import importlib.util
import io
import tempfile
import threading
import unittest
import warnings

import started_worker  # noqa: F401 finds the module
from perfspec.bodies import copies, places, remembered
from perfspec.bodies.remembered import Source
from perfspec.subjects import Registry
from perfspec.worker import Worker
from perfspec.protocol import Request

HAS_TORCH, HAS_NUMPY = (importlib.util.find_spec(each) is not None for each in ("torch", "numpy"))


def source(body, held=()):
    """Where the results of a body come from that held these things before its first call."""
    before = remembered.Held(set().union(*(remembered.held_by(lambda each=each: each, __file__).places for each in held)))
    first = body()
    places = remembered.places_or_none(first)
    return remembered.source_of(places, remembered.places_or_none(body()), before, body, lambda wanted: copies.equals_of(wanted, body, __file__))


def memoised(make):
    """A body that computes in its first call alone."""
    return functools.lru_cache(maxsize=None)(make)




@dataclasses.dataclass
class Output:
    loss: float


@dataclasses.dataclass(frozen=True)
class Frozen:
    loss: float


class Plain(unittest.TestCase):
    def test_containers_that_come_back_with_values_that_were_destroyed_are_remembered(self):
        for make in (lambda: [1, 2.5, "a"], lambda: {"a": [True]}, lambda: Output(0.5), lambda: ({"a": 1}, [None, 2])):
            self.assertEqual(source(memoised(make)), Source.REMEMBERED)
            self.assertEqual(source(make), Source.COMPUTED)

    def test_the_values_are_there_again_afterwards(self):
        body = memoised(lambda: {"a": [1, 2.5], "b": Output(0.5)})
        source(body)
        self.assertEqual(body(), {"a": [1, 2.5], "b": Output(0.5)})

    def test_a_list_that_is_filled_again_or_sorted_in_place_is_computed(self):
        filled, sorted_ = [0, 0], [3, 1, 2]

        def fill():
            filled[:] = [1, 2]
            return filled

        def sort():
            sorted_.sort()
            return sorted_

        self.assertEqual([source(fill), source(sort)], [Source.COMPUTED] * 2)
        self.assertEqual((filled, sorted_), ([1, 2], [1, 2, 3]))

    def test_numbers_and_tuples_cannot_be_destroyed_and_count_as_computed(self):
        for value in (1, 2.5, "text", (1, 2), {"a": (1,)}):
            self.assertEqual(source(lambda value=value: value), Source.COMPUTED)

    def test_what_is_partly_computed_is_computed(self):
        kept = [1]
        self.assertEqual(source(lambda: [kept, [2]]), Source.COMPUTED)

    def test_a_body_that_raises_where_values_were_destroyed_computes(self):
        kept = [1]

        def body():
            sum(kept)
            return kept

        self.assertEqual((source(body), kept), (Source.COMPUTED, [1]))

    def test_frozen_objects_that_come_back_are_remembered(self):
        self.assertEqual((source(memoised(lambda: Frozen(0.5))), source(lambda: Frozen(0.5))), (Source.REMEMBERED, Source.COMPUTED))

    def test_copies_of_what_an_earlier_call_computed_are_remembered(self):
        once, named = memoised(lambda: [11, 12.5, "a"]), memoised(lambda: {"a": 11, "b": Frozen(0.5)})
        for body in (lambda: list(once()), lambda: dict(named()), lambda: dataclasses.replace(named()["b"]), lambda: once()[:]):
            self.assertEqual(source(body), Source.REMEMBERED)
        self.assertEqual((once(), named()), ([11, 12.5, "a"], {"a": 11, "b": Frozen(0.5)}))

    def test_copies_of_what_each_call_computes_and_equal_things_elsewhere_are_computed(self):
        kept, expected, log = [0, 0], [21, 22], []

        def filled():
            kept[:] = [21, 22]
            return list(kept)

        def checked():
            assert expected == [21, 22]
            return [21, 22]

        def logged():
            log.append([21, 22])
            return [21, 22]

        self.assertEqual([source(each) for each in (filled, checked, logged)], [Source.COMPUTED] * 3)
        self.assertEqual((kept, expected), ([21, 22], [21, 22]))

    def test_a_copy_of_what_a_body_held_before_its_first_call_is_told_apart(self):
        kept = [31, 32]
        self.assertEqual(source(lambda: list(kept), held=[kept]), Source.COPIED)
        self.assertEqual(source(lambda: [each + 0 for each in kept], held=[kept]), Source.COMPUTED)

    def test_what_a_search_finds_among_what_the_body_held_is_told_from_what_was_computed(self):
        rows = [Output(each / 7) for each in range(100)]

        def search():
            return next(each for each in rows if each.loss == 50 / 7)

        self.assertEqual(source(search, held=[rows]), Source.LOOKED_UP)
        self.assertEqual(source(search), Source.COMPUTED)
        for candidate, side in ((Source.HELD, ""), (Source.REMEMBERED, "candidate"), (Source.LOOKED_UP, "")):
            self.assertEqual(remembered.not_computed(Source.LOOKED_UP, candidate), side)

    def test_a_body_that_keeps_the_largest_or_the_smallest_computes_it_and_comes_to_its_end(self):
        lock = threading.Lock()
        for choose, best in ((max, {"score": 0}), (min, {"score": 10**6}), (max, {"score": 0.0}), (max, {"name": ""})):
            def body(choose=choose, best=best, key=next(iter(best))):
                lock.acquire()
                for each in range(100):
                    best[key] = choose(best[key], f"word {each:03}" if key == "name" else type(best[key])(each))
                lock.release()
                return best

            self.assertEqual(source(body), Source.COMPUTED, best)
            self.assertFalse(lock.locked())

    def test_a_number_in_a_tuple_comes_back_with_the_tuple(self):
        made = memoised(lambda: ([1, 2.5], 3))
        self.assertEqual([source(made), source(lambda: ([1, 2.5], 3)), source(lambda: (made()[0], 3))], [Source.REMEMBERED, Source.COMPUTED, Source.COMPUTED])
        self.assertEqual(source(memoised(lambda: (1, "a"))), Source.COMPUTED)  # nothing of it can be destroyed

    def test_records_are_compared_by_what_they_hold_and_not_each_with_each(self):
        records = [{"id": each, "value": each * 2} for each in range(3000)]
        self.assertEqual(source(lambda: [dict(each) for each in records], held=[records]), Source.COPIED)
        self.assertEqual(records[7], {"id": 7, "value": 14})

    def test_what_a_body_held_before_its_first_call_is_told_apart(self):
        kept = [1, 2]
        self.assertEqual([source(lambda: kept, held=[kept]), source(lambda: kept)], [Source.HELD, Source.REMEMBERED])

    def test_one_side_is_named(self):
        computed, held, kept = Source.COMPUTED, Source.HELD, Source.REMEMBERED
        for reference, candidate, side in ((computed, computed, ""), (computed, kept, "candidate"), (computed, held, "candidate"), (held, held, ""), (held, computed, ""),
                                           (held, kept, "candidate"), (kept, computed, "reference"), (kept, kept, "reference"), (kept, held, "reference")):
            self.assertEqual(remembered.not_computed(reference, candidate), side, (reference, candidate))


class Compared(unittest.TestCase):
    """Through a worker of this process."""

    def setUp(self):
        registry, self.calls = Registry(), []
        registry.add("fresh", lambda: lambda: [1, 2], training=False)
        registry.add("kept", lambda: memoised(lambda: [1, 2]), training=False)
        registry.add("built", lambda: [1, 2].copy, training=False)
        registry.add("other", lambda: memoised(lambda: [1, 3]), training=False)
        result = [1, 2]
        copied, inputs = [71, 72], [[81, 82], [81, 82]]
        registry.add("a copy of what was built", lambda: lambda: list(copied), training=False)
        registry.add("computes that", lambda: lambda: [70 + 1, 70 + 2], training=False)
        registry.add("copies", lambda: lambda: [each + 0 for each in inputs[0]], training=False)
        registry.add("copies faster", lambda: lambda: list(inputs[1]), training=False)
        registry.add("made by building", lambda: lambda: result, training=False)
        registry.add("counted", lambda: lambda: self.calls.append(1) or [7, 8], training=False)
        registry.add("seven", lambda: lambda: [7, 8], training=False)
        shared = {}

        def compute():
            shared.setdefault("made", [91, 92])
            return [91, 92]

        self.registry = registry
        registry.add("fills a cache", lambda: compute, training=False)
        registry.add("reads the cache", lambda: lambda: list(shared["made"]) if "made" in shared else compute(), training=False)
        self.worker = Worker(registry, __file__)

    def compare(self, **fields):
        word, answer = self.worker.answer(Request("compare", fields))
        self.assertEqual(word, "compared", answer)
        return dict(answer)["code"], dict(answer).get("not_computed")

    def test_what_an_earlier_subject_left_in_a_cache_is_nothing_that_a_later_one_held(self):
        self.worker.answer(Request("run", {"subject": "fills a cache", "iterations": "3"}))
        self.assertEqual(self.compare(reference="fills a cache", candidate="reads the cache"), ("PASS", "candidate"))

    @unittest.skipUnless(HAS_TORCH, "torch is not installed")
    def test_ranges_that_an_observer_saw_stay_as_they_were(self):
        import torch
        observer, x = torch.ao.quantization.MinMaxObserver(), torch.rand(64, 64)
        writing = torch.nn.Module()
        writing.register_buffer("out", torch.zeros(64, 64))
        self.registry.add("observed", lambda: lambda: observer(x), training=False)
        self.registry.add("written", lambda: lambda: writing.out.copy_(x), training=False)
        self.assertEqual(self.compare(reference="observed", candidate="observed"), ("PASS", None))
        self.assertEqual((observer.min_val.item(), observer.max_val.item()), (x.min().item(), x.max().item()))
        self.assertEqual(self.compare(reference="observed", candidate="written"), ("PASS", None))
        self.assertTrue(torch.equal(writing.out, x))

    def test_what_a_body_raises_on_destroyed_values_is_no_traceback(self):
        with contextlib.redirect_stderr(io.StringIO()) as printed:
            self.assertEqual(self.compare(reference="copies", candidate="copies faster"), ("PASS", None))
        self.assertEqual(printed.getvalue(), "")

    def test_the_side_is_a_field_of_the_answer(self):
        for reference, candidate, expected in (("fresh", "fresh", None), ("fresh", "kept", "candidate"), ("kept", "fresh", "reference"), ("fresh", "made by building", "candidate"),
                                               ("made by building", "made by building", None), ("computes that", "a copy of what was built", "candidate"),
                                               ("copies", "copies faster", None)):
            self.assertEqual(self.compare(reference=reference, candidate=candidate), ("PASS", expected))
        self.assertEqual(self.compare(reference="fresh", candidate="other"), ("FAIL", None))

    def test_a_side_that_computes_runs_twice(self):
        self.compare(reference="counted", candidate="seven")
        self.assertEqual(len(self.calls), 2)
        self.compare(reference="seven", candidate="counted")
        self.assertEqual(len(self.calls), 4)


@unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
class Arrays(unittest.TestCase):
    def test_an_array_that_comes_back_is_remembered_and_stays(self):
        import numpy

        for text in ("float32", "float16", "complex128", "int64", "uint8", "bool"):
            made = numpy.arange(6).reshape(2, 3).astype(text)
            self.assertEqual(source(lambda: made), Source.REMEMBERED, text)
            self.assertEqual(source(lambda: [made.T]), Source.REMEMBERED, text)
            self.assertEqual(source(lambda: made.copy()), Source.REMEMBERED, text)
            self.assertEqual(source(lambda: made.copy(), held=[made]), Source.COPIED, text)
            self.assertTrue((made == numpy.arange(6).reshape(2, 3).astype(text)).all())

    def test_an_array_that_is_written_in_each_call_is_computed(self):
        import numpy

        out, sorted_ = numpy.zeros(3), numpy.array([3, 1, 2])

        def sort():
            sorted_.sort()
            return sorted_

        self.assertEqual([source(lambda: numpy.add([1.0, 2.0, 3.0], 1, out=out)), source(sort)], [Source.COMPUTED] * 2)

    def test_a_view_of_what_a_body_held_is_held(self):
        import numpy

        kept = numpy.arange(6)
        self.assertEqual(source(lambda: kept[2:4], held=[kept]), Source.HELD)


@unittest.skipUnless(HAS_TORCH, "torch is not installed")
class Tensors(unittest.TestCase):
    def test_a_tensor_that_comes_back_is_remembered_and_stays(self):
        import torch

        for dtype in (torch.float32, torch.bfloat16, torch.complex64, torch.int64, torch.uint8, torch.bool):
            with torch.inference_mode(dtype != torch.bfloat16):
                made = torch.arange(6).reshape(2, 3).to(dtype)
            self.assertEqual(source(lambda: made), Source.REMEMBERED, dtype)
            self.assertEqual(source(lambda: {"a": made.view(6), "b": made[0]}), Source.REMEMBERED, dtype)
            self.assertEqual(source(lambda: made.clone()), Source.REMEMBERED, dtype)
            self.assertEqual(source(lambda: made.clone(), held=[made]), Source.COPIED, dtype)
            self.assertTrue(torch.equal(made, torch.arange(6).reshape(2, 3).to(dtype)), dtype)

    def test_a_tensor_that_is_written_in_each_call_is_computed(self):
        import torch

        out, x, integers = torch.zeros(3), torch.tensor([1.0, -2.0, 3.0]), torch.tensor([2, 1])
        for body in (lambda: torch.add(torch.ones(3), 1, out=out), lambda: x.relu_(), lambda: x.clamp_(-1, 1), lambda: integers.copy_(torch.tensor([5, 5]))):
            self.assertEqual(source(body), Source.COMPUTED)

    def test_a_parameter_and_a_view_of_the_input_are_held(self):
        import torch

        model, x = torch.nn.Sequential(torch.nn.Flatten(), torch.nn.Dropout(), torch.nn.Linear(4, 2)).eval(), torch.ones(2, 2, 2)
        self.assertEqual(source(lambda: model[2].weight, held=[model]), Source.HELD)
        self.assertEqual(source(lambda: model[:2](x), held=[model, x]), Source.HELD)
        self.assertEqual(source(lambda: model(x), held=[model, x]), Source.COMPUTED)
        self.assertTrue(torch.equal(x, torch.ones(2, 2, 2)))

    def test_new_tensors_in_memory_that_each_call_writes_are_computed(self):
        """As CUDA graphs do it."""
        import torch

        memory = bytearray(12)
        body = lambda: torch.frombuffer(memory, dtype=torch.float32).copy_(torch.ones(3))  # noqa: E731
        self.assertEqual(source(body), Source.COMPUTED)
        once = memoised(body)
        self.assertEqual(source(lambda: once().view(3)), Source.REMEMBERED)
        self.assertTrue(torch.equal(once(), torch.ones(3)))

    def test_memory_that_may_no_longer_be_read_counts_as_computed(self):
        """CUDA graphs take that of their last result back."""
        import torch

        class Taken(places.TensorPlace):
            def restore(self):
                raise RuntimeError("overwritten by a subsequent run")

            def is_destroyed_in(self, later):
                self.restore()

        kept = torch.ones(3)
        self.assertEqual(remembered.answer_to_destroyed([[Taken(kept)]], lambda: kept), remembered.Answer.NONE)

    def test_a_result_of_zeros_or_of_ones_is_no_copy_of_a_bias_or_a_weight(self):
        import torch
        zeros, ones, weight = torch.zeros(64), torch.ones(64), torch.zeros(64, 64)
        for bias in (zeros, ones):
            self.assertEqual(source(lambda: torch.addmv(bias, weight, torch.ones(64)), held=[bias, weight]), Source.COMPUTED)

    def test_a_mask_of_ones_beside_what_an_earlier_call_computed_says_nothing(self):
        import torch
        w = torch.randn(30, 30)
        made = memoised(lambda: {"features": (w @ w).softmax(0), "mask": torch.ones(30, dtype=torch.bool)})
        self.assertEqual(source(lambda: {name: each.clone() for name, each in made().items()}), Source.REMEMBERED)

    def test_a_copy_of_other_numbers_that_are_all_equal_is_one(self):
        import torch
        made = memoised(lambda: torch.ones(64, 64) @ torch.ones(64, 64))
        self.assertEqual(source(lambda: made().clone()), Source.REMEMBERED)

    def test_a_look_changes_no_count_of_changes_for_a_backward_pass(self):
        import torch
        weight, inputs = torch.randn(8, requires_grad=True), torch.randn(8)
        loss = (weight * inputs).sum()
        body = lambda: torch.autograd.grad(loss, weight, retain_graph=True)[0].clone()  # noqa: E731
        source(body, held=[inputs])
        self.assertTrue(torch.equal(body(), inputs))

    @unittest.skipUnless(HAS_NUMPY, "NumPy is not installed")
    def test_a_tensor_in_a_file_that_is_mapped_is_never_written(self):
        import numpy
        import torch
        with tempfile.NamedTemporaryFile(suffix=".npy") as file:
            numpy.save(file, numpy.arange(64.0))
            file.flush()
            for mode in ("r", "r+"):
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")  # torch warns that it cannot be written
                    mapped = torch.from_numpy(numpy.load(file.name, mmap_mode=mode))
                self.assertEqual(source(lambda: mapped + 0, held=[mapped]), Source.COMPUTED)
                self.assertTrue(torch.equal(mapped, torch.arange(64.0, dtype=torch.float64)))

    def test_sparse_tensors_and_expanded_ones_are_told_apart_too(self):
        import torch

        for make in (lambda: torch.eye(3).to_sparse(), lambda: torch.eye(3).to_sparse_csr(), lambda: torch.arange(1.0, 4).expand(5, 3)):
            made = make()
            self.assertEqual((source(lambda: made), source(make)), (Source.REMEMBERED, Source.COMPUTED))
            self.assertTrue(torch.equal(made.to_dense() if made.layout != torch.strided else made, make().to_dense() if made.layout != torch.strided else make()))

    def test_a_copy_of_a_tensor_of_an_earlier_call_is_remembered(self):
        import torch

        x, buffer = torch.arange(6.0), torch.zeros(6)
        once = memoised(lambda: x * 2 + 1)

        def written():
            buffer.copy_(x * 2 + 1)
            return buffer.clone()

        self.assertEqual([source(lambda: once().clone()), source(lambda: once().clone(), held=[x])], [Source.REMEMBERED] * 2)
        self.assertEqual([source(written), source(lambda: x * 2 + 1), source(lambda: [once().clone(), x + 1])], [Source.COMPUTED] * 3)
        self.assertEqual(source(lambda: x.clone(), held=[x]), Source.COPIED)
        self.assertTrue(torch.equal(x, torch.arange(6.0)))


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bytes of the protocol, subjects and their faults, and the clock, without a process."""

import concurrent.futures
import contextlib
import functools
import gc
import itertools
import random
import sys
import types
import unittest
import unittest.mock

import started_worker  # noqa: F401 finds the module
from perfspec import faults, libraries, outputs, promises, protocol, subjects, timing, verifying, worker
from perfspec.faults import Refusal


class Protocol(unittest.TestCase):
    def test_an_answer_is_one_line_without_what_is_empty(self):
        answer = protocol.answer_to({"number": 3}, {"answer": "ran", "a": "x y%\n", "b": "ü", "calls": 0, "notes": [], "kind": "", "use": {}})
        self.assertEqual(protocol.line_of(answer), '{"answer": "ran", "a": "x y%\\n", "b": "ü", "calls": 0, "number": 3}\n'.encode())
        self.assertEqual(protocol.answer_to({}, {"answer": "hello"}), {"answer": "hello"})

    def test_a_request_is_an_object_whose_values_survive(self):
        for text in ("", "a b%ü", "a=b c", "%", "%20", "\t\n\r\x7f\x00", "naïve ☃", "100 %25"):
            self.assertEqual(protocol.parsed(protocol.line_of({"request": "run", "subject": text, "iterations": 5})), {"request": "run", "subject": text, "iterations": 5})

    def test_what_is_no_json_is_not_sent(self):
        self.assertRaises(ValueError, protocol.line_of, {"value": float("nan")})
        self.assertEqual(protocol.line_of({"a": "\ud800"}), b'{"a": "?"}\n')

    def test_a_line_that_is_no_request_is_refused(self):
        for line in (b"", b"run iterations=5", b"[]", b"5", b'{"a":', b'{"a": "\xff"}'):
            with self.assertRaises(ValueError, msg=line):
                protocol.parsed(line)


class Subjects(unittest.TestCase):
    def setUp(self):
        self.kept, subjects.registry.subjects = subjects.registry.subjects, {}
        self.addCleanup(setattr, subjects.registry, "subjects", self.kept)

    def refused(self, text, call, *arguments, **named):
        with self.assertRaises(Refusal) as caught:
            call(*arguments, **named)
        self.assertIn(text, str(caught.exception))

    def build(self, built):
        subjects.take_body(subjects.Subject("eager", lambda: None), built)

    def test_a_subject_is_named_by_its_function_or_by_its_argument(self):
        subjects.subject(lambda: None)
        subjects.subject("other", training=True)(lambda: None)
        self.assertEqual([(each.name, each.training) for each in subjects.registry.subjects.values()], [("<lambda>", False), ("other", True)])

    def test_names_are_there_once_and_not_empty(self):
        subjects.subject("a")(lambda: None)
        self.refused("two subjects are called a (parts_test.py:", subjects.subject("a"), lambda: None)
        subjects.subject("b")(functools.partial(int))
        self.refused("two subjects are called b (functools.partial", subjects.subject("b"), functools.partial(int))
        self.refused("empty name: write @perfspec.subject(\"name\")", subjects.subject(""), lambda: None)
        self.refused("give a name in quotes", subjects.subject, 5)

    def test_a_function_with_arguments_is_refused(self):
        self.refused("takes arguments", subjects.subject, lambda x: x)

    def test_an_unknown_name_is_answered_by_the_nearest_and_all_others(self):
        for name in ("eager", "compiled"):
            subjects.subject(name)(lambda: None)
        self.refused("there is no subject compild, did you mean compiled?; the file has eager, compiled", subjects.registry.find, "compild")

    def test_of_many_names_some_are_listed(self):
        for at in range(21):
            subjects.subject(f"s{at}")(lambda: None)
        self.refused("the file has s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, s10, s11, s12, s13, s14, s15, s16, s17, s18, s19 and 1 more",
                     subjects.registry.find, "x")
        self.assertEqual(subjects.listed(["a", "b"], most=2), "a, b")

    def test_what_is_no_body_is_refused_with_what_to_write(self):
        for built, word in ((None, "returned nothing"), (5, "returned int"), (lambda x: x, "which takes arguments"), ((each for each in ()), "a generator")):
            self.refused(word, self.build, built)
            self.refused("write `return lambda: model(x)`", self.build, built)

    def test_state_has_a_state_dict(self):
        self.refused("state has int", subjects.body, lambda: 1, state=[3])


def scripted(*readings):
    return iter(readings).__next__


def idle_clock(**clocks):
    """A clock of a machine that interrupts no thread."""
    return timing.Clock(**dict(dict(of_thread=lambda: 0, threads=lambda: (0, 0), switches=lambda: (0, 0)), **clocks))


class Timing(unittest.TestCase):
    def test_a_sample_says_what_it_used_of_the_processors(self):
        clock = idle_clock(wall=scripted(0, 8_000), cpu=scripted(100, 2_600), of_thread=scripted(50, 50, 2_050, 2_050), threads=scripted((10, 7), (5_510, 407)), switches=scripted((3, 4), (5, 4)))
        self.assertEqual(timing.take_sample(lambda: None, 1, clock=clock).use, timing.Use(2_000, 500, 5_500, 2, 0, 100))
        of_device = timing.take_sample(lambda: None, 1, clock=idle_clock(), waits=[lambda: None])
        self.assertEqual(of_device.use.blocks, 1)
        self.assertFalse(of_device.use.is_of_one_computing_thread())
        unmetered = timing.take_sample(lambda: None, 1, clock=idle_clock(threads=scripted()), meters_waiting=False)
        self.assertEqual(unmetered.use.waited_ns, 0)
        for use, computes in (((100, 10_000, 9, 0, 0), True), ((1_000_000, 50_000, 0, 0, 0), True), ((1_000_000, 50_001, 0, 0, 0), False), ((1_000_000, 50_000, 9, 0, 0), False),
                              ((100, 0, 0, 0, 1), False)):
            self.assertEqual(timing.Use(*use).is_of_one_computing_thread(), computes)

    def test_both_clocks_are_around_all_calls_and_no_more(self):
        events = []
        clock = idle_clock(wall=lambda: events.append("wall") or 10 * len(events), cpu=lambda: events.append("cpu") or len(events))
        sample = timing.take_sample(lambda: events.append("call"), 3, waits=[lambda: events.append("wait")], clock=clock)
        self.assertEqual(events, ["wait", "cpu", "wall", "call", "call", "call", "wait", "wall", "cpu"])
        self.assertEqual(sample, timing.Sample(elapsed_ns=50, cpu_ns=7, use=timing.Use(others_ns=7, blocks=1, ended_ns=7)))

    def test_processor_time_of_children_belongs_to_it_and_is_read_outside_of_the_clocks(self):
        events = []
        read = lambda name, value: lambda: events.append(name) or value[len(events) > 3]  # noqa: E731
        clock = idle_clock(wall=read("wall", (10, 40)), cpu=read("cpu", (100, 105)), of_children=read("children", (1000, 1300)))
        self.assertEqual(timing.take_sample(lambda: None, 1, clock=clock), timing.Sample(elapsed_ns=30, cpu_ns=305, use=timing.Use(others_ns=305, ended_ns=305)))
        self.assertEqual(events, ["children", "cpu", "wall", "wall", "cpu", "children"])

    def test_processor_time_that_is_unknown_is_none(self):
        def unknown(): raise timing.Unknown("no list")
        sample = timing.take_sample(lambda: None, 1, clock=timing.Clock(of_children=unknown))
        self.assertEqual((sample.cpu_ns, sample.why_no_cpu), (None, "no list"))

    def test_the_garbage_collector_does_not_run_within(self):
        seen = []
        timing.take_sample(lambda: seen.append(gc.isenabled()), 1)
        self.assertEqual((seen, gc.isenabled()), ([False], True))

    def test_it_runs_again_after_a_body_that_throws(self):
        with contextlib.suppress(ZeroDivisionError):
            timing.take_sample(lambda: 1 / 0, 1)
        self.assertTrue(gc.isenabled())


class Devices(unittest.TestCase):
    """torch is scripted: no machine of these tests has an accelerator."""

    def waited(self, **cuda):
        done = []
        of_cuda = types.SimpleNamespace(is_available=lambda: cuda["there"], is_initialized=lambda: bool(cuda["used"]), device_count=lambda: 3, synchronize=done.append)
        internals = types.SimpleNamespace(_cuda_hasPrimaryContext=cuda["used"].__contains__) if cuda.get("tells", True) else None
        for wait in libraries.waits_of(Torch(of_cuda, internals)):
            wait()
        return done

    def test_each_device_is_waited_for_where_it_is_used(self):
        self.assertEqual(self.waited(there=True, used=[0]), [0])
        self.assertEqual(self.waited(there=True, used=[1, 2]), [1, 2])  # torch by itself waits for the current one
        self.assertEqual(self.waited(there=True, used=[]), [])
        self.assertEqual(self.waited(there=False, used=[0]), [])

    def test_all_are_waited_for_where_torch_does_not_tell_which_are_used(self):
        self.assertEqual(self.waited(there=True, used=[1], tells=False), [0, 1, 2])


class Torch:
    def __init__(self, cuda, internals):
        self.cuda, self._C = cuda, internals


def taken(answer):
    """Its word and its other fields, as they are sent."""
    fields = protocol.answer_to({}, answer)
    return fields.pop("answer"), fields


class Settling(unittest.TestCase):
    """A worker whose counter of compilations is scripted: the readings before and after each sample."""

    def asked(self, *readings, word="run"):
        registry = subjects.Registry()
        registry.add("f", lambda: lambda: len("1"), training=False)
        clock = idle_clock(wall=scripted(*range(0, 10_000, 5)), cpu=scripted(*range(10_000)))
        made = worker.Worker(registry, "models.py", clock=clock, compiled=scripted(*readings))
        return lambda iterations: taken(made.answer({"request": word, "subject": "f", "iterations": iterations}))

    def test_a_sample_has_the_readings_of_both_clocks(self):
        self.assertEqual(self.asked(0, 0)(7), ("ran", {"iterations": 7, "elapsed_ns": 5, "cpu_ns": 1, "use": {"others_ns": 1, "ended_ns": 1}}))

    def test_under_a_tracer_or_profiler_the_body_runs_and_nothing_is_judged(self):
        for name, observer in (("gettrace", "coverage"), ("getprofile", "cProfile")):
            with unittest.mock.patch.object(sys, name, lambda observer=observer: observer):
                word, fields = self.asked(0, 0)(1)
                self.assertEqual((word, str(fields["reason"]), fields["kind"]), ("error", worker.OBSERVED, "unavailable"), name)
        for tool, word in (("coverage.py", "error"), (None, "ran")):
            monitoring = types.SimpleNamespace(get_tool=[None, tool, None, None, None, None].__getitem__)
            with unittest.mock.patch.object(sys, "monitoring", monitoring, create=True):
                self.assertEqual(self.asked(0, 0)(1)[0], word)

    def test_compiling_belongs_to_a_sample_before_the_subject_has_settled(self):
        ask = self.asked(0, 1, 1, 1, 1, 2)
        self.assertEqual([ask(iterations)[0] for iterations in (1, 2, 1)], ["ran"] * 3)

    def test_a_settled_sample_with_a_compilation_is_taken_again_once(self):
        ask = self.asked(0, 0, 0, 1, 1, 1)  # before and after: settled by three calls, compiled, not compiled
        self.assertEqual([ask(3)[0], ask(1)[0]], ["ran", "ran"])
        with self.assertRaises(StopIteration):  # all readings were taken
            ask.__closure__[0].cell_contents.compiled()

    def test_the_second_in_a_row_is_an_error(self):
        ask = self.asked(0, 0, 0, 1, 1, 2)
        ask(3)
        word, fields = ask(1)
        self.assertEqual((word, fields["kind"]), ("error", "body_threw"))
        self.assertIn("torch compiled f again while it was measured, twice in a row", str(fields["reason"]))

    def test_values_and_memory_are_taken_again_too(self):
        for word in ("value", "memory"):
            ask = self.asked(0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, word=word)
            self.assertEqual([ask(1)[0] for _ in range(5)], [word] * 4 + ["error"])

    def test_a_subject_that_was_refused_stays_settled(self):
        ask = self.asked(0, 0, 0, 1, 1, 2, 2, 3, 3, 4)
        ask(3)
        self.assertEqual([ask(1)[0], ask(1)[0]], ["error", "error"])


class Promises(unittest.TestCase):
    def test_a_list_that_holds_itself_is_a_result(self):
        itself = []
        itself.append(itself)
        promises.require_result(itself)

    def test_promises_are_no_results(self):
        async def later():
            pass

        async def one_by_one():
            yield 1

        for returned, word in ((later(), "a coroutine"), (one_by_one(), "an awaitable, async_generator"), ((each for each in ()), "a generator"), (map(abs, ()), "a map"), (itertools.chain(()), "a chain"),
                               ({"a": iter([1])}, "a list_iterator"), (type("LazyFrame", (), {})(), "a LazyFrame"), (len, "a function, len"),
                               (lambda: 1, "a function, <lambda>"), ([1, lambda: 1], "a function"), ({"a": 1, "b": later()}, "a coroutine")):
            with self.assertRaises(Refusal) as caught:
                promises.require_result(returned)
            self.assertIn("nothing has run yet: the body returned " + word, str(caught.exception))

    def test_a_future_is_refused_though_it_is_done(self):
        future = concurrent.futures.Future()
        future.set_result(1)
        with self.assertRaises(Refusal):
            promises.require_result(future)

    def test_results_are_results(self):
        for returned in (None, 1, "a", [1, 2], {"a": lambda: 1}, unittest.TestCase):
            promises.require_result(returned)


class Comparisons(unittest.TestCase):
    def counted(self, subject):
        subject.calls += 1
        return [subject.calls, random.random()]

    def subjects(self, *calls):
        return [subjects.Subject(str(at), lambda: None, calls=each) for at, each in enumerate(calls)]

    def test_variables_are_checked_only_where_two_runs_disagree(self):
        for call, times in ((lambda _: 1, 0), (self.counted, 2)):
            with unittest.mock.patch.object(verifying, "marks_of", return_value={}) as marks:
                verifying.Comparison(call, "f.py").run_reference(*self.subjects(0))
            self.assertEqual(marks.call_count, times)

    def test_a_reference_runs_twice_until_it_is_known_to_be_steady_or_outputs_differ(self):
        ran, returned = [], {"0": 1.0, "1": 1.0}
        comparison = verifying.Comparison(lambda subject: ran.append(subject.name) or returned[subject.name], "f.py")
        for candidate, code, calls in ((1.0, "PASS", "001"), (1.0, "PASS", "01"), (2.0, "FAIL", "01001"), (1.0, "PASS", "01")):
            ran.clear()
            returned["1"] = candidate
            found = comparison.of(*self.subjects(0, 0))
            self.assertEqual((found.code, "".join(ran)[:len(calls)]), (code, calls))

    def test_a_subject_is_brought_to_the_calls_of_the_other_within_a_limit(self):
        comparison = verifying.Comparison(self.counted, "f.py")
        for seconds, calls, code in ((60.0, verifying.MOST_CALLS, "NONDETERMINISTIC_EAGER_RUN"), (60.0, verifying.MOST_CALLS + 1, None), (0.0, 5, None)):
            with unittest.mock.patch.object(verifying, "MOST_SECONDS", seconds):
                found = comparison.doubt(*self.subjects(calls, 0), "", True)
            self.assertEqual(found and found.code, code, (seconds, calls))

    def test_what_a_body_throws_late_is_found_on_its_side(self):
        for late, codes in ((ValueError("too late"), ("EAGER_FAILED", "EXCEPTION_RAISED")), (outputs.Incomparable("nothing"), ("VERIFIER_DIDNT_RUN",) * 2)):
            for side, code in enumerate(codes):
                both = self.subjects(0, 0)

                def call(subject):
                    subject.calls += 1
                    if subject is both[side] and subject.calls > 2 - side:  # the reference is compared with itself before
                        raise late
                    return subject.name
                with unittest.mock.patch.object(faults, "show_traceback"):
                    self.assertEqual(verifying.Comparison(call, "f.py").of(*both).code, code)

    def test_random_numbers_of_the_user_go_on_after_a_comparison(self):
        random.seed(5)
        expected = [random.random(), random.random()]
        random.seed(5)
        found = [random.random()]
        verifying.Comparison(lambda _: random.random(), "f.py").of(*self.subjects(0, 0))
        self.assertEqual([*found, random.random()], expected)


class State(unittest.TestCase):
    def test_a_state_that_was_put_back_may_be_compiled_for_again(self):
        model = types.SimpleNamespace(state_dict=lambda: {"weight": 1}, load_state_dict=lambda state: None)
        made = subjects.Subject("f", lambda: None, quiet_calls=5, settled=True)
        with verifying.initial_state(made):
            pass
        self.assertEqual((made.quiet_calls, made.settled), (5, True))
        subjects.take_body(made, subjects.body(lambda: 1, state=[model]))
        with verifying.initial_state(made):
            pass
        self.assertEqual((made.quiet_calls, made.settled), (0, False))


if __name__ == "__main__":
    unittest.main()

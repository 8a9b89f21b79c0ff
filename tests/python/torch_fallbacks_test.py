#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether subjects of torch run their compiled code. Exits with 77 without torch."""

import functools
import unittest
import unittest.mock

from started_worker import WorkerTest, run_tests, to
from torch_test import MADE, subject


class CompiledElsewhere(WorkerTest):
    """A subject that runs code compiled for another one: its breaks are counted there."""

    BROKEN = MADE + "def part(x):\n    y = x * 2\n    torch._dynamo.graph_break()\n    return y + 1\nbroken, x = compiled(part), torch.ones(3)\n"
    BESIDE = subject("beside", "f = compiled(lambda x: x + 3)", "return lambda: f(broken(x))")

    def test_code_that_was_compiled_at_import_has_its_breaks_counted_nowhere(self):
        process = self.served(self.BROKEN + "with torch.no_grad():\n    broken(x)\n" + self.BESIDE + subject("own", "f = compiled(lambda x: x - 1)", "return lambda: f(x)"))
        for name in ("graph_breaks", "graphs", "recompiles", "compilations"):
            self.assertIn("beside also runs code that torch compiled while the file was imported", process.ask(to("count", subject="beside", name=name))[1].get("reason", ""))
        self.assertEqual(process.ask(to("count", subject="own", name="graph_breaks"))[1].get("value"), 0)

    def test_code_that_another_subject_had_compiled_has_its_breaks_counted_there(self):
        process = self.served(self.BROKEN + subject("other", "return lambda: broken(x)") + self.BESIDE)
        self.assertEqual(process.ask(to("count", subject="other", name="graph_breaks"))[1].get("value"), 1)
        self.assertIn("beside also runs code that torch compiled for other", process.ask(to("count", subject="beside", name="graph_breaks"))[1].get("reason", ""))


def net(x): return x + 1


def sized(x, s): return x + len(s)


class LaterTest(unittest.TestCase):
    """In pytest one process runs all tests, each with a worker of its own."""

    def asked(self, f, *others, request="count", **how):
        """The word of the answer, or its reason, of a test whose subject calls a function that it compiled."""
        import torch

        x = torch.ones(3)
        return self.answered(lambda: functools.partial(torch.compile(f, backend="eager", **how), x, *others), request, built=True)

    def answered(self, body, request="run", built=False):
        from perfspec import subjects, worker

        registry = subjects.Registry()
        registry.add("f", body if built else lambda: body, False)
        answer = worker.Worker(registry, __file__).answer({"request": request, "subject": "f", "name": "graph_breaks", "iterations": 1})
        return answer.get("reason", answer["answer"])

    def test_it_has_counts_and_times_whatever_earlier_tests_left(self):
        import torch
        from perfspec.compiler.compile_calls import calls_of_compile

        calls_of_compile.wrap_compile(torch)
        self.assertEqual(self.asked(net), "counted")
        self.assertIn("when f ran: it runs code that torch compiled before this test or outside of its bodies, which its counts do not include: call torch._dynamo.reset()",
                      str(self.asked(net)))
        self.assertEqual(self.asked(lambda x: x - 1, request="run", disable=True), "ran")  # eager, under the name of what was compiled
        for n in range(12):
            self.asked(sized, "a" * n)
        self.assertIn("which torch gave up before this test or outside of its bodies", str(self.asked(sized, "b" * 20)))
        self.assertEqual(self.asked(lambda x: x + 2), "counted")
        torch._dynamo.reset()
        self.assertEqual([self.asked(net), self.asked(sized, "c" * 20)], ["counted", "counted"])

    def test_compiled_code_that_torch_gave_up_in_an_earlier_test_is_eager(self):
        import torch
        from perfspec.compiler.compile_calls import calls_of_compile

        class Recurrent(torch.nn.Module):
            def __init__(self, cell):
                super().__init__()
                self.cell = cell(4, 4)

            def forward(self, x):
                return self.cell(x)[0]

        calls_of_compile.wrap_compile(torch)
        x = torch.ones(3, 4)
        torch.compile(torch.nn.Linear(4, 4), backend="eager")(x)
        eager = Recurrent(torch.nn.LSTM).eval()
        for model in (eager, Recurrent(torch.nn.GRU).eval()):
            compiled = torch.compile(model, backend="eager")
            self.assertIn("its times are those of eager code", str(self.answered(lambda: compiled(x))))
        self.assertEqual(self.answered(lambda: eager(x)), "ran")
        torch._dynamo.reset()


class Switches(unittest.TestCase):
    def test_a_variable_turns_the_compiler_off(self):
        from perfspec.compiler import fallbacks

        with unittest.mock.patch.dict("os.environ", TORCHDYNAMO_DISABLE="1"):
            self.assertEqual(fallbacks.switch_of_compiler(), "TORCHDYNAMO_DISABLE=1 is set")

    def test_files_of_torch_are_below_its_folder(self):
        import torch
        from perfspec.compiler import compiling

        self.assertTrue(compiling.is_of_library(torch.nn.Linear.forward.__code__.co_filename))
        self.assertFalse(compiling.is_of_library("/projects/torch/models.py"))


class GivenUpElsewhere(WorkerTest):
    """Functions that torch gave up in one subject run eagerly in all others, without a message."""

    MODELS = MADE + "def loop(x):\n    for _ in range(2):\n        print()\n    return x\ndef sized(x, s): return x + len(s)\nloop_, sized_, x = compiled(loop), compiled(sized), torch.ones(3)\n" + "".join([
        subject("losing", "return lambda: loop_(x)"),
        subject("exhausting", "return lambda: [sized_(x, 'b' * n) for n in range(2, 12)]"),
        subject("behind_a_loop", "f = compiled(lambda x: x + 3)", "return lambda: f(loop_(x))"),
        subject("behind_the_limit", "f = compiled(lambda x: x + 4)", "return lambda: f(sized_(x, 'c' * 20))"),
        subject("last_behind_the_limit", "f = compiled(sized)", "return lambda: f(x, 'd' * 30)"),
        subject("within", "f = compiled(lambda x: sized(x, 'ccc') + 5)", "return lambda: f(x)"),
        subject("alone", "f = compiled(lambda x: x + 6)", "return lambda: f(x)"),
    ])

    def test_they_are_named_where_a_subject_calls_them(self):
        process = self.served(self.MODELS)
        for name in ("losing", "exhausting"):
            process.ask(to("run", subject=name, iterations=1))
        for name in ("graph_breaks", "graphs", "recompiles", "compilations"):
            self.assertIn("nothing was compiled when last_behind_the_limit ran: it calls sized (models.py:", process.ask(to("count", subject="last_behind_the_limit", name=name))[1].get("reason", ""))
            self.assertIn("behind_a_loop also calls loop (models.py:", process.ask(to("count", subject="behind_a_loop", name=name))[1].get("reason", ""))
        self.assertIn("behind_the_limit also calls sized (models.py:", process.ask(to("count", subject="behind_the_limit", name="graph_breaks"))[1].get("reason", ""))
        for name in ("within", "alone"):
            self.assertEqual(process.ask(to("count", subject=name, name="graph_breaks"))[1].get("value"), 0)


FALLBACKS = MADE + """def switch(**settings):
    for name, value in settings.items():
        setattr(torch._dynamo.config, name, value)
def no_backend(graph, inputs): raise RuntimeError("no")
def shared(x, s): return x + len(s)
class LeftOut(torch.nn.Linear):
    @torch.compiler.disable
    def forward(self, x): return super().forward(x)
""" + "".join([
    subject("left_out", "m = compiled(LeftOut(8, 4).eval())", "return lambda: m(torch.ones(3, 8))"),
    subject("suppressed", "m, x = made()", "switch(suppress_errors=True)", "m = compiled(m, backend=no_backend)", "return lambda: m(x)"),
    subject("nothing_to_compile", "f = compiled(lambda: sum(range(100)))", "return lambda: f()"),
    subject("stance", "m, x = made()", "m = compiled(m)", "def body():", "    with torch.compiler.set_stance('force_eager'):", "        return m(x)", "return body"),
    subject("asked_for_eager", "m, x = made()", "m = compiled(m, disable=True)", "return lambda: m(x)"),
    subject("eager", "m, x = made()", "return lambda: m(x)"),
    subject("model", "m, x = made()", "m = compiled(m)", "return lambda: m(x)"),
    subject("sharing", "m, x = made()", "m = compiled(m)", "return lambda: m(x)"),
    subject("made_before", "m, x = made()", "with torch.no_grad():", "    y = compiled(m)(x)", "return lambda: y"),
    subject("in_part", "def g(x):", "    for _ in range(2):", "        print()", "    return x", "def f(x):", "    return g(x * 2) + 1",
            "f, x = compiled(f), torch.ones(3)", "return lambda: f(x)"),
    subject("before", "f, x = compiled(shared), torch.ones(3)", "return lambda: f(x, 'a')"),
    subject("exhausting", "f, x = compiled(shared), torch.ones(3)", "return lambda: [f(x, 'b' * n) for n in range(2, 12)]"),
    subject("behind", "f, x = compiled(shared), torch.ones(3)", "return lambda: f(x, 'c' * 20)"),
])


class Fallbacks(WorkerTest):
    """A subject that asked for compiling and runs eagerly has no times. All are of one process."""

    def setUp(self):
        super().setUp()
        self.worker = self.served(FALLBACKS)

    def run_once(self, name):
        word, fields = self.worker.ask(to("run", subject=name, iterations=1))
        return fields.get("reason", word)

    def test_nothing_compiled_is_reported_with_what_turned_it_off(self):
        self.assertEqual([self.run_once(name) for name in ("eager", "asked_for_eager", "model", "sharing")], ["ran"] * 4)
        for name, why in (("suppressed", "it gave up .*no_backend' raised: RuntimeError: no"), ("nothing_to_compile", "it made no graph of what the body calls"), ("stance", "it made no graph")):
            self.assertRegex(self.run_once(name), f"{name}: torch.compile was called, but its times are those of eager code: {why}")
            self.assertRegex(self.run_once(name), f"{name}: torch.compile was called")  # again, and from then on

    def test_a_model_that_is_left_out_of_compiling_has_no_times(self):
        for _ in range(2):
            self.assertIn("left_out: torch.compile was called, but its times are those of eager code: it made no graph of what the body calls: does torch.compiler.disable exclude it?",
                          self.run_once("left_out"))
        self.assertEqual(self.run_once("model"), "ran")

    def test_a_body_that_returns_what_was_computed_before_is_reported_so_first(self):
        self.assertEqual(self.run_once("model"), "ran")
        self.assertIn("the body of made_before computes nothing: it returns a value that was computed before", self.run_once("made_before"))

    def test_a_function_that_torch_leaves_alone_for_all_is_named(self):
        self.run_once("suppressed")
        self.assertRegex(self.run_once("model"), "made no graph .*; earlier it gave up .*does not try again until torch._dynamo.reset\\(\\): backend='no_backend' raised")

    def test_a_part_that_runs_eagerly_is_a_note(self):
        word, fields = self.worker.ask(to("run", subject="in_part", iterations=1))
        self.assertEqual(word, "ran", fields)
        self.assertRegex(fields["notes"][-1], r"torch.compile gave up \w+ \(models.py:\d+\) and runs it eagerly: ")
        self.assertNotIn("notes", self.worker.ask(to("run", subject="model", iterations=1))[1])

    def test_a_limit_that_another_subject_used_up_is_reported_where_it_makes_code_eager(self):
        self.assertEqual(self.run_once("before"), "ran")
        self.assertIn("gave up shared (models.py:", self.run_once("exhausting"))
        self.assertEqual(self.run_once("before"), "ran")  # earlier compiled code still runs
        self.assertIn("torch.compile was called, but its times are those of eager code", self.run_once("behind"))


class FileTurnsOff(WorkerTest):
    def test_a_file_that_compiles_and_turns_the_compiler_off_has_no_times(self):
        process = self.served("import os\nos.environ['TORCH_COMPILE_DISABLE'] = '1'\n" + MADE + "net = compiled(torch.nn.Linear(8, 4))\n"
                              + subject("f", "return lambda: net(torch.ones(2, 8))"))
        self.assertIn("torch._dynamo.config.disable is set", process.ask(to("run", subject="f", iterations=1))[1].get("reason", "ran"))


if __name__ == "__main__":
    run_tests("torch")

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A worker with torch: its timing, the counts of torch.compile, and the comparison of tensors. Exits with 77 without torch."""

import importlib.util
import os
import re

from started_worker import MODULE, Touch, WorkerTest, run_tests, to

MADE = """import torch
def made():
    torch.manual_seed(1)
    return torch.nn.Linear(8, 4), torch.randn(3, 8)
def compiled(f, **how):
    return torch.compile(f, **{"backend": "eager", **how})
"""


def subject(name, *lines, training=False):
    return f"@perfspec.subject(training={training})\ndef {name}():\n" + "".join(f"    {line}\n" for line in lines)


MODELS = MADE + "".join([
    subject("eager", "m, x = made()", "return lambda: m(x)"),
    subject("model", "m, x = made()", "m = compiled(m)", "return lambda: m(x)"),
    subject("again", "m, x = made()", "m = compiled(m)", "return lambda: m(x)"),
    subject("half", "m, x = made()", "m, x = m.bfloat16(), x.bfloat16()", "return lambda: m(x)"),
    subject("broken", "def f(x):", "    y = x * 2", "    print()", "    return y + 1", "f, x = compiled(f), torch.ones(3)", "return lambda: f(x)"),
    subject("loop", "def f(x):", "    for _ in range(2):", "        print()", "    return x", "f, x = compiled(f), torch.ones(3)", "return lambda: f(x)"),
    subject("step", "m, x = made()", "o = torch.optim.SGD(m.parameters(), lr=.1, momentum=.9)", "c = compiled(m, backend='aot_eager')", "def step():",
            "    o.zero_grad()", "    loss = c(x).square().mean()", "    loss.backward()", "    o.step()", "    return loss",
            "return perfspec.body(step, state=[m, o])", training=True),
    subject("eager_step", "m, x = made()", "o = torch.optim.SGD(m.parameters(), lr=.1, momentum=.9)", "def step():", "    o.zero_grad()",
            "    loss = m(x).square().mean()", "    loss.backward()", "    o.step()", "    return loss", "return perfspec.body(step, state=[m, o])", training=True),
    subject("stateless", "m, x = made()", "o = torch.optim.SGD(m.parameters(), lr=.1)", "def step():", "    loss = m(x).square().mean()", "    loss.backward()",
            "    o.step()", "    return loss", "return step", training=True),
    "class Shared(torch.nn.Module):\n    def forward(self, x):\n        return torch.relu(x) * 2\nshared = Shared()\n",
    subject("shared_eager", "return lambda: shared(torch.ones(3))"),
    subject("shared_compiled", "shared.compile(backend='eager')", "return lambda: shared(torch.ones(3))"),
    subject("forgotten", "m, x = made()", "return lambda: m(x).sum().backward()"),
    "import numpy\nkept = {}\ndef scaled(x):\n    kept.setdefault('scale', torch.ones(3) * 2)\n    return x * kept['scale']\n",
    subject("fills", "return lambda: scaled(torch.ones(3))"),
    subject("trains", "x = torch.ones(3, requires_grad=True)", "return lambda: scaled(x).sum().backward() or x.grad", training=True),
    subject("of_numpy", "f = compiled(lambda a: numpy.sin(a) + 1)", "a = numpy.ones(3)", "return lambda: f(a)"),
    subject("modes", "return lambda: float(not torch.is_inference_mode_enabled() and not torch.is_grad_enabled())"),
    subject("training_modes", "return lambda: float(torch.is_inference_mode_enabled() or not torch.is_grad_enabled())", training=True),
    subject("sparse", "return lambda: {'s': torch.eye(3).to_sparse(), 'c': torch.ones(2, dtype=torch.complex64), 'i': torch.ones(2, dtype=torch.int32)}"),
    subject("dense", "return lambda: {'s': torch.eye(3), 'c': torch.ones(2, dtype=torch.complex64), 'i': torch.ones(2, dtype=torch.int32)}"),
    subject("compressed", "x = torch.ones(3, 3)", "return lambda: (x @ x @ x).to_sparse_csr()"),
    subject("quantized", "return lambda: torch.quantize_per_tensor(torch.ones(3), 0.1, 0, torch.quint8)"),
    subject("itself", "m, x = made()", "return lambda: [m]"),
    subject("meta", "return lambda: torch.ones(2, device='meta')"),
    subject("nan", "return lambda: torch.tensor([[1, float('nan')]])"),
    subject("half_nan", "return lambda: torch.tensor([[1, float('nan')]], dtype=torch.float16)"),
    subject("buffer", "x = torch.zeros(2)", "return lambda: x.add_(1)"),
    subject("draws", "return lambda: torch.rand(3)"),
    subject("on_one_thread", "return lambda: torch.set_num_threads(torch.get_num_threads() + 1)"),
    subject("in_double", "torch.set_default_dtype(torch.float64)", "return lambda: torch.ones(3)"),
    subject("in_half", "torch.autocast('cpu').__enter__()", "return lambda: torch.ones(3)"),
    subject("put_back", "def body():", "    n = torch.get_num_threads()", "    torch.set_num_threads(n + 1)", "    torch.set_num_threads(n)", "    return n",
            "return body"),
    subject("width", "return lambda: float(torch.ones(3).element_size() + torch.is_autocast_enabled('cpu'))"),
])


class Torch(WorkerTest):
    """One process for all: importing torch and its compiler takes seconds."""

    def setUp(self):
        super().setUp()
        self.worker = self.served(MODELS)

    def count(self, subject, name):
        word, fields = self.worker.ask(to("count", subject=subject, name=name))
        return int(fields["value"]) if word == "counted" else fields["reason"]

    def verdict(self, reference, candidate):
        word, fields = self.worker.ask(to("compare", reference=reference, candidate=candidate))
        self.assertEqual(word, "compared", fields)
        return fields["code"], fields["text"]

    def test_bodies_run_without_gradients_but_for_training(self):
        self.assertEqual([self.worker.ask(to("value", subject=each))[1]["value"] for each in ("modes", "training_modes")], [1.0, 0.0])
        self.assertIn("if the subject trains, declare it with training=True", self.worker.ask(to("run", subject="forgotten", iterations=1))[1]["reason"])

    def test_a_body_without_gradients_leaves_models_that_can_be_trained(self):
        for each in ("fills", "trains", "of_numpy"):
            word, fields = self.worker.ask(to("run", subject=each, iterations=2))
            self.assertEqual(word, "ran", fields)

    def test_what_all_subjects_are_measured_by_stays_as_it_was(self):
        threads = self.worker.ask(to("value", subject="put_back"))[1]["value"]
        for name, words in (("on_one_thread", f"the body of on_one_thread changed the number of threads from {threads} to {int(threads) + 1}, which affects all subjects"),
                            ("in_double", "building in_double changed the default dtype from torch.float32 to torch.float64"),
                            ("in_half", "building in_half changed autocast of the processor from False to True")):
            word, fields = self.worker.ask(to("run", subject=name, iterations=1))
            self.assertEqual((word, words in fields.get("reason", "")), ("error", True), fields)
        self.assertEqual([self.worker.ask(to("value", subject=name))[1]["value"] for name in ("put_back", "width")], [threads, 4.0])

    def test_compilations_are_counted_of_the_subject_that_ran(self):
        names = ("graphs", "graph_breaks", "recompiles", "compilations")
        for name, expected in (("model", [1, 0, 0, 1]), ("broken", [2, 1, 0, 2]), ("step", [1, 0, 0, 2])):
            self.assertEqual([self.count(name, each) for each in names], expected, name)
            self.assertGreater(self.count(name, "compile_ns"), 1_000_000, name)
        self.assertIn("is it wrapped in torch.compile?", self.count("eager", "graph_breaks"))
        self.assertIn("it runs code that torch compiled for model", self.count("again", "graph_breaks"))
        self.assertIn("it gave up f (models.py:", self.count("loop", "graph_breaks"))

    def test_tensors_are_compared_by_the_tolerance_of_their_dtype(self):
        for reference, candidate, code, words in (
                ("eager", "model", "PASS", "output, float32[3,4]: within 0.0001 absolute plus relative"), ("eager", "half", "PASS", "within 0.01 absolute plus relative for bfloat16"),
                ("sparse", "dense", "PASS", "complex64[2]"), ("nan", "nan", "NONDETERMINISTIC_EAGER_RUN", "both hold NaN"), ("half_nan", "half_nan", "PASS", "float16[1,2]"),
                ("half_nan", "nan", "PASS", "for float32"), ("compressed", "compressed", "PASS", "float32[3,3]"), ("quantized", "quantized", "PASS", "float32[3]"),
                ("itself", "itself", "VERIFIER_DIDNT_RUN", "output[0] is the model itself, a Linear: call it in the body, as in `return lambda: model(x)`"),
                ("meta", "meta", "VERIFIER_DIDNT_RUN", "a meta tensor"), ("draws", "draws", "PASS", "within"),
                ("buffer", "buffer", "NONDETERMINISTIC_EAGER_RUN", "2, but the reference has 1"),
                ("eager", "draws", "FAIL", "float32[3], but the reference has float32[3,4]"),
                ("eager", "forgotten", "EXCEPTION_RAISED", "does not require grad")):
            with self.subTest((reference, candidate)):
                found = self.verdict(reference, candidate)
                self.assertEqual((found[0], words in found[1]), (code, True), found)

    def test_training_steps_are_compared_from_the_state_after_loading(self):
        self.worker.ask(to("run", subject="eager_step", iterations=3))
        self.assertEqual(self.verdict("eager_step", "step")[0], "PASS")
        self.assertEqual(self.verdict("step", "eager_step")[0], "PASS")
        self.assertEqual(self.verdict("stateless", "step")[0], "NONDETERMINISTIC_EAGER_RUN")
        code, text = self.verdict("eager_step", "stateless")
        self.assertEqual((code, "the candidate stateless does not, so its second call continues from its first: write state=[model, optimizer] there" in text), ("FAIL", True), text)
        self.assertGreater(self.worker.ask(to("compare", reference="eager_step", candidate="stateless"))[1]["statistics"][0]["value"], 0.0)
        self.worker.ask(to("write", subject="eager_step", file="trained"))
        self.assertEqual([self.worker.ask(to("compare", file="trained", candidate=each))[1]["code"] for each in ("step", "stateless")], ["PASS", "FAIL"])

    def test_a_model_that_the_other_subject_compiled_in_place_is_reported(self):
        for reference, candidate in (("shared_eager", "shared_compiled"), ("shared_compiled", "shared_eager")):
            word, fields = self.worker.ask(to("compare", reference=reference, candidate=candidate))
            self.assertEqual(word, "error", fields)
            self.assertIn("shared_eager never called torch.compile, but runs compiled code since shared_compiled did", fields["reason"])
        self.assertEqual(self.verdict("eager", "model")[0], "PASS")

    def test_operators_have_their_own_times_and_calls(self):
        word, fields = self.worker.ask(to("operators", subject="eager"))
        self.assertEqual(word, "ran", fields)
        last = fields["operators"][-1]
        self.assertTrue(last["ns"] >= 0 and last["calls"] >= 1, last)
        self.assertRegex(last["name"], r"^aten::[a-z_]+$")
        self.assertNotIn("profiler_start", self.worker.end()[2])

    def test_versions_of_tensors_show_what_a_body_changed(self):
        import torch
        from perfspec import body_state

        with torch.inference_mode():
            last = [torch.ones(2), torch.ones(2)]  # these count no versions
        x, same, norm = torch.zeros(2), torch.zeros(2), torch.nn.BatchNorm1d(2)

        def body():
            last[1] = x.add_(1) + same
            return norm(torch.ones(3, 2))

        before = body_state.marks_of(body)
        body()
        state = "state=[perfspec.state(get=lambda: …, set=lambda kept: …)] for"
        self.assertEqual(sorted(body_state.what_changed(before, body_state.marks_of(body)).split("; ")),
                         [f"last (a list) changes: write {state} last", "norm (a BatchNorm1d) changes: write state=[norm], or norm.eval() if it should not train",
                          f"x (a Tensor) changes: write {state} x"])
        self.assertNotIn("norm", body_state.what_changed(before, body_state.marks_of(body), [norm]))

    def test_an_optimizer_that_steps_is_named(self):
        import torch
        from perfspec import body_state

        weights = torch.ones(2, requires_grad=True)
        adam = torch.optim.Adam([weights])
        schedule = torch.optim.lr_scheduler.StepLR(adam, 1)

        def body():
            weights.grad = torch.ones(2)
            return adam.step(), schedule.step()

        body()
        before = body_state.marks_of(body)
        self.assertEqual(body_state.what_changed(before, body_state.marks_of(body)), "")
        body()
        self.assertIn("adam (a Adam) changes: write state=[adam]; schedule (a StepLR) changes: write state=[schedule]", body_state.what_changed(before, body_state.marks_of(body)))

    def test_numbers_of_python_are_compared_in_double_precision(self):
        import torch  # noqa: F401 compares them
        from perfspec import comparing, outputs

        for reference, candidate, how in ((1e-60, 3e-60, {}), (1e-60j, 3e-60j, {}), (1.0, 1.0 + 1e-8, {"tolerance": 1e-9}), (2**70, 2**70 + 2**45, {"tolerance": 1e-9})):
            found = comparing.compare(comparing.Statistics(), *map(outputs.flattened, (reference, candidate)), how=comparing.accuracy(**how))
            self.assertFalse(found.same, found.text)

    def test_random_numbers_of_the_file_go_on_after_a_comparison(self):
        process = self.served(MODELS + subject("first", "torch.manual_seed(5)", "return lambda: torch.rand(()).item()") +
                              subject("second", "torch.manual_seed(5)", "return lambda: torch.rand(()).item()"))
        first = [process.ask(to("value", subject="first")) for _ in range(2)]
        second = [process.ask(to("value", subject="second")), process.ask(to("compare", reference="draws", candidate="draws")) and process.ask(to("value", subject="second"))]
        self.assertEqual(first, second)

    def test_containers_that_torch_knows_are_compared(self):
        process = self.served("import torch\nclass Cache:\n    def __init__(self, keys): self.keys = keys\n"
                              "torch.utils._pytree.register_pytree_node(Cache, lambda c: ([c.keys], None), lambda parts, _: Cache(*parts))\n"
                              + subject("f", "return lambda: Cache([torch.ones(2)])"))
        self.assertEqual(process.ask(to("compare", reference="f", candidate="f"))[1]["text"], "output[0][0], float32[2]: within 0.0001 absolute plus relative, largest error 0")

    def test_what_torch_takes_for_a_constant_cannot_be_compared(self):
        process = self.served("import torch\nclass Constant:\n    def __init__(self, value): self.value = value\n"
                              "torch.utils._pytree.register_pytree_node(Constant, lambda c: ([], c.value), lambda _, value: Constant(value))\n"
                              + subject("f", "return lambda: [1, Constant(2)]") + subject("g", "return lambda: [1, Constant(3)]"))
        self.assertIn("output[1] is a Constant, which cannot be compared", process.ask(to("compare", reference="f", candidate="g"))[1]["text"])

    def test_outputs_that_are_similar_agree_by_the_cosine_that_the_candidate_names(self):
        body = "return perfspec.body(lambda: torch.tensor({}, dtype=torch.uint8), accuracy=perfspec.accuracy(cosine={}))"
        process = self.served("import torch\n" + "".join(subject(name, body.format(*given)) for name, given in
                                                         (("f", ([9, 5], 1)), ("near", ([9, 6], .99)), ("far", ([5, 9], .99)))))
        for name, code, words in (("near", "PASS", "cosine similarity 0.996"), ("far", "FAIL", "not within")):
            found = process.ask(to("compare", reference="f", candidate=name))[1]
            self.assertEqual((found["code"], words in found["text"]), (code, True), found)

    def test_outputs_are_compared_with_a_file(self):
        self.assertEqual(self.worker.ask(to("write", subject="sparse", file="kept"))[0], "written")
        self.assertEqual(self.worker.ask(to("compare", file="kept", candidate="dense"))[1]["code"], "PASS")
        self.assertEqual(self.worker.ask(to("compare", file="kept", candidate="eager"))[1]["code"], "FAIL")


class Recompiling(WorkerTest):
    def test_counts_are_equal_before_and_after_samples(self):
        turns = ["xs = [torch.ones(2), torch.ones(3)]", "def body():", "    xs.append(xs.pop(0))", "    return f(xs[0])", "return body"]
        process = self.served(MADE + subject("first", "f = compiled(lambda x: x + 1, dynamic=False)", *turns)
                              + subject("later", "f = compiled(lambda x: x + 2, dynamic=False)", *turns))
        self.assertEqual(process.ask(to("run", subject="later", iterations=20))[0], "ran")
        for name in ("first", "later"):
            word, fields = process.ask(to("count", subject=name, name="recompiles"))
            self.assertEqual((word, fields["value"], fields["calls"]), ("counted", 1, {"first": 5, "later": 23}[name]))
            self.assertEqual(process.ask(to("count", subject=name, name="compilations"))[1]["value"], 2)

    def test_a_subject_that_compiles_without_end_has_no_counts(self):
        process = self.served(MADE + subject("f", "torch._dynamo.config.recompile_limit = 1000", "f, n = compiled(lambda x, s: x + len(s)), [0]", "def body():", "    n[0] += 1",
                                             "    return f(torch.ones(3), 'a' * n[0])", "return body"))
        self.assertIn("torch still compiles f after 32 calls, so a count would depend on the number of calls: <lambda> (models.py:", process.ask(to("count", subject="f", name="graphs"))[1]["reason"])

    def test_a_settled_subject_that_compiles_twice_in_a_row_is_error_and_the_function_is_named(self):
        process = self.served(MADE + subject("f", "calls = [0]", "f, x = compiled(lambda x, s: x + len(s)), torch.ones(3)", "def body():", "    calls[0] += 1",
                                             "    return f(x, 'a' * max(1, calls[0] - 4))", "return body"))
        self.assertEqual(process.ask(to("run", subject="f", iterations=1))[0], "ran")
        self.assertEqual(process.ask(to("run", subject="f", iterations=4))[0], "ran")
        self.assertEqual(process.ask(to("run", subject="f", iterations=1)), ("error", {"kind": "body_threw", "reason":
                         "torch compiled f again while it was measured, twice in a row: <lambda> (models.py:11): guard failed: s == 'aa'"}))
        self.assertEqual(process.ask(to("count", subject="f", name="recompiles")),
                         ("counted", {"value": 2, "calls": 7, "places": ["<lambda> (models.py:11) again: guard failed: s == 'a'",
                                                                        "<lambda> (models.py:11) again: guard failed: s == 'aa'"]}))
        answers = [process.ask(to("run", subject="f", iterations=1)) for _ in range(12)]
        self.assertEqual((answers[-1][0], answers[-1][1].get("kind")), ("error", "body_threw"), answers[-1])
        self.assertIn("f: torch.compile gave up <lambda> (models.py:11): Dynamo recompile limit exceeded: guard failed: s == ", answers[-1][1]["reason"])
        self.assertRegex(process.ask(to("count", subject="f", name="graph_breaks"))[1]["reason"], "Dynamo recompile limit exceeded: .*: raise .*, or give it fewer kinds of inputs")

    def test_a_subject_that_compiles_in_each_call_is_reported_so_beyond_the_limit(self):
        process = self.served(MADE + subject("f", "f, n = compiled(lambda x: x + 1, dynamic=False), [1]", "def body():", "    n[0] += 1", "    return f(torch.ones(n[0]))", "return body"))
        self.assertIn("gave up <lambda> (models.py:10) of f and runs it eagerly: Dynamo recompile limit exceeded: guard failed: tensor 'x' size mismatch at index 0. expected 9, actual 10: raise",
                      process.ask(to("count", subject="f", name="recompiles"))[1].get("reason"))


class More(WorkerTest):
    def test_a_file_of_torch_runs_no_code(self):
        import torch

        file = os.path.join(self.folder, "file")
        with open(file, "wb") as opened:
            opened.write(b"perfspec outputs of Python 1, torch\n")
            torch.save({"outputs": [], "unsteady": "", "more": Touch()}, opened)
        with open(file, "rb") as opened:
            self.assertIn(b"mkdir", opened.read())
        self.assertIn("cannot read file: UnpicklingError", self.reason("import torch\n@perfspec.subject\ndef f(): return lambda: 1\n", to("compare", file="file", candidate="f")))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "touched")))

    def test_more_compilations_are_counted_than_torch_keeps_by_itself(self):
        process = self.served(MADE + subject("many", "fs, x = [compiled(eval(f'lambda x: x + {i}')) for i in range(70)], torch.ones(2)", "return lambda: [f(x) for f in fs]"))
        self.assertEqual(process.ask(to("count", subject="many", name="compilations")), ("counted", {"value": 70, "calls": 4}))

    def test_shapes_that_vary_are_compiled_once_or_once_for_each(self):
        sizes = "xs = [torch.ones(n, 2) for n in (3, 4, 5)]"
        process = self.served(MADE + "".join(subject(name, f"f = compiled(lambda x: x * 2, dynamic={dynamic})", sizes, "return lambda: [f(x) for x in xs]")
                                             for name, dynamic in (("any_size", True), ("each_size", False))))
        self.assertEqual([process.ask(to("count", subject=name, name="compilations"))[1]["value"] for name in ("any_size", "each_size")], [1, 3])


class Settings(WorkerTest):
    def test_settings_of_a_run_are_of_torch_if_the_default_is(self):
        process = self.served(MADE + "@perfspec.subject\ndef f(batch=3, dtype=torch.float32, device=torch.device('cpu')):\n"
                              "    x = torch.ones(batch, 2, dtype=dtype, device=device)\n"
                              "    return lambda: float(x.numel() + 100 * x.element_size())\n"
                              "@perfspec.subject\ndef elsewhere(device='cpu'): return lambda: 1.0\n")
        self.assertEqual(process.ask(to("load", subject="f", settings={"batch": "4", "dtype": "float64", "device": "cpu"}))[0], "loaded")
        self.assertEqual(process.ask(to("value", subject="f")), ("value", {"value": 808.0}))
        self.assertEqual(process.ask(to("load", subject="elsewhere", settings={"device": "cuda:77"})), ("error", {"kind": "unavailable", "reason": "torch finds no device cuda:77 on this machine"}))


class Page(WorkerTest):
    def test_the_files_that_readme_shows_can_be_loaded(self):
        blocks = re.findall(r"```python\n(.*?)```", (MODULE.parent / "README.md").read_text(), flags=re.DOTALL)
        self.assertEqual(len(blocks), 4)
        process = self.served("\n".join(blocks[:3]))
        asked = {"batch": "4", "dtype": "bfloat16", "device": "cpu"}
        self.assertEqual(process.ask(to("load", subject="asked", settings={"batch": "4", "dtype": "bfloat16", "device": "cpu"})), ("loaded", {"settings": asked}))
        for name in ("eager", "max-autotune", "step"):
            self.assertEqual(process.ask(to("load", subject=name)), ("loaded", {}))
        self.assertEqual(process.ask(to("run", subject="eager", iterations=2))[0], "ran")
        word, fields = self.served(blocks[3]).ask(to("load", subject="eager"))
        self.assertEqual((word, fields.get("kind")), ("error", "unavailable") if importlib.util.find_spec("timm") is None else ("loaded", None), fields)


class Inductor(WorkerTest):
    def test_a_training_step_counts_forward_and_backward_and_what_the_cache_had(self):
        step = subject("step", "m, x = made()", "c = torch.compile(m)", "return lambda: c(x).sum().backward()", training=True)
        process = self.served(MADE + step)
        found = [int(process.ask(to("count", subject="step", name=name))[1]["value"]) for name in ("graphs", "graph_breaks", "recompiles")]
        self.assertEqual(found, [1, 0, 0])
        hits, misses = (int(process.ask(to("count", subject="step", name=name))[1]["value"]) for name in ("cache_hits", "cache_misses"))
        self.assertGreater(hits + misses, 0)  # cold, warm, or one of the two graphs from an earlier run that was stopped
        self.assertEqual(process.ask(to("run", subject="step", iterations=2))[0], "ran")

    def test_options_of_the_backend_reach_it(self):
        process = self.served(MADE + subject("eager", "m, x = made()", "return lambda: m(x).relu()") + "".join(
            subject(name, "m, x = made()", f"f = torch.compile(lambda: m(x).relu(), options={options})", "return f")
            for name, options in (("tuned", {"epilogue_fusion": False}), ("mistaken", {"epilogue_fussion": False}))))
        self.assertEqual(process.ask(to("compare", reference="eager", candidate="tuned"))[1]["code"], "PASS")
        self.assertIn("epilogue_fussion", process.ask(to("run", subject="mistaken", iterations=1))[1]["reason"])


if __name__ == "__main__":
    run_tests("torch")

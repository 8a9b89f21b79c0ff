#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""perfspec.suites with a small model of torch's own. Exits with 77 without torch."""

import collections

from started_worker import WorkerTest, run_tests, to

SUITE = """import torch, types
import perfspec.suites as suites
class Small(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.first, self.norm, self.drop, self.last = torch.nn.Linear(8, 16), torch.nn.LayerNorm(16), torch.nn.Dropout(0.5), torch.nn.Linear(16, 4)
    def forward(self, x, scale=None):
        return {"logits": self.last(self.drop(torch.relu(self.norm(self.first(x))))) * (1 if scale is None else scale)}
class Wrong(torch.autograd.Function):
    @staticmethod
    def forward(_, x): return x.clone()
    @staticmethod
    def backward(_, gradient): return gradient * 1.01
def wrong_backward(model, **options):
    return lambda x: {"logits": Wrong.apply(model(x)["logits"])}
class Normed(torch.nn.Module):
    def __init__(self):
        super().__init__()
        torch.manual_seed(1)
        self.first, self.norm = torch.nn.Linear(8, 4), torch.nn.BatchNorm1d(4)
    def forward(self, x): return self.norm(self.first(x))
def normed(evaluates):
    model = Normed()
    return suites.Model(model.train(not evaluates), (torch.linspace(-1, 1, 128).reshape(16, 8),))
@perfspec.subject("by hand", training=True)
def by_hand():
    model, (x,) = normed(True)[:2]
    optimizer = torch.optim.SGD(model.parameters(), lr=1e-3)
    def step():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return {"loss": loss.detach(), "gradients": {name: each.grad for name, each in model.named_parameters()}}
    return perfspec.body(step, state=[model, optimizer])
suite = types.ModuleType("suite")
suite.NAMES, suite.make = ["small"], lambda name, batch: suites.Model(Small(), (torch.randn(batch, 8),))
"""


def declared(*calls):
    return SUITE + "\n".join(calls) + "\n"


def pair(name, options="", declare=""):
    return (f"suites.declare(lambda: suites.make(suite, 'small', **dict(batch=4, dtype='float32', device='cpu', training=False) | dict({options})), "
            f"backend='aot_eager', eager='eager {name}', compiled='compiled {name}', {declare})")


class Suites(WorkerTest):
    def compared(self, process, name):
        fields = process.ask(to("compare", reference=f"eager {name}", candidate=f"compiled {name}"))[1]
        return fields["code"], fields["text"]

    def test_inference_and_training_agree_in_each_dtype(self):
        training = "training=True"
        process = self.served(declared(pair("a"), pair("b", "dtype='bfloat16'"), pair("c", "dtype='amp'"), pair("d", training, training)))
        for name, words in (("a", "output['logits'], float32[4,4]"), ("b", "bfloat16[4,4]"), ("c", "bfloat16[4,4]"), ("d", "output['gradients']['first.bias'], float32[16]")):
            code, text = self.compared(process, name)
            self.assertEqual((code, words in text), ("PASS", True), text)
        self.assertEqual(process.ask(to("count", subject="compiled a", name="graphs")), ("counted", {"value": 1, "calls": 4}))
        self.assertEqual(process.ask(to("memory", subject="compiled d"))[0], "memory")

    def test_a_wrong_backward_pass_shows_although_the_loss_is_right(self):
        calls = ["small = lambda compile=None: suites.make(suite, 'small', batch=4, dtype='float32', device='cpu', training=True)._replace(compile=compile)",
                 "suites.declare(lambda: small(wrong_backward), training=True)"]
        process = self.served(declared(*calls))
        fields = process.ask(to("compare", reference="eager", candidate="compiled"))[1]
        self.assertEqual(fields["code"], "FAIL", fields)
        self.assertIn("output['gradients']['last.bias'], float32[4]: not within", fields["text"])
        self.assertIn("output['loss'], float32[]: within", fields["text"])

    def test_a_step_in_evaluation_mode_is_what_one_would_write(self):
        pairs = [f"suites.declare(lambda: normed({mode}), backend='aot_eager', training=True, eager='eager {mode}', compiled='compiled {mode}')" for mode in (True, False)]
        process = self.served(declared(*pairs))
        for candidate, code in (("eager True", "PASS"), ("compiled True", "PASS"), ("eager False", "FAIL"), ("compiled False", "FAIL")):
            fields = process.ask(to("compare", reference="by hand", candidate=candidate))[1]
            self.assertEqual(fields["code"], code, (candidate, fields))

    def test_both_subjects_take_the_settings_of_a_run(self):
        process = self.served(declared("suites.declare(lambda batch=4: suites.make(suite, 'small', batch=batch, dtype='float32', device='cpu', training=False), backend='aot_eager')"))
        for name in ("eager", "compiled"):
            self.assertEqual(process.ask(to("load", subject=name, settings={"batch": "6"})), ("loaded", {"settings": {"batch": "6"}}))
        self.assertIn("float32[6,4]", process.ask(to("compare", reference="eager", candidate="compiled"))[1]["text"])

    def test_memory_of_both_has_no_first_call_in_it(self):
        growing = ("kept = []\nclass Growing(Small):\n    def forward(self, x):\n        setup()\n        return super().forward(x)\n"
                   "@torch.compiler.disable\ndef setup():\n    if not kept: kept.append(bytearray(64 << 20))\n"
                   "suites.declare(lambda: suites.Model(Growing().eval(), (torch.ones(4, 8),)), backend='aot_eager')")
        for name in ("eager", "compiled"):
            word, fields = self.served(declared(growing)).ask(to("memory", subject=name))
            if word == "error":
                self.skipTest(fields["reason"])
            self.assertLess(int(fields["peak_bytes"]), 32 << 20, fields)

    def test_classes_of_an_own_suite_are_found_by_the_name_of_its_module(self):
        self.write("""from __future__ import annotations
import dataclasses, torch
import perfspec.suites as suites
NAMES, SCALE = ["net"], 2
@dataclasses.dataclass
class Size:
    wide: int = 8
class Net(torch.nn.Module):
    def forward(self, x): return x * SCALE
def make(name, batch): return suites.Model(torch.nn.Sequential(Net()), (torch.ones(batch, Size().wide),))
""", "own suite.py")
        process = self.served(declared(f"suites.declare(lambda: suites.make({self.folder + '/own suite.py'!r}, 'net'), backend='eager')"))
        self.assertEqual(process.ask(to("count", subject="compiled", name="graph_breaks")), ("counted", {"value": 0, "calls": 4}))

    def test_an_own_suite_is_imported_once_and_not_at_all_if_it_fails(self):
        from perfspec import suites

        file = self.write("NAMES, make = [], None\n", "suite.py")
        self.assertIs(suites.module_of(file), suites.module_of(file))
        file = self.write("NAMES, make = [], 1 / 0\n", "failing.py")
        for _ in range(2):
            self.assertRaises(ZeroDivisionError, suites.module_of, file)

    def test_tensors_are_found_in_subclasses_of_containers(self):
        import torch
        from perfspec.suites import model

        class Listed(list):
            pass

        for kind in (type("Named", (dict,), {}), collections.UserDict):
            value = kind(a=Listed([torch.ones(2)]))
            wide = model.converted(value, torch.Tensor.double)
            self.assertEqual((type(wide), type(wide["a"]), wide["a"][0].dtype, value["a"][0].dtype), (kind, Listed, torch.float64, torch.float32))
            self.assertEqual(model.mean_square(value), 1.0)

    def test_what_a_suite_does_not_have_says_so(self):
        for call, words in (("suites.make('tim', 'resnet18')", "there is no suite tim, did you mean timm?"),
                            ("suites.make(suite, 'small', dtype='float8')", "dtype is 'float8', expected one of float32, bfloat16, float16, amp"),
                            ("suites.make(suite, 'small', batch=0)", "batch is 0, expected a whole number of at least 1"),
                            ("suites.make(types.SimpleNamespace(NAMES=[], NEEDS=['torchbenchmark']), 'alexnet')", "torchbenchmark is not installed")):
            word, fields = self.served(declared(f"suites.declare(lambda: {call})")).ask(to("load", subject="eager"))
            self.assertEqual((word, words in fields["reason"]), ("error", True), fields)


if __name__ == "__main__":
    run_tests("torch")

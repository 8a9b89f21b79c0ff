#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A worker with torch: messages that explain the cause, and the peak of memory. Exits with 77 without torch."""

from started_worker import WorkerTest, run_tests, to
from torch_test import MADE, MODELS, subject


class Explained(WorkerTest):
    """Messages that explain the cause."""

    def test_a_branch_on_a_tensor_is_a_graph_break_and_has_its_line(self):
        process = self.served(MADE + subject("f", "def g(x):", "    if x.sum() > 0:", "        return x * 2", "    return x", "f, x = compiled(g), torch.ones(3)", "return lambda: f(x)"))
        word, fields = process.ask(to("count", subject="f", name="graph_breaks"))
        self.assertEqual((word, fields["value"]), ("counted", 1))
        self.assertRegex(fields["places"][-1], r"^g \(models.py:\d+\) `if x.sum\(\) > 0:`: a branch depends on what a tensor holds$")

    def test_a_call_that_torch_does_not_know_has_its_line_and_reason(self):
        fields = self.served(MODELS).ask(to("count", subject="broken", name="graph_breaks"))[1]
        self.assertRegex(fields["places"][-1], r"^f \(models.py:\d+\) `print\(\)`: .*print")

    def test_a_limit_names_the_model_and_the_shape(self):
        process = self.served(MADE + subject("f", "m, n = compiled(torch.nn.Linear(4, 4), dynamic=False), [0]", "def body():", "    n[0] += 1", "    return m(torch.ones(n[0], 4))", "return body"))
        answers = [process.ask(to("run", subject="f", iterations=1)) for _ in range(10)]
        self.assertRegex(answers[-1][1]["reason"], r"gave up Linear \(models.py:\d+\): Dynamo recompile limit exceeded: guard failed: tensor 'args\[0\]' size mismatch at index 0\. expected 8, actual 9\. From")

    DROPOUT = MADE + "class M(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n        self.a, self.b = torch.nn.Linear(8, 8), torch.nn.Dropout(0.5)\n" \
        "    def forward(self, x): return self.b(self.a(x))\n"

    def test_dropout_that_was_left_on_fails_with_advice(self):
        lines = ["torch.manual_seed(1)", "m, x = M(), torch.ones(3, 8)"]
        process = self.served(self.DROPOUT + subject("eager", *lines, "m.eval()", "return lambda: m(x)") + subject("left", *lines, "return lambda: m(x)"))
        found = process.ask(to("compare", reference="eager", candidate="left"))[1]
        self.assertEqual(found["code"], "FAIL")
        self.assertIn("left draws random numbers, and eager does not: if it has dropout but should not train, call model.eval() in its function", found["text"])

    def test_a_peak_of_memory_has_no_compilation_in_it(self):
        process = self.served(MADE + subject("f", "f, x = compiled(lambda x: x * 2 + 1, backend='inductor'), torch.ones(1 << 20)", "return lambda: f(x)"))
        word, fields = process.ask(to("memory", subject="f"))
        if word == "error":
            self.skipTest(fields["reason"])
        self.assertTrue(3 << 20 <= int(fields["peak_bytes"]) < 12 << 20, fields)
        self.assertIn("its peak of memory is that of a later call", fields["notes"][-1])

    def test_a_peak_of_eager_code_has_no_first_call_in_it(self):
        body = "return lambda: bytearray((1 if kept else kept.append(1) or 64) << 20) and 1"
        process = self.served(MADE + subject("f", "kept = []", body))
        late = self.served("@perfspec.subject\ndef f():\n    kept = []\n    def body():\n        import torch\n        return torch.ones((1 if kept else kept.append(1) or 64) << 18)\n    return body\n")
        for each in (process, late):
            word, fields = each.ask(to("memory", subject="f"))
            if word == "error":
                self.skipTest(fields["reason"])
            self.assertLess(int(fields["peak_bytes"]), 32 << 20, fields)
            self.assertIn("The first call, which also sets up and compiles, needed more", fields["notes"][-1])

    def test_a_peak_of_a_subject_that_compiles_without_end_is_refused(self):
        process = self.served(MADE + subject("f", "torch._dynamo.config.recompile_limit = 1000", "f, n = compiled(lambda x, s: x + len(s)), [0]", "def body():", "    n[0] += 1",
                                             "    return f(torch.ones(3), 'a' * n[0])", "return body"))
        self.assertIn("so its peak of memory would depend on the number of calls", process.ask(to("memory", subject="f"))[1]["reason"])


if __name__ == "__main__":
    run_tests("torch")

#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Steps of training that return one loss and train otherwise, and honest ones that differ by rounding. Exits with 77 where there is no torch."""

import importlib.util
import os
import sys
import unittest

from started_worker import WorkerTest

STEPS = """import torch
N = torch.nn
class Scaled(torch.autograd.Function):
    @staticmethod
    def forward(_, x): return x.clone()
    @staticmethod
    def backward(_, gradient): return gradient * 0.3
class Wrong(N.Module):
    def forward(self, x): return Scaled.apply(x)
class Net(N.Module):
    def __init__(self, wrong=False, tied=False):
        super().__init__()
        self.first, self.second, self.last = N.Linear(8, 8), N.Linear(8, 8), N.Linear(8, 4)
        if tied: self.second.weight = self.first.weight
        self.between = Wrong() if wrong else N.Identity()
    def forward(self, x): return self.last(torch.relu(self.second(self.between(torch.relu(self.first(x))))))
def normed(): return N.Sequential(N.Conv2d(3, 4, 3), N.BatchNorm2d(4), N.ReLU(), N.Conv2d(4, 4, 3), N.BatchNorm2d(4), N.Flatten(), N.Linear(64, 4))
def frozen():
    net = Net()
    net.first.requires_grad_(False)
    return net
def step(name, make=Net, lr=.1, compiles=False, half=False, shape=(16, 8), zero="first", loss_of=lambda y: y.square().mean(), optimizer=torch.optim.SGD, repeat=1, **how):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net, x = make(), torch.randn(shape)
        opt = optimizer(net.parameters(), lr=lr, **how)
        called = torch.compile(net, backend="aot_eager") if compiles else net
        def body():
            if zero == "first": opt.zero_grad()
            with torch.autocast("cpu", torch.bfloat16, enabled=half):
                loss = loss_of(called(x).float())
            loss.backward()
            opt.step()
            if zero == "last": opt.zero_grad()
            if zero == "to zeros": opt.zero_grad(set_to_none=False)
            return loss
        return perfspec.body(body, state=[called if compiles else net, opt])
@perfspec.subject("into the same gradients", training=True)
def same_gradients():
    torch.manual_seed(1)
    net, x, first = Net(), torch.randn(16, 8), []
    opt = torch.optim.SGD(net.parameters(), lr=.1)
    def body():
        loss = net(x).square().mean()
        found = torch.autograd.grad(loss, list(net.parameters()))
        if not first:
            first.extend(found)
            for each, gradient in zip(net.parameters(), found): each.grad = gradient
        for mine, gradient in zip(first, found): mine.copy_(gradient)
        opt.step()
        return loss
    return perfspec.body(body, state=[net, opt])
step("sgd"); step("compiled", compiles=True); step("ascent", maximize=True); step("doubled", lr=.2); step("halved", lr=.05); step("wrong layer", lambda: Net(wrong=True))
step("momentum", momentum=.9); step("compiled momentum", compiles=True, momentum=.9)
step("tied", lambda: Net(tied=True)); step("compiled tied", lambda: Net(tied=True), compiles=True); step("doubled tied", lambda: Net(tied=True), lr=.2)
step("frozen", frozen); step("compiled frozen", frozen, compiles=True)
step("never to none", zero="to zeros"); step("never", zero="never"); step("last", zero="last"); step("ascent last", zero="last", maximize=True); step("doubled last", zero="last", lr=.2)
adam = dict(shape=(4, 3, 8, 8), optimizer=torch.optim.Adam, lr=1e-3)
step("adam", normed, **adam); step("compiled adam", normed, compiles=True, **adam); step("adam last", normed, zero="last", **adam)
step("compiled adam last", normed, compiles=True, zero="last", **adam); step("ascent adam", normed, maximize=True, **adam); step("adam tenfold", normed, **adam | dict(lr=1e-2))
step("half", half=True); step("compiled half", half=True, compiles=True); step("doubled half", half=True, lr=.2)
step("half adam", normed, half=True, **adam); step("compiled half adam", normed, half=True, compiles=True, **adam)
softmax = dict(loss_of=lambda y: y.softmax(-1).sum())
step("flat", **softmax); step("flat otherwise", loss_of=lambda y: (y.exp() / y.exp().sum(-1, keepdim=True)).sum())
step("adam flat", normed, **adam, **softmax); step("adam flat otherwise", normed, **adam, loss_of=lambda y: (y.exp() / y.exp().sum(-1, keepdim=True)).sum())
def of_gradients(name, lr=.1, divided=False, clips=False, **how):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net = Net()
        for each in net.parameters(): each.grad = torch.randn_like(each)
        opt = torch.optim.Adam(net.parameters(), lr=lr, **how)
        def body():
            if clips:
                N.utils.clip_grad_norm_(net.parameters(), 1)
                return [each.grad for each in net.parameters()]
            if not all(each.grad.any() for each in net.parameters()): raise RuntimeError("its gradients are gone")
            with torch.no_grad():
                if divided: [each.sub_(lr * each.grad / each.grad.norm()) for each in net.parameters()]
                else: opt.step()
            return [each.detach() for each in net.parameters()]
        return perfspec.body(body, state=[net, opt])
of_gradients("update"); of_gradients("fused update", fused=True); of_gradients("tenfold update", lr=1.)
of_gradients("divided", divided=True); of_gradients("clips", clips=True); of_gradients("clips again", clips=True)
class With(N.Module):
    def __init__(self, other):
        super().__init__()
        self.net, self.other = Net(), N.Parameter(other, requires_grad=False)
    def forward(self, x): return self.net(x)
others = {"float8": lambda: torch.ones(8, 8).to(torch.float8_e4m3fn), "sparse": lambda: torch.eye(8).to_sparse(), "meta": lambda: torch.ones(8, 8, device="meta")}
for kind, of in others.items():
    step(f"beside {kind}", lambda of=of: With(of())); step(f"ascent beside {kind}", lambda of=of: With(of()), maximize=True)
class Average:
    def __init__(self, net): self.kept = {name: each.detach().clone() for name, each in net.named_parameters()}
    def named_parameters(self): return self.kept.items()
    def state_dict(self): return dict(self.kept)
    def load_state_dict(self, state): [self.kept[name].copy_(each) for name, each in state.items()]
class Uncountable(Net):
    def named_parameters(self, *args, **kwargs): raise RuntimeError("they cannot be named")
@perfspec.subject(training=True)
def averaged():
    torch.manual_seed(1)
    net, x = Net(), torch.randn(16, 8)
    opt, average = torch.optim.SGD(net.parameters(), lr=.1), Average(net)
    def body():
        opt.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        opt.step()
        for kept, each in zip(average.kept.values(), net.parameters()): kept.lerp_(each.detach(), .01)
        return loss
    return perfspec.body(body, state=[net, opt, average])
@perfspec.subject(training=True)
def uncountable():
    net, x = Uncountable(), torch.randn(16, 8)
    return perfspec.body(lambda: net(x).square().mean(), state=[net])
def layers(name, trained=None, end=False, left=(), optimizer=torch.optim.SGD, lr=.1):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net, x = Net(), torch.randn(16, 8)
        opt = optimizer([each for key, each in net.named_parameters() if key not in left], lr=lr)
        def body():
            opt.zero_grad()
            y = torch.relu(net.first(x))
            y = torch.relu(net.second(y.detach() if trained else y))
            loss = net.last(y).square().mean()
            loss.backward()
            opt.step()
            if end: net.zero_grad(set_to_none=True)
            return loss
        return perfspec.body(body, state=[net, opt])
layers("all layers"); layers("without the first", trained="others"); layers("all layers to none", end=True)
layers("without the first to none", trained="others", end=True); layers("without one to none", left=["second.weight"], end=True)
layers("all by adam", optimizer=torch.optim.Adam); layers("without the first by adam", trained="others", optimizer=torch.optim.Adam)
def other_gradients(name, what):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net, x = Net(), torch.randn(16, 8)
        opt = torch.optim.SGD(net.parameters(), lr=.1)
        def body():
            opt.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            if what == "clips inside":
                norm = torch.stack([each.grad.norm() for each in net.parameters()]).norm()
                with torch.no_grad(): [each.sub_(each.grad * (.1 * .05 / norm)) for each in net.parameters()]
            else:
                N.utils.clip_grad_norm_(net.parameters(), .05)
                opt.step()
            if what == "goes on": net(x).sum().backward()
            return loss
        return perfspec.body(body, state=[net, opt])
other_gradients("clipped", ""); other_gradients("clipped inside", "clips inside"); other_gradients("clipped, and goes on", "goes on")
def average(name, how):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net, x, kept = N.Linear(8, 1), torch.randn(16, 8), N.Linear(8, 1)
        for each in (*net.parameters(), *kept.parameters()): each.data.fill_(.7)
        opt = torch.optim.SGD(net.parameters(), lr=1e-6)
        def body():
            opt.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            opt.step()
            with torch.no_grad():
                for old, new in zip(kept.parameters(), net.parameters()): how(old, new)
            return loss
        return perfspec.body(body, state=[net, kept, opt])
average("slow average", lambda old, new: old.mul_(.9999).add_(new, alpha=1 - .9999)); average("lerp average", lambda old, new: old.lerp_(new, 1e-4))
def counting(name, of_count, **how):
    @perfspec.subject(name, training=True)
    def build():
        torch.manual_seed(1)
        net, x, calls = Net(), torch.randn(16, 8), []
        opt = torch.optim.SGD(net.parameters(), lr=.1, **how)
        def body():
            opt.param_groups[0]["lr"] = .1 * of_count(len(calls))
            calls.append(1)
            opt.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            if opt.param_groups[0]["lr"]: opt.step()
            return loss
        return perfspec.body(body, state=[net, opt])
for name, how in {"": {}, "fused ": dict(fused=True)}.items():
    counting(name + "warm up", lambda count: count / 100, **how); counting(name + "every second", lambda count: count % 2, **how)
    counting(name + "every first", lambda count: 1 - count % 2, **how)
counting("decay", lambda count: .99 ** count)
"""


class Training(WorkerTest):
    def setUp(self):
        super().setUp()
        self.worker = self.served(STEPS)

    def verdict(self, reference, candidate):
        word, fields = self.worker.ask("compare reference=" + " candidate=".join(each.replace(" ", "%20") for each in (reference, candidate)))
        self.assertEqual(word, "compared", fields)
        return fields["code"], fields["text"]

    def all_pass(self, *pairs):
        for pair in pairs:
            with self.subTest(pair):
                self.assertEqual(self.verdict(*pair)[0], "PASS", self.verdict(*pair))

    def all_fail(self, words, *pairs):
        for pair in pairs:
            with self.subTest(pair):
                code, text = self.verdict(*pair)
                self.assertEqual((code, words in text), ("FAIL", True), text)

    def test_a_step_that_changes_parameters_otherwise_is_none_though_its_loss_is_right(self):
        self.all_fail("changes the parameters of its Net otherwise than that of the reference", ("sgd", "ascent"), ("sgd", "doubled"), ("sgd", "halved"), ("tied", "doubled tied"),
                      ("last", "ascent last"), ("last", "doubled last"), ("last", "ascent"), ("half", "doubled half"), ("frozen", "ascent"), ("momentum", "ascent"))
        self.all_fail("of its Sequential otherwise", ("adam", "ascent adam"), ("adam", "adam tenfold"))
        self.assertRegex(self.verdict("sgd", "ascent")[1], r"the step of the candidate ascent changes the parameters of its Net otherwise than that of the reference: the two changes "
                         r"differ by 2 times the size of the reference's \(at most 0.25\), most in last.\w+: have both the same optimizer, learning rate and gradients\?")

    def test_a_backward_pass_that_is_wrong_in_one_layer_is_told(self):
        self.all_fail("gives the parameters of its Net other gradients than that of the reference", ("sgd", "wrong layer"), ("wrong layer", "sgd"))
        self.assertRegex(self.verdict("sgd", "wrong layer")[1], r"most in first\.\w+: is its backward pass right")

    def test_a_layer_that_only_the_candidate_trains_is_told(self):
        self.all_fail("changes the parameters of its Net otherwise", ("frozen", "sgd"))

    def test_honest_steps_pass(self):
        self.all_pass(("sgd", "compiled"), ("compiled", "sgd"), ("sgd", "momentum"), ("momentum", "compiled momentum"), ("tied", "compiled tied"), ("frozen", "compiled frozen"),
                      ("adam", "compiled adam"), ("adam last", "compiled adam last"), ("half", "compiled half"), ("half adam", "compiled half adam"), ("last", "sgd"), ("sgd", "last"))

    def test_gradients_that_are_noise_are_not_judged(self):
        self.all_pass(("flat", "flat otherwise"), ("adam flat", "adam flat otherwise"))

    def test_gradients_of_earlier_calls_count_for_nothing(self):
        for name in ("never", "never to none", "into the same gradients"):
            self.assertEqual(self.worker.ask(f"run subject={name.replace(' ', '%20')} iterations=3")[0], "ran")
        self.all_pass(("sgd", "never"), ("never", "sgd"), ("sgd", "never to none"), ("sgd", "into the same gradients"), ("into the same gradients", "sgd"))

    def test_gradients_that_were_made_with_the_body_are_there_in_a_comparison_and_after_it(self):
        self.all_fail("not within", ("update", "tenfold update"))
        self.all_pass(("update", "fused update"), ("divided", "divided"), ("clips", "clips again"))
        self.assertEqual(self.worker.ask("run subject=clips iterations=2")[0], "ran")
        self.all_pass(("clips", "clips again"), ("clips again", "clips"))
        self.assertNotIn("not_computed", self.worker.ask("compare reference=clips candidate=clips%20again")[1])
        self.assertEqual(self.worker.ask("run subject=update iterations=2")[0], "ran")

    def test_parameters_that_hold_no_plain_numbers_are_not_judged_and_others_are(self):
        for kind in ("float8", "sparse", "meta"):
            self.all_pass((f"beside {kind}", f"beside {kind}"))
            self.all_fail("changes the parameters of its With otherwise", (f"beside {kind}", f"ascent beside {kind}"))

    def test_what_is_no_module_or_cannot_be_looked_at_is_not_judged(self):
        self.all_pass(("averaged", "averaged"), ("uncountable", "uncountable"))

    def test_a_layer_that_only_the_reference_trains_is_told(self):
        self.all_fail("changes the parameters of its Net otherwise", ("all layers", "without the first"), ("all layers to none", "without the first to none"),
                      ("all layers to none", "without one to none"), ("all layers", "without the first to none"), ("all by adam", "without the first by adam"))

    def test_gradients_that_are_left_say_nothing_where_the_changes_agree(self):
        self.all_pass(("clipped", "clipped inside"), ("clipped inside", "clipped"), ("clipped", "clipped, and goes on"), ("clipped, and goes on", "clipped"))

    def test_a_moving_average_that_changes_by_rounding_alone_is_not_judged(self):
        self.all_pass(("slow average", "lerp average"), ("lerp average", "slow average"))

    def test_a_step_that_counts_its_calls_is_judged_only_where_that_makes_little_difference(self):
        self.all_pass(*((each, f"fused {each}") for each in ("warm up", "every second", "every first")), ("decay", "decay"))
        self.all_fail("changes the parameters of its Net otherwise", ("decay", "ascent"))

    def test_a_file_between_workers_has_what_the_step_changed(self):
        self.assertEqual(self.worker.ask("write subject=sgd file=kept")[0], "written")
        for candidate, code in (("compiled", "PASS"), ("ascent", "FAIL"), ("doubled", "FAIL"), ("wrong%20layer", "FAIL")):
            fields = self.worker.ask(f"compare file=kept candidate={candidate}")[1]
            self.assertEqual(fields["code"], code, fields)
        self.assertLess(os.path.getsize(os.path.join(self.folder, "kept")), 100_000)


if __name__ == "__main__":
    if importlib.util.find_spec("torch") is None:
        print(f"{sys.executable} has no torch: name a Python that has by PERFSPEC_PYTHON")
        sys.exit(77)
    unittest.main()

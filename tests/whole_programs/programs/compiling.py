# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects that call torch.compile, which compiles few of them. Its backend needs no compiler."""
import perfspec
import torch

X = torch.ones(64, 64)


def model(x):
    return (x @ x).relu()


@perfspec.subject
def eager():
    return lambda: model(X)


@perfspec.subject
def compiled():
    made = torch.compile(model, backend="eager", fullgraph=True)
    return lambda: made(X)


class Writing(torch.nn.Module):
    """A model that computes into a stored tensor in each call, and returns a copy, as wrappers of CUDA graphs do."""

    out = None

    def forward(self, x):
        self.out = model(x) if self.out is None else self.out.copy_(model(x))
        return self.out.clone()


@perfspec.subject("a copy of what it writes")
def a_copy_of_what_it_writes():
    made = Writing()
    return lambda: made(X)


@perfspec.subject("no backend")
def no_backend():
    """Code that cannot be compiled runs eagerly, and torch is set to be silent."""
    def backend(graph, inputs):
        raise RuntimeError("not on this machine")

    torch._dynamo.config.suppress_errors = True
    made = torch.compile(lambda x: model(x), backend=backend)
    return lambda: made(X)


@perfspec.subject("in part")
def in_part():
    def loop(x):
        for _ in range(2):
            print(end="")
        return x

    def whole(x):
        return loop(x * 2) + 1

    made = torch.compile(whole, backend="eager")
    return lambda: made(X)


@perfspec.subject("two shapes in turn")
def two_shapes_in_turn():
    made = torch.compile(lambda x: x * 3, backend="eager", dynamic=False)
    inputs = [torch.ones(8), torch.ones(9)]

    def body():
        inputs.append(inputs.pop(0))
        return made(inputs[0])

    return body


class Shared(torch.nn.Module):
    def forward(self, x):
        return torch.relu(x) * 2


SHARED = Shared()


@perfspec.subject
def shared():
    return lambda: SHARED(X)


@perfspec.subject("compiled in place")
def compiled_in_place():
    SHARED.compile(backend="eager")
    return lambda: SHARED(X)


def layered_step():
    """Of two layers. It returns its gradients, too."""
    torch.manual_seed(0)
    net = torch.nn.Sequential(torch.nn.Linear(64, 64), torch.nn.Linear(64, 8))
    optimizer, x = torch.optim.Adam(net.parameters(), lr=1e-3), torch.randn(16, 64)

    def step():
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        return {"loss": loss.detach(), "gradients": {name: each.grad for name, each in net.named_parameters()}}

    return perfspec.body(step, state=[net, optimizer])


@perfspec.subject("a step of both layers", training=True)
def a_step_of_both_layers():
    return layered_step()


@perfspec.subject("the same step", training=True)
def the_same_step():
    return layered_step()

# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A block of a transformer and a step that trains it, in eager PyTorch and under torch.compile."""
import perfspec

perfspec.needs("torch")
import torch  # noqa: E402


class Block(torch.nn.Module):
    """What follows attention: normalization, a gated feed-forward layer written out of small operators, a residual sum."""

    def __init__(self, width: int = 128) -> None:
        super().__init__()
        self.norm = torch.nn.LayerNorm(width)
        self.gate, self.up, self.down = (torch.nn.Linear(width, width) for _ in range(3))

    def forward(self, x):
        y = self.norm(x)
        gate = self.gate(y)
        tanh = torch.tanh(0.7978845608 * (gate + 0.044715 * gate * gate * gate))
        return x + self.down(0.5 * gate * (1.0 + tanh) * self.up(y))


def block_and_input(rows: int = 2048, dtype: torch.dtype = torch.float32):
    torch.manual_seed(0)
    return Block().eval().to(dtype), torch.randn(rows, 128, dtype=dtype)


@perfspec.subject
def eager(batch=2048, dtype=torch.float32):
    """A run sets the parameters by --perf-with batch=1024,dtype=bfloat16."""
    block, x = block_and_input(batch, dtype)
    return lambda: block(x)


@perfspec.subject
def inductor(batch=2048, dtype=torch.float32):
    block, x = block_and_input(batch, dtype)
    compiled = torch.compile(block, fullgraph=True)
    return lambda: compiled(x)


@perfspec.subject("dynamo alone")
def dynamo_alone():
    """What torch.compile costs by itself: Dynamo makes a graph and guards it, and this backend runs the graph as it is."""
    block, x = block_and_input()
    compiled = torch.compile(block, backend="eager", fullgraph=True)
    return lambda: compiled(x)


def plus_one(x):
    return x + 1


@perfspec.subject("an addition by dynamo alone")
def an_addition_by_dynamo_alone():
    x = torch.zeros(8)
    compiled = torch.compile(plus_one, backend="eager", fullgraph=True)
    return lambda: compiled(x)


@perfspec.subject("not compiled as a whole")
def broken_graph(batch=2048, dtype=torch.float32):
    """Prints in between, which torch.compile leaves to Python."""
    block, x = block_and_input(batch, dtype)

    def with_a_message(x):
        y = block(x)
        print("between two graphs")
        return y * 2

    compiled = torch.compile(with_a_message)
    return lambda: compiled(x)


def training_step(compile_it: bool):
    block, x = block_and_input()
    block.train()
    optimizer = torch.optim.SGD(block.parameters(), lr=1e-3, momentum=0.9)
    model = torch.compile(block) if compile_it else block

    def step():
        optimizer.zero_grad()
        loss = model(x).square().mean()
        loss.backward()
        optimizer.step()
        return loss.detach()

    return perfspec.body(step, state=[block, optimizer])


@perfspec.subject("eager step", training=True)
def eager_step():
    return training_step(compile_it=False)


@perfspec.subject("compiled step", training=True)
def compiled_step():
    return training_step(compile_it=True)

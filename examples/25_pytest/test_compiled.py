# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A model in eager PyTorch, and the same under torch.compile."""
import pytest

torch = pytest.importorskip("torch")


class Gate(torch.nn.Module):
    """GELU, written out of small operators: a compiler makes one loop of them."""

    def forward(self, x):
        return 0.5 * x * (1.0 + torch.tanh(0.7978845608 * (x + 0.044715 * x * x * x)))


@pytest.fixture
def model():
    torch.manual_seed(0)
    return Gate().eval(), torch.randn(2048, 512)


@pytest.fixture
def eager(model):
    net, x = model
    return lambda: net(x)


@pytest.fixture
def compiled(model):
    net, x = model
    net = torch.compile(net, fullgraph=True)
    return lambda: net(x)


def test_compiled(perf, eager, compiled):
    perf.require(perf.graph_breaks(compiled) == 0)
    perf.require(perf.speedup(eager, compiled) > 0.95)  # outputs are compared first

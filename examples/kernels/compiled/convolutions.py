# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""One convolution by kernel, stride and padding, and chains of convolutions by length."""
import itertools

import variants

import torch

CHANNELS = 32


def cell(kernel, stride, padding):
    """A cell of the ablation, of the sizes in convolution_test.cpp."""
    torch.manual_seed(0)
    return torch.nn.Conv2d(CHANNELS, CHANNELS, kernel, stride, padding, bias=False).eval(), (torch.randn(1, CHANNELS, 56, 56),)


def chain(length, with_relu):
    """Different convolutions in a row. Weights are scaled, so that values stay finite over any length."""
    torch.manual_seed(0)
    layers = []
    for _ in range(length):
        convolution = torch.nn.Conv2d(CHANNELS, CHANNELS, 3, padding=1, bias=False)
        torch.nn.init.kaiming_normal_(convolution.weight, nonlinearity="relu" if with_relu else "linear")
        layers += [convolution, torch.nn.ReLU()] if with_relu else [convolution]
    return torch.nn.Sequential(*layers).eval(), (torch.randn(1, CHANNELS, 28, 28),)


for kernel, stride, padding in itertools.product((1, 3, 5), (1, 2), (1, 2, 3)):
    variants.register(f"kernel={kernel} stride={stride} padding={padding}", lambda at=(kernel, stride, padding): cell(*at))

for length in (1, 2, 4, 8, 16, 32, 64):
    variants.register(f"length={length} conv", lambda length=length: chain(length, with_relu=False))
    variants.register(f"length={length} conv_relu", lambda length=length: chain(length, with_relu=True))

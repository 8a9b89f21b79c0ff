# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The 53 convolutions of ResNet50, of 23 shapes: each shape alone, in place, where the profiler times it within forward passes, and alone by the profiler."""
import collections
import functools

import variants
from vision import vision_models

import perfspec
import torch

IMAGE = (1, 3, 224, 224)
IN_PLACE = ("eager", *variants.MODES)  # a package hides its operators' shapes


def found_shapes():
    """How often the model has each convolution, by (inputs, outputs, kernel, stride, size of its input), in their order."""
    found = collections.Counter()

    def see(convolution, inputs, _):
        found[convolution.in_channels, convolution.out_channels, convolution.kernel_size[0], convolution.stride[0], inputs[0].shape[-1]] += 1

    with torch.device("meta"), torch.no_grad():
        net = vision_models().ResNet50().eval()
        for each in net.modules():
            if isinstance(each, torch.nn.Conv2d):
                each.register_forward_hook(see)
        net(torch.empty(IMAGE))
    return found


SHAPES = found_shapes()


def name_of(shape):
    return "{}-{} kernel={} stride={} size={}".format(*shape)


def alone(shape):
    inputs, outputs, kernel, stride, size = shape
    torch.manual_seed(0)
    return torch.nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False).eval(), (torch.randn(1, inputs, size, size),)


def whole():
    """A model of its own for each variant, because channels_last changes it."""
    torch.manual_seed(0)
    return vision_models().ResNet50().eval(), (torch.randn(IMAGE),)


@functools.lru_cache(maxsize=None)
def whole_variant(variant):
    return variants.body(whole, variant)


def convolutions_in(events):
    """Nanoseconds of each call, by shapes of input and weight, which tell the convolutions of this model apart."""
    found = collections.defaultdict(list)
    for event in events:
        if event.name == "aten::convolution":
            found[tuple(event.input_shapes[0]), tuple(event.input_shapes[1])].append(event.cpu_time_total * 1000)
    return found


class Passes:
    """Calls of a body under the profiler. All shapes read the same calls, each in its own time.

    shapes  how often the body has a convolution of each shape
    """

    def __init__(self, run, shapes):
        self.run, self.shapes, self.passes, self.read = run, shapes, [], collections.Counter()

    def one(self):
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU], record_shapes=True) as recorded:
            self.run()
        return convolutions_in(recorded.events())

    def next(self, shape):
        """Nanoseconds of one convolution of the shape in the next pass that was not read for it: the mean of those that it has."""
        if not self.passes:
            for _ in range(3):
                self.run()  # compiles, and warms up
        at = self.read[shape]
        if at == len(self.passes):
            self.passes.append(self.one())
        self.read[shape] += 1
        inputs, outputs, kernel, _, size = shape
        times = self.passes[at].get(((1, inputs, size, size), (outputs, inputs, kernel, kernel)), [])
        if len(times) != self.shapes[shape]:
            raise RuntimeError(f"the profile of a call has {len(times)} convolutions {name_of(shape)}, expected {self.shapes[shape]}")
        return sum(times) / len(times)


@functools.lru_cache(maxsize=None)
def passes(variant):
    return Passes(whole_variant(variant), SHAPES)


def in_place(shape, variant):
    source = passes(variant)
    return lambda: source.next(shape)


def profiled_alone(shape, variant):
    """What of the shape alone is the convolution itself; the rest converts memory layouts, and calls."""
    source = Passes(variants.body(lambda: alone(shape), variant), {shape: 1})
    return lambda: source.next(shape)


for variant in ("eager", "channels_last", *variants.MODES, "aot_inductor"):
    perfspec.subject(f"model {variant}")(functools.partial(whole_variant, variant))
for shape in SHAPES:
    variants.register(name_of(shape), lambda shape=shape: alone(shape))
    for variant in IN_PLACE:
        perfspec.subject(f"in place {name_of(shape)} {variant}")(functools.partial(in_place, shape, variant))
        perfspec.subject(f"profiled alone {name_of(shape)} {variant}")(functools.partial(profiled_alone, shape, variant))

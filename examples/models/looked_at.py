# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models that somebody looks at while they run: does a clock around each layer, waiting for the device after it, or PyTorch's profiler change what is
measured? Subjects are called by model, variant and way of looking: "alexnet eager timed".

  pure          nobody looks; compiled as a whole
  synchronized  waits for the device after each layer, which on a processor returns at once
  timed         reads a clock before and after each layer
  both          does both
  profiled …    the same within torch.profiler

A layer that is timed or waited for is compiled by itself, because a compiled model has no layers any more.
"""
import functools
import itertools
import time

import layers
import parts

import perfspec
import torch

WAYS = {"pure": (False, False), "synchronized": (True, False), "timed": (False, True), "both": (True, True)}


def wait(x):
    getattr(torch, x.device.type).synchronize()


def passing(run, image, waits, times):
    """A pass through the layers. What the clock says is added up, as a person would who sums the layers."""
    def call():
        x, total = image, 0
        for each in run:
            begun = time.perf_counter_ns() if times else 0
            x = each(x)
            if waits:
                wait(x)
            if times:
                total += time.perf_counter_ns() - begun
        call.arr_sum = total
        return x

    return call


def profiled(call):
    def run():
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]):
            return call()

    return run


def looked_at(name, variant, way, by_profiler):
    if way == "pure":
        call = layers.whole(name, variant)
    else:
        call = passing([layers.in_variant(each, variant) for _, each in parts.layers_of(name)], parts.image_of(name), *WAYS[way])
    return profiled(call) if by_profiler else call


for name, variant, way, by_profiler in itertools.product(parts.LAYERS_OF, ("eager", "compiled"), WAYS, (False, True)):
    perfspec.subject(f"{name} {variant} {'profiled ' if by_profiler else ''}{way}")(functools.partial(looked_at, name, variant, way, by_profiler))

# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Models in layers, eager, compiled, and eager in the memory order "channels last", as subjects. Of a model "small" with a layer "features.0 Conv2d":

  small eager, small compiled, small channels_last the model; compiled as a whole; with that memory order
  small apart                                      each of its layers compiled by itself, one after the other
  small mixed                                      each layer in the variant that MODELS_MIXED says, as "ecl": e eager, c compiled, l channels last; neighbors
                                                   that are compiled are one graph. "small mixed apart" compiles each of them by itself
  small up to features.0 Conv2d                    its first layers, in the variant that MODELS_VARIANT says; compiled as a whole
  small features.0 Conv2d                          this layer, in that variant, on what the layer before it left; compiled by itself
  small features.0 Conv2d eager, … compiled        the same in either variant
  small features.0 Conv2d profiled                 nanoseconds of this layer in a pass of that variant, by PyTorch's profiler
  small features.0 Conv2d parameters               how many it has
"""
import functools
import itertools
import os

import parts
import variants  # of the kernels, whose folder parts.py adds

import perfspec
import torch

VARIANT = os.environ.get("MODELS_VARIANT", "eager")
MIXED = os.environ.get("MODELS_MIXED", "")


LETTERS = {"e": "eager", "c": "compiled", "l": "channels_last"}


class ChannelsLast(torch.nn.Module):
    """A module that computes in this memory order, whatever its input has."""

    def __init__(self, module):
        super().__init__()
        self.module = module.to(memory_format=torch.channels_last)

    def forward(self, x):
        return self.module(x.to(memory_format=torch.channels_last) if x.dim() == 4 else x)


def in_variant(module, variant):
    """The module in this variant. A compiled one has code of its own, so that no two share what torch keeps of a compilation."""
    if variant == "channels_last":
        return ChannelsLast(module)
    return variants.variant_of(module, (), "eager" if variant == "eager" else "default")[0]


class Chain:
    """The layers of a model in one variant, and what each was given last.

    inputs[n]  of layer n: what the layer before it left, in this variant's last pass
    """

    def __init__(self, name, variant):
        self.names, modules = zip(*parts.layers_of(name))
        self.modules = list(modules)
        self.run = [in_variant(each, variant) for each in self.modules]
        self.inputs = [parts.image_of(name)]
        with torch.inference_mode():
            for each in self.modules:
                self.inputs.append(each(self.inputs[-1].clone()))  # a layer that works in place keeps its input's place for itself

    def step(self, at):
        def run():
            self.inputs[at + 1] = self.run[at](self.inputs[at])
            return self.inputs[at + 1]

        return run

    def profiled(self):
        """Nanoseconds of each layer in one pass, with what Python does in it."""
        with torch.profiler.profile(activities=[torch.profiler.ProfilerActivity.CPU]) as recorded:
            for at, name in enumerate(self.names):
                with torch.profiler.record_function(f"layer {name}"):
                    self.step(at)()
        found = {each.name: each.cpu_time_total * 1000 for each in recorded.events() if each.name.startswith("layer ")}
        return [found[f"layer {name}"] for name in self.names]


@functools.lru_cache(maxsize=None)
def chain_of(name, variant):
    return Chain(name, variant)


class Passes:
    """Profiled passes. All layers read the same ones, each in its own time."""

    def __init__(self, chain):
        self.chain, self.taken, self.read = chain, [], [0] * len(chain.names)

    def next(self, at):
        if not self.taken:
            self.chain.profiled()  # compiles, and warms up
        if self.read[at] == len(self.taken):
            self.taken.append(self.chain.profiled())
        self.read[at] += 1
        return self.taken[self.read[at] - 1][at]


@functools.lru_cache(maxsize=None)
def passes_of(name, variant):
    return Passes(chain_of(name, variant))


def whole(name, variant):
    image, module = parts.image_of(name), in_variant(parts.Fold([each for _, each in parts.layers_of(name)]), variant)
    return lambda: module(image)


def up_to(name, count):
    image, module = parts.image_of(name), in_variant(parts.Fold([each for _, each in parts.layers_of(name)[:count]]), VARIANT)
    return lambda: module(image)


def segments_of(sides, fused):
    """Neighbors that run together, as (side, first, end): those that are compiled together if `fused`, any other layer by itself."""
    at = 0
    for side, group in itertools.groupby(sides):
        length = len(list(group))
        yield from [(side, at, at + length)] if fused and side == "c" else [(side, each, each + 1) for each in range(at, at + length)]
        at += length


def mixed(name, sides, fused=True):
    """The model with its layers in these variants."""
    image, modules = parts.image_of(name), [each for _, each in parts.layers_of(name)]
    if len(sides) != len(modules) or set(sides) - set(LETTERS):
        raise ValueError(f"MODELS_MIXED is {sides!r}: {name} has {len(modules)} layers; write one of {', '.join(LETTERS)} for each")
    run = [in_variant(parts.Fold(modules[first:end]) if side == "c" else modules[first], LETTERS[side])
           for side, first, end in segments_of(sides, fused)]

    def call():
        x = image
        for each in run:
            x = each(x)
        return x

    return call


def apart(name):
    return mixed(name, "c" * len(parts.names_of(name)), fused=False)


def parameters_of(name, at):
    count = sum(each.numel() for each in parts.layers_of(name)[at][1].parameters())
    return lambda: count


def declare(name):
    for variant in LETTERS.values():
        perfspec.subject(f"{name} {variant}")(functools.partial(whole, name, variant))
    perfspec.subject(f"{name} apart")(functools.partial(apart, name))
    perfspec.subject(f"{name} mixed")(functools.partial(mixed, name, MIXED))
    perfspec.subject(f"{name} mixed apart")(functools.partial(mixed, name, MIXED, fused=False))
    for at, layer in enumerate(parts.names_of(name)):
        perfspec.subject(f"{name} up to {layer}")(functools.partial(up_to, name, at + 1))
        perfspec.subject(f"{name} {layer}")(lambda at=at: chain_of(name, VARIANT).step(at))
        for variant in ("eager", "compiled"):
            perfspec.subject(f"{name} {layer} {variant}")(lambda at=at, variant=variant: chain_of(name, variant).step(at))
        perfspec.subject(f"{name} {layer} profiled")(lambda at=at: functools.partial(passes_of(name, VARIANT).next, at))
        perfspec.subject(f"{name} {layer} parameters")(functools.partial(parameters_of, name, at))


for name in parts.LAYERS_OF:
    declare(name)

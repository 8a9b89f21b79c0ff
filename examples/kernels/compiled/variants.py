# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects of one computation in eager PyTorch and compiled: the four modes of torch.compile, and AOTInductor."""
import functools
import os
import pathlib
import tempfile
import types

import perfspec

perfspec.needs("torch")
import torch  # noqa: E402

# On a CPU reduce-overhead is default, and max-autotune is max-autotune-no-cudagraphs: what sets them apart are CUDA graphs.
MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")
VARIANTS = ("eager", "channels_last", *MODES, "aot_inductor")  # channels_last is eager, too: the memory layout that Inductor chooses


def with_own_code(function):
    """The same function as code of its own. torch keeps what it compiled by the code, so subjects that shared it would share a compilation,
    its limit of eight, and, of other sizes, a dynamic shape."""
    def run(*inputs):
        return function(*inputs)
    return types.FunctionType(run.__code__.replace(), run.__globals__, "run", None, run.__closure__)


class Module(torch.nn.Module):
    """A function as a module, which torch.export takes."""

    def __init__(self, function):
        super().__init__()
        self.function = function

    def forward(self, *inputs):
        return self.function(*inputs)


def packaged(function, inputs):
    """Exports, compiles by AOTInductor, and loads the package, which is removed again."""
    module = function if isinstance(function, torch.nn.Module) else Module(function)
    with torch.no_grad(), tempfile.TemporaryDirectory() as folder:
        exported = torch.export.export(module, inputs)
        package = torch._inductor.aoti_compile_and_package(exported, package_path=str(pathlib.Path(folder) / "kernel.pt2"))
        return torch._inductor.aoti_load_package(package)


def variant_of(function, inputs, variant):
    """The function and the inputs to call it with."""
    if variant == "eager":
        return function, inputs
    if variant == "channels_last":
        return function.to(memory_format=torch.channels_last), tuple(each.to(memory_format=torch.channels_last) for each in inputs)
    if variant == "aot_inductor":
        return packaged(function, inputs), inputs
    return torch.compile(with_own_code(function), mode=variant, dynamic=False, fullgraph=True), inputs


def body(build, variant):
    function, inputs = variant_of(*build(), variant)
    return lambda: function(*inputs)


def register(cell, build, variants=VARIANTS):
    """Makes a subject of each variant, called by the cell and the variant: "n=64 max-autotune".

    build  returns a function or module of its own for each call, and a tuple of inputs
    """
    for variant in variants:
        perfspec.subject(f"{cell} {variant}")(functools.partial(body, build, variant))


def prepare_compiler():
    """Compiles something small. The first compilation of a process imports Inductor and looks at the processor, which belongs to no cell."""
    with torch.inference_mode():
        torch.compile(lambda x: x + 1)(torch.ones(1))


if os.environ.get("KERNELS_FULL"):  # else it would cost the quick run seconds that tell nothing
    prepare_compiler()

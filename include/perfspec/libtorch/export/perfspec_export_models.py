# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Makes the models of a user's Python file, and draws their inputs."""

import argparse
import contextlib
import dataclasses
import importlib.util
import inspect
import pathlib
import sys
import typing


@dataclasses.dataclass
class Built:
    """A model in eval mode, its inputs, and the names of its outputs."""

    model: typing.Any
    inputs: tuple
    outputs: list[str]


def load_models(file: pathlib.Path) -> dict:
    sys.path.insert(0, str(file.resolve().parent))
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    sys.modules[file.stem] = module
    spec.loader.exec_module(module)
    return module.MODELS


def drawn_inputs(example, batch: int, model: str):
    """The inputs of one call: a list of tensors, and the structure from which they were flattened."""
    import torch
    from torch.utils import _pytree

    torch.manual_seed(1)
    if not callable(example):
        drawn = torch.randn(batch, *example)
    else:
        drawn = example(batch) if inspect.signature(example).parameters else example()
    if isinstance(drawn, torch.Tensor):
        drawn = (drawn,)
    leaves, structure = _pytree.tree_flatten_with_path(drawn)
    for path, leaf in leaves:
        if not isinstance(leaf, torch.Tensor):
            raise SystemExit(f"export: the inputs of {model} have {leaf!r} at {_pytree.keystr(path)}, which is no tensor: leave it out of the inputs, and pass it to "
                             f"the model in a function that wraps it")
    return [leaf for _, leaf in leaves], structure


def called(model, structure, tensors):
    """Calls a model with the tensors of a structure: members of a dictionary are passed by name, those of a tuple or list by position."""
    from torch.utils import _pytree

    arguments = _pytree.tree_unflatten(list(tensors), structure)
    return model(**arguments) if isinstance(arguments, dict) else model(*arguments)


def leaves_of(output):
    """All tensors of an output, each with its name."""
    import torch
    from torch.utils import _pytree

    if dataclasses.is_dataclass(output) and not isinstance(output, dict):
        output = {field.name: getattr(output, field.name) for field in dataclasses.fields(output)}
    return [(_pytree.keystr(path), leaf) for path, leaf in _pytree.tree_flatten_with_path(output)[0] if isinstance(leaf, torch.Tensor)]


def positional(model, structure, options: argparse.Namespace):
    """The model as perfspec calls it: tensors in, tensors out."""
    import torch

    autocast = contextlib.nullcontext()
    if options.autocast:
        autocast = torch.autocast(options.device, dtype=getattr(torch, options.autocast))

    class Positional(torch.nn.Module):
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, *tensors):
            with autocast:
                leaves = [leaf for _, leaf in leaves_of(called(self.model, structure, tensors))]
            return leaves[0] if len(leaves) == 1 else tuple(leaves)

    return Positional()


def build(options: argparse.Namespace) -> Built:
    """The model, and inputs that are equal in every process, with the device, dtype and memory format of the options."""
    import torch

    models = load_models(options.models)
    if options.model not in models:
        raise SystemExit(f"export: {options.models} has no model {options.model}; it has {', '.join(models)}")
    make, example = models[options.model]
    torch.manual_seed(0)
    model = make()
    if options.weights is not None:
        model.load_state_dict(dict(torch.load(options.weights, weights_only=True)), strict=True)
    varying_batch = any(dimension == 0 for dimension, _, _ in options.dynamic)
    inputs, structure = drawn_inputs(example, max(options.batch, 2) if varying_batch else options.batch, options.model)
    dtype = getattr(torch, options.dtype) if options.dtype else None

    def placed(tensor):
        tensor = tensor.to(options.device, dtype) if dtype and tensor.is_floating_point() else tensor.to(options.device)
        return tensor.contiguous(memory_format=torch.channels_last) if options.channels_last and tensor.dim() == 4 else tensor

    model = model.eval().to(options.device)
    model = model.to(dtype) if dtype else model
    model = model.to(memory_format=torch.channels_last) if options.channels_last else model
    inputs = [placed(tensor) for tensor in inputs]
    with torch.no_grad():
        named = leaves_of(called(model, structure, inputs))
    if not named:
        raise SystemExit(f"export: the model {options.model} returns no tensor")
    return Built(positional(model, structure, options).eval(), tuple(inputs), [name for name, _ in named])


def described(tensor, dynamic=()) -> str:
    """float32[1,3,224,224], or float32[1..32,3,224,224] for a size that may vary; strides follow for a tensor that is not contiguous."""
    sizes = {dimension: f"{least}..{most}" for dimension, least, most in dynamic}
    shape = ",".join(sizes.get(dimension, str(size)) for dimension, size in enumerate(tensor.shape))
    strides = "" if tensor.is_contiguous() else f"({','.join('0' if n == 1 else str(s) for n, s in zip(tensor.shape, tensor.stride()))})"
    return f"{str(tensor.dtype).removeprefix('torch.')}[{shape}]{strides}"


def dynamic_shapes(options: argparse.Namespace, inputs):
    """The dynamic shapes of torch.export, for a forward() that takes any number of tensors."""
    import torch

    if not options.dynamic:
        return None
    dims = {dimension: torch.export.Dim(f"size{dimension}", min=least, max=most) for dimension, least, most in options.dynamic}
    return (tuple({d: dim for d, dim in dims.items() if d < tensor.dim()} for tensor in inputs),)

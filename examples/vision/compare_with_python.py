#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether a C++ model and models.py are the same: names and shapes of all tensors, and what they compute from equal weights.

    python3 compare_with_python.py --tool write_weights --model resnet50
    python3 compare_with_python.py --torchvision             all of models.py against torchvision, 77 where it is not installed
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile
import warnings

TOLERANCE = 1e-5  # of the largest logit: rounding of float32 sums whose order depends on the number of threads
SKIPPED = 77


def shapes(tensors) -> dict:
    return {name: tuple(tensor.shape) for name, tensor in tensors.items()}


def differing(ours: dict, theirs: dict) -> str:
    names = [name for name in ours.keys() | theirs.keys() if ours.get(name) != theirs.get(name)]
    return "; ".join(f"{name}: {ours.get(name)}, {theirs.get(name)}" for name in sorted(names)[:5])


def compare_with_cpp(tool: pathlib.Path, name: str) -> str:
    """What differs; empty where nothing does."""
    import models
    import torch

    with tempfile.TemporaryDirectory() as folder:
        files = [str(pathlib.Path(folder) / name) for name in ("weights", "outputs")]
        subprocess.run([tool, name, "0", *files], check=True)
        weights, outputs = (dict(torch.load(file, weights_only=True)) for file in files)
    model = models.MODELS[name][0]().eval()
    if shapes(model.state_dict()) != shapes(weights):
        return f"tensors differ (Python, C++): {differing(shapes(model.state_dict()), shapes(weights))}"
    model.load_state_dict(weights, strict=True)
    with torch.no_grad():
        difference = (model(outputs["images"]) - outputs["logits"]).abs().max().item()
    largest = outputs["logits"].abs().max().item()
    print(f"{name}: {len(weights)} tensors, largest difference {difference:.2g} of logits up to {largest:.2g}")
    return "" if difference <= TOLERANCE * largest else f"outputs differ by {difference:.2g} of {largest:.2g}"


def compare_with_torchvision() -> str:
    import models
    from torchvision.models import get_model

    for name, (make, _) in models.MODELS.items():
        options = {"aux_logits": False, "init_weights": False} if name == "googlenet" else {}
        theirs = shapes(get_model(name, weights=None, **options).state_dict())
        ours = shapes(make().state_dict())
        print(f"{name}: {len(theirs)} tensors")
        if ours != theirs:
            return f"{name}: tensors differ (ours, torchvision's): {differing(ours, theirs)}"
    return ""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, help="write_weights")
    parser.add_argument("--model", help="name in MODELS of models.py")
    parser.add_argument("--torchvision", action="store_true")
    options = parser.parse_args()
    warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
    if not options.torchvision:
        fault = compare_with_cpp(options.tool, options.model)
    else:
        try:
            import torchvision  # noqa: F401
        except (ImportError, RuntimeError) as error:  # RuntimeError: it was built for another torch
            print(f"skipped: torchvision cannot be imported: {error}")
            return SKIPPED
        fault = compare_with_torchvision()
    if fault:
        print(fault, file=sys.stderr)
    return 1 if fault else 0


if __name__ == "__main__":
    sys.exit(main())

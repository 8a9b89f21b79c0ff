#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Compiles a model into an AOTInductor package (.pt2) that perfspec::aot_inductor can judge, or traces it for perfspec::torchscript (.pt).

    python3 export.py --models models.py --model resnet50 --output resnet50.pt2
    python3 export.py --models models.py --model bert --dtype bfloat16 --output bert.pt2
    python3 export.py --models models.py --model resnet50 --output resnet50.pt
    python3 export.py --describe mine.pt2 --inputs "int64[1,128];int64[1,128]" --threads 2

models.py has a dictionary MODELS. It maps a name to a function that makes the model, and to the inputs of one call: the shape of one
example, or a function that returns a tensor, or tensors in any nesting of tuples and dictionaries: a dictionary's members are parameters by
name, those of a tuple by position. The function may take the batch:

    MODELS = {"resnet50": (resnet50, (3, 224, 224)),
              "bert": (make_bert, lambda batch: {"input_ids": torch.randint(30000, (batch, 128)), "attention_mask": torch.ones(batch, 128)})}

In C++ the inputs are given in this order, and the outputs are all tensors of what the model returns. A package runs only
with the threads, the processor and the shapes that it was compiled for, which its metadata has. --describe writes them into
a package that another program compiled. OUTPUT.json has seconds, largest difference from eager, versions, outputs.
"""

import argparse
import contextlib
import fcntl
import json
import os
import pathlib
import re
import shutil
import sys
import tempfile
import traceback
import warnings

from perfspec_export_packages import MODES, compile_package, describe, remove_inductor_copy, say, trace


def dynamic_dimension(text: str) -> tuple[int, int, int]:
    match = re.fullmatch(r"(\d+)=(\d+)\.\.(\d+)", text)
    if not match or int(match[2]) > int(match[3]):
        raise argparse.ArgumentTypeError(f"{text}: write a dimension and its sizes, such as 0=1..32")
    return int(match[1]), int(match[2]), int(match[3])


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=pathlib.Path, help="Python file with MODELS")
    parser.add_argument("--model", help="name in MODELS")
    parser.add_argument("--weights", type=pathlib.Path, help="state dictionary that torch.save wrote; without it, the model keeps its initial values")
    parser.add_argument("--output", type=pathlib.Path, help="file to write: a package if it ends in .pt2, a TorchScript file if it ends in .pt")
    parser.add_argument("--batch", type=int, default=1, help="examples in one call (default: 1)")
    parser.add_argument("--threads", type=int, default=0, help="threads of the process that will run the package (default: as many as torch uses)")
    parser.add_argument("--mode", choices=MODES, default="frozen",
                        help="frozen: weights become constants, folded and laid out beforehand (default)")
    parser.add_argument("--dtype", choices=("float32", "bfloat16", "float16", "float64"), help="dtype of floating-point parameters and inputs")
    parser.add_argument("--autocast", choices=("bfloat16", "float16"), help="dtype for operators that torch.autocast runs in lower precision")
    parser.add_argument("--channels-last", action="store_true", help="memory format of parameters and inputs of four dimensions")
    parser.add_argument("--dynamic", type=dynamic_dimension, action="append", default=[], metavar="DIMENSION=MIN..MAX",
                        help="a dimension of the inputs that may vary from call to call, such as 0=1..32")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--kernel-profiling", action="store_true",
                        help="the package reports each kernel to PyTorch's profilers, which costs some time: use it for kernels, "
                             "operators and profile, but not for latency")
    parser.add_argument("--cold", action="store_true", help="compile with an empty compiler cache, so that compile_time is that of a first compilation")
    parser.add_argument("--describe", type=pathlib.Path, metavar="PACKAGE", help="write into an existing package what it was compiled for")
    parser.add_argument("--inputs", help='with --describe: dtypes and shapes of its inputs, such as "float32[1,3,224,224];int64[1..8,128]"')
    options = parser.parse_args()
    if options.describe is not None:
        if not options.inputs or not options.describe.is_file():
            parser.error('--describe needs an existing package and --inputs, such as --inputs "float32[1,3,224,224]"')
        options.output = options.output or options.describe
    elif not (options.models and options.model and options.output):
        parser.error("give --models, --model and --output")
    if options.output.suffix not in (".pt2", ".pt"):
        parser.error(f"--output {options.output}: write a name that ends in .pt2 for a package, or in .pt for a TorchScript file")
    if options.batch < 1 or options.threads < 0:
        parser.error("--batch must be at least 1, and --threads at least 0")
    if options.dynamic and options.output.suffix == ".pt":
        parser.error("--dynamic is only for packages: a traced model takes any shape, but always follows the branches of the example")
    return options


def user_cache() -> pathlib.Path:
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "perfspec"


@contextlib.contextmanager
def alone():
    """Waits for exports of other processes: two at once take longer than one after the other, and twice the memory."""
    user_cache().mkdir(parents=True, exist_ok=True)
    with (user_cache() / "export.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def compiler_cache(cold: bool):
    """Sets the folder of Inductor's cache: a shared one, because Inductor fills an empty one with probes of the instruction
    set and a precompiled header; or, if cold, an empty one, which is removed afterwards."""
    if not cold:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(user_cache() / "inductor"))
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        yield


def place(source: pathlib.Path, target: pathlib.Path, facts: dict) -> None:
    """Copies a finished package and its facts, each atomically."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    draft.write_text(json.dumps(facts, indent=2) + "\n")
    os.replace(draft, target.with_name(target.name + ".json"))
    shutil.copyfile(source, draft)
    os.replace(draft, target)


def export(options: argparse.Namespace) -> None:
    """Compiles or traces, into the output file."""
    import torch

    torch.set_num_threads(options.threads)
    with tempfile.TemporaryDirectory() as folder:
        draft = pathlib.Path(folder) / f"model{options.output.suffix}"
        if draft.suffix == ".pt":
            facts = trace(options, draft)
        else:
            facts = compile_package(options, draft)
            remove_inductor_copy(draft)
        place(draft, options.output, facts)


def fault_of(missing: ModuleNotFoundError) -> str:
    """The Python, the module that it lacks, the line that imports it, and the remedy."""
    importer = traceback.extract_tb(missing.__traceback__)
    where = next((f"{frame.filename}:{frame.lineno}" for frame in reversed(importer) if not frame.filename.startswith("<")), "export.py")
    return (f"export: {sys.executable} has no module {missing.name}, which {where} imports: install it there, {sys.executable} -m pip install {missing.name}, "
            f"or run a Python that has it (in CMake: -D PERFSPEC_PYTHON=…)")


def make(options: argparse.Namespace) -> None:
    """Makes the file that the options ask for."""
    # torch warns without NumPy, which is not needed.
    warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
    if options.threads == 0:
        import torch

        options.threads = torch.get_num_threads()
    if options.describe is not None:
        describe(options)
        say(f"wrote into {options.output} that it was compiled for {options.inputs} and {options.threads} threads")
        return
    with alone(), compiler_cache(options.cold):
        export(options)
    say(f"wrote {options.output}")


if __name__ == "__main__":
    try:
        make(arguments())
    except ModuleNotFoundError as missing:
        raise SystemExit(fault_of(missing)) from None

# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Writes packages of AOTInductor and files of TorchScript, with the metadata that perfspec reads."""

import argparse
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile

from perfspec_export_models import build, described, dynamic_shapes

MODES = {"frozen": {"freezing": True}, "unfrozen": {"freezing": False}, "max-autotune": {"freezing": True, "max_autotune": True}}


def say(text: str) -> None:
    print(f"export: {text}", flush=True)


def cpu_flags_hash() -> str:
    """FNV-1a, 64 bits, of the first processor's flags, sorted; include/perfspec/libtorch/packages/package-inl.hpp computes
    the same. x86 calls the line "flags", Arm "Features"."""
    found = re.search(r"^(?:flags|Features)\s*:(.*)", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    if not found:
        raise SystemExit("export: /proc/cpuinfo has no processor flags, but perfspec checks packages against them")
    digest = 0xCBF29CE484222325
    for byte in " ".join(sorted(found[1].split())).encode():
        digest = ((digest ^ byte) * 0x100000001B3) % 2**64
    return f"{digest:016x}"


def further_options(options: argparse.Namespace) -> str:
    """Options that repeat an export, and are in no other entry of the metadata."""
    given = {"mode": "" if options.mode == "frozen" else options.mode, "dtype": options.dtype, "autocast": options.autocast,
             "weights": str(options.weights.resolve()) if options.weights else ""}
    words = [word for name, value in given.items() if value for word in (f"--{name}", value)]
    words += ["--channels-last"] * options.channels_last
    for dimension, least, most in options.dynamic:
        words += ["--dynamic", f"{dimension}={least}..{most}"]
    return shlex.join(words)


def metadata(options: argparse.Namespace, inputs: str) -> dict[str, str]:
    """The metadata that perfspec reads. For your own call of aoti_compile_and_package: inductor_configs["aot_inductor.metadata"]."""
    import torch

    return {
        "PERFSPEC_SCHEMA": "1",
        "PERFSPEC_MODEL": options.model or "",
        "PERFSPEC_MODELS": str(options.models.resolve()) if options.models else "",
        "PERFSPEC_MODE": options.mode,
        "PERFSPEC_OPTIONS": further_options(options),
        "PERFSPEC_PYTHON": sys.executable,
        "PERFSPEC_THREADS": str(options.threads),
        "PERFSPEC_CPU_FLAGS": cpu_flags_hash(),
        "PERFSPEC_TORCH": torch.__version__,
        "PERFSPEC_DEVICE": options.device,
        "PERFSPEC_INPUTS": inputs,
        "PERFSPEC_KERNEL_PROFILING": str(int(options.kernel_profiling)),
    }


def largest_difference(actual, expected) -> dict[str, float]:
    import torch

    def listed(output):
        return [output] if isinstance(output, torch.Tensor) else list(output)

    pairs = list(zip(listed(actual), listed(expected), strict=True))
    return {"largest_difference": max((a.double() - b.double()).abs().max().item() for a, b in pairs),
            "largest_output": max(b.double().abs().max().item() for _, b in pairs)}


def remove_inductor_copy(package: pathlib.Path) -> None:
    """Removes the library with all weights from Inductor's cache folder, which never uses it again: 100 MB per export."""
    with zipfile.ZipFile(package) as archive:
        libraries = [pathlib.PurePath(name).name for name in archive.namelist() if name.endswith(".so")]
    for library in libraries:
        for copy in pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob(f"*/{library}"):
            copy.unlink()


def copies(inputs: tuple) -> tuple:
    return tuple(each.clone() for each in inputs)


def run_eagerly(options: argparse.Namespace, model, inputs: tuple):
    """The outputs for copies of the inputs, so that a model that changes its inputs is exported and compared on the same values. Reports such a model."""
    arguments = copies(inputs)
    expected = model(*arguments)
    for number, (now, before) in enumerate(zip(arguments, inputs, strict=True), start=1):
        if not now.equal(before):
            say(f"{options.model} changes input {number}, {described(before)}: its second call gets other values than its first, so comparisons of "
                "its time are wrong. If it reads that input, write y = x * 0.5 instead of x.mul_(0.5)")
    return expected


def compile_package(options: argparse.Namespace, package: pathlib.Path) -> dict:
    """Writes the package and returns the contents of its side file."""
    import torch
    from torch._inductor import aoti_compile_and_package, aoti_load_package
    from torch._inductor.cpu_vec_isa import pick_vec_isa

    built = build(options)
    model, inputs = built.model, built.inputs
    of_inputs = ";".join(described(tensor, options.dynamic) for tensor in inputs)
    say(f"{options.model}: {options.mode}, {of_inputs}, {options.threads} threads, torch {torch.__version__}")
    cache = pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"])
    was_warm = cache.is_dir() and any(cache.iterdir())
    with torch.no_grad():
        expected = run_eagerly(options, model, inputs)
        started = time.monotonic()
        program = torch.export.export(model, copies(inputs), dynamic_shapes=dynamic_shapes(options, inputs))
        exported = time.monotonic()
        say(f"exported in {exported - started:.1f} s, compiling")
        facts = metadata(options, of_inputs)
        configs = MODES[options.mode] | {"cpp.enable_kernel_profile": options.kernel_profiling, "aot_inductor.metadata": facts}
        aoti_compile_and_package(program, package_path=str(package), inductor_configs=configs)
        compiled = time.monotonic()
        difference = largest_difference(aoti_load_package(str(package))(*copies(inputs)), expected)
    compiler = [os.environ.get("CXX", "g++"), "--version"]
    say(f"compiled in {compiled - exported:.1f} s, {package.stat().st_size / 1e6:.1f} MB; largest difference from eager "
        f"{difference['largest_difference']:.2g}, largest output {difference['largest_output']:.2g}")
    return facts | difference | {
        "export_seconds": round(exported - started, 3), "compile_seconds": round(compiled - exported, 3),
        "compiler_cache": "warm" if was_warm else "cold", "outputs": built.outputs,
        "isa": str(pick_vec_isa()), "compiler": subprocess.check_output(compiler, text=True).splitlines()[0],
        "package_bytes": package.stat().st_size,
    }


def trace(options: argparse.Namespace, script: pathlib.Path) -> dict:
    """Writes a TorchScript file and returns the contents of its side file."""
    import torch

    warnings.filterwarnings("ignore", message="`torch.jit.* is deprecated")  # a DeprecationWarning, and later a FutureWarning
    built = build(options)
    model, inputs = built.model, built.inputs
    with torch.no_grad():
        expected = run_eagerly(options, model, inputs)
        started = time.monotonic()
        torch.jit.save(torch.jit.trace(model, copies(inputs), check_trace=False), script)  # checked below, after loading
        traced = time.monotonic()
        difference = largest_difference(torch.jit.load(script)(*copies(inputs)), expected)
    say(f"{options.model}: traced in {traced - started:.1f} s, {script.stat().st_size / 1e6:.1f} MB; "
        f"largest difference from eager {difference['largest_difference']:.2g}")
    return difference | {"PERFSPEC_MODEL": options.model, "PERFSPEC_TORCH": torch.__version__,
                         "PERFSPEC_INPUTS": ";".join(map(described, inputs)), "outputs": built.outputs,
                         "trace_seconds": round(traced - started, 3), "package_bytes": script.stat().st_size}


def describe(options: argparse.Namespace) -> None:
    """Writes a copy of a package with metadata of what it was compiled for."""
    with tempfile.TemporaryDirectory() as folder:
        draft = pathlib.Path(folder) / "described.pt2"
        has_metadata = False
        with zipfile.ZipFile(options.describe) as source, zipfile.ZipFile(draft, "w") as copy:
            for entry in source.infolist():
                content = source.read(entry)
                if entry.filename.endswith("_metadata.json"):
                    has_metadata = True
                    content = json.dumps(json.loads(content) | metadata(options, options.inputs)).encode()
                copy.writestr(entry, content)
        if not has_metadata:
            raise SystemExit(f"export: {options.describe} has no metadata: is it a package of aoti_compile_and_package?")
        shutil.copyfile(draft, options.output)

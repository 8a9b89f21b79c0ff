#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Compiles a model into an AOTInductor package (.pt2) that perfspec::aot_inductor can judge, or traces it for perfspec::torchscript (.pt).

    python3 export.py --models models.py --model resnet50 --weights resnet50.weights --output resnet50.pt2
    python3 export.py --models models.py --model resnet50 --weights resnet50.weights --output resnet50.pt

A package is good only for the threads, the processor and the shapes that it was compiled for, and LibTorch checks none of
them: they are written into the package's metadata, where the adapter reads them before it runs anything. Beside the package
lies OUTPUT.json: seconds, largest difference from eager, versions. A package that was compiled before from the same inputs
is copied from ${XDG_CACHE_HOME:-~/.cache}/perfspec/packages. One export runs at a time, others wait: each needs every core.
"""

import argparse
import contextlib
import fcntl
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import time
import warnings
import zipfile

SCHEMA = "1"
KEPT_PACKAGES = 30  # in the cache, two a model; the least recently used go first


def cpu_flags(cpuinfo: str) -> list[str]:
    """The first processor's flags, sorted: x86 calls the line "flags", Arm "Features"."""
    for line in cpuinfo.splitlines():
        name, _, value = line.partition(":")
        if name.strip() in ("flags", "Features"):
            return sorted(value.split())
    raise SystemExit("export: /proc/cpuinfo names no processor flags; packages are checked against them, on Linux only")


def fnv1a(text: str) -> str:
    """FNV-1a, 64 bits, as 16 hexadecimal digits; include/perfspec/libtorch/packages/package-inl.hpp computes the same."""
    digest = 0xCBF29CE484222325
    for byte in text.encode():
        digest = ((digest ^ byte) * 0x100000001B3) % 2**64
    return f"{digest:016x}"


def cpu_flags_hash() -> str:
    return fnv1a(" ".join(cpu_flags(pathlib.Path("/proc/cpuinfo").read_text())))


def compiler_version() -> str:
    """The first line of what Inductor's compiler says of itself."""
    compiler = os.environ.get("CXX", "g++")
    return subprocess.run([compiler, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--models", type=pathlib.Path, required=True,
                        help="Python file whose MODELS maps a name to (how to build it, shape of one example)")
    parser.add_argument("--model", required=True, help="name in MODELS")
    parser.add_argument("--weights", type=pathlib.Path, help="file of write_weights; without it the model's own values")
    parser.add_argument("--output", type=pathlib.Path, required=True, help="the package, ending in .pt2; or a TorchScript file, ending in .pt")
    parser.add_argument("--batch", type=int, default=1, help="examples in one call (default: 1)")
    parser.add_argument("--threads", type=int, default=0, help="threads of the process that will run it (default: torch's)")
    parser.add_argument("--mode", choices=("frozen", "unfrozen"), default="frozen",
                        help="frozen: weights become constants, folded and laid out beforehand (default)")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--kernel-profiling", action="store_true",
                        help="the package tells PyTorch's profilers of each kernel that it runs, at some cost in time: for kernel_count, "
                             "op_count and profile, not for latency")
    parser.add_argument("--no-cache", action="store_true", help="compile even if the same package was compiled before")
    options = parser.parse_args()
    if options.output.suffix not in (".pt2", ".pt"):
        parser.error(f"--output {options.output}: a package's name ends in .pt2, a TorchScript file's in .pt")
    if options.batch < 1 or options.threads < 0:
        parser.error("--batch is at least 1, --threads at least 0")
    return options


def say(text: str) -> None:
    print(f"export: {text}", flush=True)


def user_cache() -> pathlib.Path:
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "perfspec"


def cache_key(options: argparse.Namespace) -> str:
    """Hash of everything that decides what the compiled package holds."""
    target_cpu = {name: value for name, value in sorted(os.environ.items()) if name.startswith("TORCHINDUCTOR_CPP_")}
    parts = [SCHEMA, options.output.suffix, options.model, options.batch, options.threads, options.mode, options.device,
             options.kernel_profiling,
             importlib.metadata.version("torch"), compiler_version(), cpu_flags_hash(), target_cpu]
    digest = hashlib.sha256(json.dumps(parts).encode())
    for file in (options.models, pathlib.Path(__file__), options.weights):
        content = b"" if file is None else file.read_bytes()
        digest.update(f"{len(content)}:".encode() + content)
    return digest.hexdigest()[:32]


def beside(package: pathlib.Path) -> pathlib.Path:
    return package.with_name(package.name + ".json")


def place(source: pathlib.Path, target: pathlib.Path, facts: dict) -> None:
    """Copies a finished package and its facts so that no reader ever sees half of either."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    draft.write_text(json.dumps(facts, indent=2) + "\n")
    os.replace(draft, beside(target))
    shutil.copyfile(source, draft)
    os.replace(draft, target)


def prune(folder: pathlib.Path) -> None:
    packages = (path for path in folder.iterdir() if path.suffix in (".pt2", ".pt"))
    by_use = sorted(packages, key=lambda package: package.stat().st_mtime, reverse=True)
    for package in by_use[KEPT_PACKAGES:]:
        package.unlink(missing_ok=True)
        beside(package).unlink(missing_ok=True)


def take_from_cache(cached: pathlib.Path, output: pathlib.Path) -> bool:
    if not (cached.exists() and beside(cached).exists()):
        return False
    os.utime(cached)
    place(cached, output, json.loads(beside(cached).read_text()) | {"from_cache": True})
    say(f"the same package was compiled before: copied from {cached}")
    return True


def build(options: argparse.Namespace):
    """The model in eval mode, on its device, and one example input that every process would draw alike."""
    import torch

    spec = importlib.util.spec_from_file_location("models", options.models)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if options.model not in module.MODELS:
        raise SystemExit(f"export: {options.models} has no model {options.model}, it has {', '.join(module.MODELS)}")
    make, shape = module.MODELS[options.model]
    torch.manual_seed(0)
    model = make()
    if options.weights is not None:
        model.load_state_dict(dict(torch.load(options.weights, weights_only=True)), strict=True)
    example = torch.randn(options.batch, *shape, generator=torch.Generator().manual_seed(1))
    return model.eval().to(options.device), example.to(options.device)


def described(tensor) -> str:
    """float32[1,3,224,224]"""
    return f"{str(tensor.dtype).removeprefix('torch.')}[{','.join(map(str, tensor.shape))}]"


def metadata(options: argparse.Namespace, example) -> dict[str, str]:
    import torch

    return {
        "PERFSPEC_SCHEMA": SCHEMA,
        "PERFSPEC_MODEL": options.model,
        "PERFSPEC_MODE": options.mode,
        "PERFSPEC_THREADS": str(options.threads),
        "PERFSPEC_CPU_FLAGS": cpu_flags_hash(),
        "PERFSPEC_TORCH": torch.__version__,
        "PERFSPEC_DEVICE": options.device,
        "PERFSPEC_INPUTS": described(example),
        "PERFSPEC_KERNEL_PROFILING": str(int(options.kernel_profiling)),
    }


def compile_package(options: argparse.Namespace, package: pathlib.Path) -> dict:
    """Writes the package and returns what its side file says."""
    import torch
    from torch._inductor import aoti_compile_and_package, aoti_load_package
    from torch._inductor.cpu_vec_isa import pick_vec_isa

    model, example = build(options)
    say(f"{options.model}: {options.mode}, {described(example)}, {options.threads} threads, torch {torch.__version__}")
    with torch.no_grad():
        expected = model(example)
        started = time.monotonic()
        program = torch.export.export(model, (example,))
        exported = time.monotonic()
        say(f"exported in {exported - started:.1f} s, compiling")
        configs = {"freezing": options.mode == "frozen", "cpp.enable_kernel_profile": options.kernel_profiling,
                   "aot_inductor.metadata": metadata(options, example)}
        aoti_compile_and_package(program, package_path=str(package), inductor_configs=configs)
        compiled = time.monotonic()
        difference = (aoti_load_package(str(package))(example) - expected).abs().max().item()
    largest = expected.abs().max().item()
    say(f"compiled in {compiled - exported:.1f} s, {package.stat().st_size / 1e6:.1f} MB; "
        f"largest difference from eager {difference:.2g}, largest output {largest:.2g}")
    return metadata(options, example) | {
        "export_seconds": round(exported - started, 3), "compile_seconds": round(compiled - exported, 3),
        "largest_difference": difference, "largest_output": largest,
        "isa": str(pick_vec_isa()), "compiler": compiler_version(), "package_bytes": package.stat().st_size,
        "from_cache": False,
    }


def trace(options: argparse.Namespace, script: pathlib.Path) -> dict:
    """Writes a TorchScript file and returns what its side file says."""
    import torch

    warnings.filterwarnings("ignore", message="`torch.jit.* is deprecated", category=DeprecationWarning)
    model, example = build(options)
    with torch.no_grad():
        expected = model(example)
        started = time.monotonic()
        torch.jit.save(torch.jit.trace(model, example, check_trace=False), script)  # checked below, after loading
        traced = time.monotonic()
        difference = (torch.jit.load(script)(example) - expected).abs().max().item()
    say(f"{options.model}: traced in {traced - started:.1f} s, {script.stat().st_size / 1e6:.1f} MB; "
        f"largest difference from eager {difference:.2g}")
    return {"PERFSPEC_MODEL": options.model, "PERFSPEC_TORCH": torch.__version__, "PERFSPEC_INPUTS": described(example),
            "trace_seconds": round(traced - started, 3), "largest_difference": difference,
            "largest_output": expected.abs().max().item(), "package_bytes": script.stat().st_size, "from_cache": False}


@contextlib.contextmanager
def alone():
    """Until the exports of other processes are done: two at once take longer than one after the other, and twice the memory."""
    user_cache().mkdir(parents=True, exist_ok=True)
    with (user_cache() / "export.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def remove_inductor_copy(package: pathlib.Path) -> None:
    """Inductor leaves the library with all weights in its own cache folder and never uses it again: 100 MB an export."""
    with zipfile.ZipFile(package) as archive:
        libraries = [pathlib.PurePath(name).name for name in archive.namelist() if name.endswith(".so")]
    for library in libraries:
        for copy in pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob(f"*/{library}"):
            copy.unlink()


def export(options: argparse.Namespace, cached: pathlib.Path) -> None:
    """Compiles or traces, to where it is wanted and into the cache."""
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
        place(draft, cached, facts)
    prune(cached.parent)


def main() -> None:
    options = arguments()
    # One shared folder: a fresh one is filled again with instruction set probes and a precompiled header at each export.
    os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(user_cache() / "inductor"))
    # NumPy is not needed; without it torch warns.
    warnings.filterwarnings("ignore", message="Failed to initialize NumPy")
    if options.threads == 0:
        import torch

        options.threads = torch.get_num_threads()
    with alone():
        cached = user_cache() / "packages" / (cache_key(options) + options.output.suffix)
        if not options.no_cache and take_from_cache(cached, options.output):
            return
        export(options, cached)
    say(f"wrote {options.output}")


if __name__ == "__main__":
    sys.exit(main())

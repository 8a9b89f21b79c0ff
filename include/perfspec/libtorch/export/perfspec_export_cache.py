# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Finished packages in the user's cache folder, and checks of their validity."""

import argparse
import contextlib
import fcntl
import hashlib
import importlib.metadata
import json
import os
import pathlib
import shutil
import tempfile
import zipfile

from perfspec_export_imports import digest_of, imports_are_unchanged
from perfspec_export_packages import SCHEMA, compiler_version, cpu_flags_hash, say

MAX_PACKAGES = 30  # in the cache, two per model; the least recently used go first


def user_cache() -> pathlib.Path:
    return pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache") / "perfspec"


def gpu_of(device: str) -> str:
    """The GPU for which a package is compiled, by name and compute capability; empty for the processor."""
    if device == "cpu":
        return ""
    import torch  # here, because it takes seconds

    return f"{torch.cuda.get_device_name(device)} {torch.cuda.get_device_capability(device)}"


def cache_key(options: argparse.Namespace) -> str:
    """Hash of everything that determines the compiled package, except imports of the models."""
    target_cpu = {name: value for name, value in sorted(os.environ.items()) if name.startswith("TORCHINDUCTOR_CPP_")}
    parts = [SCHEMA, options.output.suffix, options.model, options.batch, options.threads, options.mode, options.dtype, options.autocast,
             options.channels_last, options.dynamic, options.cold, options.device, options.kernel_profiling, importlib.metadata.version("torch"),
             compiler_version(), cpu_flags_hash(), gpu_of(options.device), target_cpu]
    scripts = sorted(pathlib.Path(__file__).parent.glob("*export*.py"))
    files = [options.models, *scripts, *([options.weights] if options.weights else []), *(file for file in options.depends if file.is_file())]
    return hashlib.sha256(json.dumps([parts, [digest_of(file) for file in files]]).encode()).hexdigest()[:32]


def beside(package: pathlib.Path) -> pathlib.Path:
    return package.with_name(package.name + ".json")


def place(source: pathlib.Path, target: pathlib.Path, facts: dict) -> None:
    """Copies a finished package and its facts, each atomically."""
    target.parent.mkdir(parents=True, exist_ok=True)
    draft = target.with_name(f"{target.name}.{os.getpid()}.tmp")
    draft.write_text(json.dumps(facts, indent=2) + "\n")
    os.replace(draft, beside(target))
    shutil.copyfile(source, draft)
    os.replace(draft, target)


def prune(folder: pathlib.Path) -> None:
    packages = (path for path in folder.iterdir() if path.suffix in (".pt2", ".pt"))
    by_use = sorted(packages, key=lambda package: package.stat().st_mtime, reverse=True)
    for package in by_use[MAX_PACKAGES:]:
        package.unlink(missing_ok=True)
        beside(package).unlink(missing_ok=True)


def take_from_cache(cached: pathlib.Path, output: pathlib.Path) -> bool:
    if not (cached.exists() and beside(cached).exists()):
        return False
    facts = json.loads(beside(cached).read_text())
    if not imports_are_unchanged(facts):
        return False
    os.utime(cached)
    place(cached, output, facts | {"from_cache": True})
    say(f"the same package was compiled before: copied from {cached}")
    return True


@contextlib.contextmanager
def alone():
    """Waits for exports of other processes: two at once take longer than one after the other, and twice the memory."""
    user_cache().mkdir(parents=True, exist_ok=True)
    with (user_cache() / "export.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextlib.contextmanager
def compiler_cache(cold: bool):
    """Sets the folder of Inductor's cache: a shared one, because Inductor fills an empty one with probes of the instruction set and a
    precompiled header; or, if cold, an empty one, which is removed afterwards."""
    if not cold:
        os.environ.setdefault("TORCHINDUCTOR_CACHE_DIR", str(user_cache() / "inductor"))
        yield
        return
    with tempfile.TemporaryDirectory() as folder:
        os.environ["TORCHINDUCTOR_CACHE_DIR"] = folder
        yield


def remove_inductor_copy(package: pathlib.Path) -> None:
    """Removes the library with all weights from Inductor's cache folder, which never uses it again: 100 MB per export."""
    with zipfile.ZipFile(package) as archive:
        libraries = [pathlib.PurePath(name).name for name in archive.namelist() if name.endswith(".so")]
    for library in libraries:
        for copy in pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob(f"*/{library}"):
            copy.unlink()

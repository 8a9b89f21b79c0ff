# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Functions of torch and NumPy, which are used only if the user's file imported them."""

from __future__ import annotations

import contextlib
import functools
import importlib
import os
import pathlib
import platform
import random
import re
import sys
import types
import typing
import warnings

from .faults import Refusal
from .protocol import VERSION

SEED = 0


def imported(name: str, member: str):
    """A module that was imported, or None. Does not load a lazy module."""
    module = sys.modules.get(name)
    is_module = issubclass(type(module), types.ModuleType)
    return module if is_module and member in object.__getattribute__(module, "__dict__") else None


def needs(*modules: str) -> None:
    """Names modules that the file, or the function of a subject, needs. If one is not installed, claims are skipped, and
    tests are skipped.

        perfspec.needs("torch", "timm")
        import timm, torch
    """
    for name in modules:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if error.name is None or not (name + ".").startswith(error.name + "."):
                raise  # it is installed, but lacks another module
            raise Refusal(f"{name} is not installed for {sys.executable}: install it there, or name another Python by PERFSPEC_PYTHON", "unavailable") from None


def torch():
    """The module, or None. Importing takes seconds, so it is never imported here."""
    return imported("torch", "no_grad")


def numpy():
    return imported("numpy", "ndarray")


def running(training: bool):
    """The context in which bodies run: without gradients, except for training. Not inference_mode: what a model keeps from it cannot be trained with
    later, and torch.compile does not run NumPy in it."""
    loaded = torch()
    return contextlib.nullcontext() if training or loaded is None else loaded.no_grad()


def wait_for(device, has_context: typing.Callable[[int], bool] | None) -> None:
    """Waits for each device of a kind that torch has used. torch itself waits only for the current one, and waiting for an unused one would take
    memory on it."""
    for each in range(device.device_count()) if device.is_initialized() else ():
        if has_context is None or has_context(each):  # not each kind tells it
            device.synchronize(each)


@functools.lru_cache(maxsize=None)
def waits_of(loaded) -> tuple[typing.Callable[[], None], ...]:
    kinds = ((loaded.cuda, getattr(loaded._C, "_cuda_hasPrimaryContext", None)), (getattr(loaded, "xpu", None), None))
    return tuple(functools.partial(wait_for, *each) for each in kinds if each[0] is not None and each[0].is_available())


def waits() -> tuple[typing.Callable[[], None], ...]:
    """Functions that wait for the devices of this machine that torch can use: a body that only queued work is not done. Cached, because looking
    for devices would be a part of every sample."""
    loaded = torch()
    return () if loaded is None else waits_of(loaded)


def seed() -> None:
    """Seeds all generators, so that compared bodies draw the same random numbers."""
    random.seed(SEED)
    if (loaded := torch()) is not None:
        loaded.manual_seed(SEED)
    if (loaded := numpy()) is not None:
        loaded.random.seed(SEED)


def random_numbers() -> dict[str, object]:
    """The states of the global generators of random numbers."""
    states: dict[str, object] = {"random": random.getstate()}
    if (loaded := torch()) is not None:
        states["torch"] = loaded.get_rng_state().tolist()
        if loaded.cuda.is_available() and loaded.cuda.is_initialized():
            states["cuda"] = [each.tolist() for each in loaded.cuda.get_rng_state_all()]
    if (loaded := numpy()) is not None:
        kind, keys, *rest = loaded.random.get_state()
        states["numpy"] = [kind, keys.tolist(), rest]
    return states


@contextlib.contextmanager
def keeping_random_numbers():
    """Restores the states of the generators of random numbers after the block."""
    of_torch, of_numpy, state = torch(), numpy(), random.getstate()
    devices = range(of_torch.cuda.device_count() if of_torch.cuda.is_initialized() else 0) if of_torch else ()
    state_of_numpy = of_numpy.random.get_state() if of_numpy else None
    try:
        with of_torch.random.fork_rng(devices) if of_torch else contextlib.nullcontext():
            yield
    finally:
        random.setstate(state)
        if of_numpy:
            of_numpy.random.set_state(state_of_numpy)


@contextlib.contextmanager
def keeping_numpy_quiet():
    """Within, NumPy neither warns of infinity and NaN nor raises."""
    loaded = numpy()
    with loaded.errstate(all="ignore") if loaded else contextlib.nullcontext():
        yield


SETTINGS = {  # of the whole process, with torch's getter and setter of each
    "the number of threads": ("get_num_threads", "set_num_threads"),
    "the default dtype": ("get_default_dtype", "set_default_dtype"),
    "the precision of matrix products": ("get_float32_matmul_precision", "set_float32_matmul_precision"),
    "deterministic algorithms": ("are_deterministic_algorithms_enabled", "use_deterministic_algorithms"),
    "autocast of the processor": ("is_autocast_cpu_enabled", "set_autocast_cpu_enabled"),
    "autocast": ("is_autocast_enabled", "set_autocast_enabled"),
}


def torch_settings() -> dict[str, object]:
    """Settings on which the times of all subjects depend; empty without torch."""
    loaded = torch()
    if loaded is None:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # some are deprecated
        return {name: getattr(loaded, get)() for name, (get, _) in SETTINGS.items() if hasattr(loaded, get)}


def restore(before: dict[str, object]) -> list[str]:
    """Restores the settings that changed since `before`. Returns a text for each."""
    now = torch_settings()
    changed = [name for name, value in before.items() if name in now and now[name] != value]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name in changed:
            getattr(torch(), SETTINGS[name][1])(before[name])
    return [f"{name} from {before[name]} to {now[name]}" for name in changed]


def device_name() -> str:
    """The first NVIDIA GPU's name by its driver: torch would create a context of some hundred megabytes for it."""
    loaded = torch()
    if loaded is None or not loaded.cuda.is_available():
        return ""
    files = sorted(pathlib.Path("/proc/driver/nvidia/gpus").glob("*/information"))
    models = re.findall(r"^Model:\s*(.*\S)", "\n".join(each.read_text() for each in files), re.MULTILINE)
    return (models or ["cuda"])[0]


def threads() -> int:
    loaded = torch()
    if loaded is not None:
        return loaded.get_num_threads()
    text = os.environ.get("OMP_NUM_THREADS", "")
    return int(text) if text.isdigit() and int(text) > 0 else len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def is_observed() -> bool:
    """Whether something observes each line or call of Python in this thread, such as coverage, a profiler or a debugger."""
    monitoring = getattr(sys, "monitoring", None)  # from Python 3.12 on
    return any(each is not None for each in (sys.gettrace(), sys.getprofile(), *(map(monitoring.get_tool, range(6)) if monitoring else ())))


def hello() -> dict[str, typing.Any]:
    """The answer `hello` without subjects: its settings are the surroundings on which times depend."""
    loaded = torch()
    fields = {"threads": threads(), "torch": getattr(loaded, "__version__", ""), "wait_policy": os.environ.get("OMP_WAIT_POLICY", ""),
              "compile_threads": os.environ.get("TORCHINDUCTOR_COMPILE_THREADS", ""), "device": device_name(),
              "hash_seed": os.environ.get("PYTHONHASHSEED", "random")}
    return {"answer": "hello", "protocol": VERSION, "language": f"Python {platform.python_version()}",
            "settings": {name: str(value) for name, value in fields.items() if value != ""}}

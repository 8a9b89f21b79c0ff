# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What a machine has of what the steps need."""
import csv
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass

ROOT = pathlib.Path(__file__).resolve().parents[2]
FACTS = "name,driver_version,clocks.max.sm,persistence_mode,power.limit"  # what nvidia-smi is asked for
ANSWER = "perfspec-torch: "  # begins the line with what PyTorch said; an import may print others


@dataclass(frozen=True)
class Machine:
    """What there is, as far as the plan and the report depend on it."""
    no_gpu: str = ""        # why no GPU can be used, in the words of the driver; empty where one can
    gpus: tuple = ()        # what is known of each
    nvcc: str = ""          # path; empty where there is none
    toolkit: str = ""       # folder with the headers of the CUDA runtime
    programs: tuple = ()    # those of cmake, ninja, c++ that are there
    cli11: bool = False     # what the tool reads its command line with
    torch: str = ""         # Python whose PyTorch has CUDA
    no_torch: str = ""      # else why there is none
    torchvision: bool = False
    torch_cmake: str = ""   # where that PyTorch keeps its files for CMake
    examples: tuple = ()    # targets of the examples with CUDA
    of_models: tuple = ()   # those that need LibTorch, too
    baselines: bool = False  # whether baselines of a GPU are committed


def why_no_gpu(library="libcuda.so.1"):
    """Empty where the driver shows a GPU; else its own message."""
    try:
        driver = ctypes.CDLL(library)
        count = ctypes.c_int()
        failed = driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count))
        if failed:
            name, text = ctypes.c_char_p(), ctypes.c_char_p()
            driver.cuGetErrorName(failed, ctypes.byref(name))
            driver.cuGetErrorString(failed, ctypes.byref(text))
            return f"{(name.value or b'error %d' % failed).decode()}: {(text.value or b'').decode()}"
        return "" if count.value else "the driver shows no GPU to this process"
    except (OSError, AttributeError) as wrong:
        return str(wrong)


def facts_by_driver(library="libcuda.so.1"):
    """The name of each GPU, and the CUDA of the driver; for containers without nvidia-smi."""
    try:
        driver = ctypes.CDLL(library)
        count, version = ctypes.c_int(), ctypes.c_int()
        if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)) or driver.cuDriverGetVersion(ctypes.byref(version)):
            return ()
        names = []
        for ordinal in range(count.value):
            name = ctypes.create_string_buffer(256)
            names.append("unknown" if driver.cuDeviceGetName(name, len(name), ordinal) else name.value.decode(errors="replace"))
        return tuple(f"name: {name}; CUDA of the driver: {version.value // 1000}.{version.value % 1000 // 10}" for name in names)
    except (OSError, AttributeError):
        return ()


def facts_of_gpus(smi):
    """A line for each GPU: its name, driver, highest clock, and what else moves measurements."""
    try:
        done = subprocess.run([smi, f"--query-gpu={FACTS}", "--format=csv"], capture_output=True, text=True, timeout=20, check=True)
        head, *rows = csv.reader(done.stdout.splitlines(), skipinitialspace=True)
    except (OSError, ValueError, subprocess.SubprocessError):
        return facts_by_driver()
    return tuple("; ".join(f"{name}: {value}" for name, value in zip(head, row)) for row in rows)


def toolkit_beside(nvcc):
    folders = [os.environ.get("CUDAToolkit_ROOT"), *([pathlib.Path(nvcc).resolve().parents[1]] if nvcc else []), "/usr/local/cuda", *sorted(
        pathlib.Path("/usr/local").glob("cuda-*"), reverse=True)]
    # Only where toolkits have them: the folder of nvcc may be /usr, and to look through all of it takes minutes.
    return next((str(one) for one in folders if one and any(list(pathlib.Path(one).glob(f"{at}/cuda_runtime_api.h")) for at in
                                                            ("include", "targets/*/include"))), "")


def torch_with_cuda(python):
    """Whether the PyTorch of this Python can use CUDA, whether it has torchvision, its files for CMake, and else why not."""
    code = ("import json, torch, importlib.util as u\n"
            "said = [torch.cuda.is_available(), u.find_spec('torchvision') is not None, torch.__version__, torch.utils.cmake_prefix_path]\n"
            f"print('\\n{ANSWER}' + json.dumps(said))")
    try:
        done = subprocess.run([python, "-c", code], capture_output=True, text=True, errors="replace", timeout=120, check=False)
    except (OSError, subprocess.TimeoutExpired) as wrong:
        return False, False, "", f"{python}: {wrong}"
    answers = [line for line in done.stdout.splitlines() if line.startswith(ANSWER)]
    if done.returncode != 0 or not answers:
        last = (done.stderr.strip().splitlines() or [f"it ended with {done.returncode} and said nothing"])[-1]
        return False, False, "", f"{python} has no PyTorch: {last}"
    cuda, torchvision, version, cmake = json.loads(answers[-1][len(ANSWER):])
    return cuda, torchvision, cmake, "" if cuda else f"PyTorch {version} of {python} finds no CUDA"


def examples_with_cuda(root=ROOT):
    """The targets of examples that link perfspec::cuda, and those that link perfspec::libtorch, too."""
    found = {}
    for one in sorted(root.glob("examples/*/CMakeLists.txt")):
        found |= dict(re.findall(r"target_link_libraries\((example_\w+) ([^)]*)\)", one.read_text(encoding="utf-8")))
    with_cuda = {target: libraries.split() for target, libraries in found.items() if "perfspec::cuda" in libraries.split()}
    of_models = tuple(target for target, libraries in with_cuda.items() if "perfspec::libtorch" in libraries)
    return tuple(target for target in with_cuda if target not in of_models), of_models


def prefixes():
    """Where CMake looks for packages."""
    return [pathlib.Path(one) for one in [*os.environ.get("CMAKE_PREFIX_PATH", "").replace(";", ":").split(":"), "/usr/local", "/usr"] if one]


def this_machine():
    nvcc = shutil.which("nvcc") or next((str(one) for one in sorted(pathlib.Path("/usr/local").glob("cuda*/bin/nvcc"))), "")
    python = os.environ.get("PERFSPEC_PYTHON") or shutil.which("python3") or sys.executable
    no_gpu = why_no_gpu()
    cuda, torchvision, torch_cmake, why = torch_with_cuda(python)
    examples, of_models = examples_with_cuda()
    return Machine(no_gpu=no_gpu, gpus=() if no_gpu else facts_of_gpus("nvidia-smi"), nvcc=nvcc, toolkit=toolkit_beside(nvcc),
                   programs=tuple(one for one in ("cmake", "ninja", "c++") if shutil.which(one)),
                   cli11=any((one / "include/CLI").is_dir() for one in prefixes()),
                   torch=python if cuda else "", no_torch=why, torchvision=torchvision, torch_cmake=torch_cmake,
                   examples=examples, of_models=of_models, baselines=any((ROOT / "baselines").glob("nvidia-*/")))

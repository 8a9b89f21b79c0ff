# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The steps of ci/device for a machine, each with the reason why it is not run, if there is one."""
import os
import pathlib
import sys
from dataclasses import dataclass, field, replace

from .machine import ROOT

BUILD = ROOT / "build/device"
LIBTORCH = BUILD / "libtorch"  # a folder of its own: where the files of PyTorch ask for what is not there, only the models are lost
BASELINES = BUILD / "baselines"
TOOL = BUILD / "ci/tool/perfspec"
# ci/models begins its file anew, so the others have one of their own. The report reads both.
RESULTS = BUILD / "results.jsonl"
RESULTS_OF_MODELS = BUILD / "models.jsonl"
MODELS = "alexnet,resnet50,mobilenet_v2,googlenet,squeezenet1_1,densenet121"
TESTS = ("perfspec_cuda_test", "perfspec_cuda_linked_test", "perfspec_cuda_device_test", "perfspec_cuda_fault_test")


@dataclass(frozen=True)
class Step:
    name: str
    command: tuple
    skipped: str = ""            # why it is not run
    needs: tuple = ()            # steps that must have passed
    environment: dict = field(default_factory=dict)
    seconds: int = 600           # at most
    leaves: int = 0              # so many seconds of the whole to the steps behind it
    makes: str = ""              # files that it must have written; a pattern below BUILD
    shown: bool = False          # its output is in the report also where it passed


@dataclass(frozen=True)
class Reasons:
    """Why a kind of step is not run on a machine; empty where it is."""
    build: str
    kernels: str
    gpu: str
    tool: str
    models: str
    libtorch: str


def reasons_of(machine):
    missing = [one for one in ("cmake", "ninja", "c++") if one not in machine.programs]
    build = f"needs {', '.join(missing)}, which must be installed or carried here" if missing else ""
    if not build and not machine.toolkit:
        build = "needs the headers of the CUDA Toolkit, 12.4 or newer; name its folder by CUDAToolkit_ROOT"
    kernels = build or ("" if machine.nvcc else "needs nvcc, the CUDA compiler, in PATH or in /usr/local/cuda/bin")
    gpu = f"no GPU can be used: {machine.no_gpu}" if machine.no_gpu else ""
    tool = build or ("" if machine.cli11 else "needs CLI11, which is not below CMAKE_PREFIX_PATH, /usr/local or /usr")
    models = gpu or machine.no_torch or ("" if machine.torchvision else f"{machine.torch} has PyTorch, and no torchvision")
    libtorch = kernels or gpu or machine.no_torch or ("" if machine.of_models else "no example uses LibTorch on a GPU")
    return Reasons(build, kernels, gpu, tool, models, libtorch)


def configuring(machine, folder, *more):
    return ("cmake", "-S", str(ROOT), "-B", str(folder), "-G", "Ninja", "-D", "CMAKE_BUILD_TYPE=Release", "-D", "PERFSPEC_BUILD_SLOW_TESTS=OFF",
            "-D", "PERFSPEC_INSTALL=OFF", "-D", f"PERFSPEC_CUDA={'ON' if machine.nvcc else 'AUTO'}",
            *(("-D", f"CMAKE_CUDA_COMPILER={machine.nvcc}") if machine.nvcc else ()), *(word for one in more for word in ("-D", one)))


def building(folder, jobs, *targets):
    return ("cmake", "--build", str(folder), "--parallel", str(jobs), "--target", *targets)


def testing(folder, *chosen):
    return ("ctest", "--test-dir", str(folder), *chosen, "--output-on-failure", "--no-tests=error")


def with_kernels(machine, jobs, why):
    """Tests and examples in CUDA, and the tool."""
    results = {"PERFSPEC_OUTPUT": str(RESULTS)}
    # Where no baseline of a GPU is committed, the examples are judged by those that were recorded just before: else they would record once more.
    stored = {} if machine.baselines else {"PERFSPEC_BASELINE_DIR": str(BASELINES)}
    wanted = [*TESTS, *machine.examples, *(("perfspec_tool",) if not why.tool else ()), *(("perfspec_judge",) if not (why.tool or why.models) else ())]
    return [
        Step("configure", configuring(machine, BUILD, "PERFSPEC_TORCH=OFF", f"PERFSPEC_TOOL={'ON' if machine.cli11 else 'OFF'}"), why.build, seconds=120),
        # One file keeps a compiler for a minute, so all are compiled beside each other. What fails here fails below, too, and only there it matters.
        Step("build together", (*building(BUILD, jobs, *wanted), "--", "-k", "0"), why.kernels, ("configure",)),
        Step("build tests", building(BUILD, jobs, *TESTS), why.kernels, ("configure",)),
        Step("tests without a GPU", testing(BUILD, "-L", "cuda", "-LE", "device|clock"), "", ("build tests",), seconds=120),
        Step("tests on the GPU", testing(BUILD, "-L", "device", "-E", "^example_"), why.gpu, ("build tests",), results, 240),
        Step("build tool", building(BUILD, jobs, "perfspec_tool"), why.tool, ("configure",)),
        Step("doctor", (str(TOOL), "doctor"), why.gpu, ("build tool",), seconds=60, shown=True),
        Step("build examples", building(BUILD, jobs, *machine.examples), why.kernels or ("" if machine.examples else "no example uses CUDA"), ("configure",)),
        Step("record baselines", testing(BUILD, "-L", "device", "-R", "^example_.*stored baseline"), why.gpu, ("build examples",),
             {"PERFSPEC_BASELINE_DIR": str(BASELINES), "PERFSPEC_UPDATE_BASELINES": "1"}, 90, makes="baselines/*/*.json"),
        Step("examples", testing(BUILD, "-L", "device", "-R", "^example_"), why.gpu, ("build examples",), {**results, **stored}, 180),
    ]


def with_libtorch(machine, jobs, why):
    """Examples of models in C++, which take a minute, and the environment in which LibTorch's files find the compiler."""
    # They look for it in PATH and ask for one in CUDACXX.
    finds_nvcc = {"PATH": f"{pathlib.Path(machine.nvcc).parent}:{os.environ.get('PATH', '')}", "CUDACXX": machine.nvcc, "CUDA_HOME": machine.toolkit}
    configure = configuring(machine, LIBTORCH, "PERFSPEC_TORCH=ON", "PERFSPEC_TOOL=OFF", "PERFSPEC_BUILD_TESTS=OFF", f"PERFSPEC_PYTHON={machine.torch}",
                            f"Torch_DIR={machine.torch_cmake}/Torch")
    return [
        Step("configure with LibTorch", configure, why.libtorch, (), finds_nvcc, 120),
        Step("build examples with LibTorch", building(LIBTORCH, jobs, *machine.of_models), why.libtorch, ("configure with LibTorch",), finds_nvcc),
        Step("examples with LibTorch", testing(LIBTORCH, "-L", "device", "-R", "^example_"), why.libtorch, ("build examples with LibTorch",),
             {"PERFSPEC_OUTPUT": str(RESULTS)}, 180),
    ], finds_nvcc


def of_six_models(machine, jobs, why, finds_nvcc):
    """The six models under torch.compile in Python, and beside their packages of AOTInductor in C++.

    Both compile on the GPU for minutes, so they come last, and neither takes all of the time. What they finish is kept: a second call goes on with
    packages that are there, and --without leaves out either.
    """
    judge = str(BUILD / "ci/judge/perfspec-judge")
    models = (sys.executable, str(ROOT / "ci/models"), "--suite", "torchvision", "--models", MODELS, "--device", "cuda", "--inference", "--timeout", "120",
              "--again", "--output", str(RESULTS_OF_MODELS), "--judge", judge)
    return [
        Step("build models", building(BUILD, jobs, "perfspec_judge"), why.tool or why.models, ("configure",)),
        Step("models", models, why.models, ("build models",), {"PERFSPEC_PYTHON": machine.torch}, leaves=0 if why.libtorch else 200),
        Step("build models in C++", building(LIBTORCH, jobs, "vision_device_test", "write_weights"), why.libtorch, ("configure with LibTorch",), finds_nvcc),
        # -k 0: one that cannot be exported stops no other. Without a package its test is skipped.
        Step("export models", (*building(LIBTORCH, jobs, "vision_device_packages"), "--", "-k", "0"), why.libtorch, ("build models in C++",), finds_nvcc,
             leaves=60),
        Step("models in C++", testing(LIBTORCH, "-L", "device", "-R", "^vision_device:"), why.libtorch, ("build models in C++",),
             {"PERFSPEC_OUTPUT": str(RESULTS)}),
    ]


def plan(machine, jobs, without=()):
    """The steps in their order. What takes a minute comes before what takes all the time that there is."""
    why = reasons_of(machine)
    of_libtorch, finds_nvcc = with_libtorch(machine, jobs, why)
    steps = [*with_kernels(machine, jobs, why), *of_libtorch, *of_six_models(machine, jobs, why, finds_nvcc)]
    return [step if step.name not in without else replace(step, skipped="left out by --without") for step in steps]

# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""One experiment of ci/models: the subjects eager and compiled of the model that PERFSPEC_TEST_EXPERIMENT describes.

    python3 perfspec_experiment.py timm [model…]     prints, as JSON, the names of the suite, those of the models that it does not have, and versions
"""
import importlib.metadata
import json
import os
import platform
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import perfspec.suites as suites  # noqa: E402
from perfspec.faults import Refusal, described  # noqa: E402

PACKAGES = ("torch", "torchvision", "timm", "transformers", "torchbenchmark", "numpy", "triton")


def version_of(package: str) -> str:
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return "none"


def declare(asked: dict) -> None:
    def make():
        return suites.make(asked["suite"], asked["model"], batch=asked["batch"], dtype=asked["dtype"], device=asked["device"], training=asked["training"])

    suites.declare(make, backend=asked["backend"], mode=asked["mode"], training=asked["training"], eval_mode=asked["eval_mode"])


def tell(suite: str, models: list) -> dict:
    module = suites.found(suite)
    return {"names": list(module.NAMES), "unknown": [each for each in models if not suites.knows(module, each)],
            "versions": {"python": platform.python_version(), **{each: version_of(each) for each in PACKAGES}}}


def main(words: list) -> int:
    answers, sys.stdout = sys.stdout, sys.stderr  # what a suite prints is no answer
    try:
        print(json.dumps(tell(words[0], words[1:])), file=answers)
    except BaseException as error:
        print(error if isinstance(error, Refusal) else f"importing {words[0]} threw {described(error, words[0])}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
elif "PERFSPEC_TEST_EXPERIMENT" in os.environ:
    declare(json.loads(os.environ["PERFSPEC_TEST_EXPERIMENT"]))

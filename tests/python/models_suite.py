# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A suite for models_test.py: models in plain Python, some of them faulty. Files in the folder MODELS_TEST control them."""
import os
import pathlib
import time

import perfspec
import perfspec.suites as suites

NAMES = ["right", "righter", "wrong", "crashes", "hangs", "lacks_memory", "cannot_be_built", "not_here"]
FOLDER = pathlib.Path(os.environ.get("MODELS_TEST", "."))


def squares(count):
    return [each * each for each in range(count)]


def crash(count):
    os.abort()


def hang(count):
    (FOLDER / "hangs").touch()
    while not (FOLDER / "go_on").exists():
        time.sleep(0.01)
    return squares(count)


def lack_memory(count):
    raise MemoryError("no memory is left")


CANDIDATES = {"wrong": lambda count: [0] * count, "crashes": crash, "hangs": hang, "lacks_memory": lack_memory}


def knows(name):
    return name == "unlisted"


def prepare(name, *, batch, dtype, device, training):
    with open(FOLDER / "built.txt", "a", encoding="utf-8") as out:
        out.write(f"{name} {batch} {dtype} {device} {training} {os.environ.get('OMP_NUM_THREADS', '')}\n")
    if name == "cannot_be_built":
        raise ValueError("no such configuration")
    if name == "not_here":
        perfspec.needs("a_package_that_is_not_there")
    return suites.Model(squares, (400 * batch,), compile=lambda model, **options: CANDIDATES.get(name, model))

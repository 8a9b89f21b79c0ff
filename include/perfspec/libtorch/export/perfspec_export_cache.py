# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The user's cache folder: what Inductor keeps there, and the lock of exports."""

import contextlib
import fcntl
import os
import pathlib
import tempfile
import zipfile


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


def remove_inductor_copy(package: pathlib.Path) -> None:
    """Removes the library with all weights from Inductor's cache folder, which never uses it again: 100 MB per export."""
    with zipfile.ZipFile(package) as archive:
        libraries = [pathlib.PurePath(name).name for name in archive.namelist() if name.endswith(".so")]
    for library in libraries:
        for copy in pathlib.Path(os.environ["TORCHINDUCTOR_CACHE_DIR"]).glob(f"*/{library}"):
            copy.unlink()

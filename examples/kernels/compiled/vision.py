# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The models of examples/vision, for the subjects of other examples."""
import functools
import importlib.util
import pathlib
import sys


@functools.lru_cache(maxsize=None)
def vision_models():
    """models.py of examples/vision, by a name of its own, by which torch.compile imports it again."""
    path = pathlib.Path(__file__).resolve().parents[2] / "vision" / "models.py"
    spec = importlib.util.spec_from_file_location("vision_models", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules["vision_models"] = module
    spec.loader.exec_module(module)
    return module

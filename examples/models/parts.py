# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The six models of examples/vision as layers in a row: their modules one after the other, and what is between them. Folded, they are the model.

LAYERS_OF maps a model to its layers, as (name, module): layers_of("alexnet")[0] is ("features.0 Conv2d", Conv2d(…)). "small" is a model for tests."""
import functools
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "kernels" / "compiled"))

from vision import vision_models

import perfspec

perfspec.needs("torch")
import torch  # noqa: E402
from torch import nn  # noqa: E402


class Means(nn.Module):
    """The mean of each channel."""

    def forward(self, x):
        return x.mean((2, 3))


class Small(nn.Module):
    """Two convolutions, of which the first is normalized."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(inplace=True), nn.Conv2d(16, 8, 3))
        self.classifier = nn.Linear(8, 10)

    def forward(self, x):
        return self.classifier(self.features(x).mean((2, 3)))


def children(of: nn.Module, prefix: str = "") -> list:
    return [(f"{prefix}{name} {type(each).__name__}", each) for name, each in of.named_children()]


def flattened(pool: nn.Module | None = None) -> tuple:
    return ("flatten", nn.Flatten()) if pool is None else ("pool, flatten", nn.Sequential(pool, nn.Flatten()))


def alexnet(net) -> list:
    return [*children(net.features, "features."), flattened(net.avgpool), *children(net.classifier, "classifier.")]


def resnet50(net) -> list:
    stages = [each for name in ("layer1", "layer2", "layer3", "layer4") for each in children(getattr(net, name), f"{name}.")]
    return [*children(net)[:4], *stages, flattened(net.avgpool), ("fc Linear", net.fc)]


def mobilenet_v2(net) -> list:
    return [*children(net.features, "features."), ("means", Means()), *children(net.classifier, "classifier.")]


def googlenet(net) -> list:
    return [*children(net)[:-1], ("means", Means()), ("fc Linear", net.fc)]


def squeezenet1_1(net) -> list:
    return [*children(net.features, "features."), *children(net.classifier, "classifier."), flattened()]


def densenet121(net) -> list:
    return [*children(net.features, "features."), ("relu, means", nn.Sequential(nn.ReLU(inplace=True), Means())), ("classifier Linear", net.classifier)]


def small(net) -> list:
    return [*children(net.features, "features."), ("means", Means()), ("classifier Linear", net.classifier)]


LAYERS_OF = {each.__name__: each for each in (small, alexnet, resnet50, mobilenet_v2, googlenet, squeezenet1_1, densenet121)}
SIDE = {"small": 32}


def model_of(name: str) -> nn.Module:
    """The model with weights from seed 0, for inference."""
    torch.manual_seed(0)
    return (Small if name == "small" else vision_models().MODELS[name][0])().eval()


def layers_of(name: str) -> list:
    """Its layers, as (name, module), with the same weights."""
    return LAYERS_OF[name](model_of(name))


@functools.lru_cache(maxsize=None)
def names_of(name: str) -> list:
    """The names of its layers, without weights."""
    with torch.device("meta"):
        return [layer for layer, _ in layers_of(name)]


def image_of(name: str) -> torch.Tensor:
    torch.manual_seed(1)
    side = SIDE.get(name, 224)
    return torch.randn(1, 3, side, side)


class Fold(nn.Module):
    """Modules one after the other."""

    def __init__(self, modules: list):
        super().__init__()
        self.modules_in_order = nn.ModuleList(modules)

    def forward(self, x):
        for each in self.modules_in_order:
            x = each(x)
        return x

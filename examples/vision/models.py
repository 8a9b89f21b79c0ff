# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The models of this folder in plain Python, parameter names as torchvision's and as in the C++ files beside it.

MODELS maps a name to how it is built and to the shape of one example without the batch: what export.py needs.
"""

from collections import OrderedDict

import torch
from torch import nn

CLASSES = 1000  # of ImageNet
EXPANSION = 4  # ResNet50: a block's output channels per channel of its 3x3 convolution
GROWTH, BOTTLENECK = 32, 4  # DenseNet121: channels that a layer adds; times as many between its convolutions


class AlexNet(nn.Module):
    """Krizhevsky, "One weird trick for parallelizing convolutional neural networks" (2014), which torchvision follows."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 11, stride=4, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2),
            nn.Conv2d(64, 192, 5, padding=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2),
            nn.Conv2d(192, 384, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(384, 256, 3, padding=1), nn.ReLU(inplace=True),
            nn.Conv2d(256, 256, 3, padding=1), nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2))
        self.avgpool = nn.AdaptiveAvgPool2d((6, 6))
        self.classifier = nn.Sequential(
            nn.Dropout(), nn.Linear(256 * 6 * 6, 4096), nn.ReLU(inplace=True),
            nn.Dropout(), nn.Linear(4096, 4096), nn.ReLU(inplace=True),
            nn.Linear(4096, CLASSES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.flatten(self.avgpool(self.features(x)), 1))


class Bottleneck(nn.Module):
    def __init__(self, inputs: int, width: int, stride: int):
        super().__init__()
        outputs = width * EXPANSION
        self.conv1 = nn.Conv2d(inputs, width, 1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.conv2 = nn.Conv2d(width, width, 3, stride, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(width)
        self.conv3 = nn.Conv2d(width, outputs, 1, bias=False)
        self.bn3 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU(inplace=True)
        self.downsample = None
        if stride != 1 or inputs != outputs:
            self.downsample = nn.Sequential(nn.Conv2d(inputs, outputs, 1, stride, bias=False), nn.BatchNorm2d(outputs))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        shortcut = x if self.downsample is None else self.downsample(x)
        y = self.relu(self.bn1(self.conv1(x)))
        y = self.relu(self.bn2(self.conv2(y)))
        y = self.bn3(self.conv3(y))
        y += shortcut
        return self.relu(y)


def stage(inputs: int, width: int, blocks: int, stride: int) -> nn.Sequential:
    later = (Bottleneck(width * EXPANSION, width, 1) for _ in range(blocks - 1))
    return nn.Sequential(Bottleneck(inputs, width, stride), *later)


class ResNet50(nn.Module):
    """He et al., "Deep Residual Learning for Image Recognition" (2015), table 1; a block's stride in its 3x3."""

    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False)
        self.bn1 = nn.BatchNorm2d(64)
        self.relu = nn.ReLU(inplace=True)
        self.maxpool = nn.MaxPool2d(3, stride=2, padding=1)
        self.layer1 = stage(64, 64, 3, 1)
        self.layer2 = stage(256, 128, 4, 2)
        self.layer3 = stage(512, 256, 6, 2)
        self.layer4 = stage(1024, 512, 3, 2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(512 * EXPANSION, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = self.maxpool(self.relu(self.bn1(self.conv1(x))))
        x = self.layer4(self.layer3(self.layer2(self.layer1(x))))
        return self.fc(torch.flatten(self.avgpool(x), 1))


def convolution_norm_relu6(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> nn.Sequential:
    return nn.Sequential(nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
                         nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True))


class InvertedResidual(nn.Module):
    def __init__(self, inputs: int, outputs: int, expansion: int, stride: int):
        super().__init__()
        wide = inputs * expansion
        layers = [convolution_norm_relu6(wide, wide, 3, stride, groups=wide),
                  nn.Conv2d(wide, outputs, 1, bias=False), nn.BatchNorm2d(outputs)]
        if expansion != 1:
            layers.insert(0, convolution_norm_relu6(inputs, wide, 1))
        self.conv = nn.Sequential(*layers)
        self.adds_input = stride == 1 and inputs == outputs

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return x + self.conv(x) if self.adds_input else self.conv(x)


class MobileNetV2(nn.Module):
    """Sandler et al., "MobileNetV2: Inverted Residuals and Linear Bottlenecks" (2018), table 2."""

    STAGES = ((1, 16, 1, 1), (6, 24, 2, 2), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1))

    def __init__(self):
        super().__init__()
        channels = 32
        blocks = [convolution_norm_relu6(3, channels, 3, stride=2)]
        for expansion, outputs, repeated, stride in self.STAGES:
            for block in range(repeated):
                blocks.append(InvertedResidual(channels, outputs, expansion, stride if block == 0 else 1))
                channels = outputs
        self.features = nn.Sequential(*blocks, convolution_norm_relu6(channels, 1280, 1))
        self.classifier = nn.Sequential(nn.Dropout(0.2), nn.Linear(1280, CLASSES))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(self.features(x).mean((2, 3)))


class BasicConv2d(nn.Module):
    def __init__(self, inputs: int, outputs: int, kernel: int, stride: int = 1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, bias=False)
        self.bn = nn.BatchNorm2d(outputs, eps=0.001)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.relu_(self.bn(self.conv(x)))


class Inception(nn.Module):
    """Widths are a row of table 1: output channels of the branches, and of the 1x1 convolutions before two of them."""

    def __init__(self, inputs: int, one: int, three_reduce: int, three: int, five_reduce: int, five: int, pool: int):
        super().__init__()
        self.branch1 = BasicConv2d(inputs, one, 1)
        self.branch2 = nn.Sequential(BasicConv2d(inputs, three_reduce, 1), BasicConv2d(three_reduce, three, 3))
        self.branch3 = nn.Sequential(BasicConv2d(inputs, five_reduce, 1), BasicConv2d(five_reduce, five, 3))
        self.branch4 = nn.Sequential(nn.MaxPool2d(3, stride=1, padding=1, ceil_mode=True), BasicConv2d(inputs, pool, 1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.cat([self.branch1(x), self.branch2(x), self.branch3(x), self.branch4(x)], 1)


class GoogLeNet(nn.Module):
    """Szegedy et al., "Going Deeper with Convolutions" (2014), table 1, with batch norms and without auxiliary heads; what is
    5x5 there is 3x3, as in torchvision."""

    def __init__(self):
        super().__init__()
        self.conv1 = BasicConv2d(3, 64, 7, stride=2)
        self.maxpool1 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.conv2 = BasicConv2d(64, 64, 1)
        self.conv3 = BasicConv2d(64, 192, 3)
        self.maxpool2 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception3a = Inception(192, 64, 96, 128, 16, 32, 32)
        self.inception3b = Inception(256, 128, 128, 192, 32, 96, 64)
        self.maxpool3 = nn.MaxPool2d(3, stride=2, ceil_mode=True)
        self.inception4a = Inception(480, 192, 96, 208, 16, 48, 64)
        self.inception4b = Inception(512, 160, 112, 224, 24, 64, 64)
        self.inception4c = Inception(512, 128, 128, 256, 24, 64, 64)
        self.inception4d = Inception(512, 112, 144, 288, 32, 64, 64)
        self.inception4e = Inception(528, 256, 160, 320, 32, 128, 128)
        self.maxpool4 = nn.MaxPool2d(2, stride=2, ceil_mode=True)
        self.inception5a = Inception(832, 256, 160, 320, 32, 128, 128)
        self.inception5b = Inception(832, 384, 192, 384, 48, 128, 128)
        self.fc = nn.Linear(1024, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for name, step in self.named_children():
            x = step(x) if name != "fc" else step(x.mean((2, 3)))
        return x


class Fire(nn.Module):
    def __init__(self, inputs: int, squeeze: int, expand: int):
        super().__init__()
        self.squeeze = nn.Conv2d(inputs, squeeze, 1)
        self.expand1x1 = nn.Conv2d(squeeze, expand, 1)
        self.expand3x3 = nn.Conv2d(squeeze, expand, 3, padding=1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = torch.relu_(self.squeeze(x))
        return torch.cat([torch.relu_(self.expand1x1(x)), torch.relu_(self.expand3x3(x))], 1)


class SqueezeNet11(nn.Module):
    """Iandola et al., "SqueezeNet" (2016), in the version 1.1 of its repository."""

    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 64, 3, stride=2), nn.ReLU(inplace=True), nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(64, 16, 64), Fire(128, 16, 64), nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(128, 32, 128), Fire(256, 32, 128), nn.MaxPool2d(3, stride=2, ceil_mode=True),
            Fire(256, 48, 192), Fire(384, 48, 192), Fire(384, 64, 256), Fire(512, 64, 256))
        self.classifier = nn.Sequential(nn.Dropout(), nn.Conv2d(512, CLASSES, 1), nn.ReLU(inplace=True), nn.AdaptiveAvgPool2d(1))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return torch.flatten(self.classifier(self.features(x)), 1)


class DenseLayer(nn.Module):
    def __init__(self, inputs: int):
        super().__init__()
        self.norm1 = nn.BatchNorm2d(inputs)
        self.conv1 = nn.Conv2d(inputs, BOTTLENECK * GROWTH, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(BOTTLENECK * GROWTH)
        self.conv2 = nn.Conv2d(BOTTLENECK * GROWTH, GROWTH, 3, padding=1, bias=False)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.conv2(torch.relu_(self.norm2(self.conv1(torch.relu_(self.norm1(x))))))


class DenseBlock(nn.Module):
    """Each layer sees what the block was given and what all layers before it made."""

    def __init__(self, inputs: int, layers: int):
        super().__init__()
        for layer in range(layers):
            self.add_module(f"denselayer{layer + 1}", DenseLayer(inputs + layer * GROWTH))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        for layer in self.children():
            x = torch.cat([x, layer(x)], 1)
        return x


def transition(inputs: int) -> nn.Sequential:
    layers = {"norm": nn.BatchNorm2d(inputs), "relu": nn.ReLU(inplace=True),
              "conv": nn.Conv2d(inputs, inputs // 2, 1, bias=False), "pool": nn.AvgPool2d(2, stride=2)}
    return nn.Sequential(OrderedDict(layers))


class DenseNet121(nn.Module):
    """Huang et al., "Densely Connected Convolutional Networks" (2016), table 1, growth rate 32."""

    def __init__(self):
        super().__init__()
        channels = 64
        self.features = nn.Sequential(OrderedDict(
            conv0=nn.Conv2d(3, channels, 7, stride=2, padding=3, bias=False), norm0=nn.BatchNorm2d(channels),
            relu0=nn.ReLU(inplace=True), pool0=nn.MaxPool2d(3, stride=2, padding=1)))
        for block, layers in enumerate((6, 12, 24, 16), start=1):
            if block > 1:
                self.features.add_module(f"transition{block - 1}", transition(channels))
                channels //= 2
            self.features.add_module(f"denseblock{block}", DenseBlock(channels, layers))
            channels += layers * GROWTH
        self.features.add_module("norm5", nn.BatchNorm2d(channels))
        self.classifier = nn.Linear(channels, CLASSES)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        return self.classifier(torch.relu_(self.features(x)).mean((2, 3)))


IMAGE = (3, 224, 224)
MODELS = {"alexnet": (AlexNet, IMAGE), "resnet50": (ResNet50, IMAGE), "mobilenet_v2": (MobileNetV2, IMAGE),
          "googlenet": (GoogLeNet, IMAGE), "squeezenet1_1": (SqueezeNet11, IMAGE), "densenet121": (DenseNet121, IMAGE)}

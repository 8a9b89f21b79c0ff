// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "resnet50.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>

#include <string>
#include <vector>

TEST_CASE("resnet50 has the published number of parameters", "[vision]") {
    std::int64_t parameters = 0;
    for (const auto& each : vision::resnet50()->parameters()) parameters += each.numel();
    CHECK(parameters == 25'557'032);  // torchvision's documentation of ResNet50_Weights
}

TEST_CASE("resnet50 names its tensors as torchvision", "[vision]") {
    const auto model = vision::resnet50();
    const auto parameters = model->named_parameters();
    const auto buffers = model->named_buffers();
    CHECK(parameters.size() == 161);
    CHECK(parameters.size() + buffers.size() == 320);

    struct row {
        std::string name;
        std::vector<std::int64_t> shape;
    };
    const auto r = GENERATE(values<row>({{"conv1.weight", {64, 3, 7, 7}},
                                         {"bn1.weight", {64}},
                                         {"layer1.0.conv1.weight", {64, 64, 1, 1}},
                                         {"layer1.0.downsample.0.weight", {256, 64, 1, 1}},
                                         {"layer1.0.downsample.1.bias", {256}},
                                         {"layer2.0.conv2.weight", {128, 128, 3, 3}},
                                         {"layer3.5.bn3.weight", {1024}},
                                         {"layer4.2.conv3.weight", {2048, 512, 1, 1}},
                                         {"fc.weight", {1000, 2048}},
                                         {"fc.bias", {1000}},
                                         {"bn1.running_mean", {64}},
                                         {"layer4.0.downsample.1.running_var", {2048}},
                                         {"layer1.2.bn2.num_batches_tracked", {}}}));
    const auto* tensor = parameters.find(r.name);
    if (tensor == nullptr) tensor = buffers.find(r.name);
    INFO(r.name);
    REQUIRE(tensor != nullptr);
    CHECK(tensor->sizes().vec() == r.shape);
}

TEST_CASE("resnet50 is decided by its seed and leaves the global generator alone", "[vision]") {
    const auto before = at::detail::getDefaultCPUGenerator().get_state();
    const auto first = vision::resnet50(1), again = vision::resnet50(1), other = vision::resnet50(2);
    CHECK(at::equal(before, at::detail::getDefaultCPUGenerator().get_state()));

    const auto& name = "layer3.2.bn2.running_var";  // batch norms are not identities, so that wrong folding shows
    CHECK(at::equal(first->named_buffers()[name], again->named_buffers()[name]));
    CHECK_FALSE(at::equal(first->named_buffers()[name], other->named_buffers()[name]));
    CHECK_FALSE(at::equal(first->named_buffers()[name], at::ones({256})));
}

TEST_CASE("resnet50 in eval mode gives finite logits of a useful size", "[vision]") {
    auto model = vision::resnet50();
    CHECK_FALSE(model->is_training());
    const auto logits = model->forward(at::ones({2, 3, 64, 64}));
    CHECK(logits.sizes() == at::IntArrayRef{2, 1000});
    CHECK(at::isfinite(logits).all().item<bool>());
    CHECK(logits.abs().max().item<double>() > 0.1);
}

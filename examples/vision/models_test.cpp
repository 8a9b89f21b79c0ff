// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "models.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/isfinite.h>
#include <ATen/ops/ones.h>
#include <c10/core/InferenceMode.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>

#include <stdexcept>
#include <string>
#include <vector>

TEST_CASE("models have the published numbers of parameters", "[vision]") {
    struct row {
        std::string name;
        std::int64_t parameters;  // torchvision's documentation of the weights; GoogLeNet's there count no auxiliary
                                  // heads either
        std::size_t tensors;      // of torchvision's state_dict()
    };
    const auto r = GENERATE(values<row>({{"alexnet", 61'100'840, 16},
                                         {"resnet50", 25'557'032, 320},
                                         {"mobilenet_v2", 3'504'872, 314},
                                         {"googlenet", 6'624'904, 344},
                                         {"squeezenet1_1", 1'235'496, 52},
                                         {"densenet121", 7'978'856, 727}}));
    INFO(r.name);
    const auto model = vision::make_model(r.name);
    std::int64_t parameters = 0;
    for (const auto& each : model->parameters()) parameters += each.numel();
    CHECK(parameters == r.parameters);
    CHECK(model->parameters().size() + model->buffers().size() == r.tensors);
}

TEST_CASE("models name their tensors as torchvision", "[vision]") {
    struct row {
        std::string model, name;
        std::vector<std::int64_t> shape;
    };
    const auto r = GENERATE(values<row>({{"alexnet", "features.10.weight", {256, 256, 3, 3}},
                                         {"alexnet", "classifier.6.bias", {1000}},
                                         {"resnet50", "conv1.weight", {64, 3, 7, 7}},
                                         {"resnet50", "layer1.0.downsample.0.weight", {256, 64, 1, 1}},
                                         {"resnet50", "layer2.0.conv2.weight", {128, 128, 3, 3}},
                                         {"resnet50", "layer4.0.downsample.1.running_var", {2048}},
                                         {"resnet50", "layer1.2.bn2.num_batches_tracked", {}},
                                         {"mobilenet_v2", "features.0.1.running_mean", {32}},
                                         {"mobilenet_v2", "features.1.conv.1.weight", {16, 32, 1, 1}},
                                         {"mobilenet_v2", "features.17.conv.1.0.weight", {960, 1, 3, 3}},
                                         {"googlenet", "inception4e.branch2.1.conv.weight", {320, 160, 3, 3}},
                                         {"googlenet", "inception3a.branch4.1.bn.bias", {32}},
                                         {"squeezenet1_1", "features.12.expand3x3.weight", {256, 64, 3, 3}},
                                         {"squeezenet1_1", "classifier.1.bias", {1000}},
                                         {"densenet121", "features.denseblock3.denselayer24.norm1.weight", {992}},
                                         {"densenet121", "features.transition3.conv.weight", {512, 1024, 1, 1}},
                                         {"densenet121", "classifier.weight", {1000, 1024}}}));
    INFO(r.model << ": " << r.name);
    const auto model = vision::make_model(r.model);
    const auto parameters = model->named_parameters();
    const auto buffers = model->named_buffers();
    const auto* tensor = parameters.find(r.name);
    if (tensor == nullptr) tensor = buffers.find(r.name);
    REQUIRE(tensor != nullptr);
    CHECK(tensor->sizes().vec() == r.shape);
}

TEST_CASE("models are decided by their seed and leave the global generator alone", "[vision]") {
    const auto before = at::detail::getDefaultCPUGenerator().get_state();
    const auto first = vision::make_model("resnet50", 1), again = vision::make_model("resnet50", 1),
               other = vision::make_model("resnet50", 2);
    CHECK(at::equal(before, at::detail::getDefaultCPUGenerator().get_state()));

    const auto& name = "layer3.2.bn2.running_var";  // batch norms are not identities, so wrong folding shows
    CHECK(at::equal(first->named_buffers()[name], again->named_buffers()[name]));
    CHECK_FALSE(at::equal(first->named_buffers()[name], other->named_buffers()[name]));
    CHECK_FALSE(at::equal(first->named_buffers()[name], at::ones({256})));
}

TEST_CASE("models in eval mode give finite logits of a useful size", "[vision]") {
    const c10::InferenceMode inference;
    for (const auto& each : vision::all_models()) {
        INFO(each.name);
        const auto model = each.make(0);
        CHECK_FALSE(model->is_training());
        const auto logits = model->forward(at::ones({2, 3, 64, 64}));
        CHECK(logits.sizes() == at::IntArrayRef{2, 1000});
        CHECK(at::isfinite(logits).all().item<bool>());
        CHECK(logits.abs().max().item<double>() > 0.1);
    }
}

TEST_CASE("make_model tells the names of all models where there is none of that name", "[vision]") {
    CHECK_THROWS_MATCHES(
        vision::make_model("resnet51"), std::invalid_argument,
        Catch::Matchers::Message(
            "there is no model \"resnet51\", there are alexnet, resnet50, mobilenet_v2, googlenet, squeezenet1_1, densenet121"));
}

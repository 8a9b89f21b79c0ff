// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// What the experiments on models share: which models, their layers, and how layers.py makes subjects of them. ctest
// judges a small model;
//
//     EXAMPLE_MODELS=alexnet,squeezenet1_1
//
// names others, which take minutes to compile where the compiler's cache has not seen them.
#pragma once

#include <perfspec/catch2.hpp>
#include <perfspec/explain.hpp>
#include <perfspec/python.hpp>

#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace models {

using names = std::vector<std::string>;

/// The models that are asked for.
[[nodiscard]] inline names asked() {
    const char* const text = std::getenv("EXAMPLE_MODELS");
    std::istringstream words(text == nullptr ? "small" : text);
    names found;
    for (std::string word; std::getline(words, word, ',');) found.push_back(word);
    return found;
}

/// "features.0 Conv2d", "features.1 ReLU", …
inline void add_numbered(names& to, const std::string& prefix, const names& classes) {
    for (std::size_t i = 0; i < classes.size(); ++i) to.push_back(prefix + std::to_string(i) + " " + classes[i]);
}

inline names alexnet() {
    names all;
    add_numbered(all, "features.",
                 {"Conv2d", "ReLU", "MaxPool2d", "Conv2d", "ReLU", "MaxPool2d", "Conv2d", "ReLU", "Conv2d", "ReLU",
                  "Conv2d", "ReLU", "MaxPool2d"});
    all.emplace_back("pool, flatten");
    add_numbered(all, "classifier.", {"Dropout", "Linear", "ReLU", "Dropout", "Linear", "ReLU", "Linear"});
    return all;
}

inline names squeezenet1_1() {
    names all;
    add_numbered(all, "features.",
                 {"Conv2d", "ReLU", "MaxPool2d", "Fire", "Fire", "MaxPool2d", "Fire", "Fire", "MaxPool2d", "Fire",
                  "Fire", "Fire", "Fire"});
    add_numbered(all, "classifier.", {"Dropout", "Conv2d", "ReLU", "AdaptiveAvgPool2d"});
    all.emplace_back("flatten");
    return all;
}

inline names mobilenet_v2() {
    names blocks(19, "InvertedResidual");
    blocks.front() = blocks.back() = "Sequential";
    names all;
    add_numbered(all, "features.", blocks);
    all.emplace_back("means");
    add_numbered(all, "classifier.", {"Dropout", "Linear"});
    return all;
}

inline names resnet50() {
    names all{"conv1 Conv2d", "bn1 BatchNorm2d", "relu ReLU", "maxpool MaxPool2d"};
    const std::vector<std::size_t> stages{3, 4, 6, 3};
    for (std::size_t i = 0; i < stages.size(); ++i)
        add_numbered(all, "layer" + std::to_string(i + 1) + ".", names(stages[i], "Bottleneck"));
    all.emplace_back("pool, flatten");
    all.emplace_back("fc Linear");
    return all;
}

inline names googlenet() {
    names all{"conv1 BasicConv2d", "maxpool1 MaxPool2d", "conv2 BasicConv2d", "conv3 BasicConv2d",
              "maxpool2 MaxPool2d"};
    for (const char* each :
         {"inception3a Inception", "inception3b Inception", "maxpool3 MaxPool2d", "inception4a Inception",
          "inception4b Inception", "inception4c Inception", "inception4d Inception", "inception4e Inception",
          "maxpool4 MaxPool2d", "inception5a Inception", "inception5b Inception"})
        all.emplace_back(each);
    all.emplace_back("means");
    all.emplace_back("fc Linear");
    return all;
}

inline names densenet121() {
    names all;
    for (const char* each :
         {"conv0 Conv2d", "norm0 BatchNorm2d", "relu0 ReLU", "pool0 MaxPool2d", "denseblock1 DenseBlock",
          "transition1 Sequential", "denseblock2 DenseBlock", "transition2 Sequential", "denseblock3 DenseBlock",
          "transition3 Sequential", "denseblock4 DenseBlock", "norm5 BatchNorm2d"})
        all.push_back("features." + std::string(each));
    all.emplace_back("relu, means");
    all.emplace_back("classifier Linear");
    return all;
}

inline names small() {
    names all;
    add_numbered(all, "features.", {"Conv2d", "BatchNorm2d", "ReLU", "Conv2d"});
    all.emplace_back("means");
    all.emplace_back("classifier Linear");
    return all;
}

/// The layers of a model in their order, as parts.py calls them. A name that is not there makes claims *error*.
[[nodiscard]] inline names layers_of(std::string_view model) {
    const std::vector<std::pair<std::string_view, names (*)()>> known{{"small", small},
                                                                      {"alexnet", alexnet},
                                                                      {"resnet50", resnet50},
                                                                      {"mobilenet_v2", mobilenet_v2},
                                                                      {"googlenet", googlenet},
                                                                      {"squeezenet1_1", squeezenet1_1},
                                                                      {"densenet121", densenet121}};
    for (const auto& [name, list] : known)
        if (name == model) return list();
    throw std::invalid_argument(
        "EXAMPLE_MODELS has \"" + std::string(model) +
        "\", whose layers are not listed: name small, alexnet, resnet50, mobilenet_v2, googlenet, squeezenet1_1 or densenet121");
}

/// Subjects of layers.py whose layers are in this variant, in a process of its own. On one thread, as the kernels: two
/// would also measure what else the machine does.
[[nodiscard]] inline perfspec::python_subjects in_variant(const std::string& variant) {
    return perfspec::python_subjects("layers.py", {.threads = 1, .environment = {{"MODELS_VARIANT", variant}}});
}

/// A model in layers, as `layers` and `best_mixture` take it: compiled as a whole, its first layers compiled as a
/// whole, and each layer compiled by itself; or all of them eager.
[[nodiscard]] inline perfspec::layered_subject layered(const std::string& model, const std::string& variant) {
    const perfspec::python_subjects py = in_variant(variant);
    const auto part = [&](const std::string& what) { return py(model + " " + what).axis("model", model); };
    std::vector<perfspec::subject> prefixes, steps;
    for (const std::string& layer : layers_of(model)) {
        prefixes.push_back(part("up to " + layer));
        steps.push_back(part(layer));
    }
    return {part(variant), std::move(prefixes), std::move(steps)};
}

}  // namespace models

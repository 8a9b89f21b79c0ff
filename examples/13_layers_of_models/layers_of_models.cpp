// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Two models that do not list their layers: AlexNet and SqueezeNet 1.1 of examples/vision. This program lists their
// chains of modules, and what is between them. It prints four ways of timing each layer, and the sums of three of them
// beside the model's own time.
#include <alexnet.hpp>
#include <squeezenet1_1.hpp>

#include <torch/nn/modules/container/sequential.h>

#include <perfspec/libtorch.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/ops/adaptive_avg_pool2d.h>
#include <ATen/ops/flatten.h>
#include <ATen/ops/randn.h>

#include <cstddef>
#include <string>

namespace {

using perfspec::layer_list;

const at::Tensor image = at::randn({1, 3, 224, 224});

/// "Conv2d" of a torch::nn::Conv2dImpl, "fire_module" of a class of your own.
std::string class_of(const torch::nn::Module& module) {
    std::string name = module.name();
    name.erase(0, name.rfind(':') + 1);
    return name.substr(0, name.rfind("Impl"));
}

/// The modules of one chain of a model, each a layer: "features.0 Conv2d".
void add_chain(layer_list& to, const vision::network_ptr& model, const std::string& chain) {
    const auto modules = std::dynamic_pointer_cast<torch::nn::SequentialImpl>(model->named_children()[chain]);
    layer_list in_order = perfspec::layered(chain, modules, image).list();
    for (std::size_t i = 0; i < in_order.size(); ++i) {
        in_order[i].name = chain + "." + in_order[i].name + " " + class_of(*modules->ptr(i));
        to.push_back(in_order[i]);
    }
}

/// Requires that the fold of the layers is the model: otherwise there is nothing to time.
void time_layers(const char* name, const vision::network_ptr& model, const layer_list& parts) {
    const std::string in_layers = std::string(name) + " in layers";
    auto net = perfspec::layered(in_layers, parts, image);
    PERF_REQUIRE(same_output(perfspec::eager(name, model, image), net));
    PERF_MEASURE(layers(net));
}

void time_alexnet() {
    const auto model = vision::alexnet();
    layer_list parts;
    add_chain(parts, model, "features");
    parts.push_back({"pool, flatten", [](const at::Tensor& x) {
                         return at::flatten(at::adaptive_avg_pool2d(x, {6, 6}), 1);
                     }});
    add_chain(parts, model, "classifier");
    time_layers("alexnet", model, parts);
}

void time_squeezenet() {
    const auto model = vision::squeezenet1_1();
    layer_list parts;
    add_chain(parts, model, "features");
    add_chain(parts, model, "classifier");
    parts.push_back({"flatten", [](const at::Tensor& x) { return at::flatten(x, 1); }});
    time_layers("squeezenet1_1", model, parts);
}

}  // namespace

int main(int argc, char** argv) {
    perfspec::init(argc, argv);
    time_alexnet();
    time_squeezenet();
    return perfspec::exit_code();
}

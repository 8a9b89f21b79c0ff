// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// write_weights MODEL SEED FILE [OUTPUTS]: writes the weights of a C++ model for export.py, so both sides compute the
// same. OUTPUTS is for the comparison with Python: two small images, and what the model computes from them. The files
// hold a tuple of (name, tensor) tuples. This is the one form that torch.load(..., weights_only=True) reads and that
// needs no Python on this side.
#include "models.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>
#include <c10/core/InferenceMode.h>
#include <torch/csrc/jit/serialization/pickle.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

struct named_tensor {
    std::string name;
    at::Tensor values;
};

std::vector<named_tensor> weights_of(const torch::nn::Module& model) {
    std::vector<named_tensor> all;
    for (const auto& each : model.named_parameters()) all.push_back({each.key(), each.value().detach()});
    for (const auto& each : model.named_buffers()) all.push_back({each.key(), each.value()});
    return all;
}

std::vector<named_tensor> outputs_of(vision::network& model) {
    const c10::InferenceMode inference;
    const auto images = at::randn({2, 3, 64, 64}, at::make_generator<at::CPUGeneratorImpl>(1));
    return {{"images", images}, {"logits", model.forward(images)}};
}

std::vector<char> pickled(const std::vector<named_tensor>& tensors) {
    std::vector<c10::IValue> entries;
    for (const auto& [name, values] : tensors) {
        entries.push_back(c10::ivalue::Tuple::create({c10::IValue{name}, c10::IValue{values}}));
    }
    return torch::jit::pickle_save(c10::ivalue::Tuple::create(std::move(entries)));
}

// Writes a temporary file and renames it. So a tool that is killed leaves no half file that a build would take for a
// finished one.
void write(const std::filesystem::path& file, const std::vector<char>& bytes) {
    auto beside = file;
    beside += ".tmp";
    std::ofstream out{beside, std::ios::binary};
    out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    out.close();
    if (!out) throw std::runtime_error{"cannot write " + beside.string()};
    std::filesystem::rename(beside, file);
}

}  // namespace

int main(int argc, char** argv) try {
    if (argc != 4 && argc != 5) {
        std::fputs("usage: write_weights MODEL SEED FILE [OUTPUTS]\n", stderr);
        return 2;
    }
    const auto model = vision::make_model(argv[1], std::stoull(argv[2]));
    write(argv[3], pickled(weights_of(*model)));
    if (argc == 5) write(argv[4], pickled(outputs_of(*model)));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "write_weights: %s\n", error.what());
    return 1;
}

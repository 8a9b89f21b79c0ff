// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// write_weights MODEL SEED FILE: the weights of a C++ model for export.py, so that both sides compute the same.
// The file holds a tuple of (name, tensor) tuples: the one form that torch.load(..., weights_only=True) reads and that
// needs no Python on this side.
#include "resnet50.hpp"

#include <torch/csrc/jit/serialization/pickle.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

template <class Items> void append(std::vector<c10::IValue>& entries, const Items& items) {
    for (const auto& item : items) {
        entries.push_back(c10::ivalue::Tuple::create({c10::IValue{item.key()}, c10::IValue{item.value().detach()}}));
    }
}

std::vector<char> pickled(const torch::nn::Module& model) {
    std::vector<c10::IValue> entries;
    append(entries, model.named_parameters());
    append(entries, model.named_buffers());
    return torch::jit::pickle_save(c10::ivalue::Tuple::create(std::move(entries)));
}

// Written beside and renamed: a tool that was killed leaves no half file that a build takes for finished.
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
    if (argc != 4 || std::string{argv[1]} != "resnet50") {
        std::fputs("usage: write_weights resnet50 SEED FILE\n", stderr);
        return 2;
    }
    write(argv[3], pickled(*vision::resnet50(std::stoull(argv[2]))));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "write_weights: %s\n", error.what());
    return 1;
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The shapes of the tensors that an operator gets, as text.

#include <ATen/record_function.h>
#include <c10/util/ArrayRef.h>
#include <torch/csrc/profiler/util.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <string>
#include <vector>

namespace perfspec::detail {

/// "[8,3,32,32]"
inline std::string shape_text(const std::vector<std::int64_t>& sizes) {
    std::string text;
    for (const std::int64_t size : sizes) text += (text.empty() ? "[" : ",") + std::to_string(size);
    return text + "]";
}

/// The shapes of all inputs in their order: "[8,3,32,32] [16,3,3,3]". From three on, those that are alike and follow
/// each other are one word,
/// "[64]x4". An input without dimensions is left out: it is no tensor, or one that LibTorch made of a number.
inline std::string shapes_text(c10::ArrayRef<std::vector<std::int64_t>> all) {
    constexpr std::size_t many = 3;
    std::vector<std::vector<std::int64_t>> shapes;
    for (const auto& shape : all)
        if (!shape.empty()) shapes.push_back(shape);
    std::string text;
    for (std::size_t i = 0; i < shapes.size();) {
        std::size_t alike = 1;
        while (i + alike < shapes.size() && shapes[i + alike] == shapes[i]) ++alike;
        if (alike < many) alike = 1;
        text += (text.empty() ? "" : " ") + shape_text(shapes[i]) + (alike == 1 ? "" : "x" + std::to_string(alike));
        i += alike;
    }
    return text;
}

/// The shapes of the inputs of a call that begins; "[?]" where a tensor has none, such as a nested one. LibTorch reads
/// the inputs, because RecordFunction::inputs() needs a LibTorch that was built with the same NDEBUG as this file.
inline std::string shapes_of_inputs(const at::RecordFunction& call) {
    constexpr bool also_of_lists = true;
    try {
        return shapes_text(torch::profiler::impl::inputSizes(call, also_of_lists));
    } catch (const std::exception&) { return "[?]"; }
}

}  // namespace perfspec::detail

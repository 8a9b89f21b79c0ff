// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch.hpp>

#include <string_view>
#include <utility>

namespace kernels {

/// Layers on one thread, which the key says. One is a kernel alone.
///
/// Subjects here differ on purpose in what they compute, so `speedup` compares no outputs.
[[nodiscard]] inline perfspec::subject on_one_thread(std::string_view name, perfspec::layer_list layers,
                                                     const at::Tensor& input) {
    return perfspec::configured(perfspec::layered(name, std::move(layers), input), {.threads = 1}).unverified();
}

}  // namespace kernels

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/gpu/cuda_driver.hpp>
#include <perfspec/measure/gpu/gpu_facts.hpp>

#include <map>
#include <optional>
#include <utility>

namespace perfspec {

/// The GPUs of this machine, as NVIDIA's driver tells of them. Its library is loaded when it is first needed. Nothing changes a setting.
class gpu_machine {
public:
    gpu_machine() = default;
    /// Tests script the functions.
    explicit gpu_machine(detail::cuda_driver driver) : driver_(std::move(driver)) {}

    /// The facts of a GPU by its number in CUDA, "cuda:1". Each is asked for once: a GPU does not change while a program uses it.
    [[nodiscard]] const gpu_identity& of_cuda(int ordinal);

private:
    std::optional<detail::cuda_driver> driver_;
    std::map<int, gpu_identity> known_;
};

}  // namespace perfspec

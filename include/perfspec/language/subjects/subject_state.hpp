// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// Where the kernels of a subject can be seen: nowhere; among its operators, of which those that lie within no other are its kernels; on a device.
enum class kernel_view : std::uint8_t { none, operators, device };

/// What a subject handle points at. `id` is unique in the process and never used again, so that samples can be kept by it
/// without keeping the body alive.
struct subject_state {
    std::uint64_t id{};
    std::uint32_t owners{1};
    bool constructed{};
    bool verify{true};
    std::string name;
    std::string invalid_reason;
    std::string (*inspect)(void* storage){};  ///< why the body must not be run, or nothing, found by reading what it will load; asked once
    double compile_ns{};                      ///< what an adapter knows that compiling it took, before this program ran; 0: nothing
    std::string hidden_operators{};           ///< not empty: why nobody sees the operators that it runs
    kernel_view kernels{kernel_view::none};
    std::string not_judged_reason;  ///< what this machine or build has not
    double items{};
    double bytes{};
    double flops{};
    std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of declaration
    std::vector<std::string> settings;  ///< names of axes that tell unlike subjects of one query apart, as an adapter sets them
    const body_functions* functions{};
    void* storage{};
    void* load_step{};
    void (*run_load)(void* step){};
    void (*destroy_load)(void* step) noexcept {};
    bool loaded{};  ///< in this process, or being so
};

/// Gives an adapter's subject what was declared of the one that it runs: work, axes, what it refuses and lacks, whether it is verified.
void declare_like(subject& made, const subject& inner);

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace perfspec {

/// An operator in one iteration: the time of its own in all of its calls, and how many these are.
struct profiled_operator {
    std::string name{};
    double self_ns{};  ///< on the device, if the subject runs on one
    double calls{};    ///< not whole where rounds differ

    friend bool operator==(const profiled_operator&, const profiled_operator&) = default;
};

/// The operators of a subject in one iteration, as they are stored with its launches. No verdict depends on them: a
/// claim that is violated later says which of them moved.
struct operator_profile {
    static constexpr std::size_t max_operators = 32;

    std::string settings{};                    ///< what the times depend on besides machine and subject: "2 threads"
    std::vector<profiled_operator> longest{};  ///< 1 to max_operators, the longest first
    double others_ns{};                        ///< the self times of all other operators

    friend bool operator==(const operator_profile&, const operator_profile&) = default;
};

namespace detail {

/// Why a profile cannot be stored; nothing where it can. The text names the field, what was found, and a legal value.
[[nodiscard]] std::optional<std::string> fault_of_profile(const operator_profile& profile);

}  // namespace detail
}  // namespace perfspec

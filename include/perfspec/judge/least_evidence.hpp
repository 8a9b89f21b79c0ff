// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The least evidence that can show that a claim is violated. A claim whose limits allow less can never fail, whatever is measured; it is *invalid*
// before anything is measured.

#include <perfspec/ask/question.hpp>
#include <perfspec/stats/sequential/sequential.hpp>

#include <cstddef>

namespace perfspec::detail {

/// A sequential test in this process, and the rounds that it takes to find a claim violated.
struct round_limits {
    sequential_settings settings;
    std::size_t min_size{};
};

/// The settings of a claim that is judged by rounds of samples in this process. At most `usual` rounds, or those that the option `rounds` allows;
/// more where the rate asks for them. `what`: "rounds", "blocks".
/// Throws input_error where the option allows fewer than can show a violation.
[[nodiscard]] round_limits limits_of_rounds(const question& asked, std::size_t usual, const char* what);

/// Throws input_error where the option `rounds` allows fewer rounds than it takes to find the claim violated.
void require_rounds(const question& asked, std::size_t minimum, const char* what);

/// The settings of a claim that is judged by values of fresh processes.
[[nodiscard]] round_limits limits_of_launches(const question& asked);

/// Whether one launch more may be started. So many as it takes to find the claim violated may be, once the first two show that they fit into the
/// cap; more while they fit. Throws measurement_failure (too_slow) where they do not fit, with the cap that would do.
///
/// taken  how many there are
[[nodiscard]] bool allows_another_launch(const question& asked, finding& found, std::size_t taken, std::size_t minimum);

}  // namespace perfspec::detail

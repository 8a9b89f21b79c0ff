// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The least evidence that can show that a claim is violated. A claim with limits below it can never fail, so it is
// *invalid* before any measurement.

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cstddef>

namespace perfspec::detail {

/// The settings of a sequential test, and the number of rounds that it needs for the verdict violated.
struct round_limits {
    sequential_settings settings;
    std::size_t min_size{};
};

/// The settings of a claim over rounds of samples in this process. It takes at most `usual` rounds, or as many as the
/// option `rounds` allows; more where the false-failure rate needs them. `what` is "rounds" or "blocks". Throws
/// input_error where the option allows too few rounds for the verdict violated.
[[nodiscard]] round_limits limits_of_rounds(const claim_context& context, std::size_t usual, const char* what);

/// Throws input_error where the option `rounds` allows too few rounds for the verdict violated.
void require_rounds(const claim_context& context, std::size_t minimum, const char* what);

/// The settings of a claim over values of fresh processes.
[[nodiscard]] round_limits limits_of_launches(const claim_context& context);

/// Whether one more launch may start. The launches for the verdict violated may always start, after the first two have
/// shown that they fit into the cap. Further launches may start while they fit. Throws measurement_failure (too_slow)
/// where they do not fit; the text names a sufficient cap.
///
/// taken  the number of launches so far
[[nodiscard]] bool allows_another_launch(const claim_context& context, claim_result& result, std::size_t taken,
                                         std::size_t minimum);

}  // namespace perfspec::detail

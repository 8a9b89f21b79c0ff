// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

#include <exception>

namespace perfspec::detail {

/// The result, and the exception of a body if that is why the claim is invalid.
struct judged_claim {
    claim_result result;
    std::exception_ptr thrown{};
};

/// Answers a claim: judges its claim, or does what the plan asks for instead. Mistakes of the user and of bodies are
/// not thrown: they become results.
[[nodiscard]] judged_claim judge_claim(const claim_context& context);

}  // namespace perfspec::detail

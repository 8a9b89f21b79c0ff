// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/question.hpp>
#include <perfspec/report/finding.hpp>

#include <exception>

namespace perfspec::detail {

/// The finding, and the exception of a body if that is why the claim is invalid.
struct answer_to_question {
    finding found;
    std::exception_ptr thrown{};
};

/// Answers a claim: judges its claim, or does what the plan asks for instead. Mistakes of the user and of bodies are
/// not thrown: they become findings.
[[nodiscard]] answer_to_question answer(const claim_context& context);

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/report/finding.hpp>

#include <exception>

namespace perfspec::detail {

/// What is found, and what a body threw where that is why the claim is invalid.
struct answer_to_question {
    finding found;
    std::exception_ptr thrown{};
};

/// Answers a question: judges its claim, or does what is asked for instead. Throws nothing for what the user or a body did wrong: that is a finding.
[[nodiscard]] answer_to_question answer(const question& asked);

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/assertion.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/report/record.hpp>

#include <exception>
#include <span>
#include <stdexcept>
#include <string_view>

namespace perfspec {

/// One assertion to evaluate.
struct assertion_request {
    const detail::expression_node& tree;
    const site& where;
    std::string_view claim;  ///< as written, without options; empty outside macros
    std::span<const option> options;
};

/// What came of it.
struct assertion_outcome {
    record result;
    std::exception_ptr thrown;  ///< by a body, where that is why the record is invalid
    bool passed_over{};         ///< in a child that was started for another assertion: nothing was done, and it fails where the parent left
    bool left_out{};            ///< by the option `only`: nothing was done, and there is nothing to report
};

class host;
class session;

namespace detail {

/// A subject's body asserts, so that nothing of it can be timed.
struct assertion_within_assertion : std::logic_error {
    using std::logic_error::logic_error;
};

}  // namespace detail

/// Evaluates one assertion: claim, plan, rounds, evidence, verdict, record. In a child that was started for this very assertion it
/// does not return. What the user did wrong becomes an *invalid* record; nothing is thrown for it, but
/// detail::assertion_within_assertion where the body of another assertion's subject asserts.
[[nodiscard]] assertion_outcome evaluate_assertion(session& context, host& framework, const assertion_request& request);

}  // namespace perfspec

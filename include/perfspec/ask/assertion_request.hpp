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
    std::string_view claim;  ///< as written, with its options; empty outside macros
    std::span<const option> options;
};

/// The result of one assertion.
struct assertion_outcome {
    record result;
    std::exception_ptr thrown;  ///< what a body threw, if that made the record invalid
    bool passed_over{};  ///< a child for another assertion skipped this one; it fails where the parent left the test
                         ///< case
    bool left_out{};     ///< the option `only` left it out: nothing was done, and there is nothing to report
};

class host;
class session;

namespace detail {

/// Thrown when a subject's body asserts: such a body cannot be timed.
struct assertion_within_assertion : std::logic_error {
    using std::logic_error::logic_error;
};

}  // namespace detail

/// Evaluates one assertion: claim, plan, rounds, evidence, verdict, record. In a child process that was started for
/// this assertion, it does not return. A user's mistake becomes an *invalid* record and is not thrown. Throws
/// detail::assertion_within_assertion if the body of another assertion's subject asserts.
[[nodiscard]] assertion_outcome evaluate_assertion(session& context, host& framework, const assertion_request& request);

}  // namespace perfspec

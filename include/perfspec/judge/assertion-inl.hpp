// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

namespace perfspec {
namespace detail {

inline void evaluate_and_report(const site& where, const expression& tree, const option* options, std::size_t count) {
    host& framework = current_host();
    const std::string_view claim = where.arguments;
    const assertion_outcome outcome =
        evaluate_assertion(this_session(), framework, {tree.node(), where, claim, {options, count}});
    outcome.left_out ? framework.leave_out(where, claim)
                     : framework.report(where, claim, evaluation(outcome.result), outcome.thrown);
}

}  // namespace detail

void assertion::judge_claim(const claim& c, const option* options, std::size_t count) {
    detail::evaluate_and_report(*site_, c, options, count);
}

void assertion::measure_query(const detail::expression& q, const option* options, std::size_t count) {
    detail::evaluate_and_report(*site_, q, options, count);
}

void assertion::threw() {
    try {
        throw;
    } catch (const detail::assertion_within_assertion&) {
        throw;  // ends what is being measured
    } catch (...) { detail::current_host().unexpected_exception(*site_); }
}

}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/evaluate.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::testing {

/// The whole record of a claim or a query; `evaluate` returns only the part for users.
template <class... Options>
[[nodiscard]] record evaluate_record(const detail::located_expression& claim_or_query, const Options&... options) {
    return detail::record_of(evaluate(claim_or_query, options...));
}

}  // namespace perfspec::testing

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/claim_result.hpp>

#include <string>
#include <string_view>

namespace perfspec::inline v0_1 {

namespace detail {

/// Makes the record of an assertion from its claim and its result.
[[nodiscard]] record record_of(const claim_context& context, const claim_result& result);

}  // namespace detail
}  // namespace perfspec::inline v0_1

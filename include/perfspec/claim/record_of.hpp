// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/report/claim_result.hpp>

namespace perfspec::inline v0_2::detail {

/// Makes the record of an assertion from its claim and its result.
[[nodiscard]] record record_of(const claim_context& context, const claim_result& result);

}  // namespace perfspec::inline v0_2::detail

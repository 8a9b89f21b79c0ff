// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/session.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// Claims that only the other build came by, where this run was against one: lines for the end of the run, empty where there are none.
///
/// Starts the other build once more, with the same selection of tests; it measures nothing.
/// arguments  what this run was given to select tests, as the other build takes it, and whatever keeps that quiet
[[nodiscard]] std::string vanished_claims(session& context, const std::vector<std::string>& arguments);

}  // namespace perfspec::detail

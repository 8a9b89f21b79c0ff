// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/session.hpp>

#include <string>
#include <vector>

namespace perfspec::detail {

/// Lines for the end of a run against another build: the claims that only the other build reached; empty where there
/// are none.
///
/// Starts the other build once more, with the same selection of tests. It measures nothing.
///
/// arguments  the arguments that select tests in this run, as the other build takes them, with any that keep it quiet
[[nodiscard]] std::string missing_claims(session& run, const std::vector<std::string>& arguments);

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "findings.hpp"
#include "history.hpp"

#include <span>
#include <string>

namespace perfspec::tool {

/// A history as a page for a browser: all keys, those with findings first, and the course of each key over the runs.
[[nodiscard]] std::string history_page(const history& all, std::span<const key_findings> found);

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "findings.hpp"
#include "history.hpp"

#include <span>

namespace perfspec::tool {

/// A history for a console: a table for each kind of finding, and counts. Keys without a finding are only counted.
/// The code is `violated` where a key violates in its last two runs, else `holds`.
[[nodiscard]] outcome history_console(const history& all, std::span<const key_findings> found);

/// "52 runs from 2025-11-24 to 2026-11-20, 14 keys on 2 machines".
[[nodiscard]] std::string extent_text(const history& all);

}  // namespace perfspec::tool

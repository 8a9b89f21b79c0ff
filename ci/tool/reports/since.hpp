// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/two_runs.hpp"

#include <span>
#include <string>

namespace perfspec::tool {

/// The claims whose verdict differs from that of an earlier run, as a table; or a line that says that none does.
[[nodiscard]] std::string since_console(std::span<const record> now, const earlier_run& before);

/// The same in GitHub's Markdown.
[[nodiscard]] std::string since_markdown(std::span<const record> now, const earlier_run& before);

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../program.hpp"

#include <string>
#include <vector>

namespace perfspec::tool {

/// The baseline files below a folder, as a revision of the repository has them, sorted by path. They are the files that
/// `tool_surroundings::baseline_files_below` would give for a folder on disk. None where the revision lacks the folder.
///
/// revision  a branch, tag or commit: whatever `git rev-parse` accepts
/// folder    absolute, or from the working directory; it need not exist
///
/// The repository is the one around the working directory. The paths are for messages: "main:baselines/<hardware>/<suite>.json".
/// Throws input_error where there is no Git, no repository or no such revision, or where the folder is outside of the repository.
[[nodiscard]] std::vector<input_text> baselines_of_revision(const tool_surroundings& around, const std::string& revision,
                                                            const std::string& folder);

}  // namespace perfspec::tool

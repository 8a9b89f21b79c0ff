// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "program.hpp"

#include <string>
#include <vector>

namespace perfspec::tool {

/// The baseline files that a revision of the repository around the working directory has below a folder, sorted by their paths; those that a
/// folder of files would give (`tool_surroundings::baseline_files_below`). None where the revision lacks the folder.
///
/// revision: a branch, tag or commit, whatever `git rev-parse` takes. folder: absolute, or from the working directory; it need not exist.
/// Their paths are for messages: "main:baselines/<hardware>/<suite>.json".
/// Throws input_error where there is no Git, no repository, no such revision, or the folder lies outside of the repository.
[[nodiscard]] std::vector<input_text> baselines_of_revision(const tool_surroundings& around, const std::string& revision,
                                                            const std::string& folder);

}  // namespace perfspec::tool

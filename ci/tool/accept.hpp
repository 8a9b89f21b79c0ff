// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <string>

namespace perfspec::tool {

struct accept_request {
    std::string baseline_dir{};
    std::string filter{};  ///< only keys that contain this pattern
    noisy_launches noisy = noisy_launches::refuse;
    writing writes = writing::done;
};

/// Merges the launches that results carry into baseline files, by the rule of `--perf-update-baselines=moved`: nothing is measured.
///
/// Of several results of one key on one hardware the one with the newest launches counts; the smallest headroom of them decides whether an entry
/// moved. Other entries stay as they are, byte for byte. Nothing is written before every line and every file in question has been read.
/// The code is `unusable` where something that failed could not be accepted.
/// Throws input_error for a baseline file that is broken, failed_midway (`baseline_files.hpp`) for one that cannot be written.
[[nodiscard]] outcome accept(const results& found, const accept_request& request, file_system& files);

}  // namespace perfspec::tool

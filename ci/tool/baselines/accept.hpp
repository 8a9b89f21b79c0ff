// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/results.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <string>

namespace perfspec::tool {

struct accept_request {
    std::string baseline_dir{};
    std::string filter{};                           ///< only keys that contain this pattern
    baseline_update mode = baseline_update::moved;  ///< or append: as a further recording session
    noisy_launches noisy = noisy_launches::refuse;
    writing writes = writing::done;
};

/// Merges the launches in results into baseline files. It uses the rule of `--perf-update-baselines=moved` or
/// `append`, and measures nothing.
///
/// Where a key has several results on the same hardware, the one with the newest launches counts. The smallest headroom
/// of them decides whether an entry moved. Other entries stay as they are, byte for byte. Nothing is written before
/// every line and every affected file has been read.
///
/// The code is `unusable` where launches are refused, a failed or undecided claim cannot be accepted, or a
/// result was cut short. Throws input_error for a baseline file that is broken, failed_midway for one that
/// cannot be written.
[[nodiscard]] outcome accept(const results& found, const accept_request& request, file_system& files);

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "results.hpp"

#include <perfspec/baseline/baseline_store.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfspec::tool {

struct accept_request {
    std::string baseline_dir{};
    std::string filter{};                           ///< only keys that contain this pattern
    baseline_update mode = baseline_update::moved;  ///< or append: as a further recording session
    noisy_launches noisy = noisy_launches::refuse;
    writing writes = writing::done;
};

/// Merges the launches that results carry into baseline files, by the rule of `--perf-update-baselines=moved`, or `append`: nothing is measured.
///
/// Of several results of one key on one hardware the one with the newest launches counts; the smallest headroom of them decides whether an entry
/// moved. Other entries stay as they are, byte for byte. Nothing is written before every line and every file in question has been read.
/// Golden outputs that results carry are stored by the rules of `golden_acceptance` (accept_golden.hpp), in the same go.
/// The code is `unusable` where something that failed could not be accepted.
/// Throws input_error for a baseline file that is broken, failed_midway (`baseline_files.hpp`) for one that cannot be written.
[[nodiscard]] outcome accept(const results& found, const accept_request& request, file_system& files);

/// Why nothing may be stored under the key of a result; nothing where it may.
[[nodiscard]] std::optional<std::string> fault_of_accepted(std::string_view key);

/// What a reviewer should know of what is stored, a line each: a working tree with changes, a machine that cannot be told apart.
[[nodiscard]] std::string warnings_about(const record& r);

}  // namespace perfspec::tool

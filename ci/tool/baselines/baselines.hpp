// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Files of baselines, and the commands of `perfspec baselines` on them.

#include "../program.hpp"
#include "../results/results.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/quantity/text.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// A file of baselines, and its path.
struct located_file {
    std::string path{};
    baseline_file file{};
};

/// The title of a file: "vision_test on amd-epyc-7763-4c, variant gcc-13".
[[nodiscard]] std::string title_of(const baseline_file& file);

/// "3.214 ms": the median process.
[[nodiscard]] std::string median_text(const baseline_entry& entry);

/// The smallest change beyond the bound that the processes detect, such as "+4 %". "-" if they detect none: counts of
/// 0, too few processes, or processes that spread too much.
[[nodiscard]] std::string detectable_text(const baseline_entry& entry);

/// When the newest process was measured. Precondition: there is one.
[[nodiscard]] const std::string& newest_of(std::span<const stored_process> processes);

/// Thrown if a command stops after it has written some files. `report` is about those files.
struct failed_midway : input_error {
    failed_midway(const std::string& why, std::string so_far) : input_error(why), report(std::move(so_far)) {}

    std::string report;
};

}  // namespace perfspec::tool

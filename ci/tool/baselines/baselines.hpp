// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The commands of `perfspec baselines`, one file each.

#include "../results/results.hpp"
#include "baseline_files.hpp"

#include <perfspec/baseline/file_system.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// Lists every entry: median, launches, recording sessions, age, and the change that it detects. Then golden
/// outputs: their number, maker and age.
///
/// today  "2026-11-20", or a longer RFC 3339 time
[[nodiscard]] outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today);

/// Shows the launches or golden outputs of the entry with this key; where there is none, those of all entries with keys that contain it.
/// Throws input_error where there is none of these.
[[nodiscard]] outcome show_baselines(const stored_files& files, std::string_view key);

/// Whether a difference changes the exit code.
enum class exit_codes : std::uint8_t { none, told };

/// Shows the entries that came, went and moved. With exit_codes::told, the code is `violated` where a difference matters to claims.
/// Such differences are an entry that came or went, a median that moved by 1 % or more, and a detectable change
/// that differs by a tenth or more.
/// One of the first three recording sessions and different golden outputs matter too.
[[nodiscard]] outcome diff_baselines(const stored_files& before, const stored_files& after, exit_codes codes);

/// Checks that every text is a file of baselines or golden outputs, at the path of its address below the folder, and as perfspec writes it.
/// The code is `unusable` where one is not.
[[nodiscard]] outcome verify_baselines(std::span<const input_text> texts, const std::string& folder);

/// Checks the folder's perfspec.json, where there is one, and adds the result to `done`.
void verify_project_file(outcome& done, const file_system& disk, const std::string& folder, std::string_view now);

/// Removes the entries that no result of the same hardware, variant and suite names. Files of suites without results stay.
/// The keys of a test case with a failed claim stay too: the test case may have ended there.
/// Throws input_error as the store does, and for writing by the results of a run that was cut short or had the option `only`.
[[nodiscard]] outcome prune_baselines(const stored_files& files, const results& found, const std::string& folder, writing writes,
                                      file_system& disk);

/// A key that both sides changed since the base, in different ways.
struct two_sided_change {
    std::string key{};
    std::string_view how{};  ///< "removed here, recorded there"
};

/// The result of merging three versions of a file.
template <class File> struct merged {
    File file{};
    std::vector<two_sided_change> on_both_sides{};  ///< `file` has our version of these
};

/// Takes each entry from the side that changed it since the base. Git's merge driver compares whole texts, but here entries that both sides
/// add at one place are no conflict, and recording sessions that both add to one entry are none either.
///
/// Golden outputs that both sides kept with the same bits are no conflict: ours stay.
///
/// Throws input_error where the two sides are of different suites, variants or hardware.
template <class File>
[[nodiscard]] merged<File> merge_baselines(const located<File>& base, const located<File>& ours, const located<File>& theirs);

/// The driver's output: nothing, or the keys that a person must resolve, with the code `unusable`.
template <class File> [[nodiscard]] outcome describe_merge(const merged<File>& merged);

/// The tightest bound that each entry's own launches support (`tightest.hpp`), as code; none for launches of one recording session.
[[nodiscard]] outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern, double false_failure);

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The commands of `perfspec baselines`, one file each.

#include "baseline_files.hpp"
#include "results.hpp"

#include <perfspec/baseline/file_system.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// Every entry: median, launches, recording sessions, age, what it detects; then golden outputs: how many, by what, age. today: "2026-11-20", or any later part of RFC 3339.
[[nodiscard]] outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today);

/// The launches, or golden outputs, of the entries with this key; of those that contain it, where no key is exactly that.
/// Throws input_error where there is none.
[[nodiscard]] outcome show_baselines(const stored_files& files, std::string_view key);

/// Whether a difference is in the exit code, too.
enum class exit_codes : std::uint8_t { none, told };

/// What entries came, went and moved. Where exit codes tell, `violated` stands for a difference that matters to claims: an entry that came or went, a median that
/// moved by 1 % or more, launches that detect another change by a tenth of it or more, one of the first three recording sessions, other golden outputs.
[[nodiscard]] outcome diff_baselines(const stored_files& before, const stored_files& after, exit_codes codes);

/// Whether every text is a file of baselines or golden outputs, of the address where it lies below the folder, and written as perfspec writes it. The code is
/// `unusable` where one is not.
[[nodiscard]] outcome verify_baselines(std::span<const input_text> texts, const std::string& folder);

/// Adds to what was verified whether the folder's perfspec.json, where there is one, is a project file.
void verify_project_file(outcome& done, const file_system& disk, const std::string& folder);

/// Removes the entries that no result of the same hardware, variant and suite names; files of suites that the results do not name stay, and so
/// do the keys of a test case with a claim that failed: it may have ended there.
/// Throws input_error as the store does, and where something is to be written by results of a run that was cut short, or had the option `only`.
[[nodiscard]] outcome prune_baselines(const stored_files& files, const results& found, const std::string& folder, writing writes,
                                      file_system& disk);

/// A key that both sides changed since the base, each another way.
struct two_sided_change {
    std::string key{};
    std::string_view how{};  ///< "removed here, recorded there"
};

/// Three versions of a file as one.
template <class File> struct merged {
    File file{};
    std::vector<two_sided_change> on_both_sides{};  ///< `file` has ours
};

/// Each entry from the side that changed it since the base, as Git's merge driver does with whole texts: entries that both sides add at one
/// place are no conflict, and neither are recording sessions that both add to one entry. Throws input_error where the two sides are of different suites or hardware.
///
/// Golden outputs that both sides kept with the same bits are no change of both sides: ours stay.
template <class File>
[[nodiscard]] merged<File> merge_baselines(const located<File>& base, const located<File>& ours, const located<File>& theirs);

/// What the driver says: nothing, or which keys need a person, with the code `unusable`.
template <class File> [[nodiscard]] outcome describe_merge(const merged<File>& merged);

/// The tightest bound that each entry's own launches support (`tightest.hpp`), as code; none for launches of one recording session.
[[nodiscard]] outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern, double false_failure);

}  // namespace perfspec::tool

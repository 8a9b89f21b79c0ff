// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Files of baselines and golden outputs, and the commands of `perfspec baselines` on them.

#include "../program.hpp"
#include "../results/results.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec::tool {

/// A file of baselines or of golden outputs, and its path.
template <class File> struct located {
    std::string path{};
    File file{};
};
using located_file = located<baseline_file>;
using located_golden = located<golden_file>;

/// All files in a folder of baselines.
struct stored_files {
    std::vector<located_file> baselines{};
    std::vector<located_golden> golden{};
};

/// Parses a text of either kind. Throws input_error as parse_baseline_file and parse_golden_file do.
template <class File> [[nodiscard]] File parse_as(const input_text& text) {
    if constexpr (std::is_same_v<File, golden_file>) return parse_golden_file(text.text, text.path);
    else return parse_baseline_file(text.text, text.path);
}
[[nodiscard]] inline std::string render(const baseline_file& file) { return render_baseline_file(file); }
[[nodiscard]] inline std::string render(const golden_file& file) { return render_golden_file(file); }

/// Throws input_error, as parse_as does, for the first text that is broken.
[[nodiscard]] stored_files parse_all(std::span<const input_text> texts);

/// An entry with its file.
template <class File> struct addressed {
    const located<File>* in;
    const typename File::entry_type* entry;

    [[nodiscard]] entry_address address() const noexcept {
        return {in->file.hardware, in->file.variant, in->file.suite, entry->key};
    }
};
using addressed_entry = addressed<baseline_file>;

/// The entries with keys that match the pattern, in the order of files and keys. The files must outlive them.
template <class File>
[[nodiscard]] std::vector<addressed<File>> entries_in(std::span<const located<File>> files, std::string_view pattern) {
    std::vector<addressed<File>> found;
    for (const located<File>& in : files)
        for (const auto& entry : in.file.entries)
            if (contains_pattern(entry.key, pattern)) found.push_back({&in, &entry});
    return found;
}
template <class File> [[nodiscard]] auto entries_in(const std::vector<located<File>>& files, std::string_view pattern) {
    return entries_in(std::span<const located<File>>(files), pattern);
}

/// The title of a file: "vision_test on amd-epyc-7763-4c, variant gcc-13".
[[nodiscard]] std::string title_of(const entry_address& address);
template <class File> [[nodiscard]] std::string title_of(const File& file) {
    return title_of(entry_address{file.hardware, file.variant, file.suite, {}});
}

/// "2 outputs by LibTorch 2.13.0, 2 threads".
[[nodiscard]] std::string outputs_text(const golden_outputs& entry);

/// "3.214 ms": the median launch.
[[nodiscard]] std::string median_text(const baseline_entry& entry);

/// The smallest change beyond the bound that the launches detect, in the worse direction, as a fraction.
/// Infinite where they cannot show it: counts of 0, too few launches, or launches that spread too much.
[[nodiscard]] double detectable_by(const baseline_entry& entry);

/// detectable_by as text, such as "+4 %"; "-" where it is infinite.
[[nodiscard]] std::string detectable_text(const baseline_entry& entry);

/// ", detects +4 % or more"; empty where detectable_by is infinite.
[[nodiscard]] std::string resolution_text(const baseline_entry& entry);

/// When the newest launch was measured. Precondition: there is one.
[[nodiscard]] const std::string& newest_of(std::span<const stored_launch> launches);

/// How many recording sessions the launches come from; launches without a mark count as one session.
[[nodiscard]] std::size_t recordings_of(const baseline_entry& entry);

/// Thrown where a command stops after it has written some files. `told` is the report on those files.
struct failed_midway : input_error {
    failed_midway(const std::string& why, std::string so_far) : input_error(why), told(std::move(so_far)) {}

    std::string told;
};

/// Runs a change of baseline files. Turns its input_error into failed_midway, and adds the tool's own options as a
/// remedy.
template <class Change> auto with_account(const std::string& so_far, const Change& change) {
    try {
        return change();
    } catch (const unwritable_baselines& error) {
        throw failed_midway(
            std::string(error.what()) + ":  --baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines", so_far);
    } catch (const input_error& error) { throw failed_midway(error.what(), so_far); }
}

/// Lists every entry: median, launches, recording sessions, age, and the change that it detects. Then golden
/// outputs: their number, maker and age.
///
/// today  "2026-11-20", or a longer RFC 3339 time
[[nodiscard]] outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today);

/// Checks that every text is a file of baselines or golden outputs, at the path of its address below the folder, and as
/// perfspec writes it. The code is `unusable` where one is not.
[[nodiscard]] outcome verify_baselines(std::span<const input_text> texts, const std::string& folder);

/// Checks the folder's perfspec.json, where there is one, and adds the result to `done`.
void verify_project_file(outcome& done, const file_system& disk, const std::string& folder, std::string_view now);

/// The tightest bound that each entry's own launches support, as code; none for launches of one
/// recording session.
[[nodiscard]] outcome suggest_bounds(std::span<const located_file> files, std::string_view pattern,
                                     double false_failure);

/// The chances of a claim on `baseline()` while nothing changes, as fractions of replayed runs.
struct claim_chances {
    double violated = 0;
    double holds = 0;
};

/// How many runs are replayed for each bound and recording session.
inline constexpr std::size_t replayed_runs = 2000;

/// The stored launches that a claim is compared with, and the allowance for their drift.
struct stored_side {
    std::span<const double> launches;  ///< ten to forty values
    double allowance = 0;              ///< as a fraction
    direction claimed = direction::less;
};

/// The chances of `x < factor * baseline()` (direction::more: `>`), decided by the rank test. For each run, twenty
/// fresh launches are drawn from `fresh`, each independently. The draws are the same in every call.
///
/// Precondition: `fresh` is not empty. Throws as stored_rank_test does.
[[nodiscard]] claim_chances chances_of(const stored_side& stored, std::span<const double> fresh, double factor);

/// A bound that launches like the stored ones support.
struct tight_bound {
    double factor = 1;
    claim_chances chances{};  ///< the worst chance of all recording sessions, for each verdict
};

/// How often a claim at the suggested bound must hold while nothing changes. At a lower rate it would often be
/// undecided.
inline constexpr double suggested_to_hold = 0.95;

/// The factor closest to 1, in steps of 0.01, for which unchanged code is violated at most at the given rate. The claim
/// must also hold at least as often as `suggested_to_hold`. Both must be true for each recording session: the launches
/// of a run drift together, and the next run may be like any of them. Nothing where no factor up to 2 (down to 0.5)
/// does, because the launches spread too much.
///
/// sessions  the stored launches, by recording session. Preconditions: at least two sessions, and none is empty.
///           One session alone shows nothing about the next one.
[[nodiscard]] std::optional<tight_bound> tightest_bound(const stored_side& stored,
                                                        std::span<const std::vector<double>> sessions,
                                                        double false_failure);

}  // namespace perfspec::tool

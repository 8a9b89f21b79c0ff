// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../tool.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>
#include <perfspec/quantity/error.hpp>

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

    [[nodiscard]] entry_address address() const noexcept { return {in->file.hardware, in->file.variant, in->file.suite, entry->key}; }
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

/// Runs a change of baseline files. Turns its input_error into failed_midway, and adds the tool's own options as a remedy.
template <class Change> auto with_account(const std::string& so_far, const Change& change) {
    try {
        return change();
    } catch (const unwritable_baselines& error) {
        throw failed_midway(std::string(error.what()) + ":  --baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines", so_far);
    } catch (const input_error& error) { throw failed_midway(error.what(), so_far); }
}

/// Rows of cells; the first row is the head.
using table_rows = std::vector<std::vector<std::string>>;

/// Rows of cells as lines: each column is as wide as its widest cell, with two blanks between columns.
[[nodiscard]] std::string table_text(const table_rows& rows, std::string_view indentation);

}  // namespace perfspec::tool

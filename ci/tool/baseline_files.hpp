// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "tool.hpp"

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/quantity/error.hpp>

#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::tool {

/// A baseline file, and where it stood.
struct located_file {
    std::string path{};
    baseline_file file{};
};

/// Throws input_error, as parse_baseline_file does, for the first that is broken.
[[nodiscard]] std::vector<located_file> parse_all(std::span<const input_text> texts);

/// An entry with what addresses it.
struct addressed_entry {
    const located_file* in;
    const baseline_entry* entry;

    [[nodiscard]] entry_address address() const noexcept { return {in->file.hardware, in->file.variant, in->file.suite, entry->key}; }
};

/// The entries whose key has the pattern, in the order of files and keys. The files must outlive them.
[[nodiscard]] std::vector<addressed_entry> entries_in(std::span<const located_file> files, std::string_view pattern);

/// "vision_test on amd-epyc-7763-4c, variant gcc-13": what a file is about.
[[nodiscard]] std::string title_of(const baseline_file& file);

/// "3.214 ms": the median launch.
[[nodiscard]] std::string median_text(const baseline_entry& entry);

/// "+4 %": what the launches see in the direction that is worse; "-" where they do not tell (counts of 0).
[[nodiscard]] std::string sight_text(const baseline_entry& entry);

/// When the newest launch was measured. Precondition: there is one.
[[nodiscard]] const std::string& newest_of(std::span<const stored_launch> launches);

/// How many sittings the launches are from; those without a mark count as one.
[[nodiscard]] std::size_t sittings_of(const baseline_entry& entry);

/// What stopped a command that had written some files. `told` is the account of those.
struct failed_midway : input_error {
    failed_midway(const std::string& why, std::string so_far) : input_error(why), told(std::move(so_far)) {}

    std::string told;
};

/// Runs what changes baseline files. Throws failed_midway for its input_error, with the tool's own options where they are a remedy.
template <class Change> auto with_account(const std::string& so_far, const Change& change) {
    try {
        return change();
    } catch (const unwritable_baselines& error) {
        throw failed_midway(std::string(error.what()) + ":  --baseline-dir baselines  or  PERFSPEC_BASELINE_DIR=baselines", so_far);
    } catch (const input_error& error) { throw failed_midway(error.what(), so_far); }
}

/// Rows of cells as lines: each column as wide as its widest cell, two blanks between them. The first row is the head.
[[nodiscard]] std::string table_text(const std::vector<std::vector<std::string>>& rows, std::string_view indentation);

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_process.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// A file with the entries of one suite on one kind of hardware, by key. See `baseline_file`, `golden_file`.
template <class Entry> struct keyed_file {
    using entry_type = Entry;

    /// The version that perfspec writes and reads. It refuses files of other versions.
    static constexpr unsigned schema_version = Entry::schema_version;
    /// perfspec does not read larger files.
    static constexpr std::size_t max_bytes = std::size_t{512} << 20;

    std::string hardware{};  ///< hardware key
    std::string variant{};   ///< build variant; empty: none
    std::string suite{};
    std::vector<Entry> entries{};  ///< sorted by key, each key once

    [[nodiscard]] const Entry* find(std::string_view key) const noexcept {
        const auto at = std::ranges::lower_bound(entries, key, {}, key_of);
        return at != entries.end() && at->key == key ? &*at : nullptr;
    }
    void insert_or_replace(Entry entry) {
        const auto at = std::ranges::lower_bound(entries, std::string_view(entry.key), {}, key_of);
        if (at != entries.end() && at->key == entry.key) *at = std::move(entry);
        else entries.insert(at, std::move(entry));
    }

    friend bool operator==(const keyed_file&, const keyed_file&) = default;

private:
    static std::string_view key_of(const Entry& entry) noexcept { return entry.key; }
};

/// One file of baselines; `baselines/README.md` describes the format, `baselines/schema.json` is its JSON Schema.
using baseline_file = keyed_file<baseline_entry>;

/// Reads the text of a baseline file. `path` names the file in errors.
///
/// Throws input_error for text that the schema does not allow; it recognizes a merge conflict. The message names the
/// file, the line, the fault and the remedy.
[[nodiscard]] baseline_file parse_baseline_file(std::string_view text, std::string_view path);

/// The text of a baseline file: entries sorted by key, one line for each recording session.
///
/// Equal values give equal bytes, and render(parse(text)) is text for every text that render wrote. Throws input_error
/// if fault_of finds a fault.
[[nodiscard]] std::string render_baseline_file(const baseline_file& file);

}  // namespace perfspec::inline v0_2

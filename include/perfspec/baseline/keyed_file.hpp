// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// A file with the entries of one suite on one kind of hardware, by key. `baseline_file` and `golden_file` have this
/// form.
template <class Entry> struct keyed_file {
    using entry_type = Entry;

    /// The version that is written. A reader upgrades older ones, and refuses newer ones with a message that names
    /// them.
    static constexpr unsigned schema_version = Entry::schema_version;
    /// A larger file is not one of perfspec's.
    static constexpr std::size_t max_bytes = std::size_t{512} << 20;

    std::string hardware{};  ///< hardware key
    std::string variant{};   ///< build variant; empty where there is none
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
    bool erase(std::string_view key) {
        return std::erase_if(entries, [&](const Entry& entry) { return entry.key == key; }) != 0;
    }

    friend bool operator==(const keyed_file&, const keyed_file&) = default;

private:
    static std::string_view key_of(const Entry& entry) noexcept { return entry.key; }
};

}  // namespace perfspec

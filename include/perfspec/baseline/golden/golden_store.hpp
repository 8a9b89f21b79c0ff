// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_file.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace perfspec {

/// The golden file of one address, read once.
struct golden_snapshot {
    lookup_outcome outcome = lookup_outcome::no_hardware;  ///< of the file: found, or why not
    golden_file file{};
    std::string reason{};  ///< where unreadable or corrupt
};

/// What the store holds for one key.
struct golden_lookup {
    lookup_outcome outcome = lookup_outcome::no_hardware;
    std::optional<golden_outputs> kept{};  ///< where found
    std::string reason{};                  ///< where unreadable or corrupt
};

/// The path of the golden outputs: `<suite>.golden` beside the `<suite>.json` of the baselines.
[[nodiscard]] std::string golden_path_of(const baseline_address& address);

/// The golden outputs of a suite on one kind of hardware.
class golden_store {
public:
    /// files must outlive the store.
    golden_store(file_system& files, baseline_address where);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// Reads the file. Never throws for its contents.
    [[nodiscard]] golden_snapshot load() const;

    /// load(), then the entry of one key.
    [[nodiscard]] golden_lookup find(std::string_view key) const;

    /// Adds the entry, or replaces the one with its key. Parallel processes lose no updates.
    /// Throws input_error for an entry that cannot be stored (fault_of), and for a file that exists and is corrupt or
    /// unreadable. Throws unwritable_baselines where the file cannot be written.
    void keep(const golden_outputs& fresh);

private:
    file_system& files_;
    baseline_address where_;
    std::string path_;
};

}  // namespace perfspec

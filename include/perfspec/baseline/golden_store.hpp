// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

/// What the outputs of a claim were when they were kept, bit by bit.
struct golden_outputs {
    std::string key{};
    std::string made_by{};               ///< what the bits depend on besides the hardware: "LibTorch 2.13.0, 2 threads"
    std::string when{};                  ///< UTC
    std::string commit{};                ///< empty where it is not known
    std::vector<std::string> outputs{};  ///< "output 1, float32[1,1000]: 9ae16a3b2f90404f", with a hash of the bits

    friend bool operator==(const golden_outputs&, const golden_outputs&) = default;
};

/// Reads the text of a file of golden outputs; `path` names it in errors.
/// Throws input_error with file and line for what is no such file: no JSON, unknown or missing members, a newer schema.
[[nodiscard]] std::vector<golden_outputs> parse_golden_file(std::string_view text, std::string_view path);

/// The text of such a file: entries sorted by key, one output a line. The same entries give the same bytes.
[[nodiscard]] std::string render_golden_file(std::vector<golden_outputs> entries);

/// What the store holds for one key.
struct golden_lookup {
    lookup_outcome outcome = lookup_outcome::no_hardware;
    std::optional<golden_outputs> kept{};  ///< where found
    std::string reason{};                  ///< where unreadable or corrupt
};

/// The golden outputs of a suite on one kind of hardware: `<suite>.golden` beside the `<suite>.json` of its baselines.
class golden_store {
public:
    /// files must outlive the store.
    golden_store(file_system& files, const baseline_address& where);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// Never throws for what stands in the file.
    [[nodiscard]] golden_lookup find(std::string_view key) const;

    /// Adds the entry, or replaces that of its key. Parallel processes lose nothing. Throws input_error for a file that is there and
    /// corrupt or unreadable, unwritable_baselines where it cannot be written.
    void keep(golden_outputs fresh);

private:
    file_system& files_;
    baseline_address where_;
    std::string folder_;
    std::string path_;
};

}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// The stored outputs of a claim, for a comparison bit by bit.
struct golden_outputs {
    static constexpr unsigned schema_version = 1;  ///< of files with such entries

    std::string key{};
    std::string made_by{};               ///< what else the bits depend on, after the hardware: "zlib 1.3.1, 2 threads"
    std::string time{};                  ///< UTC
    std::string commit{};                ///< empty if unknown
    std::vector<std::string> outputs{};  ///< "output 1, float32[1,1000]: 9ae16a3b2f90404f", a hash of the bits

    friend bool operator==(const golden_outputs&, const golden_outputs&) = default;
};

/// One file of golden outputs; `baselines/README.md` describes the format, `baselines/golden.schema.json` is its JSON
/// Schema.
using golden_file = keyed_file<golden_outputs>;

/// Reads the text of a file of golden outputs; `path` names it in errors.
/// Throws input_error with file and line for text that is not JSON, unknown or missing members, and another schema.
[[nodiscard]] golden_file parse_golden_file(std::string_view text, std::string_view path);

/// The text of such a file: entries sorted by key, one output per line. Equal entries give equal bytes. Throws
/// input_error for text that is not UTF-8.
[[nodiscard]] std::string render_golden_file(const golden_file& file);

/// Why the entry cannot be stored, such as "it has no outputs"; nullopt if it can.
[[nodiscard]] std::optional<std::string> fault_of(const golden_outputs& entry);

/// The first output that changed: "output 1, float32[4]: 02, stored was output 1, float32[4]: 01"; empty if none did.
[[nodiscard]] std::string output_difference(const golden_outputs& stored, const golden_outputs& now);

/// " on 2026-11-18 of commit 3f2c1ab by zlib 1.3.1, 2 threads"; without unknown parts.
[[nodiscard]] std::string origin_text(const golden_outputs& stored);

/// The path of the golden outputs: `<suite>.golden` beside the `<suite>.json` of the baselines.
[[nodiscard]] std::string golden_path_of(const baseline_address& address);

/// The golden outputs of a suite on one kind of hardware.
class golden_store {
public:
    /// files must outlive the store.
    golden_store(file_system& files, baseline_address where);

    [[nodiscard]] const std::string& path() const noexcept { return path_; }

    /// Reads the file. Never throws for its contents.
    [[nodiscard]] keyed_snapshot<golden_outputs> load() const;

    /// load(), then the entry of one key.
    [[nodiscard]] keyed_lookup<golden_outputs> find(std::string_view key) const { return load().find(key); }

    /// Adds the entry, or replaces the one with its key. Parallel processes lose no updates. Throws input_error for an
    /// entry that cannot be stored (fault_of), and for a file that exists and is corrupt or unreadable. Throws
    /// unwritable_baselines if the file cannot be written.
    void keep(const golden_outputs& fresh);

private:
    file_system& files_;
    baseline_address where_;
    std::string path_;
};

}  // namespace perfspec::inline v0_2

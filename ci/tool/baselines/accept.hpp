// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "../results/results.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_store.hpp>

#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace perfspec::tool {

struct accept_request {
    std::string baseline_dir{};
    std::string filter{};                           ///< only keys that contain this pattern
    baseline_update mode = baseline_update::moved;  ///< or append: as a further recording session
    noisy_launches noisy = noisy_launches::refuse;
    writing writes = writing::done;
};

/// Merges the launches in results into baseline files. It uses the rule of `--perf-update-baselines=moved` or
/// `append`, and measures nothing.
///
/// Where a key has several results on the same hardware, the one with the newest launches counts. The smallest headroom
/// of them decides whether an entry moved. Other entries stay as they are, byte for byte. Nothing is written before
/// every line and every affected file has been read.
///
/// Golden outputs in the results are stored in the same run, by the rules of `golden_acceptance`.
///
/// The code is `unusable` where launches or outputs are refused, a failed or undecided claim cannot be accepted, or a
/// result was cut short. Throws input_error for a baseline file that is broken, failed_midway for one that
/// cannot be written.
[[nodiscard]] outcome accept(const results& found, const accept_request& request, file_system& files);

/// Why nothing can be stored under the key of a result; nothing where it can.
[[nodiscard]] std::optional<std::string> fault_of_accepted(std::string_view key);

/// Warnings for the reviewer of a stored result, one per line: a working tree with changes, a machine that is not
/// identified.
[[nodiscard]] std::string warnings_about(const record& r);

/// The golden outputs in results, to be written to `<suite>.golden`. The results must outlive it.
///
/// A result has fingerprints of outputs that PASS, if its claim asks for golden outputs. They are stored where there
/// are none yet, or different ones. Where a key has several results, the newest counts even if its claim holds: an
/// earlier failure is over then. Keys are left out where all claims hold.
class golden_acceptance {
public:
    /// Reads every affected file, and decides. Throws input_error for a file that is broken.
    golden_acceptance(std::span<const result_line* const> lines, const accept_request& request, file_system& files);

    [[nodiscard]] bool empty() const noexcept { return plans_.empty(); }
    [[nodiscard]] std::size_t refused() const noexcept { return refused_; }
    [[nodiscard]] std::size_t written() const noexcept { return written_; }  ///< in a dry run, how many would be

    /// Writes file by file, and returns the outcome of each key. told: the text that a failure prints before its
    /// reason.
    [[nodiscard]] std::string carry_out(const std::string& told);

private:
    struct planned {
        const result_line* from = nullptr;
        std::size_t older = 0;  ///< results of the same key with other bits
        golden_outputs fresh{};
        std::string became{};  ///< "recorded", "recorded anew", "kept", "refused"
        std::string reason{};
        bool writes = false;
    };

    void consider(const result_line& line);
    void decide(planned& plan, const golden_snapshot& stored) const;
    [[nodiscard]] golden_store store_of(const planned& plan) const;
    [[nodiscard]] std::string text_of(const planned& plan) const;

    accept_request request_;
    file_system& files_;
    std::map<entry_address, planned> plans_;  // in the order of files and keys
    std::size_t refused_ = 0;
    std::size_t written_ = 0;
};

}  // namespace perfspec::tool

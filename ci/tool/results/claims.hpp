// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// How much work a record is for the reader, in falling order. A record without work is one of `none`.
enum class concern : std::uint8_t { violated, invalid, undecided, waived, not_judged, is_new, gained, none };

/// "violated", "invalid", "undecided", "waived", "not_judged", "is_new", "gained", "none".
[[nodiscard]] std::string_view to_string(concern c) noexcept;

/// A claim that holds concerns the reader where it gained 5 % or more on its baseline.
[[nodiscard]] concern concern_of(const record& r);

/// The test case and its sections, such as "sort / large"; else the key.
[[nodiscard]] std::string test_of(const record& r);

/// How much the value changed, and the reason for the verdict or for its absence.
[[nodiscard]] std::string change_and_reason(const record& r);

/// "1 violated, 2 not judged, 1 new, 3 hold".
[[nodiscard]] std::string counts_text(std::span<const record> records);

/// A claim in an earlier run and in this one. One of the two is null where the other run has no result of it.
struct claim_in_two_runs {
    const record* before{};
    const record* now{};

    /// Whether the two have different verdicts, or one is missing.
    [[nodiscard]] bool changed() const;
};

/// "violated", "violated, waived", "recorded"; "no result" without a record.
[[nodiscard]] std::string word_of(const record* r);

/// The claims of two runs: those of now in their order, then those that only the earlier run has. Claims of the same
/// suite and key on the same machine belong together, in their order. The records must outlive the result.
[[nodiscard]] std::vector<claim_in_two_runs> claims_in_two_runs(std::span<const record> before,
                                                                std::span<const record> now);

/// The results of an earlier run, to be shown beside those of now.
struct earlier_run {
    std::vector<record> records{};

    /// Which run it was: "c1d2e3f of 2026-10-01", or the day alone where no commit is known.
    [[nodiscard]] std::string name() const;
};

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "change_points.hpp"
#include "creep.hpp"
#include "history.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::tool {

/// What a key needs of its reader, in falling order.
enum class key_state : std::uint8_t { violated, creeping, missing, changed, steady };

/// "violated", "creeping", "missing", "changed", "steady".
[[nodiscard]] std::string_view to_string(key_state s) noexcept;

/// What the history of a key says.
struct key_findings {
    bool violates{};               ///< its claims were violated in both of its last two runs, and not waived
    std::optional<creep> crept{};  ///< find_creep
    std::vector<change_point> changes{};
    bool is_missing{};  ///< a newer run on its hardware has no result of it

    [[nodiscard]] key_state state() const noexcept;
};

/// The findings for each key, in the order of the keys. changes: of find_change_points, or empty.
[[nodiscard]] std::vector<key_findings> findings_of(const history& all, std::vector<std::vector<change_point>> changes);

/// How the last value of a key differs from the first: "1.20 ms, +12 % since 2026-10-01"; without a value, the verdict.
[[nodiscard]] std::string newest_text(const history& all, const key_history& key);

/// "3f2c1ab of 2026-11-18": the commit, if it is known, and the day of a run.
[[nodiscard]] std::string run_text(const history_run& run);

}  // namespace perfspec::tool

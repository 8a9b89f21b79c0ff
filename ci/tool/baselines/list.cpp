// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/utc_time.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <fmt/format.h>

#include <cstdint>

namespace perfspec::tool {
namespace {

/// "today", "3 days"; "-" for a time in the future.
std::string age_text(std::string_view when, std::string_view today) {
    constexpr std::int64_t seconds_of_day = 86'400;
    const auto then = detail::seconds_of_utc(when);
    const auto now = detail::seconds_of_utc(today);
    if (!then || !now || *now / seconds_of_day < *then / seconds_of_day) return "-";
    const std::int64_t days = *now / seconds_of_day - *then / seconds_of_day;
    if (days == 0) return "today";
    return days == 1 ? "1 day" : fmt::format("{} days", days);
}

using cells = std::vector<std::string>;

cells row_of(const baseline_entry& entry, std::string_view today) {
    const bool few = entry.launches.size() < stored_rank_test::min_stored;
    return {detail::single_line(entry.key),
            median_text(entry),
            std::to_string(entry.launches.size()) + (few ? " (too few)" : ""),
            std::to_string(recordings_of(entry)),
            age_text(newest_of(entry.launches), today),
            detectable_text(entry)};
}
cells row_of(const golden_outputs& entry, std::string_view today) {
    return {detail::single_line(entry.key), std::to_string(entry.outputs.size()), detail::single_line(entry.made_by),
            age_text(entry.when, today)};
}

/// Adds a table for each file with matching keys. Returns the number of keys.
template <class File>
std::size_t add_tables(outcome& done, const std::vector<located<File>>& files, std::string_view pattern, const cells& head,
                       std::string_view today) {
    std::size_t keys = 0;
    for (const located<File>& in : files) {
        std::vector<cells> rows{head};
        for (const auto& at : entries_in(std::span(&in, 1), pattern)) rows.push_back(row_of(*at.entry, today));
        if (rows.size() == 1) continue;
        keys += rows.size() - 1;
        done.text += fmt::format("{}\n  {}\n{}", detail::single_line(in.path), title_of(in.file), table_text(rows, "  "));
    }
    return keys;
}

}  // namespace

outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today) {
    outcome done;
    std::size_t keys = add_tables(done, files.baselines, pattern, {"key", "median", "launches", "sessions", "age", "detects"}, today);
    keys += add_tables(done, files.golden, pattern, {"key", "golden outputs", "made by", "age"}, today);
    done.text += fmt::format("{} in {}\n", counted(keys, "key"), counted(files.baselines.size() + files.golden.size(), "file"));
    return done;
}

}  // namespace perfspec::tool

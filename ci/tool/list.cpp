// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console_text.hpp>
#include <perfspec/stats/stored_rank_test.hpp>

#include <fmt/format.h>

#include <charconv>
#include <chrono>
#include <optional>
#include <system_error>

namespace perfspec::tool {
namespace {

/// The day of "2026-11-20T…"; nothing for another form.
std::optional<std::chrono::sys_days> day_of(std::string_view time) {
    int parts[3]{};
    for (int& part : parts) {
        const auto digits = detail::take_until(time, &part == &parts[2] ? 'T' : '-');
        if (std::from_chars(digits.data(), digits.data() + digits.size(), part).ec != std::errc()) return {};
    }
    const std::chrono::year_month_day day{std::chrono::year(parts[0]), std::chrono::month(static_cast<unsigned>(parts[1])),
                                          std::chrono::day(static_cast<unsigned>(parts[2]))};
    return day.ok() ? std::optional(std::chrono::sys_days(day)) : std::nullopt;
}

/// "today", "3 days"; "-" for a time in the future.
std::string age_text(std::string_view when, std::string_view today) {
    const auto then = day_of(when);
    const auto now = day_of(today);
    if (!then || !now || *now < *then) return "-";
    const auto days = (*now - *then).count();
    if (days == 0) return "today";
    return days == 1 ? "1 day" : fmt::format("{} days", days);
}

}  // namespace

outcome list_baselines(std::span<const located_file> files, std::string_view pattern, std::string_view today) {
    outcome done;
    std::size_t keys = 0;
    for (const located_file& in : files) {
        std::vector<std::vector<std::string>> rows{{"key", "median", "launches", "sittings", "age", "can see"}};
        for (const addressed_entry& at : entries_in({&in, 1}, pattern)) {
            const baseline_entry& entry = *at.entry;
            const bool few = !stored_rank_test::can_judge(entry.launches.size());
            rows.push_back({detail::single_line(entry.key), median_text(entry),
                            std::to_string(entry.launches.size()) + (few ? " (too few)" : ""), std::to_string(sittings_of(entry)),
                            age_text(newest_of(entry.launches), today), sight_text(entry)});
        }
        if (rows.size() == 1) continue;
        keys += rows.size() - 1;
        done.text += fmt::format("{}\n  {}\n{}", detail::single_line(in.path), title_of(in.file), table_text(rows, "  "));
    }
    done.text += fmt::format("{} in {}\n", counted(keys, "key"), counted(files.size(), "file"));
    return done;
}

}  // namespace perfspec::tool

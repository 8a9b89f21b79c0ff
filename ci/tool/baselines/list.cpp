// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/comparable_launches.hpp>
#include <perfspec/baseline/sessions/utc_time.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/stored/detectable.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

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
std::size_t add_tables(outcome& done, const std::vector<located<File>>& files, std::string_view pattern,
                       const cells& head, std::string_view today) {
    std::size_t keys = 0;
    for (const located<File>& in : files) {
        std::vector<cells> rows{head};
        for (const auto& at : entries_in(std::span(&in, 1), pattern)) rows.push_back(row_of(*at.entry, today));
        if (rows.size() == 1) continue;
        keys += rows.size() - 1;
        done.text +=
            fmt::format("{}\n  {}\n{}", detail::single_line(in.path), title_of(in.file), table_text(rows, "  "));
    }
    return keys;
}

}  // namespace

stored_files parse_all(std::span<const input_text> texts) {
    stored_files files;
    for (const input_text& text : texts) {
        if (is_name_of_golden_outputs(text.path)) files.golden.push_back({text.path, parse_as<golden_file>(text)});
        else files.baselines.push_back({text.path, parse_as<baseline_file>(text)});
    }
    return files;
}

std::string title_of(const entry_address& address) {
    const std::string variant = address.variant.empty() ? "" : ", variant " + detail::single_line(address.variant);
    return fmt::format("{} on {}{}", detail::single_line(address.suite), detail::single_line(address.hardware),
                       variant);
}

std::string outputs_text(const golden_outputs& entry) {
    const std::string maker = entry.made_by.empty() ? "" : " by " + detail::single_line(entry.made_by);
    return counted(entry.outputs.size(), "output") + maker;
}

std::string median_text(const baseline_entry& entry) {
    return value_text(median(values_of(entry.launches)), entry.unit);
}

double detectable_by(const baseline_entry& entry) {
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    return detectable_by(what_to_compare(entry.launches, entry.unit), claimed)
        .value_or(std::numeric_limits<double>::infinity());
}

std::string detectable_text(const baseline_entry& entry) {
    const double change = detectable_by(entry);
    if (std::isfinite(change) && entry.unit == base_unit(dimension::power))
        return fmt::format("{:+.2f}", std::log1p(change));
    return std::isfinite(change) ? format_change(entry.polarity == better::less ? change : -change) : "-";
}

std::string resolution_text(const baseline_entry& entry) {
    const std::string change = detectable_text(entry);
    return change == "-" ? std::string{} : ", detects " + change + " or more";
}

const std::string& newest_of(std::span<const stored_launch> launches) {
    return std::ranges::max_element(launches, {}, &stored_launch::when)->when;
}

std::size_t recordings_of(const baseline_entry& entry) { return what_to_compare(entry.launches, entry.unit).sessions; }

outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today) {
    outcome done;
    std::size_t keys =
        add_tables(done, files.baselines, pattern, {"key", "median", "launches", "sessions", "age", "detects"}, today);
    keys += add_tables(done, files.golden, pattern, {"key", "golden outputs", "made by", "age"}, today);
    done.text +=
        fmt::format("{} in {}\n", counted(keys, "key"), counted(files.baselines.size() + files.golden.size(), "file"));
    return done;
}

}  // namespace perfspec::tool

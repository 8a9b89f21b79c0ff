// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baseline_files.hpp"

#include <perfspec/baseline/sessions/comparable_launches.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/text_width.hpp>
#include <perfspec/stats/stored/detectable.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace perfspec::tool {

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
    return fmt::format("{} on {}{}", detail::single_line(address.suite), detail::single_line(address.hardware), variant);
}

std::string outputs_text(const golden_outputs& entry) {
    const std::string maker = entry.made_by.empty() ? "" : " by " + detail::single_line(entry.made_by);
    return counted(entry.outputs.size(), "output") + maker;
}

std::string median_text(const baseline_entry& entry) { return value_text(median(values_of(entry.launches)), entry.unit); }

double detectable_by(const baseline_entry& entry) {
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    return detectable_by(what_to_compare(entry.launches, entry.unit), claimed).value_or(std::numeric_limits<double>::infinity());
}

std::string detectable_text(const baseline_entry& entry) {
    const double change = detectable_by(entry);
    if (std::isfinite(change) && entry.unit == base_unit(dimension::power)) return fmt::format("{:+.2f}", std::log1p(change));
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

std::string table_text(const table_rows& rows, std::string_view indentation) {
    std::vector<std::size_t> widths;
    for (const auto& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t c = 0; c < row.size(); ++c) widths[c] = std::max(widths[c], detail::columns_of(row[c]));
    }
    std::string text;
    for (const auto& row : rows) {
        std::string line(indentation);
        for (std::size_t c = 0; c < row.size(); ++c) line += (c == 0 ? "" : "  ") + detail::padded(row[c], widths[c]);
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

}  // namespace perfspec::tool

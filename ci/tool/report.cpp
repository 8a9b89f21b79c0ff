// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"

#include "merge.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace perfspec::tool {
namespace {

bool needs_attention(const record& r) { return r.failed || r.verdict == verdict::undecided || r.verdict == verdict::violated; }

std::size_t count_of(std::span<const record> records, verdict v) {
    return static_cast<std::size_t>(std::ranges::count(records, v, &record::verdict));
}

}  // namespace

std::vector<record> records_of(const results& found) {
    std::vector<record> records;
    for (const result_line* line : found.finished()) records.push_back(line->about);
    for (const result_line* line : found.unfinished()) records.push_back(result_of_unfinished(line->about));
    return records;
}

exit_code judged_by(std::span<const record> records, double most_undecided) {
    const auto fails_as = [&](verdict v) {
        return std::ranges::any_of(records, [&](const record& r) { return r.failed && r.verdict == v; });
    };
    if (fails_as(verdict::invalid)) return exit_code::unusable;
    if (fails_as(verdict::violated)) return exit_code::violated;
    const auto undecided = static_cast<double>(count_of(records, verdict::undecided));
    const double judged = undecided + static_cast<double>(count_of(records, verdict::holds) + count_of(records, verdict::violated));
    const bool too_many = undecided > most_undecided * judged;
    return too_many || fails_as(verdict::undecided) ? exit_code::undecided : exit_code::holds;
}

outcome report_console(const results& found, double most_undecided, console_verbosity verbosity) {
    const std::vector<record> records = records_of(found);
    outcome done;
    for (const std::string& note : found.notes) done.text += note + "\n";
    const console_style style{.verbosity = verbosity, .commands = console_commands::left_out};
    for (const record& r : records)
        if (verbosity != console_verbosity::quiet && (needs_attention(r) || verbosity == console_verbosity::verbose))
            done.text += render_console(r, style) + "\n\n";
    const std::string summary = render_summary(records, {.verbosity = verbosity});
    if (!summary.empty()) done.text += summary + "\n";
    done.code = found.cut_short > 0 ? exit_code::unusable : judged_by(records, most_undecided);
    const double share = most_undecided;
    if (done.code == exit_code::undecided)
        done.text += fmt::format("perfspec: {} undecided, more than the {} of judged claims that are allowed, or one that fails its test\n",
                                 count_of(records, verdict::undecided), format_percentage(share));
    return done;
}

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include "../baselines/baseline_files.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

namespace perfspec::tool {
namespace {

using measured_keys = std::map<entry_address, const record*>;

/// Whether a result has a value to compare: its centre is finite. Its interval may be open.
bool has_value(const record& r) {
    return r.estimate && std::isfinite(r.estimate->centre) && !std::isnan(r.estimate->low) && !std::isnan(r.estimate->high);
}

measured_keys keys_of(const results& all) {
    measured_keys keys;
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        if (has_value(r)) keys[address_of(r)] = &r;
    }
    return keys;
}

/// A change as fractions: 0.1 is +10 %.
struct change {
    double centre;
    double low;
    double high;
};

change change_between(const estimate& before, const estimate& after) {
    return {after.centre / before.centre - 1, after.low / before.high - 1, after.high / before.low - 1};
}

enum class direction_of_change : std::uint8_t { none, better_now, worse_now };

/// The side on which the whole interval is beyond a threshold.
direction_of_change side_of(const change& c, better direction, double beyond) {
    const bool up = c.low > beyond;
    const bool down = c.high < -beyond;
    if (!up && !down) return direction_of_change::none;
    return up == (direction == better::more) ? direction_of_change::better_now : direction_of_change::worse_now;
}

std::string percent(double fraction) { return std::isfinite(fraction) ? format_change(fraction) : "-"; }

std::string only_text(const measured_keys& here, const measured_keys& there, std::string_view side) {
    std::string text;
    for (const auto& [at, r] : here) {
        if (there.contains(at)) continue;
        text += fmt::format("  only in {}: {}: {} ({} on {}{})\n", side, detail::single_line(at.key),
                            format_value(r->estimate->centre, r->unit), detail::single_line(at.suite), detail::single_line(at.hardware),
                            at.variant.empty() ? "" : ", variant " + detail::single_line(at.variant));
    }
    return text;
}

/// Lists the keys that have a result but no value now, each with its last result and the reason. Removes them from the keys of before.
std::string valueless_text(measured_keys& then, const measured_keys& now, const results& after) {
    std::map<entry_address, const result_line*> last;
    for (const result_line* line : after.finished()) last[address_of(line->about)] = line;
    std::string text;
    for (const auto& [at, line] : last) {
        if (now.contains(at) || then.erase(at) == 0) continue;
        const record& r = line->about;
        text += fmt::format("  no value in new: {}: {}{} ({})\n", detail::single_line(at.key), to_string(r.verdict),
                            r.reason.empty() ? "" : ", " + detail::single_line(r.reason), line->place());
    }
    return text;
}

/// Which comparisons a threshold could not make; empty where it made all.
std::string threshold_gap(std::size_t compared, std::size_t without_match) {
    if (compared == 0) return "nothing was compared: --worse cannot judge anything\n";
    if (without_match == 0) return {};
    const bool one = without_match == 1;
    return fmt::format("{} of old {} nothing in new to compare with: --worse cannot judge {}\n", counted(without_match, "key"),
                       one ? "has" : "have", one ? "it" : "them");
}

/// The rows of a table, and how many keys changed in which direction.
struct comparison_table {
    table_rows rows{{"key", "old", "new", "change", "interval", ""}};
    std::map<direction_of_change, std::size_t> counts{};
    std::size_t too_much_worse = 0;

    void add(const record& before, const record& after, std::optional<double> worse) {
        if (before.unit != after.unit || before.direction != after.direction) {
            rows.push_back({detail::single_line(after.key), format_value(before.estimate->centre, before.unit),
                            format_value(after.estimate->centre, after.unit), "another metric"});
            return;
        }
        const change c = change_between(*before.estimate, *after.estimate);
        const auto side = side_of(c, after.direction, 0.0);
        const bool too_much = worse && side_of(c, after.direction, *worse) == direction_of_change::worse_now;
        ++counts[side];
        if (too_much) ++too_much_worse;
        const std::string_view word = too_much                                  ? "worse, beyond the threshold"
                                      : side == direction_of_change::worse_now  ? "worse"
                                      : side == direction_of_change::better_now ? "better"
                                                                                : "";
        rows.push_back({detail::single_line(after.key), format_value(before.estimate->centre, before.unit),
                        format_value(after.estimate->centre, after.unit), percent(c.centre),
                        fmt::format("{} .. {}", percent(c.low), percent(c.high)), std::string(word)});
    }
};

}  // namespace

outcome compare(const results& before, const results& after, std::optional<double> worse) {
    measured_keys then = keys_of(before);
    const std::size_t old_keys = then.size();
    const measured_keys now = keys_of(after);
    comparison_table table;
    for (const auto& [at, r] : now)
        if (const auto old_one = then.find(at); old_one != then.end()) table.add(*old_one->second, *r, worse);
    outcome done;
    for (const results* side : {&before, &after})
        for (const std::string& note : side->notes) done.text += note + '\n';
    std::size_t compared = 0;  // rows with two different metrics are shown, but not compared
    for (const auto& [side, count] : table.counts) compared += count;
    if (table.rows.size() > 1) done.text += table_text(table.rows, "  ");
    done.text += valueless_text(then, now, after);
    done.text += only_text(then, now, "old") + only_text(now, then, "new");
    done.text += fmt::format("{} compared: {} worse, {} better, {} without a clear difference", counted(compared, "key"),
                             table.counts[direction_of_change::worse_now], table.counts[direction_of_change::better_now],
                             table.counts[direction_of_change::none]);
    if (worse) done.text += fmt::format("; {} by more than {}", table.too_much_worse, format_percentage(*worse));
    done.text += '\n';
    if (!worse) return done;
    if (table.too_much_worse > 0) done.code = exit_code::violated;
    const std::string gap = threshold_gap(compared, old_keys - compared);
    if (!gap.empty()) done.code = exit_code::unusable;
    done.text += gap;
    return done;
}

}  // namespace perfspec::tool

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
#include <utility>

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

std::string_view option_of(const change_threshold& threshold) { return threshold.counts == counted_changes::any ? "--change" : "--worse"; }

/// The keys of one run that have nothing to compare with in the other; empty where all have.
std::string gap_of(std::size_t without_match, std::string_view here, std::string_view there, std::string_view option) {
    if (without_match == 0) return {};
    const bool one = without_match == 1;
    return fmt::format("{} of {} {} nothing in {} to compare with: {} cannot judge {}\n", counted(without_match, "key"), here,
                       one ? "has" : "have", there, option, one ? "it" : "them");
}

/// Which comparisons a threshold could not make; empty where it made all.
std::string threshold_gap(const change_threshold& threshold, std::size_t compared, std::size_t old_keys, std::size_t new_keys) {
    const std::string_view option = option_of(threshold);
    if (compared == 0) return fmt::format("nothing was compared: {} cannot judge anything\n", option);
    std::string text = gap_of(old_keys - compared, "old", "new", option);
    if (threshold.counts == counted_changes::any) text += gap_of(new_keys - compared, "new", "old", option);
    return text;
}

/// The rows of a table, and how many keys changed in which direction.
struct comparison_table {
    std::optional<change_threshold> threshold{};
    table_rows rows{{"key", "old", "new", "change", "interval", ""}};
    std::map<direction_of_change, std::size_t> counts{};
    std::size_t beyond_threshold = 0;

    void add(const record& before, const record& after) {
        if (before.unit != after.unit || before.direction != after.direction) {
            rows.push_back({detail::single_line(after.key), format_value(before.estimate->centre, before.unit),
                            format_value(after.estimate->centre, after.unit), "another metric"});
            return;
        }
        const change c = change_between(*before.estimate, *after.estimate);
        const auto side = side_of(c, after.direction, 0.0);
        const bool too_much = is_too_much(c, after.direction);
        ++counts[side];
        if (too_much) ++beyond_threshold;
        std::string word = side == direction_of_change::worse_now ? "worse" : side == direction_of_change::better_now ? "better" : "";
        if (too_much) word += ", beyond the threshold";
        rows.push_back({detail::single_line(after.key), format_value(before.estimate->centre, before.unit),
                        format_value(after.estimate->centre, after.unit), percent(c.centre),
                        fmt::format("{} .. {}", percent(c.low), percent(c.high)), std::move(word)});
    }
    /// Rows with two different metrics are shown, but not compared.
    [[nodiscard]] std::size_t compared() const {
        std::size_t sum = 0;
        for (const auto& [side, count] : counts) sum += count;
        return sum;
    }
    [[nodiscard]] std::string summary() {
        std::string text =
            fmt::format("{} compared: {} worse, {} better, {} without a clear difference", counted(compared(), "key"),
                        counts[direction_of_change::worse_now], counts[direction_of_change::better_now], counts[direction_of_change::none]);
        if (threshold) text += fmt::format("; {} by more than {}", beyond_threshold, format_percentage(threshold->fraction));
        return text + '\n';
    }

private:
    [[nodiscard]] bool is_too_much(const change& c, better direction) const {
        if (!threshold) return false;
        const auto side = side_of(c, direction, threshold->fraction);
        if (threshold->counts == counted_changes::any) return side != direction_of_change::none;
        return side == direction_of_change::worse_now;
    }
};

}  // namespace

outcome compare(const results& before, const results& after, std::optional<change_threshold> threshold) {
    measured_keys then = keys_of(before);
    const std::size_t old_keys = then.size();
    const measured_keys now = keys_of(after);
    comparison_table table{.threshold = threshold};
    for (const auto& [at, r] : now)
        if (const auto old_one = then.find(at); old_one != then.end()) table.add(*old_one->second, *r);
    outcome done;
    for (const results* side : {&before, &after})
        for (const std::string& note : side->notes) done.text += note + '\n';
    if (table.rows.size() > 1) done.text += table_text(table.rows, "  ");
    done.text += valueless_text(then, now, after);
    done.text += only_text(then, now, "old") + only_text(now, then, "new") + table.summary();
    if (!threshold) return done;
    if (table.beyond_threshold > 0) done.code = exit_code::violated;
    const std::string gap = threshold_gap(*threshold, table.compared(), old_keys, now.size());
    if (!gap.empty()) done.code = exit_code::unusable;
    done.text += gap;
    return done;
}

}  // namespace perfspec::tool

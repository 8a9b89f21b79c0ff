// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "compare.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace perfspec::tool {
namespace {

/// Whether a result has a value to compare: its center is finite. Its interval may be open.
bool has_value(const record& r) {
    return r.estimate && std::isfinite(r.estimate->value) && !std::isnan(r.estimate->low) &&
           !std::isnan(r.estimate->high);
}

/// The metric with its unit: "latency in ns".
std::string metric_in_unit(const record& r) { return fmt::format("{} in {}", r.metric, unit_name(r)); }

/// The change from one value to another as fractions: 0.1 is +10 %. The interval comes from the ends of both, so it is
/// wider than either. With too few samples an end of an estimate is open: infinity, or 0 below a larger value. Then the
/// change is open, too: it ends at infinity or at -1.
struct value_change {
    double center{};
    double low{};
    double high{};

    [[nodiscard]] bool is_open_below() const noexcept { return low <= -1.0 && high > -1.0; }
    [[nodiscard]] bool is_open() const noexcept { return is_open_below() || (std::isinf(high) && std::isfinite(low)); }
};

/// over / under - 1, for values that are not negative. 0 for two zeros.
double fraction(double over, double under) {
    if (under > 0.0) return std::isinf(under) ? -1.0 : over / under - 1.0;
    return over > 0.0 ? std::numeric_limits<double>::infinity() : 0.0;
}

/// Precondition: why_no_ratio is empty.
value_change change_between(const estimate& before, const estimate& after) {
    return {.center = fraction(after.value, before.value),
            .low = fraction(std::fmax(after.low, 0.0), before.high),
            .high = fraction(after.high, std::fmax(before.low, 0.0))};
}

enum class direction_of_change : std::uint8_t { none, better_now, worse_now };

/// The side on which the whole interval is beyond a threshold, which is a fraction from 0.
direction_of_change side_of(const value_change& change, better direction, double beyond) {
    const bool up = change.low > beyond;
    const bool down = change.high < -beyond;
    if (!up && !down) return direction_of_change::none;
    return up == (direction == better::more) ? direction_of_change::better_now : direction_of_change::worse_now;
}

/// Whether a change by a factor of two may hide in the interval, or an end is open.
bool is_inconclusive(const value_change& c, double beyond) { return c.high >= std::fmax(1.0, beyond) || c.low <= -0.5; }

std::string value_of(const record& r) {
    return r.own_unit.empty() ? format_value(r.estimate->value, r.unit)
                              : value_text(r.estimate->value, detail::single_line(r.own_unit));
}

std::string percent(double fraction) { return std::isfinite(fraction) ? format_change(fraction) : "-"; }

std::string interval_text(const value_change& c) {
    return fmt::format("{} .. {}", c.is_open_below() ? "-" : percent(c.low), percent(c.high));
}

/// The suite, and the machine if the address has one.
std::string place_of(const entry_address& at) {
    return detail::single_line(at.suite) + (at.hardware.empty() ? "" : " on " + detail::single_line(at.hardware)) +
           (at.variant.empty() ? "" : ", variant " + detail::single_line(at.variant));
}

std::string only_text(const measured_keys& here, const measured_keys& there, std::string_view side) {
    std::string text;
    for (const auto& [at, r] : here) {
        if (there.contains(at)) continue;
        text +=
            fmt::format("  only in {}: {}: {} ({})\n", side, detail::single_line(at.key), value_of(*r), place_of(at));
    }
    return text;
}

/// Lists the keys with a result but no value in `after`, each with its last result and the reason. Removes them from
/// `then`.
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

/// Text on the keys of one run that the other lacks; empty if it has all.
std::string gap_of(std::size_t without_match, std::string_view here, std::string_view there) {
    if (without_match == 0) return {};
    const bool one = without_match == 1;
    return fmt::format("{} of {} {} nothing in {} to compare with, so --change cannot judge {}\n",
                       counted(without_match, "key"), here, one ? "has" : "have", there, one ? "it" : "them");
}

/// How many times better the values of each metric are than before.
class metric_gains {
public:
    /// Leaves out results with errors, and values that are not above zero.
    void add(const record& before, const record& after) {
        const double then = before.estimate->value;
        const double now = after.estimate->value;
        const bool are_valid = before.verdict != verdict::error && after.verdict != verdict::error;
        if (!are_valid || then <= 0.0 || now <= 0.0) return;
        gain_sum& sum = sums_[metric_in_unit(after)];
        sum.logarithms += std::log(after.direction == better::more ? now / then : then / now);
        ++sum.keys;
    }
    /// The geometric mean of each metric that several keys have.
    [[nodiscard]] std::string text() const {
        std::string text;
        for (const auto& [metric, sum] : sums_) {
            if (sum.keys < 2) continue;
            const double mean = std::exp(sum.logarithms / static_cast<double>(sum.keys));
            text += fmt::format("  {}: {}x of {}\n", detail::single_line(metric), format_value(mean, dimension::ratio),
                                counted(sum.keys, "key"));
        }
        return text.empty() ? text : "geometric means; above 1 means that new is better\n" + text;
    }

private:
    struct gain_sum {
        double logarithms = 0.0;
        std::size_t keys = 0;
    };
    std::map<std::string, gain_sum> sums_;
};

/// The rows of a table, and how many keys changed in which direction.
class comparison_table {
public:
    explicit comparison_table(std::optional<double> threshold) : threshold_(threshold) {}

    void add(const record& before, const record& after) {
        std::vector<std::string> row{detail::single_line(after.key), value_of(before), value_of(after)};
        if (const std::string_view why = why_no_ratio(before, after); !why.empty()) {
            row.emplace_back(why);
        } else {
            add_change(row, change_between(*before.estimate, *after.estimate), after.direction);
            gains_.add(before, after);
        }
        rows_.push_back(std::move(row));
    }
    /// Rows with two different metrics are shown, but not compared.
    [[nodiscard]] std::size_t compared() const noexcept { return worse_ + better_ + unclear_ + open_; }
    [[nodiscard]] std::size_t beyond_threshold() const noexcept { return beyond_threshold_; }
    [[nodiscard]] std::size_t undecided() const noexcept { return undecided_; }
    [[nodiscard]] std::string text() const { return rows_.size() > 1 ? table_text(rows_, "  ") : std::string{}; }
    [[nodiscard]] std::string means() const { return gains_.text(); }
    [[nodiscard]] std::string summary() const {
        std::string text = fmt::format("{} compared: {} worse, {} better, {} without a clear difference",
                                       counted(compared(), "key"), worse_, better_, unclear_);
        if (open_ > 0) text += fmt::format(", {} open", open_);
        if (threshold_) text += fmt::format("; {} by more than {}", beyond_threshold_, format_percentage(*threshold_));
        return text + '\n';
    }

private:
    void add_change(std::vector<std::string>& row, const value_change& c, better direction) {
        std::string words = counted_side(c, direction);
        if (threshold_ && side_of(c, direction, *threshold_) != direction_of_change::none) {
            ++beyond_threshold_;
            words += ", beyond the threshold";
        } else if (threshold_ && is_inconclusive(c, *threshold_)) {
            ++undecided_;
        }
        if (c.is_open()) words += words.empty() ? "open" : ", open";
        row.insert(row.end(), {percent(c.center), interval_text(c), std::move(words)});
    }
    /// Counts the side on which a key changed, and gives its word.
    std::string counted_side(const value_change& c, better direction) {
        switch (side_of(c, direction, 0.0)) {
        case direction_of_change::worse_now: ++worse_; return "worse";
        case direction_of_change::better_now: ++better_; return "better";
        case direction_of_change::none: break;
        }
        ++(c.is_open() ? open_ : unclear_);
        return {};
    }
    std::optional<double> threshold_;
    table_rows rows_{{"key", "old", "new", "change", "interval", ""}};
    metric_gains gains_;
    std::size_t worse_ = 0;
    std::size_t better_ = 0;
    std::size_t unclear_ = 0;
    std::size_t open_ = 0;  ///< neither worse nor better, and without an end on a side
    std::size_t beyond_threshold_ = 0;
    std::size_t undecided_ = 0;
};

/// Adds the verdict and exit code of a threshold: keys that cannot be compared first, then keys beyond it, then
/// undecided ones.
void judge(outcome& done, const comparison_table& table, const std::string& gap) {
    if (table.undecided() > 0) {
        done.code = exit_code::open;
        done.text += fmt::format(
            "{} {} undecided: too little was measured, so the interval may hide a change by a factor of two. Run again "
            "with a larger --perf-budget\n",
            counted(table.undecided(), "key"), table.undecided() == 1 ? "is" : "are");
    }
    if (table.beyond_threshold() > 0) done.code = exit_code::violated;
    if (!gap.empty()) done.code = exit_code::error;
    done.text += gap;
}

}  // namespace

measured_keys measured_keys_of(const results& all) {
    measured_keys keys;
    for (const result_line* line : all.finished()) {
        const record& r = line->about;
        if (has_value(r)) keys[address_of(r)] = &r;
    }
    return keys;
}

std::string_view why_no_ratio(const record& before, const record& after) {
    if (unit_name(before) != unit_name(after) || before.direction != after.direction) return "another metric";
    if (before.estimate->value < 0.0 || after.estimate->value < 0.0) return "negative value";
    return {};
}

outcome compare(const results& before, const results& after, std::optional<double> threshold) {
    measured_keys then = measured_keys_of(before);
    const std::size_t old_keys = then.size();
    const measured_keys now = measured_keys_of(after);
    comparison_table table(threshold);
    for (const auto& [at, r] : now)
        if (const auto old_one = then.find(at); old_one != then.end()) table.add(*old_one->second, *r);
    outcome done{notes_text(before) + notes_text(after) + table.text() + valueless_text(then, now, after)};
    done.text += only_text(then, now, "old") + only_text(now, then, "new") + table.means() + table.summary();
    if (!threshold) return done;
    const std::size_t compared = table.compared();
    const std::string gap =
        compared == 0 ? "nothing was compared, so --change cannot judge anything\n"
                      : gap_of(old_keys - compared, "old", "new") + gap_of(now.size() - compared, "new", "old");
    judge(done, table, gap);
    return done;
}

}  // namespace perfspec::tool

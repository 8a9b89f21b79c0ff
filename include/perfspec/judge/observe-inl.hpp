// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/notes.hpp>
#include <perfspec/judge/observe.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/order_effect.hpp>
#include <perfspec/stats/ratio_of_samples.hpp>
#include <perfspec/stats/summary.hpp>
#include <perfspec/stats/trend.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

namespace perfspec::detail {

/// Whether to look at a subject's times. Not at an adapter's: its library warms up, spins and waits, and readers of its times know that.
inline bool is_looked_at(const question& asked, const subject& x) {
    return is_clocked(asked.query.metric) && x.state().functions->same_output == nullptr;
}

inline std::string about(const char* what, const subject& x) { return std::string(what) + " " + std::to_string(x.state().id); }

inline constexpr const char* fresh_input = "give each call fresh input: subject(name, setup(make), body)";

inline void note_first_call(const question& asked, finding& found, const subject& x, const std::string& name,
                            const first_call_times& first) {
    if (first.first_ns == 0.0) return;
    add_note(asked, found, about("first call", x),
             "the first call of \"" + name + "\" took " + format_seconds(first.first_ns) + ", later ones " +
                 format_seconds(first.later_ns) + "; the later ones are judged; if each call should do the work of the first, " +
                 fresh_input);
}

/// Whether other threads of this process have worked since the claim began to measure.
inline bool have_others_worked(const question& asked) {
    constexpr std::int64_t reading_ns = 50'000;
    usage_meter* const meter = asked.context.around().usage;
    return meter != nullptr && meter->now().others_cpu_ns() - asked.context.others_cpu_before_claim_ns() >= reading_ns;
}

void note_calls(const question& asked, finding& found, const subject& x, const std::string& name, const subject_calibration& c) {
    if (is_looked_at(asked, x)) note_first_call(asked, found, x, name, c.first);
}

void note_calls(const question& asked, finding& found, const time_ratio& r, const pair_calibration& c) {
    note_calls(asked, found, r.numerator, r.numerator_name, c.a);
    note_calls(asked, found, r.denominator, r.denominator_name, c.b);
}

inline void note_trend(const question& asked, finding& found, const subject& x, const std::string& name, std::span<const double> times) {
    // Threads that wait for each other suffer several times more from a busy machine than a single one.
    const auto seen = find_trend(times, have_others_worked(asked) ? 4.0 : 2.0);
    if (!seen) return;
    add_note(asked, found, about("trend", x),
             "the time of \"" + name + "\" " + (seen->last > seen->first ? "rises" : "falls") + " over its calls, from " +
                 format_seconds(seen->first) + " to " + format_seconds(seen->last) + ": what a call leaves behind changes later ones; " +
                 fresh_input);
}

times_by_order times_by_predecessor(std::span<const timed_pair> pairs, sample timed_pair::*side, pair_order order) {
    times_by_order times;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const double t = (pairs[i].*side).per_iteration();
        if (pairs[i].order != order) times.after_other.push_back(t);
        else if (i > 0) (pairs[i - 1].order == order ? times.after_other : times.after_own).push_back(t);
    }
    return times;
}

/// One side of a ratio.
struct observed_side {
    const subject& x;
    const std::string& name;
    const std::string& other;
    sample timed_pair::*times;
    pair_order first;
};

inline void note_order(const question& asked, finding& found, const observed_side& side, std::span<const timed_pair> pairs) {
    const times_by_order times = times_by_predecessor(pairs, side.times, side.first);
    const auto seen = find_order_effect(times.after_own, times.after_other);
    if (!seen) return;
    add_note(asked, found, about("order", side.x),
             "the time of \"" + side.name + "\" depends on what ran before it: " + format_seconds(seen->after_own) + " after itself, " +
                 format_seconds(seen->after_other) + " after \"" + side.other +
                 "\"; they share data, caches or the heap: the ratio is that of the two in turn");
}

/// Whether more samples may show that times depend on which side ran before.
inline bool looks_disturbed(const times_by_order& times) {
    constexpr double worth_a_look = 1.2;
    if (times.after_own.empty() || times.after_other.empty()) return true;  // by chance: it is unknown
    const double own = median(times.after_own);
    const double other = median(times.after_other);
    return std::max(own, other) > worth_a_look * std::min(own, other);
}

/// The pairs of the series, and more where they are few and one side looks disturbed, or processes take turns.
inline std::vector<timed_pair> pairs_to_look_at(const question& asked, const time_ratio& r, const pair_series& series,
                                                std::span<const observed_side> sides) {
    // A side runs after itself in every fourth pair: 20 times in 80 pairs. Even 10 such times are enough to see a difference.
    constexpr std::size_t enough = 80;
    constexpr double most = 70.0;
    const double longest_ns = std::min(600e6, static_cast<double>(series.calibration.time.budget_ns));
    std::vector<timed_pair> pairs = series.pairs;
    const bool in_doubt = !are_in_one_process(asked.subjects) || std::ranges::any_of(sides, [&](const observed_side& s) {
        return looks_disturbed(times_by_predecessor(series.pairs, s.times, s.first));
    });
    if (!in_doubt || pairs.size() >= enough) return pairs;
    const auto more = static_cast<std::size_t>(std::min(most, longest_ns / series.calibration.pair_ns));
    pair_source source(r.numerator, r.denominator, series.calibration, series.seed + pairs.size(), clocks_for(asked, r.metric));
    for (std::size_t i = 0; i < more; ++i) pairs.push_back(source.next());
    return pairs;
}

/// "+1.2 % (+0.3 % to +2 %)"; empty where there are too few samples.
inline std::string cost_of_turns(const times_by_order& times) {
    const auto ratio = find_ratio_of_samples(times.after_other, times.after_own);
    if (!ratio) return {};
    const auto change = [](double value) { return format_change(std::round(1000.0 * (value - 1.0)) / 1000.0); };
    return change(ratio->centre) + " (" + change(ratio->low) + " to " + change(ratio->high) + ")";
}

/// A process that has slept while the other one worked may be slower at first. Notes what that costs either side, by the claim's own samples.
inline void note_turns(const question& asked, finding& found, std::span<const observed_side> sides, std::span<const timed_pair> all) {
    constexpr std::size_t enough = 1000;  // more would take longer to compare than to read
    const auto pairs = all.first(std::min(all.size(), enough));
    std::string text;
    for (const observed_side& side : sides) {
        const std::string cost = cost_of_turns(times_by_predecessor(pairs, side.times, side.first));
        if (cost.empty()) return;
        text += (text.empty() ? "" : ", ") + ("of \"" + side.name) + "\" by " + cost;
    }
    note_different_processes(asked, found,
                             "samples that follow a turn of the other process differ from those that follow their own, " + text);
}

/// Notes times of either side that change over its calls, or with what ran before.
inline void note_sides(const question& asked, finding& found, std::span<const observed_side> sides, const pair_series& series,
                       std::span<const timed_pair> pairs) {
    for (const observed_side& side : sides) {
        std::vector<double> times;
        for (const timed_pair& p : series.pairs) times.push_back((p.*side.times).per_iteration());
        note_trend(asked, found, side.x, side.name, times);
        note_order(asked, found, side, pairs);
    }
}

void note_pairs(const question& asked, finding& found, const time_ratio& r, const pair_series& series) {
    const bool are_looked_at = is_looked_at(asked, r.numerator) && is_looked_at(asked, r.denominator);
    const bool take_turns = is_clocked(asked.query.metric) && !are_in_one_process(asked.subjects);
    if (!are_looked_at && !take_turns) return;
    const observed_side sides[] = {{r.numerator, r.numerator_name, r.denominator_name, &timed_pair::a, pair_order::a_first},
                                   {r.denominator, r.denominator_name, r.numerator_name, &timed_pair::b, pair_order::b_first}};
    const std::vector<timed_pair> pairs = pairs_to_look_at(asked, r, series, sides);
    if (take_turns) note_turns(asked, found, sides, pairs);
    if (are_looked_at) note_sides(asked, found, sides, series, pairs);
}

void note_blocks(const question& asked, finding& found, std::span<const timed_block> blocks) {
    const subject& x = asked.query.subjects.front();
    if (!is_looked_at(asked, x)) return;
    std::vector<double> times;
    for (const timed_block& b : blocks) times.insert(times.end(), b.readings_ns.begin(), b.readings_ns.end());
    note_trend(asked, found, x, asked.names.front(), times);
}

}  // namespace perfspec::detail

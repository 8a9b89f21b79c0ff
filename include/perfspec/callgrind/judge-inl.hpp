// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Judges counts on a simulated processor (README.md): processes that agree are compared exactly. Where they differ,
// because of threads, addresses or clocks, their values are judged as those of other fresh processes are.

#include <perfspec/judge/procedure.hpp>
#include <perfspec/callgrind.hpp>
#include <perfspec/callgrind/count.hpp>
#include <perfspec/judge/progress.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/judge/processes/take_launches.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/process/program_start.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {
namespace detail {
namespace {

/// The functions whose counts differ most from those before, the largest difference first: what they count now, and in
/// words what they did. With none before, the functions that count most.
std::vector<part_value> moved_functions(const std::vector<part_value>& before, std::vector<part_value> now) {
    constexpr std::size_t most = 8;
    std::map<std::string, double> counts;
    for (const part_value& p : now) counts.emplace(p.part, 0.0);
    for (const part_value& p : before) {
        if (!counts.contains(p.part)) now.push_back({p.part, p.method, p.unit, without_interval(0.0), 0.0, {}});
        counts[p.part] = p.value.centre;
    }
    const auto moved_by = [&](const part_value& p) { return std::abs(p.value.centre - counts[p.part]); };
    std::erase_if(now, [&](const part_value& p) { return moved_by(p) == 0.0; });
    std::ranges::stable_sort(now, std::ranges::greater{}, moved_by);
    now.erase(now.begin() + static_cast<std::ptrdiff_t>(std::min(now.size(), most)), now.end());
    if (before.empty()) return now;
    for (part_value& p : now) {
        p.mark = "was " + format_value(counts[p.part], p.unit);
        p.share = 0.0;
    }
    return now;
}

/// The counts of both sides, or of the only one.
using counted_sides = std::array<std::vector<double>, 2>;

void count_side(const question& asked, finding& found, counted_sides& values, compared_side of) {
    question one = asked;
    one.side = of;
    std::vector<double>& counted = values[static_cast<std::size_t>(of)];
    counted.push_back(take_launch_at(one, found, counted.size()).value);
}

/// Takes as many processes as have to agree, those of two sides in random order.
counted_sides count_processes(const question& asked, finding& found) {
    const std::size_t enough = processes_that_agree(asked.plan);
    coin order(seed_of(asked));
    counted_sides values;
    while (values[0].size() < enough) {
        const bool second_first = asked.is_relative() && order.toss();
        if (second_first) count_side(asked, found, values, compared_side::second);
        count_side(asked, found, values, compared_side::first);
        if (asked.is_relative() && !second_first) count_side(asked, found, values, compared_side::second);
        show_progress(asked, {.done = values[0].size(), .most = enough, .seconds = found.evidence.seconds});
    }
    found.subjects.clear();
    for (std::size_t side = 0; side < 2 && !values[side].empty(); ++side)
        found.subjects.push_back(summary_of(asked.names[side], values[side], 1, asked.query.unit));
    return values;
}

void compare_equal_processes(const question& asked, finding& found, const counted_sides& values) {
    const double value = values[0].front();
    const double bound = asked.is_against_query() ? asked.against().factor * values[1].front() : asked.value();
    require_bound_of_counts(asked, bound);
    describe_exact(asked, found, value, bound);
    if (asked.is_against_query()) found.bound_text = counted_bound_text(asked, values[1].front());
    found.evidence.method = "exact comparison of processes on a simulated processor";
    set_verdict(found, satisfies(asked.compared(), value, bound) ? verdict::holds : verdict::violated);
}

/// "96025, 96025, 96031".
std::string list_of_counts(const question& asked, const std::vector<double>& values) {
    std::string text;
    for (const double v : values) text += (text.empty() ? "" : ", ") + format_value(v, asked.query.unit);
    return text;
}

/// Judges processes that differ. No value equals all of them.
void judge_differing_processes(const question& asked, finding& found, const counted_sides& values,
                               const evidence_counts& before) {
    const bool never = !asked.is_against_query() && asked.value() == 0.0 && asked.claims_less();
    if (asked.compared() == comparison::equal || never) {
        describe_exact(asked, found, *std::ranges::max_element(values[0]), never ? 0.0 : values[0].front());
        if (!asked.is_against_query()) found.bound = asked.value();
        return set_verdict(found, verdict::violated, "the processes differ: " + list_of_counts(asked, values[0]));
    }
    found.evidence = before;  // the test counts these processes again, as its first ones
    values_of_fresh_processes.judge(asked, found);
}

void judge_simulated(const question& asked, finding& found) {
    if (asked.is_against_query()) static_cast<void>(ratio_of(asked));  // throws for two queries that cannot be compared
    const evidence_counts before = found.evidence;
    const counted_sides values = count_processes(asked, found);
    do_agree(values[0]) && do_agree(values[1]) ? compare_equal_processes(asked, found, values)
                                               : judge_differing_processes(asked, found, values, before);
}

constexpr procedure simulated_counts{
    "exact comparison of a few processes on a simulated processor; statistics where they vary",
    [](const question& asked) {
        return is_judged_by_itself(asked) &&
               dynamic_cast<const instruction_counter*>(module_counter_of(asked)) != nullptr;
    },
    judge_simulated};

}  // namespace

void instruction_counter::explain(const question& asked, finding& found) const {
    if (found.verdict != verdict::violated) return;
    const evaluation_samples& taken = asked.context.samples();
    const auto parts_of_launch = [&](std::size_t side) {
        const std::vector<launch_result>& all = taken.launches[side].launches;
        return all.empty() ? std::vector<part_value>{} : all.front().parts;
    };
    if (taken.builds.pairs.empty()) found.parts = moved_functions(parts_of_launch(1), parts_of_launch(0));
    else
        found.parts =
            moved_functions(taken.builds.pairs.front().reference_parts, taken.builds.pairs.front().head_parts);
}

query<dimension::count, statistic::exact> instructions_of(const subject& x, const instruction_counter& by) {
    static constexpr const procedure* all[] = {&simulated_counts};
    [[maybe_unused]] static const bool is_known = (add_procedures(all), true);
    query_description description{.metric = metric_kind::module_count,
                                  .statistic = statistic::exact,
                                  .unit = dimension::count,
                                  .payload = own_metric{"simulated_instructions", &by},
                                  .subjects = {x}};
    return query<dimension::count, statistic::exact>(new expression_node{.says = std::move(description)});
}

}  // namespace detail

inline namespace language {

query<dimension::count, statistic::exact> simulated_instructions(const subject& x) {
    static const program_start_environment variables;
    static const std::unique_ptr<simulator> valgrind = callgrind(variables);
    static const detail::instruction_counter counter(*valgrind);
    return detail::instructions_of(x, counter);
}

}  // namespace language
}  // namespace perfspec

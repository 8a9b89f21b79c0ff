// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/callgrind.hpp>.

#include <perfspec/callgrind.hpp>
#include <perfspec/callgrind/count-inl.hpp>
#include <perfspec/callgrind/count.hpp>
#include <perfspec/callgrind/simulator-inl.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/progress.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/procedures/exact_values.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/procedures/process_centers.hpp>
#include <perfspec/quantity/format.hpp>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

// Judges counts on a simulated processor (README.md): processes that agree are compared exactly. If they differ,
// because of threads, addresses or clocks, they are judged like other fresh values.

namespace perfspec::inline v0_2 {
namespace detail {
namespace {

/// The functions whose counts differ most from `before`, the largest difference first, with the earlier count as mark.
/// Without `before`, the functions with the largest counts.
std::vector<part_value> moved_functions(const std::vector<part_value>& before, std::vector<part_value> now) {
    constexpr std::size_t most = 8;
    std::map<std::string, double> counts;
    for (const part_value& p : now) counts.emplace(p.part, 0.0);
    for (const part_value& p : before) {
        if (!counts.contains(p.part)) now.push_back({p.part, p.method, p.unit, without_interval(0.0), 0.0, {}});
        counts[p.part] = p.value.value;
    }
    const auto moved_by = [&](const part_value& p) { return std::abs(p.value.value - counts[p.part]); };
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

/// Counts in as many processes as have to agree; two sides in random order.
fresh_values count_processes(const claim_context& context, process_source& processes) {
    const std::size_t enough = processes_that_agree(context.plan.false_pass);
    random_order order(seed_of(context));
    fresh_values values;
    while (values.sides[0].size() < enough) {
        values = take_fresh_values(context, processes, std::move(values), order);
        show_progress(context, {.done = values.sides[0].size(), .most = enough, .seconds = processes.seconds()});
    }
    return values;
}

claim_result compare_equal_processes(const claim_context& context, claim_result result, const fresh_values& values) {
    const double value = values.sides[0].front();
    const double bound =
        context.is_against_query() ? context.against().factor * values.sides[1].front() : context.value();
    with_partial_result(result, [&] { require_bound_of_counts(context, bound); });
    if (context.is_against_query()) result.bound_text = counted_bound_text(context, values.sides[1].front());
    result.evidence.method = "exact comparison of processes on a simulated processor";
    return compare_exactly(context, std::move(result), value, bound);
}

/// Judges processes that differ, which violates a claim that all are equal.
claim_result judge_differing_processes(const claim_context& context, claim_result result, const fresh_values& values) {
    const bool never = !context.is_against_query() && context.value() == 0.0 && context.claims_less();
    if (context.compared() == comparison::equal || never) {
        result = with_exact_value(context, std::move(result), *std::ranges::max_element(values.sides[0]),
                                  never ? 0.0 : values.sides[0].front());
        if (!context.is_against_query()) result.bound = context.value();
        return judged(std::move(result),
                      {verdict::violated, "the processes differ: " + list_of_counts(context, values.sides[0])});
    }
    result.evidence = {};  // the test counts these processes again, as its first ones
    return continued(result, [&] { return judge_fresh(context); });
}

claim_result judge_simulated(const claim_context& context) {
    if (context.is_against_query())
        static_cast<void>(ratio_of(context));  // throws for two queries that cannot be compared
    process_source processes(context);
    const auto partial = [&] { return joined(processes.totals(), empty_result(context)); };
    const fresh_values values = with_partial_result(partial, [&] { return count_processes(context, processes); });
    claim_result result = partial();
    result.subjects.clear();
    for (std::size_t side = 0; side < 2 && !values.sides[side].empty(); ++side)
        result.subjects.push_back(summary_of(context.names[side], values.sides[side], 1, context.query.unit));
    return do_agree(values.sides[0]) && do_agree(values.sides[1])
               ? compare_equal_processes(context, std::move(result), values)
               : judge_differing_processes(context, std::move(result), values);
}

constexpr metric_traits simulated_instructions_metric{.word = "simulated_instructions",
                                                      .unit = dimension::count,
                                                      .statistic = statistic::exact,
                                                      .direction = better::less,
                                                      .from = reading::module,
                                                      .otherwise = unreadable::is_skipped,
                                                      .baselines = shared_by::one_architecture,
                                                      .help = "instructions of one iteration on a simulated processor"};

constexpr procedure simulated_counts{
    "exact comparison of a few processes on a simulated processor; statistics where they vary",
    [](const claim_context& context) {
        return is_judged_by_itself(context) &&
               dynamic_cast<const instruction_counter*>(module_of(context.query)) != nullptr;
    },
    judge_simulated};

}  // namespace

std::vector<part_value> instruction_counter::parts_of_violation(const claim_context& context) const {
    const evaluation_samples& samples = *context.samples;
    const auto parts_of_process = [&](std::size_t side) {
        const std::vector<process_result>& all = samples.processes[side].processes;
        return all.empty() ? std::vector<part_value>{} : all.front().answer.parts;
    };
    if (samples.builds.pairs.empty()) return moved_functions(parts_of_process(1), parts_of_process(0));
    return moved_functions(samples.builds.pairs.front().baseline_parts, samples.builds.pairs.front().head_parts);
}

query<dimension::count, statistic::exact> instructions_of(const subject& x, const instruction_counter& counter) {
    static constexpr const procedure* procedures[] = {&simulated_counts};
    [[maybe_unused]] static const bool is_added = (add_procedures(procedures), true);
    const std::shared_ptr<const module_metric> of_program(std::shared_ptr<void>(), &counter);  // it outlives the query
    return make_query<dimension::count, statistic::exact>(
        {.metric = simulated_instructions_metric, .module = {.metrics = {of_program}}, .subjects = {x}});
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
}  // namespace perfspec::inline v0_2

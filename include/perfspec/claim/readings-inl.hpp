// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

// The clocks, counters and settings that the samples of a claim are taken with.

namespace perfspec::inline v0_2::detail {

counter& counter_for(const claim_context& context, metric_kind m) {
    const module_metric* const module = m == context.query.metric ? module_of(context.query) : nullptr;
    return context.run.system().counts.of(module != nullptr ? module->counter_of(context) : counter_key{m});
}

clocks clocks_for(const claim_context& context, metric_kind m) {
    const system_access& system = context.run.system();
    switch (traits_of(m).from) {
    case reading::counter:
    case reading::peak_of_counter:
    case reading::processor_counter:
    case reading::peak_of_first_run: return {system.wall, counter_for(context, m)};
    case reading::processor_clock: return {system.wall, system.cpu, system.usage};
    default: return {system.wall, system.wall, system.usage};
    }
}

inline bool are_in_one_process(const std::vector<subject>& subjects) {
    const auto process_of = [](const subject& x) { return x.state().process; };
    return std::ranges::adjacent_find(subjects, std::not_equal_to{}, process_of) == subjects.end();
}

/// How the module of a query reads the values of a subject.
inline call_reading reading_of(const claim_context& context, const query_description& query, std::size_t subject) {
    return {module_of(query, subject), &context.run.system().counts};
}

measuring_settings settings_of(const claim_context& context, metric_kind m) {
    // Reading the processor's counters is a system call, so a sample is a batch even of long calls.
    constexpr clock_facts system_calls{.resolution_ns = 100.0, .cost_ns = 1000.0};
    const auto facts = [&] {
        return context.run.facts_of(is_counted(m) ? context.run.system().wall : clocks_for(context, m).metric);
    };
    measuring_settings settings = settings_for(context.plan, is_counted_by_hardware(m) ? system_calls : facts());
    if (reports_own_value(m)) settings.samples = sample_kind::values;
    if (traits_of(m).from == reading::call) settings.values = reading_of(context, context.query, 0);
    settings.samples_remotely = std::ranges::any_of(context.subjects, runs_elsewhere);
    settings.processes_take_turns = !are_in_one_process(context.subjects);
    if (takes_single_iterations(m)) settings.iterations = 1;
    if (!needs_single_iterations(context.query)) return settings;
    settings.samples = sample_kind::single;
    settings.block_iterations = static_cast<std::uint32_t>(percentile_block(percentile_level(context)));
    return settings;
}

std::uint64_t seed_of(const claim_context& context) {
    return context.is_child() ? context.run.child()->seed
                              : context.plan.seed.value_or(context.run.system().draw_seed());
}

double declared_work(const query_description& query, const std::string& name) {
    const subject_state& s = query.subjects.front().state();
    const work kind = query.payload_as<work>();
    const auto [amount, unit] = kind == work::items   ? std::pair{s.items, "items"}
                                : kind == work::bytes ? std::pair{s.bytes, "bytes"}
                                                      : std::pair{s.flops, "flops"};
    if (amount > 0.0) return amount * s.work_factor;
    const bool declares_nothing = s.items == 0.0 && s.bytes == 0.0 && s.flops == 0.0;
    if (kind == work::items && declares_nothing) return 1.0;  // counts calls
    const std::string metric(traits_of(query.metric).word);
    throw input_error(metric + " of \"" + name + "\" in " + unit + " needs the " + unit +
                      " of one iteration: declare them on the subject, perfspec::subject(\"" + name + "\", f)." + unit +
                      "(1000)" + ", or use a unit that it declares, as in " + metric + "(x, bytes)");
}

double value_from_time(const claim_context& context, double nanoseconds) {
    if (!is_rate(context.query.metric)) return nanoseconds;
    return declared_work(context.query, context.names.front()) / nanoseconds * 1e9;
}

inline void require_one_metric(const query_description& a, const query_description& b) {
    if (a.percent != b.percent) throw input_error("two different percentiles cannot be compared: compare p99 with p99");
    const std::string own = own_name_of(a);
    if (own != own_name_of(b))
        throw input_error("two different metrics cannot be compared: compare " + own + " with " + own);
    if (const module_metric* const module = module_of(a); module != nullptr && a.metric == b.metric)
        if (const std::string fault = module->fault_of_pair(a, b); !fault.empty()) throw input_error(fault);
    if (a.metric == b.metric && counts_load(a) != counts_load(b))
        throw input_error(
            "a peak of memory with loading cannot be compared with one without: write including_load in both, or in "
            "neither");
    if (a.metric != b.metric || a.payload_as<work>() != b.payload_as<work>())
        throw input_error(
            "two different metrics cannot be compared: compare latency with latency, cpu_time with cpu_time, "
            "allocations with allocations");
}

time_ratio ratio_of(const claim_context& context) {
    const query_description& q = context.query;
    const auto ratio = [&](const query_description& other, std::size_t second) {
        return time_ratio{q.subjects[0],
                          other.subjects[second],
                          context.names[0],
                          context.names[1],
                          q.metric,
                          0.0,
                          reading_of(context, q, 0),
                          reading_of(context, other, second)};
    };
    if (q.is_ratio()) return ratio(q, 1);
    const query_description& o = context.other();
    require_one_metric(q, o);
    if (!is_rate(q.metric)) return ratio(o, 0);
    // A rate is work / time, so the quotient of two rates is the inverse quotient of their times.
    const double factor = declared_work(q, context.names[0]) / declared_work(o, context.names[1]);
    return {o.subjects[0], q.subjects[0],    context.names[1],          context.names[0],
            q.metric,      std::log(factor), reading_of(context, o, 0), reading_of(context, q, 0)};
}

dimension unit_of_samples(const claim_context& context) noexcept {
    const metric_kind m = context.query.metric;
    if (traits_of(m).from == reading::peak_of_first_run) return dimension::bytes;
    if (is_rate(m)) return dimension::time;
    return is_counted(m) || needs_fresh_process(m) || reports_own_value(m) ? context.query.unit : dimension::time;
}

counting_scope::counting_scope(const claim_context& context) {
    const bool counts_here = traits_of(context.query.metric).from != reading::module;
    if (counts_here && is_counted(context.query.metric)) counting_.emplace(counter_for(context, context.query.metric));
}

}  // namespace perfspec::inline v0_2::detail

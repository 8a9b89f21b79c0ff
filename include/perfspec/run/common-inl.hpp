// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What the judging of pairs, blocks and launches share.

#include <perfspec/language/subject_state.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace perfspec::detail {

void set_verdict(evaluation& e, verdict v, std::string reason) {
    e.out.verdict = v;
    if (!reason.empty()) e.out.reason = std::move(reason);
}

counter& counter_for(const evaluation& e, metric_kind m) {
    counters& all = e.context.around().counts;
    const bool on_device = m == metric_kind::kernel_count && e.query().subjects.front().state().kernels == kernel_view::device;
    return on_device ? all.device_kernels() : all.of(m);
}

clocks clocks_for(const evaluation& e, metric_kind m) {
    const surroundings& around = e.context.around();
    if (is_counted(m) || m == metric_kind::peak_memory) return {around.wall, counter_for(e, m)};
    return {around.wall, m == metric_kind::cpu_time ? around.cpu : around.wall, around.usage};
}

measuring_settings settings_of(const evaluation& e, metric_kind m) {
    // A reading of the processor's counters is a system call: a sample is a batch, however long a call is.
    constexpr clock_facts system_calls{.resolution_ns = 100.0, .cost_ns = 1000.0};
    const auto facts = [&] { return e.context.facts_of(is_counted(m) ? e.context.around().wall : clocks_for(e, m).metric); };
    measuring_settings settings = settings_for(e.plan, is_counted_by_hardware(m) ? system_calls : facts());
    if (is_told_by_body(m)) settings.samples = m == metric_kind::own ? sample_kind::values : sample_kind::device_times;
    if (!needs_single_iterations(e.query())) return settings;
    settings.samples = sample_kind::single;
    settings.block_iterations = static_cast<std::uint32_t>(percentile_block(percentile_level(e)));
    return settings;
}

double declared_work(const query_description& query, const std::string& name) {
    const subject_state& s = query.subjects.front().state();
    const auto [amount, word] = query.counted == work::items   ? std::pair{s.items, "items"}
                                : query.counted == work::bytes ? std::pair{s.bytes, "bytes"}
                                                               : std::pair{s.flops, "flops"};
    if (amount > 0.0) return amount;
    throw input_error("throughput of \"" + name + "\" in " + word + " needs to know the " + word +
                      " of one iteration: declare them on the subject, perfspec::subject(\"" + name + "\", f)." + word +
                      "(1000), or ask for what it declares: throughput(x, bytes)");
}

double mean_of(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double v : values) sum += v;
    return sum / static_cast<double>(values.size());
}

double value_from_time(const evaluation& e, double nanoseconds) {
    if (e.query().measured != metric_kind::throughput) return nanoseconds;
    return declared_work(e.query(), e.names.front()) / nanoseconds * 1e9;
}

time_ratio ratio_of(const evaluation& e) {
    const query_description& q = e.query();
    if (q.ratio) return {q.subjects[0], q.subjects[1], e.names[0], e.names[1], q.measured, 0.0};
    const query_description& o = e.tree().other;
    if (q.percent != o.percent) throw input_error("two different percentiles are not paired: compare p99 with p99, p90 with p90");
    if (q.own != o.own) throw input_error("two different metrics are not paired: compare " + q.own + " with " + q.own);
    if (q.measured != o.measured || q.counted != o.counted) {
        throw input_error(
            "two different metrics are not paired: compare latency with latency, cpu_time with cpu_time, allocations with allocations");
    }
    if (q.measured != metric_kind::throughput) return {q.subjects[0], o.subjects[0], e.names[0], e.names[1], q.measured, 0.0};
    // A rate is work / time: the quotient of two rates is the inverse quotient of their times.
    const double factor = declared_work(q, e.names[0]) / declared_work(o, e.names[1]);
    return {o.subjects[0], q.subjects[0], e.names[1], e.names[0], q.measured, std::log(factor)};
}

double log_of(double value, std::uint64_t iterations) { return std::log(value == 0.0 ? 0.5 / static_cast<double>(iterations) : value); }

double log_of_value(double value) { return std::log(std::max(value, 1e-300)); }

sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations) {
    const summary s = summarize(times);
    sample_summary shown{name, s.minimum, s.lower_quartile, s.median, s.upper_quartile, s.p90, s.p99, s.maximum, s.n, iterations, {}};
    std::ranges::sort(times);
    const std::size_t points = std::min<std::size_t>(64, times.size());
    for (std::size_t i = 0; i < points; ++i) {
        shown.strip.push_back(quantile_of_sorted(times, points == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(points - 1)));
    }
    return shown;
}

}  // namespace perfspec::detail

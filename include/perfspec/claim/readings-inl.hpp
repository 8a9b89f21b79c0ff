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

// The settings that a run requests by --perf-with: device, dtype, batch and threads.

namespace perfspec::inline v0_1::detail {

inline requested_settings requested_settings_of(const plan& p) {
    requested_settings settings;
    for (const auto& [name, values] : parse_axis_filter(p.with).value_or(axis_filter{})) {
        const std::string& value = *values.begin();
        if (name == "device") settings.device = value;
        if (name == "dtype") settings.dtype = value;
        if (name == "batch") settings.batch = whole_number<std::uint32_t>(value);
        if (name == "threads") settings.threads = whole_number<std::uint32_t>(value);
    }
    return settings;
}

/// Whether a value satisfies a requested setting. The device "cuda" stands for any of the kind, such as "cuda:1".
inline bool satisfies_request(const std::pair<std::string, std::string>& axis, const std::string& value) {
    const auto& [name, requested] = axis;
    return value == requested ||
           (name == "device" && requested.find(':') == std::string::npos && value.starts_with(requested + ":"));
}

inline const std::string* axis_of(const subject_state& s, const std::string& name) {
    const auto found = std::ranges::find(s.axes, name, &std::pair<std::string, std::string>::first);
    return found == s.axes.end() ? nullptr : &found->second;
}

/// Why an axis that the code declares contradicts the request; empty if it does not. The code's value stays.
inline std::string contradiction(const subject_state& s, const requested_settings& settings) {
    for (const auto& axis : settings.axes()) {
        const std::string* const written = axis_of(s, axis.first);
        if (written != nullptr && !satisfies_request(axis, *written))
            return "this run asks for " + axis.first + "=" + axis.second + " (--perf-with), and the code says " +
                   axis.first + "=" + *written + ", which stays: leave it out of the code, or out of the run";
    }
    return {};
}

/// Declares the requested settings as axes, so each point of a sweep has its own results and baselines.
inline void declare_as_axes(subject& s, const requested_settings& settings) {
    for (const auto& [name, value] : settings.axes()) {
        if (axis_of(s.state(), name) != nullptr) continue;
        s.axis(name, value);
        s.state().settings.push_back(name);
    }
}

/// Lets the adapter apply the settings. Returns why it cannot take one. Throws measurement_failure if the adapter
/// throws, such as for inputs that cannot be moved or repeated.
inline std::string take_settings(const subject& s, const requested_settings& settings) {
    const auto take = s.state().functions->take_settings;
    if (take == nullptr) return {};
    try {
        return take(s, settings);
    } catch (const std::exception& thrown) {
        const std::string text = thrown.what();
        throw measurement_failure(is_lack_of_memory(thrown) ? failure_kind::out_of_memory : failure_kind::setup_threw,
                                  "the settings of this run cannot be applied to \"" + s.state().name +
                                      "\": " + text.substr(0, text.find('\n')));
    }
}

/// Applies the settings to one subject. A claim on it is not judged if it cannot take one.
inline void apply_settings(subject s, const requested_settings& settings) {
    std::string reason = contradiction(s.state(), settings);
    if (reason.empty()) reason = take_settings(s, settings);
    if (s.state().functions->take_settings != nullptr) declare_as_axes(s, settings);
    if (!reason.empty() && s.state().not_judged_reason.empty()) s.lacks(reason);
}

/// Why subjects would be compared at different settings: one takes a setting and another lacks it. Empty if all do the
/// same.
inline std::string differing_settings(const std::vector<subject>& subjects, const requested_settings& settings) {
    const auto name_of = [](const subject& s) { return "\"" + std::string(s.name()) + "\""; };
    for (const auto& axis : settings.axes()) {
        const auto has_it = [&](const subject& s) { return axis_of(s.state(), axis.first) != nullptr; };
        const auto takes = std::ranges::find_if(subjects, has_it);
        const auto lacks = std::ranges::find_if_not(subjects, has_it);
        if (takes == subjects.end() || lacks == subjects.end()) continue;
        return "this run asks for " + axis.first + "=" + axis.second + " (--perf-with), which " + name_of(*takes) +
               " takes and " + name_of(*lacks) + " does not: leave it out, or where " + name_of(*lacks) +
               " runs so, declare .axis(\"" + axis.first + "\", \"" + axis.second + "\")";
    }
    return {};
}

/// Applies the run's settings. All handles of a subject share them.
inline void apply_settings_of_run(claim_context& context) {
    const requested_settings settings = requested_settings_of(context.plan);
    if (settings.axes().empty()) return;
    for (const subject& s : context.subjects) apply_settings(s, settings);
    context.differing_settings = differing_settings(context.subjects, settings);
}

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
    const std::string metric(traits_of(query.metric).word);
    throw input_error(metric + " of \"" + name + "\" in " + unit + " needs to know the " + unit +
                      " of one iteration: declare them on the subject, perfspec::subject(\"" + name + "\", f)." + unit +
                      (kind == work::items ? "(1000), or .items(1) to count calls" : "(1000)") +
                      ", or ask for what it declares: " + metric + "(x, bytes)");
}

double mean_of(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double value_from_time(const claim_context& context, double nanoseconds) {
    if (!is_rate(context.query.metric)) return nanoseconds;
    return declared_work(context.query, context.names.front()) / nanoseconds * 1e9;
}

inline void require_one_metric(const query_description& a, const query_description& b) {
    if (a.percent != b.percent) throw input_error("two different percentiles are not paired: compare p99 with p99");
    const std::string own = own_name_of(a);
    if (own != own_name_of(b))
        throw input_error("two different metrics are not paired: compare " + own + " with " + own);
    if (const module_metric* const module = module_of(a); module != nullptr && a.metric == b.metric)
        if (const std::string fault = module->fault_of_pair(a, b); !fault.empty()) throw input_error(fault);
    if (a.metric == b.metric && counts_load(a) != counts_load(b))
        throw input_error(
            "a peak of memory with loading and one without are not paired: write including_load in both, or in neither");
    if (a.metric != b.metric || a.payload_as<work>() != b.payload_as<work>())
        throw input_error(
            "two different metrics are not paired: compare latency with latency, cpu_time with cpu_time, allocations with allocations");
}

time_ratio ratio_of(const claim_context& context) {
    const query_description& q = context.query;
    const auto ratio = [&](const query_description& other, std::size_t second) {
        return time_ratio{
            q.subjects[0], other.subjects[second], context.names[0], context.names[1], q.metric, 0.0,
            reading_of(context, q, 0), reading_of(context, other, second)};
    };
    if (q.is_ratio()) return ratio(q, 1);
    const query_description& o = context.other();
    require_one_metric(q, o);
    if (!is_rate(q.metric)) return ratio(o, 0);
    // A rate is work / time, so the quotient of two rates is the inverse quotient of their times.
    const double factor = declared_work(q, context.names[0]) / declared_work(o, context.names[1]);
    return {o.subjects[0], q.subjects[0], context.names[1], context.names[0], q.metric, std::log(factor),
            reading_of(context, o, 0), reading_of(context, q, 0)};
}

dimension unit_of_samples(const claim_context& context) noexcept {
    const metric_kind m = context.query.metric;
    if (traits_of(m).from == reading::peak_of_first_run) return dimension::bytes;
    if (is_rate(m)) return dimension::time;
    return is_counted(m) || needs_fresh_process(m) || reports_own_value(m) ? context.query.unit : dimension::time;
}

double log_of(double value) { return std::log(std::max(value, 1e-300)); }

double log_inside(const claim_context& context, double value, double bound) {
    if (value == 0.0 && bound == 0.0) return satisfies(context.compared(), value, bound) ? 1.0 : -1.0;
    return context.sign() * (log_of(value) - log_of(bound));
}

/// The centre, its confidence interval and the median.
inline estimate interval_estimate(const std::vector<double>& values) {
    centre_interval interval = signed_rank_interval(values);
    if (!std::isfinite(interval.low)) {  // too few for an interval: their range at level 0
        const auto [low, high] = std::ranges::minmax(values);
        interval = {.low = low, .centre = interval.centre, .high = high, .level = 0.0};
    }
    return {interval.centre, median(values), interval.low, interval.high, interval.level};
}

estimate estimate_of_logs(const std::vector<double>& logs) {
    const estimate e = interval_estimate(logs);
    return {std::exp(e.centre), std::exp(e.median), std::exp(e.low), std::exp(e.high), e.level};
}

estimate estimate_of_values(const std::vector<double>& values) {
    if (std::ranges::any_of(values, [](double v) { return !(v > 0.0); })) return interval_estimate(values);
    std::vector<double> logs;
    for (const double v : values) logs.push_back(std::log(v));
    return estimate_of_logs(logs);
}

tolerated_range allowed_by(const claim_context& side, double bound) {
    if (!side.has_tolerance()) return {bound, bound};
    const better direction = side.query.direction;
    const double middle = midpoint_of(*side.written, direction, side.end.value(), bound);
    const auto [low, high] = std::minmax({bound_of_side(*side.written, direction, tolerance_end::loss, middle),
                                          bound_of_side(*side.written, direction, tolerance_end::gain, middle)});
    return {low, high};
}

estimate estimate_across_processes(const std::vector<double>& logs, const tolerated_range& allowed) {
    constexpr double normal_quantile = 1.96;
    const estimate here = estimate_of_logs(logs);
    const summary pairs = summarize(logs);
    const double deviation = std::hypot(deviation_between_processes, pairs.upper_quartile - pairs.lower_quartile);
    const auto reach = [&](double end) {
        return std::exp(std::hypot(std::log(end / here.centre), normal_quantile * deviation));
    };
    double low = here.centre / reach(here.low), high = here.centre * reach(here.high);
    for (const double bound : {allowed.low, allowed.high}) {
        if (bound < here.low) low = std::max(low, std::sqrt(bound * here.low));
        if (bound > here.high) high = std::min(high, std::sqrt(bound * here.high));
    }
    return {here.centre, here.median, low, high, here.level};
}

disturbances with_sample(disturbances all, double reading_ns, const working_time& working, std::uint64_t iterations) {
    if (working.is_nearly(reading_ns)) return all;
    ++all.interrupted;
    all.interrupted_seconds += (reading_ns - working.ns) * static_cast<double>(iterations) * 1e-9;
    if (!working.is_exact) ++all.excluded;
    return all;
}

disturbances interruptions_of(const timed_block& block, std::uint64_t iterations) {
    disturbances all;
    for (std::size_t i = 0; i < block.working.size(); ++i)
        all = with_sample(std::move(all), block.readings_ns[i], block.working[i], iterations);
    return all;
}

/// The number of points of a distribution, or of its course, in a record: enough for a picture.
constexpr std::size_t points_of_pictures = 64;

/// The medians of consecutive stretches of equal length.
std::vector<double> course_of(std::span<const double> times) {
    const std::size_t points = std::min(points_of_pictures, times.size());
    std::vector<double> course;
    for (std::size_t i = 0; i < points; ++i) {
        const std::size_t from = i * times.size() / points;
        course.push_back(median(times.subspan(from, (i + 1) * times.size() / points - from)));
    }
    return course;
}

sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations,
                          dimension unit) {
    const summary s = summarize(times);
    sample_summary result{name,  s.minimum, s.lower_quartile, s.median, s.upper_quartile,
                          s.p90, s.p99,     s.maximum,        s.n,      iterations,
                          {},    unit,      course_of(times)};
    std::ranges::sort(times);
    const std::size_t points = std::min(points_of_pictures, times.size());
    for (std::size_t i = 0; i < points; ++i) {
        result.strip.push_back(
            quantile_of_sorted(times, points == 1 ? 0.5 : static_cast<double>(i) / static_cast<double>(points - 1)));
    }
    return result;
}

counting_scope::counting_scope(const claim_context& context) {
    const bool counts_here = traits_of(context.query.metric).from != reading::module;
    if (counts_here && is_counted(context.query.metric)) counting_.emplace(counter_for(context, context.query.metric));
}

bool is_same_number(double a, double b) {
    constexpr double rounding = 2e-13;  // 1 - 0.99 is off by 1e-13 of its value
    const bool both_are_whole = a == std::trunc(a) && b == std::trunc(b);
    return a == b || (!both_are_whole && std::abs(a - b) <= rounding * std::abs(b));
}

bool satisfies(comparison compared, double value, double bound) {
    const bool same = is_same_number(value, bound);
    switch (compared) {
    case comparison::less: return !same && value < bound;
    case comparison::less_equal: return same || value < bound;
    case comparison::greater: return !same && value > bound;
    case comparison::greater_equal: return same || value > bound;
    case comparison::equal: break;
    }
    return same;
}

}  // namespace perfspec::inline v0_1::detail

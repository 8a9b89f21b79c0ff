// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/operators.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/table_metrics-inl.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

// profile(x): rounds of one recorded and one plain iteration.

namespace perfspec::inline v0_2::detail {

/// The values of one operator, one per round; 0 for a round in which it did not run.
struct operator_series {
    std::vector<double> self_ns;
    std::vector<double> total_ns;
    std::vector<double> calls;
    std::vector<double> device_self_ns;
    std::vector<double> device_total_ns;

    [[nodiscard]] std::array<std::vector<double>*, 5> all() noexcept {
        return {&self_ns, &total_ns, &calls, &device_self_ns, &device_total_ns};
    }
};

using series_by_name = std::map<std::string, operator_series>;

/// The rounds of a profile, by operator and by library.
class profiled_rounds {
public:
    void add(const std::vector<operator_event>& events) {
        double sum = 0.0;
        double on_device = 0.0;
        ++rounds_;
        for (const operator_times& o : tabulate(events)) {
            operator_series& series = this_round_of(operators_, o.name);
            series.self_ns.back() = o.self_ns;
            series.total_ns.back() = o.total_ns;
            series.calls.back() = static_cast<double>(o.calls);
            series.device_self_ns.back() = o.device_self_ns;
            series.device_total_ns.back() = o.device_total_ns;
            this_round_of(libraries_, library_of(o.name)).self_ns.back() += o.self_ns;
            sum += o.self_ns;
            on_device += o.device_self_ns;
        }
        for (const operator_event& e : events)
            for (const device_work& w : e.work)
                this_round_of(libraries_, library_of(w.name)).device_self_ns.back() += w.ns;
        sums_.push_back(sum);
        device_sums_.push_back(on_device);
    }

    [[nodiscard]] std::size_t size() const noexcept { return rounds_; }
    [[nodiscard]] const std::vector<double>& sums() const noexcept { return sums_; }
    [[nodiscard]] const std::vector<double>& device_sums() const noexcept { return device_sums_; }
    [[nodiscard]] bool use_a_device() const {
        return std::ranges::any_of(device_sums_, [](double ns) { return ns > 0.0; });
    }
    /// False if the callers of the kernels on a device are unknown.
    [[nodiscard]] bool use_the_processor() const {
        return !use_a_device() || std::ranges::any_of(sums_, [](double ns) { return ns > 0.0; });
    }

    /// The operators sorted by self time, then by self time on the device, the longest first.
    [[nodiscard]] std::vector<std::pair<std::string, operator_series>> sorted() const { return sorted(operators_); }
    /// Likewise the libraries, by the self times of their operators and of their kernels on devices.
    [[nodiscard]] std::vector<std::pair<std::string, operator_series>> libraries() const { return sorted(libraries_); }

private:
    operator_series& this_round_of(series_by_name& all, std::string_view name) const {
        operator_series& series = all[std::string(name)];
        for (auto* values : series.all()) values->resize(rounds_);
        return series;
    }
    [[nodiscard]] std::vector<std::pair<std::string, operator_series>> sorted(const series_by_name& named) const {
        std::vector<std::pair<std::string, operator_series>> all(named.begin(), named.end());
        for (auto& [name, series] : all)
            for (auto* values : series.all()) values->resize(rounds_);
        const auto times = [](const auto& o) {
            return std::pair(median(o.second.self_ns), median(o.second.device_self_ns));
        };
        std::ranges::stable_sort(all, std::greater<>(), times);
        return all;
    }

    series_by_name operators_;
    series_by_name libraries_;
    std::vector<double> sums_;
    std::vector<double> device_sums_;
    std::size_t rounds_{};
};

inline part_value share_part(const std::string& part, const char* method, const std::vector<double>& times,
                             const estimate& whole, const char* mark = "") {
    const estimate value = estimate_of(times);
    return time_part(part, method, value, value.value / whole.value, mark);
}

inline std::vector<part_value> rows_of_libraries(const profiled_rounds& profiled, const estimate& whole) {
    const auto took_time = [](const std::vector<double>& times) {
        return std::ranges::any_of(times, [](double ns) { return ns > 0.0; });
    };
    std::vector<part_value> cells;
    for (const auto& [name, series] : profiled.libraries()) {
        if (took_time(series.self_ns)) cells.push_back(share_part(name, "self", series.self_ns, whole, library_mark));
        if (took_time(series.device_self_ns))
            cells.push_back(share_part(name, "device self", series.device_self_ns, whole, library_mark));
    }
    return cells;
}

/// Without an interval if every round has the same number of calls.
inline estimate estimate_of_calls(const std::vector<double>& calls) {
    const bool are_equal = std::ranges::all_of(calls, [&](double n) { return n == calls.front(); });
    return are_equal ? without_interval(calls.front()) : estimate_of(calls);
}

inline std::vector<part_value> rows_of_operators(const profiled_rounds& profiled, const estimate& whole) {
    std::vector<part_value> cells;
    for (const auto& [name, series] : profiled.sorted()) {
        if (profiled.use_the_processor()) {
            cells.push_back(share_part(name, "self", series.self_ns, whole));
            cells.push_back(share_part(name, "total", series.total_ns, whole));
        }
        cells.push_back({name, "calls", dimension::count, estimate_of_calls(series.calls), 0.0, {}});
        if (!profiled.use_a_device()) continue;
        cells.push_back(share_part(name, "device self", series.device_self_ns, whole));
        cells.push_back(share_part(name, "device total", series.device_total_ns, whole));
    }
    return cells;
}

/// The table of a profile, whose end-to-end time is `whole`.
inline std::vector<part_value> table_of(const profiled_rounds& profiled, const estimate& whole) {
    std::vector<part_value> cells = joined(rows_of_operators(profiled, whole), rows_of_libraries(profiled, whole));
    if (profiled.use_the_processor()) cells.push_back(share_part("sum", "self", profiled.sums(), whole));
    if (profiled.use_a_device()) cells.push_back(share_part("sum", "device self", profiled.device_sums(), whole));
    cells.push_back(time_part("end to end", "self", whole, 1.0));
    return cells;
}

using operator_recording = std::function<std::vector<operator_event>()>;

/// A function that records this subject, on a device if it runs there; empty without a recorder.
inline operator_recording recording_of(const claim_context& context, const subject& x,
                                       input_shapes shapes = input_shapes::ignored) {
    counters& all = context.run.system().counts;
    if (model_of(x).kernels == kernel_view::device && all.recorder<device_recorder>() != nullptr)
        return [&x, shapes, to = all.recorder<device_recorder>()] { return record_operators(*to, x, shapes); };
    if (all.recorder<operator_recorder>() != nullptr)
        return [&x, shapes, to = all.recorder<operator_recorder>()] { return record_operators(*to, x, shapes); };
    return {};
}

/// Calls whose names include the shapes of their inputs: "aten::conv2d [8,3,32,32] [16,3,3,3]".
inline std::vector<operator_event> named_by_shape(std::vector<operator_event> events) {
    for (operator_event& e : events)
        if (!e.shapes.empty()) e.name += " " + e.shapes;
    return events;
}

/// Whether a profile has rows for an operator by the shapes of its inputs.
inline bool is_by_shape(const claim_context& context) {
    const auto* const profile = dynamic_cast<const profile_metric*>(module_of(context.query));
    return profile != nullptr && profile->is_by_shape();
}

/// A function that records the rows of this profile; empty without a recorder.
inline operator_recording recording_of_rows(const claim_context& context) {
    const subject& x = context.query.subjects[0];
    if (!is_by_shape(context)) return recording_of(context, x);
    auto record = recording_of(context, x, input_shapes::recorded);
    if (!record) return record;
    return [record = std::move(record)] { return named_by_shape(record()); };
}

/// The operators that could have run, to measure coverage.
inline std::optional<part_library> known_operators(const claim_context& context) {
    const operator_recorder* const recorder = context.run.system().counts.recorder<operator_recorder>();
    if (recorder == nullptr) return {};
    part_library all = recorder->known();
    return all.namespaces.empty() ? std::nullopt : std::optional(std::move(all));
}

/// The rounds of a profile: recorded, and plain.
struct profile_evidence {
    profiled_rounds recorded{};
    std::vector<double> plain{};
    std::vector<operator_event> first{};  ///< of the first run, which is slow and not counted
    double seconds{};
};

inline profile_evidence take_profile(const claim_context& context, std::uint64_t seed,
                                     const operator_recording& record) {
    const subject& x = context.query.subjects[0];
    const clocks time = clocks_for(context, metrics::latency);
    const std::int64_t begun = time.wall.now();
    random_order order(seed);
    run_untimed(x, 1);
    profile_evidence evidence;
    evidence.first = record();
    for (std::size_t rounds = context.plan.rounds.value_or(min_pairs); evidence.plain.size() < rounds;) {
        const bool recorded_first = order.next();
        if (recorded_first) evidence.recorded.add(record());
        evidence.plain.push_back(take_sample(x, 1, warm_call::no, time.metric).per_iteration());
        if (!recorded_first) evidence.recorded.add(record());
    }
    evidence.seconds = static_cast<double>(time.wall.now() - begun) * 1e-9;
    return evidence;
}

/// Advice on what the table of a profile lacks.
inline std::vector<std::string> advice_on_profile(const claim_context& context, const profile_evidence& evidence) {
    std::vector<std::string> advice;
    if (model_of(context.query.subjects[0]).kernels == kernel_view::device && !evidence.recorded.use_a_device())
        advice.emplace_back(std::string("no times of the device: ") + no_recorded_kernels);
    if (is_by_shape(context) &&
        std::ranges::all_of(evidence.first, [](const operator_event& e) { return e.shapes.empty(); }))
        advice.emplace_back("no rows by shape, because the recorder does not report the shapes of inputs");
    return advice;
}

claim_result measure_profile(const claim_context& context) {
    claim_result result = empty_result(context);
    const auto record = recording_of_rows(context);
    if (!record)
        return judged(std::move(result),
                      {verdict::error, context.run.system().counts.of({metrics::operators}).begin()});
    result.evidence.seed = seed_of(context);
    auto [evidence, observation] =
        measure(context, result, [&] { return take_profile(context, result.evidence.seed, record); });
    result.estimate = estimate_of(evidence.plain);
    result.parts = table_of(evidence.recorded, *result.estimate);
    result.subjects = {summary_of(context.names[0], evidence.plain, 1)};
    result.evidence.rounds = evidence.recorded.size();
    result.evidence.method = "a recorded and a plain iteration in each round, in random order";
    result.evidence.seconds = evidence.seconds;
    result.known_parts = known_operators(context);
    return judged(observed(std::move(result), std::move(observation)),
                  {verdict::holds, {}, advice_on_profile(context, evidence)});
}

const procedure recorded_operators{
    "recorded and plain iterations in random order",
    [](const claim_context& context) { return context.query.metric == metrics::profile; }, measure_profile};

}  // namespace perfspec::inline v0_2::detail

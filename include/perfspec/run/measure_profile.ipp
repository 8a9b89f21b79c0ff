// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// profile(x): recorded runs of one iteration, and plain ones beside them.

#include <perfspec/measure/coin.hpp>
#include <perfspec/run/layer_rounds.ipp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// Of one operator, a value a round; nothing where it did not run.
struct operator_series {
    std::vector<double> self_ns;
    std::vector<double> total_ns;
    std::vector<double> calls;
};

/// The rounds of a profile, by operator.
class profiled_rounds {
public:
    void add(const std::vector<operator_event>& events) {
        double sum = 0.0;
        ++rounds_;
        for (const operator_times& o : tabulate(events)) {
            operator_series& series = operators_[o.name];
            for (auto* values : {&series.self_ns, &series.total_ns, &series.calls}) values->resize(rounds_);
            series.self_ns.back() = o.self_ns;
            series.total_ns.back() = o.total_ns;
            series.calls.back() = static_cast<double>(o.calls);
            sum += o.self_ns;
        }
        sums_.push_back(sum);
    }

    [[nodiscard]] std::size_t size() const noexcept { return rounds_; }
    [[nodiscard]] const std::vector<double>& sums() const noexcept { return sums_; }

    /// By their self times, the longest first.
    [[nodiscard]] std::vector<std::pair<std::string, operator_series>> sorted() const {
        std::vector<std::pair<std::string, operator_series>> all(operators_.begin(), operators_.end());
        for (auto& [name, series] : all)
            for (auto* values : {&series.self_ns, &series.total_ns, &series.calls}) values->resize(rounds_);
        std::ranges::stable_sort(all, std::greater<>(), [](const auto& o) { return median(o.second.self_ns); });
        return all;
    }

private:
    std::map<std::string, operator_series> operators_;
    std::vector<double> sums_;
    std::size_t rounds_{};
};

inline void describe_profile(evaluation& e, const profiled_rounds& profiled, const std::vector<double>& plain) {
    const estimate whole = estimate_of(plain);
    for (const auto& [name, series] : profiled.sorted()) {
        const estimate self = estimate_of(series.self_ns);
        const estimate total = estimate_of(series.total_ns);
        add_part(e, name, "self", self, self.centre / whole.centre);
        add_part(e, name, "total", total, total.centre / whole.centre);
        e.out.parts.push_back({name, "calls", dimension::count, estimate_of(series.calls), 0.0, {}});
    }
    const estimate sum = estimate_of(profiled.sums());
    add_part(e, "sum", "self", sum, sum.centre / whole.centre);
    add_part(e, "end to end", "self", whole, 1.0);
    e.out.measured = whole;
    e.out.subjects.push_back(summary_of(e.names[0], plain, 1));
    e.out.evidence.rounds = profiled.size();
    e.out.evidence.method = "a recorded and a plain iteration in each round, in random order";
}

void measure_profile(evaluation& e) {
    operator_recorder* const recorder = e.context.around().counts.operators();
    if (recorder == nullptr) return set_verdict(e, verdict::invalid, e.context.around().counts.of(metric_kind::op_count).begin());
    const subject& x = e.query().subjects[0];
    const clocks time = clocks_for(e, metric_kind::latency);
    const std::size_t rounds = e.plan.rounds.value_or(fewest_pairs);
    const measuring_scope measuring(e);
    const std::int64_t begun = time.wall.now();
    e.out.evidence.seed = e.plan.seed.value_or(e.context.around().draw_seed());
    coin order(e.out.evidence.seed);
    run_untimed(x, 1);
    static_cast<void>(record_operators(*recorder, x));
    profiled_rounds profiled;
    std::vector<double> plain;
    for (std::size_t i = 0; i < rounds; ++i) {
        const bool recorded_first = order.toss();
        if (recorded_first) profiled.add(record_operators(*recorder, x));
        plain.push_back(take_sample(x, 1, warm_call::no, time.metric).per_iteration());
        if (!recorded_first) profiled.add(record_operators(*recorder, x));
    }
    e.out.evidence.seconds = static_cast<double>(time.wall.now() - begun) * 1e-9;
    describe_profile(e, profiled, plain);
    set_verdict(e, verdict::holds);
}

}  // namespace perfspec::detail

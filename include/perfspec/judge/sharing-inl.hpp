// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/readings.hpp>
#include <perfspec/judge/sharing.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace perfspec::detail {

std::string sampling_of(const plan& p) {
    return fmt::format(" {} {} {} {} {} {} {}", p.sample_time.count(), p.iterations.value_or(0), p.warmup.count(), p.budget.count(),
                       p.cap.count(), p.budget_given ? "hard" : "", p.seed.value_or(0));
}

std::string sharing_key(const question& asked, const std::vector<const subject*>& subjects, metric_kind m) {
    std::string key = std::to_string(static_cast<int>(m));
    for (const subject* s : subjects) {
        const subject_state& state = s->state();
        key += fmt::format(" {} {:a} {:a} {:a}", state.id, state.items * state.work_factor, state.bytes * state.work_factor,
                           state.flops * state.work_factor);
    }
    if (m == metric_kind::kernel_time || m == metric_kind::op_count)
        for (const std::string& name : work_names_of(asked)) key += fmt::format(" named {}:{}", name.size(), name);
    for (const auto& [name, value] : asked.axes) key += fmt::format(" {}:{}={}:{}", name.size(), name, value.size(), value);
    if (needs_single_iterations(asked.query)) key += fmt::format(" single {}", percentile_block(percentile_level(asked)));
    return key + sampling_of(asked.plan);
}

launch_series& launches_of(const question& asked) {
    return asked.context.samples()
        .launches[asked.key + "\n" + asked.text + sampling_of(asked.plan) + (asked.side == compared_side::second ? " other" : "")];
}

void use_series(const question& asked, series_users& users) {
    users.latest = asked.number;
    if (users.first.empty()) users.first = place_of(asked);
    users.places.insert(place_of(asked));
}

bool are_alike(const std::vector<double>& fresh, const std::vector<double>& before) {
    if (before.empty()) return false;  // the claim that began the series could not be measured
    constexpr double widening = 2.0;
    std::vector<double> logs;
    for (const double v : before) logs.push_back(log_of_value(v));
    const summary s = summarize(logs);
    const double spread = widening * (s.upper_quartile - s.lower_quartile);
    return std::ranges::any_of(fresh, [&](double v) {
        const double at = log_of_value(v);
        return at >= s.lower_quartile - spread && at <= s.upper_quartile + spread;
    });
}

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/doctor/doctor.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/power.hpp>
#include <perfspec/stats/sequential.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numeric>

namespace perfspec {
namespace detail {

[[gnu::noinline]] inline std::uint64_t xorshift(std::uint64_t steps) {
    std::uint64_t x = opaque(std::uint64_t{88172645463325252U});  // without it, -O3 merges equal calls and times one
    for (; steps != 0; --steps) {
        x ^= x << 13U;
        x ^= x >> 7U;
        x ^= x << 17U;
    }
    return x;
}

inline constexpr double power_of_doctor = 0.95;

/// The number of pairs that a claim takes within a budget: at most the limit of the sequential test.
inline std::size_t pairs_within(std::chrono::nanoseconds budget, const pair_calibration& c) {
    const double left = static_cast<double>(budget.count() - c.time.calibrated_ns) / c.pair_ns;
    return std::min(sequential_settings::for_pairs().max_size, static_cast<std::size_t>(std::max(left, 0.0)));
}

inline std::vector<double> log_ratios_of(const doctor_body& body, const pair_calibration& calibration,
                                         std::chrono::nanoseconds longest, std::uint64_t seed, const clocks& time) {
    const std::size_t wanted = 2 * std::max<std::size_t>(min_pairs, pairs_within(doctor_budgets.back(), calibration));
    pair_source source(body.body, body.body, calibration, seed, time);
    std::vector<double> ratios;
    const std::int64_t started = time.wall.now();
    while (ratios.size() < std::size_t{2} * min_pairs ||
           (ratios.size() < wanted && time.wall.now() - started < longest.count()))
        ratios.push_back(source.next().log_ratio());
    return ratios;
}

inline std::string effect_cell(double found) {
    if (std::isnan(found)) return "too slow";
    return std::isinf(found) ? "over 100 %" : format_change(found);
}

inline const char* mark_of(concern level) {
    switch (level) {
    case concern::fine: return "fine";
    case concern::improvable: return "improve";
    case concern::unknown: break;
    }
    return "unknown";
}

inline std::string result_lines(const self_comparison_result& r) {
    std::string line = fmt::format("    {:<34}", fmt::format("{} ({})", r.body, format_seconds(r.body_ns)));
    for (const double found : r.found) line += fmt::format("{:>12}", effect_cell(found));
    return line + "\n";
}

}  // namespace detail

std::string finding_lines(const machine_finding& f) {
    const std::string advice = f.advice.empty() ? std::string{} : fmt::format("\n             {:<16}{}", "", f.advice);
    return fmt::format("    {:<9}{:<16}{}{}\n", detail::mark_of(f.level), f.what, f.seen, advice);
}

std::vector<doctor_body> doctor_bodies() {
    const auto arithmetic = [](std::uint64_t steps) { return [steps] { return detail::xorshift(steps); }; };
    const auto memory =
        std::make_shared<std::vector<std::uint64_t>>((std::size_t{64} << 20U) / sizeof(std::uint64_t), 3);
    std::vector<doctor_body> bodies;
    bodies.push_back({"short arithmetic", subject("short arithmetic", arithmetic(10'000))});
    bodies.push_back({"arithmetic", subject("arithmetic", arithmetic(500'000))});
    bodies.push_back({"a sweep over 64 MiB", subject("a sweep over 64 MiB", [memory] {
                          return std::accumulate(memory->begin(), memory->end(), std::uint64_t{0});
                      })});
    return bodies;
}

self_comparison_result compare_with_itself(const doctor_body& body, const plan& p, std::chrono::nanoseconds longest,
                                           std::uint64_t seed, const clocks& time) {
    const pair_calibration c = calibrate_pair(body.body, body.body, settings_for(p, inspect(time.metric)), time);
    const auto ratios = detail::log_ratios_of(body, c, longest, seed, time);
    self_comparison_result result{.body = body.name, .body_ns = c.a.call_ns, .pairs = ratios.size()};
    for (std::size_t i = 0; i < doctor_budgets.size(); ++i) {
        const std::size_t pairs = std::min(detail::pairs_within(doctor_budgets[i], c), ratios.size() / 2);
        const self_comparison how{.pairs = pairs, .settings = detail::with_rates({}, p)};
        result.found[i] = pairs < min_pairs ? std::numeric_limits<double>::quiet_NaN()
                                            : smallest_effect(ratios, detail::power_of_doctor, how);
    }
    return result;
}

std::string render_doctor(const doctor_report& report) {
    const plan& p = report.settings;
    std::string text = fmt::format("perfspec doctor: {}\n", report.hardware_key);
    if (!report.not_judged.empty()) text += fmt::format("\n  No claim is judged here: {}\n", report.not_judged);
    text += "\n  This machine during the recording\n";
    for (const machine_finding& f : report.machine) text += finding_lines(f);
    text += report.devices;
    text += fmt::format(
        "\n  Smallest slowdown that fails 95 of 100 claims on a ratio, beyond the bound (the margin lets {} pass)\n    "
        "{:<34}{:>12}{:>12}{:>12}\n",
        format_percentage(p.margin), "body, budget", "0.1 s", "1 s", "10 s");
    for (const self_comparison_result& r : report.results) text += detail::result_lines(r);
    return text;
}

void examine(doctor_report& report, const system_access& system, std::chrono::nanoseconds longest) {
    const std::string folder = system.variables.get("TMPDIR").value_or("");
    const machine_lock lock(
        {.file = machine_lock_file(folder.c_str()), .program = "perfspec doctor", .console = system.console},
        system.wall, system.rest);
    const machine_counters before = read_machine_counters();
    const std::int64_t started = system.wall.now();
    for (const doctor_body& body : doctor_bodies()) {
        try {
            report.results.push_back(
                compare_with_itself(body, report.settings, longest, system.draw_seed(), {system.wall, system.wall}));
        } catch (
            const measurement_failure& failure) {  // the findings about the machine are useful even without results
            report.machine.push_back(
                {concern::improvable, body.name, failure.what(), "nothing can be judged of such bodies"});
        }
    }
    const double seconds = static_cast<double>(system.wall.now() - started) / 1e9;
    const auto found =
        examine_machine(system.files, {before.load, difference(before, read_machine_counters()), seconds});
    report.machine.insert(report.machine.begin(), found.begin(), found.end());
    if (system.devices != nullptr) report.devices = system.devices->examine();
    if (!lock.note().empty())
        report.machine.push_back(
            {concern::improvable, "neighbour", lock.note(), "let one measurement end before the next"});
}

}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/doctor/doctor.hpp>
#include <perfspec/language/subjects/body_result.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/sequential.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <string_view>

namespace perfspec::inline v0_2 {
namespace detail {

/// The trimmed text of a small kernel file; empty if the file cannot be read.
inline std::optional<std::string> kernel_text(const file_system& files, const std::string& path) {
    const file_text read = files.read(path, std::size_t{1} << 16U);
    if (read.outcome != read_outcome::complete) return {};
    return std::string(trimmed(read.text));
}

inline machine_finding unknown_finding(const char* what) {
    return {concern::unknown, what, "unknown",
            "virtual machines and containers often do not report this; their host controls it"};
}

/// A kernel file and the text that it should have.
struct kernel_setting {
    const char* what;
    const char* path;
    std::string_view expected;
    const char* text_if_expected;
    const char* text_otherwise;  ///< "{}" is replaced by the text of the file
    const char* advice;
};

constexpr kernel_setting kernel_settings[] = {
    {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "performance", "{}",
     "sudo cpupower frequency-set -g performance"},
    {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1", "off",
     "on: the clock depends on temperature and on the load of other cores",
     "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
    {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0", "off",
     "on: the clock depends on temperature and on the load of other cores",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
    {"SMT", "/sys/devices/system/cpu/smt/active", "0", "off", "on: two threads share a core",
     "echo off | sudo tee /sys/devices/system/cpu/smt/control, or leave one thread of the core idle"},
    {"layout", "/proc/sys/kernel/randomize_va_space", "2",
     "addresses are random: each process has its own memory layout, and a baseline averages over them",
     "addresses are not random ({}): all processes have one memory layout, and a baseline covers only that one",
     "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space"},
};

inline std::optional<machine_finding> examine_setting(const file_system& files, const kernel_setting& s) {
    const auto text = kernel_text(files, s.path);
    if (!text) return {};
    if (*text == s.expected) return machine_finding{concern::fine, s.what, s.text_if_expected, ""};
    return machine_finding{concern::improvable, s.what, fmt::format(fmt::runtime(s.text_otherwise), *text), s.advice};
}

/// Examines every setting by name. If a setting has several files, the first that exists counts.
inline void examine_settings(const file_system& files, std::vector<machine_finding>& findings) {
    for (const kernel_setting& s : kernel_settings) {
        const bool is_alternative = !findings.empty() && findings.back().what == s.what;
        if (is_alternative && findings.back().level != concern::unknown) continue;
        const auto finding = examine_setting(files, s);
        if (is_alternative && finding) findings.back() = *finding;
        if (!is_alternative) findings.push_back(finding.value_or(unknown_finding(s.what)));
    }
}

inline machine_finding examine_idle_states(const file_system& files) {
    const auto driver = kernel_text(files, "/sys/devices/system/cpu/cpuidle/current_driver");
    if (!driver) return unknown_finding("idle states");
    if (*driver == "none" || *driver == "haltpoll") return {concern::fine, "idle states", *driver, ""};
    return {concern::improvable, "idle states", *driver + ": waking up from a deep idle state takes time",
            "sudo cpupower idle-set -D 10"};
}

inline machine_finding examine_isolation(const file_system& files) {
    const auto isolated = kernel_text(files, "/sys/devices/system/cpu/isolated");
    if (!isolated) return unknown_finding("isolated cores");
    const std::string text = isolated->empty() ? "none" : *isolated + ": run there with taskset -c " + *isolated;
    return {concern::fine, "isolated cores", text, ""};
}

inline machine_finding examine_container(const file_system& files) {
    const auto group = kernel_text(files, "/proc/self/cgroup");
    if (!group || !group->starts_with("0::/")) return unknown_finding("container");
    const auto cores = processor_quota(files);
    if (!cores) return {concern::fine, "container", "no limit on processor time", ""};
    return {concern::improvable, "container",
            fmt::format("{:.2g} cores: the kernel pauses processes that need more until the next period", *cores),
            "give the container no quota (docker run without --cpus), or pin it to whole cores (--cpuset-cpus)"};
}

inline machine_finding judge_load(const observed_disturbance& observed) {
    const std::string text = fmt::format("{:.1f} on {} cores", observed.load_before, observed.during.cores);
    if (observed.load_before < 0.5) return {concern::fine, "load", text, ""};
    return {concern::improvable, "load", text, "other programs are running: find them with top, and stop them or wait"};
}

inline machine_finding judge_steal(const observed_disturbance& observed) {
    const double share = observed.during.steal_seconds / std::max(observed.seconds, 1e-9);
    const std::string text = fmt::format("{:.1f} % of a core", 100.0 * share);
    if (share < 0.01) return {concern::fine, "stolen time", text, ""};
    return {concern::improvable, "stolen time", text,
            "other virtual machines use the processors of the host, too: use a dedicated machine"};
}

}  // namespace detail

std::vector<machine_finding> examine_machine(const file_system& files, const observed_disturbance& observed) {
    std::vector<machine_finding> findings;
    detail::examine_settings(files, findings);
    findings.push_back(detail::examine_idle_states(files));
    findings.push_back(detail::examine_isolation(files));
    findings.push_back(detail::examine_container(files));
    findings.push_back(detail::judge_load(observed));
    findings.push_back(detail::judge_steal(observed));
    return findings;
}

namespace detail {

[[gnu::noinline]] inline std::uint64_t xorshift(std::uint64_t steps) {
    std::uint64_t x = black_box(std::uint64_t{88172645463325252U});  // otherwise -O3 merges equal calls
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
    const double pairs = static_cast<double>(budget.count() - c.time.calibrated_ns) / c.pair_ns;
    return std::min(sequential_settings::for_pairs().max_size, static_cast<std::size_t>(std::max(pairs, 0.0)));
}

inline std::vector<double> log_ratios_of(const subject& body, const pair_calibration& calibration,
                                         std::chrono::nanoseconds longest, std::uint64_t seed, const clocks& time) {
    const std::size_t count = 2 * std::max<std::size_t>(min_pairs, pairs_within(doctor_budgets.back(), calibration));
    pair_source source(body, body, calibration, seed, time);
    std::vector<double> ratios;
    const std::int64_t started = time.wall.now();
    while (ratios.size() < std::size_t{2} * min_pairs ||
           (ratios.size() < count && time.wall.now() - started < longest.count()))
        ratios.push_back(source.next().log_ratio());
    return ratios;
}

/// Arithmetic of some 20 us, arithmetic of about a millisecond, and a sweep over 64 MiB.
inline std::vector<subject> doctor_bodies() {
    const auto memory =
        std::make_shared<std::vector<std::uint64_t>>((std::size_t{64} << 20U) / sizeof(std::uint64_t), 3);
    return {subject("short arithmetic", [] { return xorshift(10'000); }),
            subject("arithmetic", [] { return xorshift(500'000); }), subject("a sweep over 64 MiB", [memory] {
                return std::accumulate(memory->begin(), memory->end(), std::uint64_t{0});
            })};
}

inline std::string effect_cell(double slowdown) {
    if (std::isnan(slowdown)) return "too slow";
    return std::isinf(slowdown) ? "over 100 %" : format_change(slowdown);
}

inline std::string result_lines(const self_comparison_result& r) {
    std::string line = fmt::format("    {:<34}", fmt::format("{} ({})", r.body, format_seconds(r.body_ns)));
    for (const double slowdown : r.slowdowns) line += fmt::format("{:>12}", effect_cell(slowdown));
    return line + "\n";
}

}  // namespace detail

std::string finding_lines(const machine_finding& f) {
    constexpr const char* marks[] = {"fine", "improve", "unknown"};
    const std::string advice = f.advice.empty() ? std::string{} : fmt::format("\n             {:<16}{}", "", f.advice);
    return fmt::format("    {:<9}{:<16}{}{}\n", marks[static_cast<std::size_t>(f.level)], f.what, f.seen, advice);
}

self_comparison_result compare_with_itself(const subject& body, const plan& p, std::chrono::nanoseconds longest,
                                           std::uint64_t seed, const clocks& time) {
    const pair_calibration c = calibrate_pair(body, body, settings_for(p, inspect(time.metric)), time);
    const auto ratios = detail::log_ratios_of(body, c, longest, seed, time);
    self_comparison_result result{.body = body.state().name, .body_ns = c.a.call_ns, .pairs = ratios.size()};
    for (std::size_t i = 0; i < doctor_budgets.size(); ++i) {
        const std::size_t pairs = std::min(detail::pairs_within(doctor_budgets[i], c), ratios.size() / 2);
        const self_comparison how{.pairs = pairs, .settings = detail::with_rates({}, p, p.margin)};
        result.slowdowns[i] = pairs < min_pairs ? std::numeric_limits<double>::quiet_NaN()
                                                : smallest_effect(ratios, detail::power_of_doctor, how);
    }
    return result;
}

std::string render_doctor(const doctor_report& report) {
    const plan& p = report.settings;
    std::string text = fmt::format("perfspec doctor: {}\n", report.hardware_key);
    if (!report.skipped.empty()) text += fmt::format("\n  No claim is judged here: {}\n", report.skipped);
    text += "\n  This machine during the measurement\n";
    for (const machine_finding& f : report.machine) text += finding_lines(f);
    text += report.devices;
    text += fmt::format(
        "\n  Smallest slowdown beyond the bound that 95 of 100 claims on a ratio find (the margin allows {})\n    "
        "{:<34}{:>12}{:>12}{:>12}\n",
        format_percentage(p.margin), "body, budget", "0.1 s", "1 s", "10 s");
    for (const self_comparison_result& r : report.results) text += detail::result_lines(r);
    return text;
}

void examine(doctor_report& report, const system_access& system, std::chrono::nanoseconds longest) {
    const std::string folder = system.variables.get("TMPDIR").value_or("");
    const machine_lock lock(
        {.file = machine_lock_file(folder), .program = "perfspec doctor", .console = system.console}, system.wall,
        system.rest);
    const machine_counters before = read_machine_counters();
    const std::int64_t started = system.wall.now();
    for (const subject& body : detail::doctor_bodies()) {
        try {
            report.results.push_back(
                compare_with_itself(body, report.settings, longest, system.draw_seed(), {system.wall, system.wall}));
        } catch (const measurement_failure& failure) {  // the findings about the machine are useful without results
            report.machine.push_back({concern::improvable, body.state().name, failure.what(),
                                      "claims on such bodies cannot be judged here"});
        }
    }
    const double seconds = static_cast<double>(system.wall.now() - started) / 1e9;
    const auto findings =
        examine_machine(system.files, {before.load, difference(before, read_machine_counters()), seconds});
    report.machine.insert(report.machine.begin(), findings.begin(), findings.end());
    if (system.devices != nullptr) report.devices = system.devices->examine();
    if (!lock.note().empty())
        report.machine.push_back(
            {concern::improvable, "neighbor", lock.note(), "let one measurement end before the next"});
}

}  // namespace perfspec::inline v0_2

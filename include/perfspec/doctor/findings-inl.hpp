// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/doctor/findings.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace perfspec {
namespace detail {

/// The trimmed text of a small kernel file; nothing where the file cannot be read.
inline std::optional<std::string> kernel_text(const file_system& files, const std::string& path) {
    const file_text read = files.read(path, std::size_t{1} << 16U);
    if (read.outcome != read_outcome::complete) return {};
    return std::string(trimmed(read.text));
}

inline machine_finding unknown_finding(const char* what) {
    return {concern::unknown, what, "not told",
            "a virtual machine or a container often does not say; its host decides"};
}

/// A kernel file with the wanted text.
struct kernel_setting {
    const char* what;
    const char* path;
    std::string_view wanted;
    const char* seen_as_wanted;
    const char* seen_otherwise;  ///< "{}" is replaced by the text of the file
    const char* advice;
};

constexpr kernel_setting kernel_settings[] = {
    {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance", "performance", "{}",
     "sudo cpupower frequency-set -g performance"},
    {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1", "off",
     "on: clocks depend on heat and on neighbours", "echo 1 | sudo tee /sys/devices/system/cpu/intel_pstate/no_turbo"},
    {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0", "off", "on: clocks depend on heat and on neighbours",
     "echo 0 | sudo tee /sys/devices/system/cpu/cpufreq/boost"},
    {"SMT", "/sys/devices/system/cpu/smt/active", "0", "off", "on: two threads share a core",
     "echo off | sudo tee /sys/devices/system/cpu/smt/control, or leave one thread of the core idle"},
    {"layout", "/proc/sys/kernel/randomize_va_space", "2",
     "addresses are random: each launch has its own layout, which stored launches average",
     "addresses are not random ({}): launches repeat one layout, and a baseline knows no other",
     "echo 2 | sudo tee /proc/sys/kernel/randomize_va_space"},
};

inline std::optional<machine_finding> examine_setting(const file_system& files, const kernel_setting& s) {
    const auto text = kernel_text(files, s.path);
    if (!text) return {};
    if (*text == s.wanted) return machine_finding{concern::fine, s.what, s.seen_as_wanted, ""};
    return machine_finding{concern::improvable, s.what, fmt::format(fmt::runtime(s.seen_otherwise), *text), s.advice};
}

/// Examines every setting by name. Where a setting has several files, the first that exists counts.
inline void examine_settings(const file_system& files, std::vector<machine_finding>& found) {
    for (const kernel_setting& s : kernel_settings) {
        const bool known = !found.empty() && found.back().what == s.what;
        if (known && found.back().level != concern::unknown) continue;
        const auto finding = examine_setting(files, s);
        if (known && finding) found.back() = *finding;
        if (!known) found.push_back(finding.value_or(unknown_finding(s.what)));
    }
}

inline machine_finding examine_idle_states(const file_system& files) {
    const auto driver = kernel_text(files, "/sys/devices/system/cpu/cpuidle/current_driver");
    if (!driver) return unknown_finding("idle states");
    if (*driver == "none" || *driver == "haltpoll") return {concern::fine, "idle states", *driver, ""};
    return {concern::improvable, "idle states", *driver + ": waking up from a deep one takes time",
            "sudo cpupower idle-set -D 10"};
}

inline machine_finding examine_isolation(const file_system& files) {
    const auto isolated = kernel_text(files, "/sys/devices/system/cpu/isolated");
    if (!isolated) return unknown_finding("isolated cores");
    if (!isolated->empty())
        return {concern::fine, "isolated cores", *isolated + ": run there with taskset -c " + *isolated, ""};
    return {concern::fine, "isolated cores", "none", ""};
}

/// Control groups, version 2: /proc/self/cgroup says "0::/user.slice". The file cpu.max in that folder has "max
/// 100000", or a quota in microseconds per period. The root group has no such file and no limit.
inline machine_finding examine_container(const file_system& files) {
    const auto group = kernel_text(files, "/proc/self/cgroup");
    if (!group || !group->starts_with("0::/")) return unknown_finding("container");
    const auto limit = kernel_text(files, "/sys/fs/cgroup" + group->substr(3) + "/cpu.max");
    if (!limit) return {concern::fine, "container", "no limit on processor time", ""};
    std::string_view rest = *limit;
    const std::string quota(take_until(rest, ' '));
    if (quota == "max") return {concern::fine, "container", "no limit on processor time", ""};
    const double cores =
        std::strtod(quota.c_str(), nullptr) / std::max(std::strtod(std::string(rest).c_str(), nullptr), 1.0);
    return {concern::improvable, "container",
            fmt::format("{:.2g} cores: the kernel stops what needs more until the next period", cores),
            "give the container no quota (docker run without --cpus), or pin it to whole cores (--cpuset-cpus)"};
}

inline machine_finding judge_load(const observed_disturbance& seen) {
    const std::string text = fmt::format("{:.1f} on {} cores", seen.load_before, seen.during.cores);
    if (seen.load_before < 0.5) return {concern::fine, "load", text, ""};
    return {concern::improvable, "load", text, "something else runs: see top, and stop it or wait"};
}

inline machine_finding judge_steal(const observed_disturbance& seen) {
    const double share = seen.during.steal_seconds / std::max(seen.seconds, 1e-9);
    const std::string text = fmt::format("{:.1f} % of a core", 100.0 * share);
    if (share < 0.01) return {concern::fine, "stolen time", text, ""};
    return {concern::improvable, "stolen time", text,
            "other virtual machines on the host use its processors in turn: take a dedicated machine"};
}

}  // namespace detail

std::vector<machine_finding> examine_machine(const file_system& files, const observed_disturbance& seen) {
    std::vector<machine_finding> found;
    detail::examine_settings(files, found);
    found.push_back(detail::examine_idle_states(files));
    found.push_back(detail::examine_isolation(files));
    found.push_back(detail::examine_container(files));
    found.push_back(detail::judge_load(seen));
    found.push_back(detail::judge_steal(seen));
    return found;
}

}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/doctor/findings.hpp>

#include <support/scripted_file_system.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace perfspec {
namespace {

observed_disturbance calm() { return {.load_before = 0.1, .during = {.load = 1.0, .cores = 2}, .seconds = 10.0}; }

machine_finding finding_about(const std::vector<machine_finding>& all, const std::string& what) {
    const auto found = std::ranges::find(all, what, &machine_finding::what);
    REQUIRE(found != all.end());
    return *found;
}

}  // namespace

TEST_CASE("a machine that tells nothing is unknown, thing by thing", "[run][unit]") {
    const scripted_file_system nothing;
    const auto found = examine_machine(nothing, calm());
    std::set<std::string> names;
    for (const machine_finding& f : found)
        CHECK(names.insert(f.what).second);  // each thing once, turbo too, which has two files
    for (const char* what : {"governor", "turbo", "SMT", "layout", "idle states", "isolated cores", "container"})
        CHECK(finding_about(found, what).level == concern::unknown);
    for (const char* what : {"load", "stolen time"}) CHECK(finding_about(found, what).level == concern::fine);
}

TEST_CASE("what the kernel tells is judged, and what is not fine comes with advice", "[run][unit]") {
    struct row {
        const char* what;
        const char* path;
        const char* text;
        concern level;
        const char* seen;
    };
    const auto r = GENERATE(values<row>({
        {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n", concern::fine,
         "performance"},
        {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n", concern::improvable,
         "powersave"},
        {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", concern::fine, "off"},
        {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", concern::improvable,
         "on: clocks depend on heat and on neighbours"},
        {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0\n", concern::fine, "off"},
        {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "1\n", concern::improvable,
         "on: clocks depend on heat and on neighbours"},
        {"SMT", "/sys/devices/system/cpu/smt/active", "0\n", concern::fine, "off"},
        {"SMT", "/sys/devices/system/cpu/smt/active", "1\n", concern::improvable, "on: two threads share a core"},
        {"idle states", "/sys/devices/system/cpu/cpuidle/current_driver", "haltpoll\n", concern::fine, "haltpoll"},
        {"idle states", "/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n", concern::improvable,
         "intel_idle: waking up from a deep one takes time"},
        {"isolated cores", "/sys/devices/system/cpu/isolated", "\n", concern::fine, "none"},
        {"isolated cores", "/sys/devices/system/cpu/isolated", "2-3\n", concern::fine,
         "2-3: run there with taskset -c 2-3"},
        {"container", "/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n", concern::fine, "no limit on processor time"},
        {"container", "/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n", concern::improvable,
         "1.5 cores: the kernel stops what needs more until the next period"},
    }));
    scripted_file_system files;
    if (r.what == std::string("container")) files.put("/proc/self/cgroup", "0::/user.slice\n");
    files.put(r.path, r.text);
    const machine_finding f = finding_about(examine_machine(files, calm()), r.what);
    CHECK(f.level == r.level);
    CHECK(f.seen == r.seen);
    CHECK(f.advice.empty() == (r.level == concern::fine));
}

TEST_CASE("a group without a limit of its own has none", "[run][unit]") {
    scripted_file_system files;
    files.put("/proc/self/cgroup", "0::/\n");
    CHECK(finding_about(examine_machine(files, calm()), "container") ==
          machine_finding{concern::fine, "container", "no limit on processor time", ""});
}

TEST_CASE("what was observed is judged a second, not in all", "[run][unit]") {
    const scripted_file_system nothing;
    const observed_disturbance busy{.load_before = 2.25, .during = {.cores = 2, .steal_seconds = 0.5}, .seconds = 10.0};
    const auto found = examine_machine(nothing, busy);
    CHECK(finding_about(found, "load") == machine_finding{concern::improvable, "load", "2.2 on 2 cores",
                                                          "something else runs: see top, and stop it or wait"});
    CHECK(finding_about(found, "stolen time").seen == "5.0 % of a core");
    CHECK(finding_about(found, "stolen time").level == concern::improvable);
    observed_disturbance longer = busy;
    longer.seconds = 1000.0;
    CHECK(finding_about(examine_machine(nothing, longer), "stolen time").level == concern::fine);
}

}  // namespace perfspec

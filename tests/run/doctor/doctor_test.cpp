// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <perfspec/doctor/doctor.hpp>

#include <support/scripted_file_system.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

subject body_of(scripted_run& program, std::chrono::nanoseconds length) { return program.takes("body", length); }

}  // namespace

TEST_CASE("a body against itself is compared for as long as requested, and at least in twice ten pairs",
          "[run][unit]") {
    scripted_run program;
    const self_comparison_result r =
        compare_with_itself(body_of(program, 1ms), {}, 100ms, 7, {program.wall, program.wall});
    CHECK(r.body == "body");
    CHECK(r.body_ns == 1e6);
    CHECK(r.pairs >= 49);
    CHECK(r.pairs <= 50);
    scripted_run slow;
    CHECK(compare_with_itself(body_of(slow, 1s), {}, 1ms, 7, {slow.wall, slow.wall}).pairs == 20);
}

TEST_CASE("a body without noise shows the smallest slowdown there is", "[run][unit]") {
    scripted_run program;
    const self_comparison_result r =
        compare_with_itself(body_of(program, 1ms), {}, 100ms, 7, {program.wall, program.wall});
    for (const double slowdown : r.slowdowns) CHECK(slowdown <= 1e-4);
}

TEST_CASE("a recording ends where the longest claim's two stages share no pair", "[run][unit]") {
    scripted_run program;
    CHECK(compare_with_itself(body_of(program, 20us), {}, 1h, 7, {program.wall, program.wall}).pairs == 4000);
    scripted_run slow;
    const self_comparison_result r = compare_with_itself(body_of(slow, 20ms), {}, 1h, 7, {slow.wall, slow.wall});
    CHECK(r.pairs >= 2 * 230);  // ten seconds, but for the calibration
    CHECK(r.pairs <= 2 * 250);
}

TEST_CASE("a budget in which ten pairs do not fit has no answer", "[run][unit]") {
    scripted_run program;
    const self_comparison_result r =
        compare_with_itself(body_of(program, 20ms), {}, 1s, 7, {program.wall, program.wall});
    CHECK(std::isnan(r.slowdowns[0]));
    CHECK(r.slowdowns[1] <= 1e-4);
}

TEST_CASE("render_doctor says what each thing is, what to do, and what can be judged", "[run][unit]") {
    const std::vector<machine_finding> machine{{concern::fine, "SMT", "off", ""},
                                               {concern::improvable, "load", "2.2 on 2 cores", "see top"},
                                               {concern::unknown, "governor", "not told", "ask the host"}};
    const double none = std::numeric_limits<double>::quiet_NaN();
    const double never = std::numeric_limits<double>::infinity();
    const std::vector<self_comparison_result> results{
        {.body = "arithmetic", .body_ns = 1e6, .pairs = 4000, .slowdowns = {0.068, 0.005, 0.0049}},
        {.body = "a sweep", .body_ns = 2.7e6, .pairs = 800, .slowdowns = {none, never, 0.12}},
        {.body = "a bad one", .body_ns = 2e4, .pairs = 4000, .slowdowns = {0.1, 0.1, 0.1}}};
    doctor_report report{"epyc-2c", "", {}, machine, results, "\n  Devices: all are made up\n"};
    CHECK_RECORDED(render_doctor(report));
    report.skipped = "it is Tuesday";
    report.settings.margin = 0.02;
    const std::string other = render_doctor(report);
    CHECK_RECORDED(other);
}

namespace {

observed_disturbance calm() { return {.load_before = 0.1, .during = {.load = 1.0, .cores = 2}, .seconds = 10.0}; }

machine_finding finding_about(const std::vector<machine_finding>& all, const std::string& what) {
    const auto found = std::ranges::find(all, what, &machine_finding::what);
    REQUIRE(found != all.end());
    return *found;
}

}  // namespace

TEST_CASE("a machine that reports nothing is unknown, thing by thing", "[run][unit]") {
    const scripted_file_system nothing;
    const auto found = examine_machine(nothing, calm());
    std::set<std::string> names;
    for (const machine_finding& f : found)
        CHECK(names.insert(f.what).second);  // each thing once, turbo too, which has two files
    for (const char* what : {"governor", "turbo", "SMT", "layout", "idle states", "isolated cores", "container"})
        CHECK(finding_about(found, what).level == concern::unknown);
    for (const char* what : {"load", "stolen time"}) CHECK(finding_about(found, what).level == concern::fine);
}

TEST_CASE("what the kernel reports is judged, and what is not fine comes with advice", "[run][unit]") {
    const auto [what, path, text, level,
                seen] = GENERATE(table<const char*, const char*, const char*, concern, const char*>({
        {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n", concern::fine,
         "performance"},
        {"governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n", concern::improvable,
         "powersave"},
        {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "1\n", concern::fine, "off"},
        {"turbo", "/sys/devices/system/cpu/intel_pstate/no_turbo", "0\n", concern::improvable,
         "on: the clock depends on temperature and on the load of other cores"},
        {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "0\n", concern::fine, "off"},
        {"turbo", "/sys/devices/system/cpu/cpufreq/boost", "1\n", concern::improvable,
         "on: the clock depends on temperature and on the load of other cores"},
        {"SMT", "/sys/devices/system/cpu/smt/active", "0\n", concern::fine, "off"},
        {"SMT", "/sys/devices/system/cpu/smt/active", "1\n", concern::improvable, "on: two threads share a core"},
        {"idle states", "/sys/devices/system/cpu/cpuidle/current_driver", "haltpoll\n", concern::fine, "haltpoll"},
        {"idle states", "/sys/devices/system/cpu/cpuidle/current_driver", "intel_idle\n", concern::improvable,
         "intel_idle: waking up from a deep idle state takes time"},
        {"isolated cores", "/sys/devices/system/cpu/isolated", "\n", concern::fine, "none"},
        {"isolated cores", "/sys/devices/system/cpu/isolated", "2-3\n", concern::fine,
         "2-3: run there with taskset -c 2-3"},
        {"container", "/sys/fs/cgroup/user.slice/cpu.max", "max 100000\n", concern::fine, "no limit on processor time"},
        {"container", "/sys/fs/cgroup/user.slice/cpu.max", "150000 100000\n", concern::improvable,
         "1.5 cores: the kernel pauses processes that need more until the next period"},
    }));
    scripted_file_system files;
    if (what == std::string("container")) files.put("/proc/self/cgroup", "0::/user.slice\n");
    files.put(path, text);
    const machine_finding f = finding_about(examine_machine(files, calm()), what);
    CHECK(f.level == level);
    CHECK(f.seen == seen);
    CHECK(f.advice.empty() == (level == concern::fine));
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
    CHECK(finding_about(found, "load") ==
          machine_finding{concern::improvable, "load", "2.2 on 2 cores",
                          "other programs are running: find them with top, and stop them or wait"});
    CHECK(finding_about(found, "stolen time").seen == "5.0 % of a core");
    CHECK(finding_about(found, "stolen time").level == concern::improvable);
    observed_disturbance longer = busy;
    longer.seconds = 1000.0;
    CHECK(finding_about(examine_machine(nothing, longer), "stolen time").level == concern::fine);
}

}  // namespace perfspec

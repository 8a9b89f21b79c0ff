// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/machine/cores.hpp>
#include <perfspec/measure/machine/disturbance.hpp>

#include <support/test.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <locale>
#include <thread>

#include <sched.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfspec {
namespace {

TEST_CASE("draw_core draws nothing, and tosses no coin, where there is no choice", "[measure][unit]") {
    random_order order(7);
    random_order untouched(7);
    CHECK_FALSE(draw_core({}, order));
    CHECK_FALSE(draw_core(std::array<std::uint32_t, 1>{3}, order));
    for (int i = 0; i < 64; ++i) CHECK(order.next() == untouched.next());
}

TEST_CASE("draw_core draws each core about as often", "[measure][unit]") {
    random_order order(7);
    const std::array<std::uint32_t, 3> cores{2, 3, 11};
    std::array<int, 12> drawn{};
    for (int i = 0; i < 3000; ++i) ++drawn.at(draw_core(cores, order).value());
    for (const auto core : cores) {
        CHECK(drawn.at(core) > 900);
        CHECK(drawn.at(core) < 1100);
    }
}

TEST_CASE("move_to_core moves the thread, and binds it to none", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    REQUIRE_FALSE(cores.empty());
    for (const auto core : cores) {
        move_to_core(core);
        CHECK(usable_cores() == cores);
    }
}

TEST_CASE("move_to_core stays where a core may not be used", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    for (const std::uint32_t core : {1023U, 1024U, 4294967295U}) {
        move_to_core(core);
        CHECK(usable_cores() == cores);
    }
}

TEST_CASE("move_to_core is on its core afterwards, but for what the system moves on", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = usable_cores();
    if (cores.size() < 2) SKIP("this process may run on one core only");
    int arrived = 0;
    for (std::size_t i = 0; i < 200; ++i) {
        const std::uint32_t core = cores[i % cores.size()];
        move_to_core(core);
        arrived += ::sched_getcpu() == static_cast<int>(core) ? 1 : 0;
    }
    CHECK(arrived > 180);
}

}  // namespace
}  // namespace perfspec

using perfspec::machine_counters;

namespace {

void bind_to(const std::vector<std::uint32_t>& cores) {
    cpu_set_t set;
    CPU_ZERO(&set);
    for (const auto core : cores) CPU_SET(core, &set);
    ::sched_setaffinity(0, sizeof set, &set);
}

/// A folder for one test, removed with this object.
class proc_folder {
public:
    proc_folder() : path_(std::filesystem::temp_directory_path() / ("perfspec-proc-" + std::to_string(::getpid()))) {
        std::filesystem::remove_all(path_);
        std::filesystem::create_directories(path_ / "self");
    }
    proc_folder(const proc_folder&) = delete;
    proc_folder& operator=(const proc_folder&) = delete;
    ~proc_folder() { std::filesystem::remove_all(path_); }

    void write(const char* name, const char* text) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << text;
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("read_machine_counters reads what the kernel writes", "[measure][unit]") {
    const proc_folder proc;
    proc.write("stat", "cpu  10 20 30 40 50 60 70 800 0 0\ncpu0 1 2 3 4 5 6 7 8 0 0\n");
    proc.write("loadavg", "1.25 0.50 0.20 3/123 4567\n");
    proc.write("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2450000\n");  // the others do not tell
    const machine_counters now = perfspec::read_machine_counters(proc.path(), proc.path(), {0, 1});
    CHECK(now.frequency_mhz == 2450.0);
    CHECK(now.runnable == 3);
    CHECK(now.steal_seconds == 800.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
    CHECK(now.busy_seconds == 190.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
    CHECK(now.own_seconds > 0.0);
    CHECK(now.elapsed_seconds > 0.0);
    CHECK(now.load == 1.25);
    CHECK(now.cores >= 1);
    CHECK(now.own_cores == 2);
    CHECK(now.page_faults > 0);
}

TEST_CASE("read_machine_counters has the work on the cores that the process may use", "[measure][unit]") {
    const proc_folder proc;
    proc.write("stat", "cpu  30 0 0 99 0 0 0 0 0 0\ncpu0 1 0 0 33 0 0 0 0 0 0\ncpu1 9 0 0 33 0 0 0 0 0 0\n"
                       "cpu2 20 0 0 33 0 0 0 0 0 0\nintr 7\n");
    const auto busy_on = [&](const std::vector<std::uint32_t>& cores) {
        return perfspec::read_machine_counters(proc.path(), proc.path(), cores).busy_seconds *
               static_cast<double>(sysconf(_SC_CLK_TCK));
    };
    CHECK_THAT(busy_on({1}), Catch::Matchers::WithinRel(9.0, 1e-12));
    CHECK_THAT(busy_on({0, 2}), Catch::Matchers::WithinRel(21.0, 1e-12));
    CHECK_THAT(busy_on({2, 7}), Catch::Matchers::WithinRel(30.0, 1e-12));  // the file numbers them in another way
}

TEST_CASE("threads that are bound to a core each run on these together", "[measure][unit]") {
    const std::vector<std::uint32_t> cores = perfspec::usable_cores();
    if (cores.size() < 2 || perfspec::process_usage().now().threads != 1) SKIP("one core, or threads on any");
    bind_to({cores.front()});
    CHECK(perfspec::usable_cores().size() == 1);
    {
        std::atomic<bool> is_bound{false};
        std::atomic<bool> is_over{false};
        const std::jthread other([&] {
            bind_to({cores.back()});
            is_bound = true;
            is_bound.notify_one();
            is_over.wait(false);
        });
        is_bound.wait(false);
        CHECK(perfspec::usable_cores().size() == 2);
        is_over = true;
        is_over.notify_one();
    }
    bind_to(cores);
}

TEST_CASE("read_machine_counters reads numbers in any locale of the program", "[measure][unit]") {
    struct german : std::numpunct<char> {
        [[nodiscard]] char do_decimal_point() const override { return ','; }
        [[nodiscard]] char do_thousands_sep() const override { return '.'; }
        [[nodiscard]] std::string do_grouping() const override { return "\3"; }
    };
    const proc_folder proc;
    proc.write("loadavg", "1.25 0.50 0.20 3/123 4567\n");
    const std::locale before = std::locale::global(std::locale(std::locale::classic(), new german));
    const machine_counters now = perfspec::read_machine_counters(proc.path(), proc.path());
    std::locale::global(before);
    CHECK(now.load == 1.25);
    CHECK(now.runnable == 3);
}

TEST_CASE("read_machine_counters leaves missing counters zero", "[measure][unit]") {
    const proc_folder proc;
    const auto kind = GENERATE("missing", "short", "strange");
    CAPTURE(kind);
    if (kind == std::string("short")) proc.write("stat", "cpu 1 2 3\n");
    if (kind == std::string("strange")) {
        proc.write("stat", "what is this\n");
        proc.write("loadavg", "much\n");
    }
    const machine_counters now = perfspec::read_machine_counters(proc.path(), proc.path());
    CHECK(now.frequency_mhz == 0.0);
    CHECK(now.runnable == 0);
    CHECK(now.steal_seconds == 0.0);
    CHECK(now.busy_seconds == 0.0);
    CHECK(now.load == 0.0);
}

TEST_CASE("others_cores is the work of other processes, or their threads if the time is short", "[measure][unit]") {
    using perfspec::machine_counters;
    const machine_counters shared{
        .own_cores = 2, .elapsed_seconds = 2.0, .busy_seconds = 3.5, .own_seconds = 1.5, .runnable = 9};
    CHECK(perfspec::others_cores(shared) == 1.0);
    const auto with = [&](auto machine_counters::*what, auto value) {
        machine_counters c = shared;
        c.*what = value;
        return perfspec::others_cores(c);
    };
    CHECK(with(&machine_counters::own_seconds, 3.5) == 0.0);
    CHECK(with(&machine_counters::own_seconds, 3.6) == 0.0);  // the counters are not of one instant
    CHECK(with(&machine_counters::elapsed_seconds, 0.04) == 2.0);
    CHECK(perfspec::others_cores({.own_cores = 2, .elapsed_seconds = 0.04, .runnable = 2}) == 1.0);
    CHECK(perfspec::others_cores({.own_cores = 2, .elapsed_seconds = 0.04}) == 0.0);
}

TEST_CASE("the work of a worker is no work of others", "[measure][unit]") {
    const perfspec::machine_counters judge{
        .own_cores = 2, .elapsed_seconds = 1.0, .busy_seconds = 2.0, .own_seconds = 0.25};
    const perfspec::usage works{.cpu_ns = 750'000'000, .own_cpu_ns = 500'000'000};
    CHECK(perfspec::others_cores(with_work_of(judge, works)) == 1.0);
}

TEST_CASE("a process of one thread has no work of others, however it is interrupted", "[measure][unit]") {
    perfspec::usage_meter& meter = perfspec::process_usage();
    if (meter.now().threads != 1) SKIP("this process has other threads");
    using perfspec::reading_place;
    for (int i = 0; i < 100; ++i) {
        const auto which = i % 2 == 0 ? perfspec::metered_waiting::none : perfspec::metered_waiting::of_all_threads;
        const perfspec::processor_use before = meter.use_of_processors(which, reading_place::before);
        std::this_thread::sleep_for(std::chrono::microseconds(100));
        const perfspec::processor_use use =
            difference(before, meter.use_of_processors(which, reading_place::after), meter.use_of_reading());
        CHECK(use.is_of_one_thread());
        CHECK(use.blocks > 0);
    }
}

TEST_CASE("the meter of another process counts from its start", "[measure][unit]") {
    const auto meter = perfspec::usage_of_process(::getpid());
    while (meter->now().cpu_ns < 1'000'000) {}  // it works
    const perfspec::usage used = meter->now();
    CHECK(used.threads >= 1);
    CHECK(perfspec::usage_of_process(::getpid())->now().cpu_ns < used.cpu_ns);
}

TEST_CASE("the work of a process's children is its work, beside its first thread", "[measure][unit]") {
    const std::string own = "/proc/self/task/" + std::to_string(::getpid()) + "/children";
    if (::access(own.c_str(), R_OK) != 0) SKIP("this system does not list the children of a process");
    const pid_t child = ::fork();
    if (child == 0) {
        if (::fork() == 0)
            for (::prctl(PR_SET_PDEATHSIG, SIGKILL);;) {}  // works until its parent ends
        for (;;) ::pause();
    }
    const auto meter = perfspec::usage_of_process(child);
    while (meter->now().others_cpu_ns() < 50'000'000) {}
    using enum perfspec::metered_waiting;
    CHECK(meter->use_of_processors(of_all_threads, perfspec::reading_place::before).all_ns() < 50'000'000);
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
}

TEST_CASE("the time that a thread waits for a processor is the second number of schedstat", "[measure][unit]") {
    using perfspec::detail::run_delay_in;
    CHECK(run_delay_in("532378 150653 1\n") == 150653);
    for (const char* const nothing : {"", "532378", "532378 ", "1 -5 1", "1 x 1", "1 99999999999999999999 1"})
        CHECK(run_delay_in(nothing) == 0);
    CHECK(perfspec::detail::run_delay_of("no such thread") == 0);
}

TEST_CASE("a control group's quota is read in either version", "[measure][unit]") {
    using perfspec::detail::throttled_in;
    CHECK(throttled_in("usage_usec 12\nnr_throttled 3\nthrottled_usec 1500\n") == 1'500'000);
    CHECK(throttled_in("nr_periods 9\nnr_throttled 3\nthrottled_time 1500\n") == 1500);
    for (const char* const nothing : {"", "usage_usec 12\n", "throttled_usec many\n", "throttled_time -3\n"})
        CHECK(throttled_in(nothing) == 0);
}

TEST_CASE("a control group's file is looked for where either version has it", "[measure][unit]") {
    using perfspec::detail::cpu_stat_files;
    using files = std::vector<std::string>;
    CHECK(cpu_stat_files("0::/user.slice/a.scope\n") == files{"/sys/fs/cgroup/user.slice/a.scope/cpu.stat"});
    CHECK(cpu_stat_files("0::/\n") == files{"/sys/fs/cgroup/cpu.stat"});
    CHECK(cpu_stat_files("7:memory:/docker/1\n4:cpu,cpuacct:/docker/1\n0::/docker/1\n") ==
          files{"/sys/fs/cgroup/docker/1/cpu.stat", "/sys/fs/cgroup/cpu,cpuacct/docker/1/cpu.stat",
                "/sys/fs/cgroup/cpu,cpuacct/cpu.stat"});
    CHECK(cpu_stat_files("what\n").empty());
}

TEST_CASE("the waiting of threads that could run at once is that of each", "[measure][unit]") {
    const auto waited = [](double waited_s, double worked_s) {
        const perfspec::processor_use between{.own_ns = std::llround(1e9 * worked_s),
                                              .waited_ns = std::llround(1e9 * waited_s)};
        return perfspec::waited_seconds(between, 4'000'000'000);
    };
    CHECK(waited(1.0, 3.0) == 1.0);   // one thread
    CHECK(waited(1.0, 0.5) == 1.0);   // that also sleeps
    CHECK(waited(2.0, 14.0) == 0.5);  // four threads
    CHECK(waited(8.0, 8.0) == 2.0);   // of which half wait
}

TEST_CASE("difference subtracts counters and keeps the later load, queue and frequency", "[measure][unit]") {
    // load, cores, own cores; seconds: stolen, throttled, elapsed, busy, own; page faults, runnable, frequency
    const machine_counters before{0.5, 2, 2, 10.0, 1.0, 8.0, 4.0, 2.0, 1000, 1, 3000.0};
    const machine_counters after{1.5, 2, 2, 12.5, 1.25, 9.0, 5.75, 2.5, 1001, 4, 2000.0};
    CHECK(difference(before, after) == machine_counters{1.5, 2, 2, 2.5, 0.25, 1.0, 1.75, 0.5, 1, 4, 2000.0});
    machine_counters bound = after;
    bound.own_cores = 1;
    CHECK(difference(before, bound).busy_seconds == 0.0);
}

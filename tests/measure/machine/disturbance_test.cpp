// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/machine/disturbance.hpp>

#include <support/test.hpp>

#include <unistd.h>

using perfspec::machine_counters;

namespace {

/// A folder of its own for one test, removed with it.
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
    proc.write(
        "self/sched",
        "test (1, #threads: 1)\n------\nse.exec_start          :     12.5\nse.nr_migrations       :        17\n");
    proc.write("devices/system/cpu/cpu0/cpufreq/scaling_cur_freq", "2450000\n");  // the others do not tell
    const machine_counters now = perfspec::read_machine_counters(proc.path(), proc.path());
    CHECK(now.frequency_mhz == 2450.0);
    CHECK(now.runnable == 3);
    CHECK(now.steal_seconds == 800.0 / static_cast<double>(sysconf(_SC_CLK_TCK)));
    CHECK(now.load == 1.25);
    CHECK(now.migrations == 17);
    CHECK(now.cores >= 1);
    CHECK(now.page_faults > 0);
}

TEST_CASE("read_machine_counters leaves zero what it is not told", "[measure][unit]") {
    const proc_folder proc;
    const auto kind = GENERATE("missing", "short", "strange");
    CAPTURE(kind);
    if (kind == std::string("short")) proc.write("stat", "cpu 1 2 3\n");
    if (kind == std::string("strange")) {
        proc.write("stat", "what is this\n");
        proc.write("loadavg", "much\n");
        proc.write("self/sched", "se.nr_migrations : many\n");
    }
    const machine_counters now = perfspec::read_machine_counters(proc.path(), proc.path());
    CHECK(now.frequency_mhz == 0.0);
    CHECK(now.runnable == 0);
    CHECK(now.steal_seconds == 0.0);
    CHECK(now.load == 0.0);
    CHECK(now.migrations == 0);
}

TEST_CASE("difference subtracts counters and keeps the later load, queue and frequency", "[measure][unit]") {
    const machine_counters before{0.5, 2, 10.0, 100, 1000, 7, 1, 3000.0};
    const machine_counters after{1.5, 2, 12.5, 130, 1001, 7, 4, 2000.0};
    CHECK(difference(before, after) == machine_counters{1.5, 2, 2.5, 30, 1, 0, 4, 2000.0});
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>

#include <support/test.hpp>

#include <cerrno>

namespace perfspec {
namespace {

using namespace testing;

/// A kernel with scripted counters of threads.
class scripted_events final : public event_system {
public:
    std::vector<int> living{100, 101};
    std::map<int, int> errors;                ///< by thread
    std::map<int, event_reading> readings{};  ///< by thread
    std::vector<metric_kind> opened;
    int descriptors{};
    bool readable{true};
    bool counting{true};

    [[nodiscard]] int open(metric_kind event, int thread) override {
        if (const auto found = errors.find(thread); found != errors.end()) return -found->second;
        opened.push_back(event);
        ++descriptors;
        return thread;
    }
    [[nodiscard]] std::optional<event_reading> read(int descriptor) override {
        return readable ? std::optional(readings[descriptor]) : std::nullopt;
    }
    void close(int) noexcept override { --descriptors; }
    [[nodiscard]] std::vector<int> threads() override { return living; }
    [[nodiscard]] std::optional<int> paranoid_level() override { return 3; }
    [[nodiscard]] bool counters_advance() override { return counting; }
};

}  // namespace

TEST_CASE("a hardware counter sums its event over the threads of the process", "[measure][unit]") {
    scripted_events events;
    hardware_counter misses(detail::metrics::branch_misses, events);
    CHECK(misses.begin().empty());
    CHECK(events.opened == std::vector<metric_kind>{detail::metrics::branch_misses, detail::metrics::branch_misses});
    events.readings = {{100, {1000, 50, 50}}, {101, {24, 7, 7}}};
    CHECK(misses.now() == 1024);
    CHECK(misses.begin().empty());  // goes on
    CHECK(events.descriptors == 2);
    misses.end();
    CHECK(events.descriptors == 0);
}

TEST_CASE("a hardware counter closes what it opened when it goes", "[measure][unit]") {
    scripted_events events;
    {
        hardware_counter cycles(detail::metrics::cycles, events);
        CHECK(cycles.begin().empty());
    }
    CHECK(events.descriptors == 0);
}

TEST_CASE("a thread that has just ended is no reason not to count", "[measure][unit]") {
    scripted_events events;
    events.errors = {{101, ESRCH}};
    hardware_counter instructions(detail::metrics::instructions, events);
    CHECK(instructions.begin().empty());
    events.readings = {{100, {5, 1, 1}}};
    CHECK(instructions.now() == 5);
}

TEST_CASE("an event that one thread cannot count is not counted, with the way out", "[measure][unit]") {
    const auto [error, text] = GENERATE(table<int, const char*>({
        {EACCES,
         "the kernel does not let this user count the processor's events (kernel.perf_event_paranoid is 3). Allow it "
         "(sudo sysctl"},
        {EPERM, "docker run --cap-add PERFMON"},
        {ENOENT, "this machine offers no such counter, like most virtual machines"},
        {EOPNOTSUPP, "this machine offers no such counter"},
        {ENODEV, "this machine offers no such counter"},
        {ENOSYS, "hardware counters need Linux"},
        {EMFILE, "such as ulimit -n 4096"},
        {EBUSY, "perf_event_open failed: Device or resource busy"},
    }));
    scripted_events events;
    events.errors = {{101, error}};
    hardware_counter cycles(detail::metrics::cycles, events);
    CHECK_THAT(cycles.begin(), ContainsSubstring(text));
    CHECK(events.descriptors == 0);
}

TEST_CASE("counters that open and do not count are missing", "[measure][unit]") {
    scripted_events events;
    events.counting = false;
    hardware_counter misses(detail::metrics::branch_misses, events);
    CHECK_THAT(misses.begin(), ContainsSubstring("stay at 0") && ContainsSubstring("simulated_instructions"));
    CHECK(events.descriptors == 0);
}

TEST_CASE("an event that was counted a part of the time is not counted", "[measure][unit]") {
    scripted_events events;
    hardware_counter cycles(detail::metrics::cycles, events);
    CHECK(cycles.begin().empty());
    events.readings = {{100, {5, 100, 100}}, {101, {5, 100, 43}}};
    CHECK_THROWS_RECORDED(measurement_failure, cycles.now());
    try {
        static_cast<void>(cycles.now());
    } catch (const measurement_failure& failure) { CHECK(failure.kind == failure_kind::not_countable); }
    events.readable = false;
    CHECK_THROWS_MATCHES(cycles.now(), measurement_failure, MessageMatches(ContainsSubstring("could not be read")));
}

TEST_CASE("the processor counts the instructions of this thread and of those it starts", "[measure][unit]") {
    hardware_counter instructions(detail::metrics::instructions, kernel_events());
    if (const std::string reason = instructions.begin(); !reason.empty()) SKIP(reason);
    const auto loop = [] {
        for (int i = 0; i < 1'000'000; ++i) asm volatile("");
    };
    const std::int64_t start = instructions.now();
    loop();
    const std::int64_t own = instructions.now() - start;
    CHECK(own >= 1'000'000);  // at least one an iteration with any compiler
    CHECK(own < 20'000'000);
    std::thread(loop).join();
    CHECK(instructions.now() - start >= own + 1'000'000);
}

}  // namespace perfspec

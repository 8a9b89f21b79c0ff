// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../scripted_run.hpp"

#include <support/scripted_usage.hpp>

namespace perfspec {

using namespace testing;

namespace {

/// A program whose body works for 5 ms, and in so many of ten calls waits for a processor for 95 ms as well.
struct waiting_run : scripted_run {
    scripted_usage meter;
    std::size_t waits_of_ten;
    std::size_t calls{};

    explicit waiting_run(std::size_t waits, std::vector<child_end> children = {})
        : scripted_run(std::move(children)), waits_of_ten(waits) {
        usage = &meter;
    }
    subject body() {
        return subject("sort", [this] {
            const bool waits = calls++ % 10 < waits_of_ten;
            wall.advance(waits ? 100ms : 5ms);
            if (waits) meter.waited += std::chrono::nanoseconds(95ms).count();
        });
    }
};

}  // namespace

TEST_CASE("waiting for a processor does not violate an upper bound of a time", "[run][unit]") {
    waiting_run always(10);
    const record r = always.evaluate(latency(always.body()) < 50ms, {budget(20s)});
    CHECK(r.verdict == verdict::undecided);
    CHECK_FALSE(r.failed);
    CHECK(r.evidence.rounds == 0);
    CHECK_FALSE(r.estimate.has_value());
    CHECK_THAT(r.reason, StartsWith("its process waited for a processor in 20 of 20 blocks"));
    CHECK(r.subjects.at(0).median == 100e6);

    waiting_run never(0);
    CHECK(never.evaluate(latency(never.body()) < 50ms).verdict == verdict::holds);
    waiting_run mostly(7);
    CHECK(mostly.evaluate(latency(mostly.body()) < 50ms, {budget(20s)}).verdict == verdict::holds);
}

TEST_CASE("a false upper bound is found by the readings that did not wait", "[run][unit]") {
    waiting_run mostly(7, {confirms(verdict::violated)});
    const record r = mostly.evaluate(latency(mostly.body()) < 4ms, {budget(20s)});
    CHECK(r.verdict == verdict::violated);
    CHECK_THAT(r.estimate.value().centre, WithinRel(5e6, 1e-12));
}

TEST_CASE("waiting for a processor speaks for a lower bound of a time, and against none of cpu_time", "[run][unit]") {
    waiting_run always(10);
    CHECK(always.evaluate(latency(always.body()) > 50ms, {budget(20s)}).verdict == verdict::holds);
    waiting_run slow(10, {confirms(verdict::violated)});
    const subject busy("busy", [&] {
        slow.wall.advance(5ms);
        slow.cpu.advance(5ms);
        slow.meter.waited += 1'000'000;
    });
    CHECK(slow.evaluate(cpu_time(busy) < 4ms).verdict == verdict::violated);
}

}  // namespace perfspec

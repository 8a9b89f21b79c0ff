// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Samples that other work on the machine interrupts.
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_clock.hpp>
#include <support/scripted_usage.hpp>
#include <support/test.hpp>

#include <cmath>
#include <vector>

using namespace perfspec::testing;
using perfspec::block_source;
using perfspec::warm_call;

namespace {

perfspec::block_calibration blocks_of(std::uint32_t readings, std::chrono::nanoseconds call) {
    perfspec::block_calibration c;
    c.x = {static_cast<double>(call.count()), 0.0, 1};
    c.readings = readings;
    c.block_ns = readings * c.x.call_ns;
    c.blocks = 20;
    c.time = {0, 0, 1'000'000'000};
    return c;
}

}  // namespace

namespace {

/// The use of an interrupted call that works so long.
perfspec::processor_use interrupted(std::chrono::nanoseconds work) {
    return {.own_ns = work.count(), .interruptions = 1};
}

void add(perfspec::processor_use& all, const perfspec::processor_use& call) {
    all.own_ns += call.own_ns;
    all.others_ns += call.others_ns;
    all.ended_ns += call.ended_ns;
    all.is_beside_others = call.is_beside_others;
    all.waited_ns += call.waited_ns;
    all.interruptions += call.interruptions;
    all.blocks += call.blocks;
}

}  // namespace

TEST_CASE("block_source reports what readings would be without interruptions", "[measure][unit]") {
    using perfspec::working_time;
    // The call's time, what the third of four calls uses, and what is known then. A look covers 100 us at least.
    struct row {
        std::chrono::nanoseconds call;
        perfspec::processor_use use;
        std::vector<working_time> expected;
    };
    const auto whole = [](double ns) { return working_time{ns, true}; };
    const std::vector<row> rows{
        {5ms, interrupted(3ms), {whole(5e6), whole(5e6), {3e6, true}, whole(5e6)}},
        {5ms, {.own_ns = 3'000'000, .waited_ns = 2'000'000}, {}},  // no other thread had its processor
        {5ms,
         {.own_ns = 1'000'000, .waited_ns = 3'000'000, .interruptions = 1, .blocks = 1},
         {whole(5e6), whole(5e6), {2e6, false}, whole(5e6)}},
        {5ms,
         {.own_ns = 3'000'000, .waited_ns = 9'000'000, .interruptions = 1, .blocks = 1},
         {whole(5e6), whole(5e6), {3e6, false}, whole(5e6)}},  // it worked that long
        {5ms, {.own_ns = 1'000'000, .waited_ns = 50'000, .interruptions = 1, .blocks = 1}, {}},
        {5ms,
         {.own_ns = 5'000'000, .others_ns = 4'000'000, .waited_ns = 4'000'000},
         {whole(5e6), whole(5e6), {1e6, false}, whole(5e6)}},  // its thread may spin meanwhile
        {5ms, {.own_ns = 5'000'000, .others_ns = 4'000'000, .waited_ns = 4'000'000, .is_beside_others = false}, {}},
        {5ms,
         {.own_ns = 5'000'000, .others_ns = 4'000'000, .ended_ns = 3'000'000},
         {whole(5e6), whole(5e6), {0.0, false}, whole(5e6)}},  // threads have ended: nothing says whether they waited
        {5ms,
         {.own_ns = 5'000'000, .others_ns = 20'000, .waited_ns = 4'900'000},
         {whole(5e6), whole(5e6), {100e3, false}, whole(5e6)}},  // it spins until the other thread is done
        {5ms,
         {.own_ns = 2'000'000, .interruptions = 1, .blocks = 1},
         {whole(5e6), whole(5e6), {2e6, false}, whole(5e6)}},  // nothing says for how long it waited
        {50us, {.own_ns = 70'000, .interruptions = 1}, {whole(50e3), whole(50e3), {20e3, false}, {20e3, false}}},
        {50us, {.own_ns = 99'500, .interruptions = 1}, {}},
    };
    const row r = GENERATE_COPY(from_range(rows));
    CAPTURE(r.call.count(), r.use.own_ns, r.use.waited_ns);
    stepped_clock time;
    stepped_sleeper rest(time);
    scripted_usage meter;
    int calls = 0;
    const auto body = [&] {
        time.advance(r.call);
        if (calls++ == 2) add(meter.processors, r.use);
    };
    block_source source(body, blocks_of(4, r.call), {time, time, &meter}, rest);
    CHECK(source.next().working == r.expected);
    CHECK(source.next().working.empty());
}

TEST_CASE("of several short readings, an interruption is known if only one of them can contain it", "[measure][unit]") {
    using perfspec::working_time;
    const bool known = GENERATE(true, false);
    stepped_clock time;
    stepped_sleeper rest(time);
    scripted_usage meter;
    int calls = 0;
    const auto body = [&] {
        const bool waits = calls++ == 2;
        time.advance(waits ? 3ms : 20us);
        if (waits) add(meter.processors, {.own_ns = 60'000, .interruptions = 1, .blocks = known ? 0U : 1U});
    };
    block_source source(body, blocks_of(4, 20us), {time, time, &meter}, rest);
    const working_time shorter{known ? 20e3 : 0.0, known};
    CHECK(source.next().working == std::vector<working_time>{shorter, shorter, {20e3, known}, {20e3, true}});
}

TEST_CASE("interruptions while inputs are made are not part of a reading", "[measure][unit]") {
    stepped_clock time;
    stepped_sleeper rest(time);
    scripted_usage meter;
    const auto prepare = [&] {
        time.advance(5ms);
        add(meter.processors, interrupted(1ms));
        return 0;
    };
    const perfspec::subject x("x", perfspec::setup(prepare), [&](int&) {
        time.advance(50us);
        add(meter.processors, {.own_ns = 50'000});
    });
    block_source source(x, blocks_of(1, 50us), {time, time, &meter}, rest);
    CHECK(source.next().working.empty());
}

TEST_CASE("a pair counts by the times without interruptions, if they are known", "[measure][unit]") {
    stepped_clock time;
    scripted_usage meter;
    const bool blocks = GENERATE(false, true);
    const auto body = [&](std::chrono::nanoseconds work, std::chrono::nanoseconds gap) {
        return [&, work, gap] {
            time.advance(work + gap);
            add(meter.processors, {.own_ns = work.count(), .interruptions = 1, .blocks = blocks ? 1U : 0U});
        };
    };
    const perfspec::subject longer("longer", body(2ms, 6ms)), shorter("shorter", body(1ms, 0ms));
    perfspec::pair_source pairs(longer, shorter, {}, 7, {time, time, &meter});
    const perfspec::timed_pair pair = pairs.next();
    CHECK(pair.counts() == !blocks);
    if (!blocks) CHECK(pair.log_ratio() == std::log(2e6) - std::log(1e6));
    CHECK(pair.a.per_iteration() == 8e6);
}

TEST_CASE("a body that waits for a device has no time without interruptions", "[measure][unit]") {
    static stepped_clock time;
    static scripted_usage meter;
    static constexpr perfspec::body_functions on_device{.run =
                                                            [](void*, std::uint64_t) {
                                                                time.advance(8ms);
                                                                add(meter.processors, interrupted(2ms));
                                                            },
                                                        .destroy = [](void*) noexcept {},
                                                        .wait = [](void*) {}};
    perfspec::subject x("x", on_device, 1);
    x.constructed();
    const perfspec::sample taken =
        take_metered_sample(x, 1, warm_call::no, {time, time, &meter}, perfspec::metered_waiting::none);
    CHECK(taken.working() == perfspec::working_time{2e6, false});
}

TEST_CASE("only samples of wall time are metered", "[measure][unit]") {
    stepped_clock time, other;
    scripted_usage meter;
    const auto body = [&] {
        other.advance(8ms);
        add(meter.processors, interrupted(2ms));
    };
    const perfspec::sample taken =
        take_metered_sample(body, 1, warm_call::no, {time, other, &meter}, perfspec::metered_waiting::none);
    CHECK(taken == perfspec::sample{8'000'000, 1});
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Ratios of bodies of different lengths on a machine whose scheduler interrupts them, over whole evaluations on
// scripted time.
#include "run/scripted_run.hpp"
#include "support/noise.hpp"
#include "support/scripted_usage.hpp"

#include <perfspec/language/queries.hpp>

#include <cmath>

namespace perfspec {
namespace {

using namespace testing;

enum class body_kind : std::uint8_t { computes, blocks, two_threads };

/// Two cores beside busy loops: a thread works for a slice of about 3 ms, then waits for its share.
class shared_machine : public scripted_run {
public:
    shared_machine(int loops, dice& random)
        : shares_(std::max(0.0, (loops + 1) / 2.0 - 1.0)), random_(random), slice_left_(slice()) {
        usage = &meter_;
    }

    /// A body that takes about so long without interruptions.
    subject body(const char* name, body_kind kind, double ns) {
        return {name, [this, kind, ns] { call(kind, ns * std::exp(0.01 * random_.normal())); }};
    }
    void forget_the_meter() { usage = nullptr; }

private:
    [[nodiscard]] double slice() { return 3e6 * (0.7 + 0.6 * random_.uniform()); }
    /// For how long the thread waits after its slice.
    [[nodiscard]] double turn() { return shares_ * 3e6 * (0.5 + random_.uniform()); }

    void call(body_kind kind, double ns) {
        if (kind == body_kind::blocks) sleep(0.5 * ns);
        for (double left = kind == body_kind::blocks ? 0.5 * ns : ns; left > 0.0;) {
            const double step = std::min(left, slice_left_);
            advance(step, step);
            if (kind == body_kind::two_threads) meter_.processors.others_ns += std::llround(step);
            left -= step;
            slice_left_ -= step;
            if (slice_left_ <= 0.0) interrupt(kind);
        }
    }
    void sleep(double ns) {
        advance(ns, 0.0);
        ++meter_.processors.blocks;
        slice_left_ = slice();
        if (shares_ > 0.0 && random_.uniform() < 0.3) wait(turn(), 0.0);  // another thread has the processor
    }
    /// Of two threads, the other one is interrupted as often, and this one waits for it in a loop.
    void interrupt(body_kind kind) {
        slice_left_ = slice();
        if (shares_ == 0.0) return;
        const bool spins = kind == body_kind::two_threads && random_.next();
        if (!spins) ++meter_.processors.interruptions;
        const double waits = turn();
        wait(waits, spins ? waits : 0.0);
    }
    void wait(double ns, double spins_ns) {
        advance(ns, spins_ns);
        meter_.processors.waited_ns += std::llround(ns);
    }
    void advance(double wall_ns, double own_ns) {
        wall.advance(std::chrono::nanoseconds(std::llround(wall_ns)));
        meter_.processors.own_ns += std::llround(own_ns);
    }

    double shares_;
    dice& random_;
    double slice_left_;
    scripted_usage meter_;
};

struct tally {
    int holds{}, violated{}, undecided{}, contained{}, printed{};
};

/// Judges `latency(longer) < bound * latency(shorter)` many times.
tally judge(body_kind kind, double shorter_ns, double ratio, double bound, int loops, int times, bool meters = true) {
    tally all;
    dice random(17);
    for (int i = 0; i < times; ++i) {
        shared_machine machine(loops, random);
        if (!meters) machine.forget_the_meter();
        const subject shorter = machine.body("shorter", kind, shorter_ns);
        const subject longer = machine.body("longer", kind, ratio * shorter_ns);
        const record r = machine.evaluate(latency(longer) < bound * latency(shorter),
                                          {confirm::off, seed(static_cast<std::uint32_t>(random.bits() >> 32U))});
        all.holds += r.verdict == verdict::holds ? 1 : 0;
        all.violated += r.verdict == verdict::violated ? 1 : 0;
        all.undecided += r.verdict == verdict::undecided ? 1 : 0;
        if (!r.estimate || r.verdict == verdict::undecided) continue;
        ++all.printed;
        all.contained += r.estimate->low <= ratio && ratio <= r.estimate->high ? 1 : 0;
    }
    return all;
}

}  // namespace

TEST_CASE("interruptions judge no ratio, whatever the lengths of its bodies", "[calibration]") {
    constexpr int times = 200;
    const auto kind = GENERATE(body_kind::computes, body_kind::blocks, body_kind::two_threads);
    const double shorter_ns = GENERATE(20e3, 300e3, 1e6, 4e6);
    const double ratio = GENERATE(1.0, 1.3, 2.0, 6.5, 20.0);
    const int loops = GENERATE(0, 2, 6, 28);
    if (ratio * shorter_ns > 30e6) return;
    CAPTURE(kind, shorter_ns, ratio, loops);
    const tally correct = judge(kind, shorter_ns, ratio, 1.2 * ratio, loops, times);
    CHECK(correct.violated == 0);
    constexpr int enough = 100;
    if (correct.printed >= enough) CHECK(10 * correct.contained >= 9 * correct.printed);
    if (kind == body_kind::computes) CHECK(correct.holds == times);
    const tally wrong = judge(kind, shorter_ns, ratio, ratio / 1.5, loops, times);
    CHECK(wrong.holds == 0);
    if (kind == body_kind::computes) CHECK(wrong.violated == times);
}

TEST_CASE("without meters, interruptions violate true claims", "[calibration]") {
    const tally by_wall_time = judge(body_kind::computes, 1e6, 6.5, 7.8, 6, 40, false);
    CHECK(by_wall_time.violated > 30);
}

}  // namespace perfspec

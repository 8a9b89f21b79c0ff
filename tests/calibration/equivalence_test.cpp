// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// `latency(x) == within(latency(a), 5_pct)` over whole evaluations on scripted time, with the fresh processes that
// repeat a violated side.
#include "run/scripted_run.hpp"
#include "support/noise.hpp"

#include <perfspec/language/queries.hpp>
#include <perfspec/quantity/quantity.hpp>

namespace perfspec {
namespace {

using namespace testing;

constexpr std::uint32_t max_pairs = 60;

/// Two bodies of about 100 us in consecutive slots of one process; x takes `ratio` times as long as a.
class noisy_process : public scripted_run {
public:
    noisy_process(noise_kind kind, double ratio, dice& random, std::function<child_end(const child_command&)> children)
        : scripted_run(std::move(children)), slots_(slot_noise(kind, 2 * max_pairs + 32, random)),
          seed_(static_cast<std::uint32_t>(random.bits() >> 32U)), a_("a", [this] { work_in_slot(1.0); }),
          x_("x", [this, ratio] { work_in_slot(ratio); }) {}

    [[nodiscard]] const subject& a() const { return a_; }
    [[nodiscard]] const subject& x() const { return x_; }

    verdict judge(const claim& c, std::vector<option> options) {
        options.push_back(rounds(max_pairs));
        options.push_back(iterations(1));
        options.push_back(seed(seed_));
        return evaluate(c, options).verdict;
    }

private:
    void work_in_slot(double ratio) {
        work(std::chrono::nanoseconds(std::llround(1e5 * ratio * std::exp(slots_[next_++ % slots_.size()]))));
    }

    std::vector<double> slots_;
    std::size_t next_{};
    std::uint32_t seed_;
    subject a_;
    subject x_;
};

/// Makes a claim on x and a.
using claim_of = claim (*)(const subject& x, const subject& a);

const claim_of within_five = [](const subject& x, const subject& a) -> claim {
    return latency(x) == within(latency(a), 5_pct);
};
const claim_of loss_side = [](const subject& x, const subject& a) -> claim { return latency(x) <= 1.05 * latency(a); };
const claim_of gain_side = [](const subject& x, const subject& a) -> claim { return latency(x) >= 0.95 * latency(a); };
const claim_of loss_side_swapped = [](const subject& x, const subject& a) -> claim {
    return latency(x) >= 1.05 * latency(a);
};
const claim_of within_nothing = [](const subject& x, const subject& a) -> claim {
    return latency(x) == within(latency(a), 0.001_pct);
};

struct outcome {
    double violated{};  ///< percent of runs
    double holds{};
};

outcome judged(noise_kind kind, double ratio, claim_of made, const std::vector<option>& options, std::size_t runs) {
    std::size_t violated = 0;
    std::size_t holds = 0;
    for (std::size_t run = 0; run < runs; ++run) {
        dice random(0x9e3779b97f4a7c15 * (run + 1));
        // A fresh process judges the requested side in one stage, at the square root of that side's rate.
        const auto repeats = [&](const child_command& command) {
            const bool gain = scripted_run::request_in(command).end == tolerance_end::gain;
            noisy_process fresh(kind, ratio, random, [](const child_command&) { return crashed(); });
            return confirms(fresh.judge((gain ? gain_side : loss_side)(fresh.x(), fresh.a()),
                                        {false_failure(std::sqrt(5e-4)), confirm::off}));
        };
        noisy_process program(kind, ratio, random, repeats);
        const verdict found = program.judge(made(program.x(), program.a()), options);
        violated += found == verdict::violated ? 1U : 0U;
        holds += found == verdict::holds ? 1U : 0U;
    }
    const auto percent = [&](std::size_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(runs); };
    const outcome o{percent(violated), percent(holds)};
    std::printf("x %.2f times a under %s: %.1f %% violated, %.1f %% hold\n", ratio, name_of(kind), o.violated, o.holds);
    return o;
}

noise_kind some_noise() { return GENERATE(noise_kind::gaussian, noise_kind::tick, noise_kind::drift_and_bursts); }

const std::vector<option> one_stage_at_5_percent{false_failure(0.05), confirm::off};

}  // namespace

TEST_CASE("equal subjects are within their tolerance", "[run][calibration]") {
    const noise_kind kind = some_noise();
    const outcome o = judged(kind, 1.0, within_five, {}, 400);
    CHECK(o.violated == 0.0);
    CHECK(o.holds >= 95.0);
    CHECK(judged(kind, 1.0, loss_side_swapped, {confirm::off}, 100).violated >=
          90.0);  // negative control: the wrong side of an end
}

TEST_CASE("a tolerance is violated at either end at most at the rate of false failures", "[run][calibration]") {
    const noise_kind kind = some_noise();
    const double ratio = GENERATE(0.95, 1.05);
    CHECK(judged(kind, ratio, within_five, one_stage_at_5_percent, 400).violated <= 5.0);
}

TEST_CASE("what is twice as far from a bound as its tolerance is found, on either side", "[run][calibration]") {
    const noise_kind kind = some_noise();
    CHECK(judged(kind, 1.1, within_five, {}, 200).violated >= 95.0);
    CHECK(judged(kind, 0.9, within_five, {}, 200).violated >= 95.0);
    CHECK(judged(kind, 0.9, loss_side, {confirm::off}, 200).violated ==
          0.0);  // negative control: the side of gains left out
}

TEST_CASE("both sides of a tolerance together keep the rate of false failures, where the truth lies at both ends",
          "[run][calibration]") {
    const std::vector<option> split{false_failure(0.05), confirm::off, margin(percentage{0.0}), false_pass(1e-6)};
    const std::vector<option> each_at_the_rate{false_failure(0.1), confirm::off, margin(percentage{0.0}),
                                               false_pass(1e-6)};
    const double found = judged(noise_kind::gaussian, 1.0, within_nothing, split, 1000).violated;
    CHECK(found <= 5.0);
    // Negative control: not split. (The e-process alone stays well below its rate in so few pairs.)
    CHECK(judged(noise_kind::gaussian, 1.0, within_nothing, each_at_the_rate, 1000).violated > found + 1.0);
}

}  // namespace perfspec

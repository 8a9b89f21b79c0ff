// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "replay.hpp"

#include "trace_player.hpp"

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/block_source.hpp>
#include <perfspec/measure/process_sample.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

namespace perfspec::testing {
namespace {

sequential_settings settings_of(const replay_request& request, std::size_t maximum) {
    sequential_settings s;
    s.margin = request.margin;
    s.false_failure = request.false_failure;
    s.confirm = request.confirm;
    s.max_size = maximum;
    return s;
}

/// A process, and the first of `places` in it.
struct place {
    std::size_t process = 0;
    std::size_t start = 0;
};

/// The place of the first process of a run; or of its second: another process, or the same one, a third of its length
/// away.
place draw_place(std::span<const std::size_t> places, std::size_t nth, dice first_process, dice& random) {
    const std::size_t process = first_process.below(places.size());
    const std::size_t start = first_process.below(places[process]);
    if (nth == 0) return {process, start};
    if (places.size() > 1) {
        const std::size_t other = (process + 1 + random.below(places.size() - 1)) % places.size();
        return {other, random.below(places[other])};
    }
    const std::size_t third = places[process] / 3;
    return {process, (start + third + random.below(places[process] - 2 * third)) % places[process]};
}

/// Whether this call of b is made slower.
bool is_injected(const replay_request& request, dice& random) {
    return request.inject_share >= 1 || random.uniform() < request.inject_share;
}

/// Times of the two subjects in consecutive slots, in the order of the request.
class pairs_of_slots {
public:
    pairs_of_slots(std::span<const double> slots, const replay_request& request, dice& random)
        : slots_(slots), request_(request), random_(random), turns_(request.order, random) {}

    [[nodiscard]] bool has_next() const { return next_ + 1 < slots_.size(); }

    [[nodiscard]] time_pair next() {
        const bool b_first = turns_.b_first();
        const double a = slots_[b_first ? next_ + 1 : next_];
        const double b = slots_[b_first ? next_ : next_ + 1] * (is_injected(request_, random_) ? request_.inject : 1);
        next_ += 2;
        spent_ns_ += a + b;
        return {a, b};
    }

    [[nodiscard]] double next_log() {
        const auto [a, b] = next();
        return std::log(a / b);
    }

    [[nodiscard]] double milliseconds() const { return spent_ns_ * 1e-6; }

private:
    std::span<const double> slots_;
    const replay_request& request_;
    dice& random_;
    pair_turns turns_;
    std::size_t next_ = 0;
    double spent_ns_ = 0;
};

/// The interval of the pairs of a verdict and of those for the figure alone. A coin gives each slot to one of the
/// subjects, so that the injected ratio is the long-run ratio.
figure_check check_figure(pairs_of_slots& pairs, std::vector<double> logs, const replay_request& request) {
    const double log_bound = std::log(request.bound), truth = -std::log(request.inject);
    const double started_ms = pairs.milliseconds();
    const std::size_t quarter = logs.size() + logs.size() / 4;
    center_interval shown = signed_rank_interval(logs);
    while (!perfspec::detail::is_narrow(shown, log_bound)) {
        const double soon_ms = started_ms + (perfspec::detail::contains(shown, log_bound) ? 50.0 : 5.0);
        const std::size_t next = logs.size() + std::max<std::size_t>(1, logs.size() / 4);
        while (logs.size() < next && pairs.has_next() && (logs.size() < quarter || pairs.milliseconds() < soon_ms))
            logs.push_back(pairs.next_log());
        shown = signed_rank_interval(logs);
        if (logs.size() < next) break;
    }
    return {true, perfspec::detail::contains(shown, truth), perfspec::detail::contains(shown, log_bound)};
}

stage_result judge_pairs(std::span<const double> slots, const replay_request& request, dice& random) {
    sequential test(settings_of(request, request.budget_pairs));
    pairs_of_slots pairs(slots, request, random);
    std::vector<double> logs;
    while (pairs.has_next() && test.is_open()) {
        logs.push_back(pairs.next_log());
        test.add(logs.back() - std::log(request.bound));
    }
    const double milliseconds = pairs.milliseconds();
    if (test.decided() == decision::none) return {test.decided(), test.size(), milliseconds};
    return {test.decided(), test.size(), milliseconds, check_figure(pairs, std::move(logs), request)};
}

/// In a fixed order: the negative controls.
stage_result judge_percentile_pairs_in_order(std::span<const double> slots, const replay_request& request,
                                             dice& random) {
    percentile_sequential test(request.level, request.bound, settings_of(request, request.budget_pairs));
    pairs_of_slots pairs(slots, request, random);
    while (pairs.has_next() && test.is_open()) test.add(pairs.next());
    return {test.progress().decided, test.progress().size, pairs.milliseconds()};
}

/// By perfspec's own calibration and pairs, on a machine whose calls take the slots one after the other.
stage_result judge_percentile_pairs(std::span<const double> slots, const replay_request& request, dice& random) {
    if (request.order != pair_order::random) return judge_percentile_pairs_in_order(slots, request, random);
    trace_player machine(slots, 0, 1.0);
    const clocks time{machine, machine};
    const subject a("a", [&machine] { machine.call(); });
    const subject b("b", [&] { machine.call(is_injected(request, random) ? request.inject : 1.0); });
    measuring_settings settings;
    settings.samples = sample_kind::single;
    percentile_sequential test(request.level, request.bound,
                               settings_of(request, std::min(request.budget_pairs, slots.size() / 2)));
    pair_source pairs(a, b, calibrate_pair(a, b, settings, time), random.bits(), time);
    while (test.is_open()) {
        const timed_pair pair = pairs.next();
        test.add({pair.a.per_iteration(), pair.b.per_iteration()});
    }
    return {test.progress().decided, test.progress().size, static_cast<double>(machine.now()) * 1e-6};
}

/// Judges each process on its own slots.
template <class Judge>
std::vector<run_result> replay_slots(const slot_source& slots, const replay_request& request, const Judge& judge) {
    return judge_runs(request.replays, request.confirm, [&](std::size_t run, std::size_t nth) {
        dice random = dice_of_process(request.seed, 2 * run + nth);
        const auto segment = slots(run, nth, random);
        return judge(segment, request, random);
    });
}

}  // namespace

slot_source synthetic_slots(noise_kind kind, const replay_request& request) {
    const std::size_t count = 2 * request.budget_pairs;
    return [kind, count](std::size_t, std::size_t, dice& random) {
        auto slots = slot_noise(kind, count, random);
        // Exponentials of Cauchy noise exceed a double; only their ranks count.
        for (double& slot : slots) slot = 1e6 * std::exp(std::clamp(slot, -100.0, 100.0));
        return slots;
    };
}

slot_source recorded_slots(std::vector<recorded_process> processes, const replay_request& request) {
    std::vector<std::size_t> places;
    for (const auto& process : processes) {
        const std::size_t minimum = 2 * settings_of(request, request.budget_pairs).first_look;
        if (process.size() < minimum)
            throw input_error(fmt::format("a recording: found {} samples, needs at least {} for a first look",
                                          process.size(), minimum));
        const std::size_t length = std::min(2 * request.budget_pairs, process.size());
        places.push_back(process.size() - length + 1);
    }
    return [shared = std::make_shared<const std::vector<recorded_process>>(std::move(processes)),
            places = std::move(places), maximum = 2 * request.budget_pairs,
            seed = request.seed](std::size_t run, std::size_t nth, dice& random) {
        const place at = draw_place(places, nth, dice_of_process(~seed, run), random);
        const auto& process = (*shared)[at.process];
        const auto begin = process.begin() + static_cast<std::ptrdiff_t>(at.start);
        return std::vector<double>(begin, begin + static_cast<std::ptrdiff_t>(std::min(maximum, process.size())));
    };
}

std::vector<run_result> replay_paired(const slot_source& slots, const replay_request& request) {
    return replay_slots(slots, request, judge_pairs);
}

std::vector<run_result> replay_percentile_paired(const slot_source& slots, const replay_request& request) {
    return replay_slots(slots, request, judge_percentile_pairs);
}

double reference_of(const std::vector<recorded_process>& processes) {
    std::vector<double> medians;
    for (const auto& process : processes) medians.push_back(median(process));
    return median(medians);
}

double percentile_reference_of(const std::vector<recorded_process>& processes, double level) {
    std::vector<double> percentiles;
    for (const auto& process : processes) percentiles.push_back(percentile_of(process, level));
    return median(percentiles);
}

namespace {

/// By perfspec's own calibration and blocks: the median of each, or the percentile for blocks of single iterations.
stage_result judge_blocks(trace_player& machine, double bound_ns, const replay_request& request, sample_kind samples) {
    const std::int64_t started = machine.now();
    const clocks time{machine, machine};
    const subject x("recorded", [&machine] { machine.call(); });
    measuring_settings settings;
    settings.budget = std::chrono::nanoseconds(std::llround(request.budget_ms * 1e6));
    settings.samples = samples;
    settings.block_iterations = static_cast<std::uint32_t>(percentile_block(request.level));
    const block_calibration calibration = calibrate_blocks(x, settings, time);
    sequential test(settings_of(request, static_cast<std::size_t>(calibration.blocks)));
    block_source blocks(x, calibration, time, machine);
    while (test.is_open()) {
        const timed_block block = blocks.next();
        const double time_ns = samples == sample_kind::single ? percentile_of(block.readings_ns, request.level)
                                                              : perfspec::detail::median_reading(block.readings_ns);
        test.add(std::log(bound_ns) - std::log(time_ns));
    }
    return {test.decided(), test.size(), static_cast<double>(machine.now() - started) * 1e-6};
}

/// The number of starts after which a process lasts for a whole stage.
std::size_t places_for_a_stage(const recorded_process& process, const replay_request& request) {
    const double needed_ns = 1.25e6 * request.budget_ms;
    double left_ns = 0;
    for (std::size_t i = process.size(); i > 0; --i) {
        left_ns += process[i - 1];
        if (left_ns >= needed_ns) return i;
    }
    throw input_error(fmt::format("a recording lasts {:.0f} ms, needs {:.0f}: five fourths of the budget",
                                  left_ns * 1e-6, needed_ns * 1e-6));
}

/// Judges each run on a machine that plays a recorded process.
std::vector<run_result> replay_machine(const std::vector<recorded_process>& processes, double reference_ns,
                                       const replay_request& request, sample_kind samples) {
    std::vector<std::size_t> places;
    for (const auto& process : processes) places.push_back(places_for_a_stage(process, request));
    std::optional<trace_player> machine;
    return judge_runs(request.replays, request.confirm, [&](std::size_t run, std::size_t nth) {
        dice random = dice_of_process(request.seed, 2 * run + nth);
        if (nth == 1 && request.again == second_stage::at_once) {
            machine->sleep(100'000'000);
        } else {
            const place at = draw_place(places, nth, dice_of_process(~request.seed, run), random);
            machine.emplace(processes[at.process], at.start, request.inject);
        }
        return judge_blocks(*machine, request.bound * reference_ns, request, samples);
    });
}

}  // namespace

std::vector<run_result> replay_absolute(const std::vector<recorded_process>& processes, double reference_ns,
                                        const replay_request& request) {
    return replay_machine(processes, reference_ns, request, sample_kind::batches);
}

std::vector<run_result> replay_percentile(const std::vector<recorded_process>& processes, double reference_ns,
                                          const replay_request& request) {
    return replay_machine(processes, reference_ns, request, sample_kind::single);
}

namespace {

/// The processes of one run.
struct drawn_processes {
    recorded_baselines stored;
    recorded_baselines fresh;
};

void require_processes(const char* what, std::size_t found, std::size_t needed) {
    if (found >= needed) return;
    throw input_error(fmt::format("{}: found {} processes, needs at least {}", what, found, needed));
}

/// Without replacement: the first `count` of a shuffled copy.
recorded_baselines draw(recorded_baselines from, std::size_t count, dice& random) {
    for (std::size_t i = 0; i < count; ++i) std::swap(from[i], from[i + random.below(from.size() - i)]);
    from.resize(count);
    return from;
}

recorded_baselines in_a_row(const recorded_baselines& from, std::size_t start, std::size_t count) {
    const auto begin = from.begin() + static_cast<std::ptrdiff_t>(start);
    return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

/// From one recording, all of them exchangeable.
drawn_processes draw_both(const recorded_baselines& from, std::size_t stored, std::size_t fresh, dice& random) {
    const auto drawn = draw(from, stored + fresh, random);
    return {in_a_row(drawn, 0, stored), in_a_row(drawn, stored, fresh)};
}

/// From one recording: a session, and another one later.
drawn_processes draw_recordings(const recorded_baselines& from, std::size_t stored, std::size_t fresh, dice& random) {
    const std::size_t first = random.below(from.size() - stored - fresh + 1);
    const std::size_t later = first + stored + random.below(from.size() - first - stored - fresh + 1);
    return {in_a_row(from, first, stored), in_a_row(from, later, fresh)};
}

/// Samples of one process as stored processes, and of another one as fresh processes.
drawn_processes draw_samples(const recorded_baselines& from, std::size_t stored, std::size_t fresh, dice& random) {
    const auto samples_as_processes = [&](const recorded_baseline& process, std::size_t count) {
        require_processes("a process, sample by sample,", process.samples_ns.size(), count);
        recorded_baselines all;
        for (const double sample : process.samples_ns) all.push_back({sample, {sample}});
        return draw(all, count, random);
    };
    const auto two = draw(from, 2, random);
    auto baseline = samples_as_processes(two[0], stored);
    return {std::move(baseline), samples_as_processes(two[1], fresh)};
}

drawn_processes processes_of_a_run(const recorded_baselines& from, const replay_request& request, dice& random) {
    constexpr std::size_t fresh = stored_rank_test::max_processes;
    if (request.unit == process_unit::sample) return draw_samples(from, request.stored, fresh, random);
    if (request.order == pair_order::random) return draw_both(from, request.stored, fresh, random);
    return draw_recordings(from, request.stored, fresh, random);
}

stage_result judge_processes(const drawn_processes& processes, const replay_request& request) {
    std::vector<double> bounds;
    for (const recorded_baseline& stored : processes.stored) bounds.push_back(request.bound * stored.median_ns);
    stored_rank_test test(bounds, direction::less, request.margin);
    double spent_ns = 0;
    for (const recorded_baseline& fresh : processes.fresh) {
        if (test.decided() != decision::none) break;
        test.add(fresh.median_ns * request.inject);
        spent_ns += request.inject * std::accumulate(fresh.samples_ns.begin(), fresh.samples_ns.end(), 0.0);
    }
    return {test.decided(), test.size(), spent_ns * 1e-6};
}

stage_result look_for_trend(std::span<const double> slots, const replay_request& request, dice& random) {
    constexpr std::size_t minimum = 8;
    const std::size_t drawn = minimum + random.below(std::max(request.budget_pairs, minimum) - minimum + 1);
    std::vector<double> times(slots.begin(),
                              slots.begin() + static_cast<std::ptrdiff_t>(std::min(drawn, slots.size())));
    for (std::size_t i = 0; i < times.size(); ++i)
        times[i] *= std::pow(request.inject, static_cast<double>(i) / static_cast<double>(times.size() - 1));
    const bool is_noted = find_trend(times, request.bound).has_value();
    const double spent_ns = std::accumulate(times.begin(), times.end(), 0.0);
    return {is_noted ? decision::violated : decision::holds, times.size(), spent_ns * 1e-6};
}

}  // namespace

std::vector<run_result> replay_stored(const recorded_baselines& processes, const replay_request& request) {
    constexpr std::size_t fresh = stored_rank_test::max_processes;
    const std::size_t needed = request.unit == process_unit::sample ? 2 : request.stored + fresh;
    require_processes("a recording", processes.size(), needed);
    return judge_runs(request.replays, stages::one, [&](std::size_t run, std::size_t) {
        dice random = dice_of_process(request.seed, run);
        return judge_processes(processes_of_a_run(processes, request, random), request);
    });
}

std::vector<run_result> replay_trend(const slot_source& slots, const replay_request& request) {
    return judge_runs(request.replays, stages::one, [&](std::size_t run, std::size_t nth) {
        dice random = dice_of_process(request.seed, run);
        return look_for_trend(slots(run, nth, random), request, random);
    });
}

}  // namespace perfspec::testing

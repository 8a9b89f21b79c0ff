// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/observing.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/conclude.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <utility>
#include <vector>

// Measures one process of this build against one process of another build (stats/README.md, "Process pairs").

namespace perfspec::inline v0_2::detail {

/// Samples of each side in a process pair, and how many are discarded before them.
inline constexpr std::size_t pairs_of_process_pair = 30;
inline constexpr int untimed_pairs_of_process_pair = 3;

/// A claim takes more than the usual twenty process pairs if they are cheap (stats/README.md, "Process pairs"):
/// processes of one build can differ by several percent throughout their lives, and then twenty pairs show nothing. The
/// sequential test goes on at the same error rates, until max_process_pairs or the patience.
inline constexpr std::size_t max_process_pairs = 200;
inline constexpr double patience_ns = 10e9;

/// The path of the baseline build of this program: the option itself, or if that is a folder, the program at the same
/// place in it.
inline std::string program_of_baseline_build(const session& run, const plan& p) {
    const std::filesystem::path against = absolute_path(run, p.baseline_build);
    const bool is_folder = run.system().files.is_folder(against.string());
    return (is_folder ? against / place_of_program(run) : against).string();
}

/// Whether the option names a build folder without this program, whose claims are then new.
inline bool is_new_program(const session& run, const plan& p) {
    const file_system& files = run.system().files;
    return is_build_folder(files, absolute_path(run, p.baseline_build)) && is_in_build_folder(run) &&
           files.read(program_of_baseline_build(run, p), 0).outcome == read_outcome::missing;
}

/// Whether the builds must be measured one after the other, because the query is not a single time.
inline bool must_alternate(const claim_context& context) {
    const query_description& q = context.query;
    const bool is_single_time = is_clocked(q.metric) && !q.is_ratio() && !needs_single_iterations(q);
    return !is_single_time;
}

/// The time limit of all process pairs.
inline double longest_ns(const claim_context& context) { return static_cast<double>(context.plan.cap.count()); }

/// The maximum of process pairs of `one_ns` each: twenty, or more if they fit into the patience or a hard budget, one
/// that is the cap.
inline std::size_t max_pairs_of(const claim_context& context, double one_ns) {
    const std::size_t always = limits_of_processes(context).settings.max_size;
    const double longest =
        context.plan.has_hard_budget() ? longest_ns(context) : std::min(patience_ns, longest_ns(context));
    const double fit = std::min(longest / one_ns, static_cast<double>(max_process_pairs));
    return std::max(always, static_cast<std::size_t>(fit));
}

/// Throws measurement_failure if the fewest process pairs for a verdict do not fit into the cap; the message names a
/// sufficient one. `one` has the time of one pair.
inline void require_process_pairs_fit(const claim_context& context, const evidence_counts& one) {
    const std::size_t fewest = limits_of_processes(context).min_size;
    require_processes_fit("process pairs", fewest, one.seconds, longest_seconds(context.plan));
}

struct process_pair_outcome {
    std::optional<process_pair> pair{};
    std::optional<record> head{};  ///< of this build, if the other one lacks the claim
    disturbances disturbed{};      ///< in the processes
};

/// The process pairs of a claim, one after the other: each build measured in its own process.
class process_pair_source {
public:
    /// series  the pairs of this claim so far; empty unless one side of its tolerance was judged
    process_pair_source(const claim_context& context, build_series& series, std::uint64_t seed)
        : context_(context), series_(series), order_(seed), is_new_(is_new_program(context.run, context.plan)) {}

    /// The next process pair: one that the other side of the tolerance took, otherwise a fresh one. Null if the other
    /// build lacks the claim; then the series has the record of this build. Throws measurement_failure.
    [[nodiscard]] const process_pair* next();

    [[nodiscard]] double seconds() const noexcept { return totals_.evidence.seconds; }
    /// The first `count` pairs.
    [[nodiscard]] std::vector<process_pair> first(std::size_t count) const {
        return {series_.pairs.begin(), series_.pairs.begin() + static_cast<std::ptrdiff_t>(count)};
    }
    /// The cost, disturbances and notes of the pairs.
    [[nodiscard]] const claim_result& totals() const noexcept { return totals_; }

private:
    /// Both builds are in memory, and take samples in turn. If they do not fit together, one runs after the other from
    /// the first pair on.
    [[nodiscard]] process_pair_outcome take();
    /// One build after the other, in random order, each like one process of a baseline.
    [[nodiscard]] process_pair_outcome take_alternating();

    const claim_context& context_;
    build_series& series_;
    random_order order_;
    bool is_new_;  ///< the baseline build lacks the program
    claim_result totals_;
};

namespace {

enum class build : std::size_t { head, baseline };

/// One build in a process pair.
struct side {
    worker process;
    served_answer greeting{};
    worker_calibration calibration{};
    std::vector<double> times_ns{};

    /// The query's value for this time of an iteration.
    [[nodiscard]] double value(double ns) const { return greeting.work ? *greeting.work / ns * 1e9 : ns; }
};

worker start_build(const claim_context& context, build id) {
    const bool is_head = id == build::head;
    const std::string program =
        is_head ? context.run.system().start.executable : program_of_baseline_build(context.run, context.plan);
    const child_command command = command_of_child(context, child_task::serve, program);
    return {context.run.system().launcher, command, (is_head ? "this build (" : "the baseline build (") + program + ")",
            command.time_out};
}

/// Throws if both builds run the same file of Python or another language.
void require_other_code(const served_answer& head, const served_answer& baseline) {
    if (head.runs.empty() || head.runs != baseline.runs) return;
    throw measurement_failure(
        failure_kind::worker_failed,
        fmt::format("both builds run the same code, {}, so there is nothing to compare: make a second checkout for the "
                    "baseline, git worktree add ../baseline, and build it there",
                    printable(head.runs)));
}

/// Waits for a build's greeting. Returns false if the build lacks the claim, which only the baseline build may.
bool greet(const claim_context& context, side& s, build id) {
    auto greeting = s.process.greeting(context.key, {context.run.suite(), !context.run.project().suite.empty()});
    if (!greeting && id == build::head)
        throw measurement_failure(
            failure_kind::worker_failed,
            "this build did not reach this claim when it was started again: give the claim its own test case");
    if (!greeting) return false;
    if (const auto unit = base_unit(context.unit); greeting->unit != unit)
        throw measurement_failure(failure_kind::worker_failed,
                                  "the baseline build measures this key in " + greeting->unit + ", and this one in " +
                                      std::string(unit) + ": give the query another key(\"…\")");
    s.greeting = *std::move(greeting);
    return true;
}

record record_of_process(side& s) {
    record r = from_json_line(s.process.measure());
    s.process.finish();
    if (!r.estimate || r.verdict == verdict::error)
        throw measurement_failure(r.failure.value_or(failure_kind::worker_failed),
                                  "a process could not be measured: " + r.reason);
    return r;
}

/// Measures both builds while both are in memory.
class resident_pair {
public:
    resident_pair(const claim_context& context, random_order& order)
        : context_(context), order_(order), core_(draw_core(context.run.system().cores, order)) {}

    process_pair_outcome take(bool is_first) {
        const std::int64_t started = wall().now();
        start_both();
        const bool has_claim = greet(context_, of(build::baseline), build::baseline);
        if (!greet(context_, of(build::head), build::head) || !has_claim)
            return {.head = record_of_process(of(build::head))};
        require_other_code(of(build::head).greeting, of(build::baseline).greeting);
        const std::int64_t ready = wall().now();
        starting_ = static_cast<double>(ready - started) * 1e-9;
        for (const build id : drawn_order()) of(id).calibration = of(id).process.prepare();
        resolve();
        if (is_first) require_time(started);
        const std::int64_t warmup_ns = measuring_settings{}.warmup.count();
        for (int i = 0; i < untimed_pairs_of_process_pair && wall().now() - ready < warmup_ns; ++i)
            static_cast<void>(sample_both());
        for (side& s : sides_) s.times_ns.clear();
        disturbances disturbed = sample_repeatedly();
        for (side& s : sides_) s.process.finish();
        return {.pair = result(started), .disturbed = std::move(disturbed)};
    }

private:
    clock& wall() { return context_.run.system().wall; }
    double seconds_since(std::int64_t start) { return static_cast<double>(wall().now() - start) * 1e-9; }
    side& of(build id) { return sides_[static_cast<std::size_t>(id)]; }

    std::array<build, 2> drawn_order() {
        return order_.next() ? std::array{build::baseline, build::head} : std::array{build::head, build::baseline};
    }

    void start_both() {
        std::optional<worker> started[2];
        for (const build id : drawn_order()) started[static_cast<std::size_t>(id)].emplace(start_build(context_, id));
        for (auto& process : started) sides_.push_back({.process = *std::move(process)});
    }

    /// Sets the same sampling settings for both builds.
    void resolve() {
        worker_calibration& a = sides_[0].calibration;
        worker_calibration& b = sides_[1].calibration;
        if (!context_.plan.iterations && a.x.computes && b.x.computes) equalize(a.x, b.x);
        else if (!context_.plan.iterations) equalize_lengths(a.x, b.x);
        const measuring_settings settings = settings_of(context_, context_.query.metric);
        warm_ = std::max(a.x.call_ns, b.x.call_ns) <= settings.longest_warm_call_ns() ? warm_call::yes : warm_call::no;
        for (const side& s : sides_) {
            require_long_samples(context_.query.subjects.front(), s.calibration.x, settings,
                                 clocks_for(context_, context_.query.metric).metric);
            const double calls =
                static_cast<double>(s.calibration.x.iterations) + (warm_ == warm_call::yes ? 1.0 : 0.0);
            pair_ns_ += calls * (s.calibration.x.call_ns + s.calibration.x.untimed_ns);
        }
    }

    /// Throws before the measurement if the process pairs would not fit into the time.
    void require_time(std::int64_t started) {
        const double expected = seconds_since(started) + static_cast<double>(pairs_of_process_pair) * pair_ns_ * 1e-9;
        require_process_pairs_fit(context_, {.seconds = expected, .starting_seconds = starting_});
    }

    /// A sample of each build. Keeps their times if both count.
    disturbances sample_both() {
        usage_meter* const usage = context_.run.system().usage;
        disturbances disturbed;
        std::array<working_time, 2> times{};
        for (const build id : drawn_order()) {
            side& s = of(id);
            sample taken = s.process.run(s.calibration.x.iterations, warm_, core_);
            taken.use.is_beside_others = usage == nullptr || usage->is_beside_others();
            const working_time working = times[static_cast<std::size_t>(id)] = taken.working();
            disturbed = with_sample(std::move(disturbed), taken.per_iteration(), working, taken.iterations);
        }
        if (times[0].is_exact && times[1].is_exact)
            for (std::size_t i = 0; i < times.size(); ++i) sides_[i].times_ns.push_back(times[i].ns);
        return disturbed;
    }

    /// Takes thirty pairs that count, or fewer if most do not. Throws measurement_failure if too few are left.
    disturbances sample_repeatedly() {
        constexpr std::size_t most_pairs = 3 * pairs_of_process_pair;
        const std::vector<double>& counted = sides_[0].times_ns;
        disturbances disturbed;
        for (std::size_t i = 0; i < most_pairs && counted.size() < pairs_of_process_pair; ++i)
            disturbed = joined(std::move(disturbed), sample_both());
        if (counted.size() >= min_pairs) return disturbed;
        throw measurement_failure(failure_kind::unavailable, "other work interrupted too many samples of both builds: "
                                                             "run it when the machine has less to do");
    }

    process_pair result(std::int64_t started) {
        const side& head = of(build::head);
        const side& baseline = of(build::baseline);
        std::vector<double> log_ratios;
        for (std::size_t i = 0; i < head.times_ns.size(); ++i)
            log_ratios.push_back(std::log(head.value(head.times_ns[i])) -
                                 std::log(baseline.value(baseline.times_ns[i])));
        process_pair pair{.head = head.value(median(head.times_ns)),
                          .baseline = baseline.value(median(baseline.times_ns)),
                          .log_ratio = hodges_lehmann(log_ratios),
                          .rounds = log_ratios.size(),
                          .spent = {.seconds = seconds_since(started), .starting_seconds = starting_}};
        pair.head_iterations = head.calibration.x.iterations;
        pair.baseline_iterations = baseline.calibration.x.iterations;
        pair.head_ns = head.times_ns;
        pair.baseline_ns = baseline.times_ns;
        pair.commit = baseline.greeting.commit;
        return pair;
    }

    const claim_context& context_;
    random_order& order_;
    /// Both builds take samples on this core. Cores differ in what else runs on them, and otherwise each process would
    /// stay on its own core.
    std::optional<std::uint32_t> core_;
    std::vector<side> sides_;  // head, baseline
    warm_call warm_{warm_call::no};
    double pair_ns_{};
    double starting_{};  ///< seconds until both builds were ready
};

}  // namespace

process_pair_outcome process_pair_source::take_alternating() {
    clock& wall = context_.run.system().wall;
    const std::int64_t started = wall.now();
    std::optional<record> records[2];
    served_answer greetings[2];
    const bool baseline_first = order_.next();
    for (const build id :
         {baseline_first ? build::baseline : build::head, baseline_first ? build::head : build::baseline}) {
        if (id == build::baseline && is_new_) continue;
        side s{.process = start_build(context_, id)};
        if (!greet(context_, s, id)) continue;
        greetings[static_cast<std::size_t>(id)] = s.greeting;
        require_other_code(greetings[0], greetings[1]);
        records[static_cast<std::size_t>(id)] = record_of_process(s);
    }
    const auto& [head, baseline] = records;
    if (!baseline) return {.head = head, .disturbed = head->disturbed};
    process_pair pair{.head = head->estimate->value,
                      .baseline = baseline->estimate->value,
                      .log_ratio = log_of_process(context_, head->estimate->value) -
                                   log_of_process(context_, baseline->estimate->value),
                      .rounds = head->evidence.rounds + baseline->evidence.rounds,
                      .spent = {.seconds = static_cast<double>(wall.now() - started) * 1e-9}};
    const double measuring = head->evidence.measuring_seconds() + baseline->evidence.measuring_seconds();
    pair.spent.starting_seconds = std::max(pair.spent.seconds - measuring, 0.0);
    pair.commit = greetings[static_cast<std::size_t>(build::baseline)].commit;
    pair.exact = head->evidence.exact && baseline->evidence.exact;
    pair.head_parts = head->parts;
    pair.baseline_parts = baseline->parts;
    return {.pair = std::move(pair), .disturbed = joined(head->disturbed, baseline->disturbed)};
}

process_pair_outcome process_pair_source::take() {
    const bool is_first = totals_.evidence.processes == 0;
    const auto take_by = [&](auto step) {
        auto [outcome, observation] = measure(context_, empty_result(context_), step);
        observation.disturbed = joined(std::move(outcome.disturbed), observation.disturbed);
        totals_ = observed(std::move(totals_), std::move(observation));
        return std::move(outcome);
    };
    if (!series_.alternates && !must_alternate(context_) && !is_new_) {
        try {
            return take_by([&] { return resident_pair(context_, order_).take(is_first); });
        } catch (const measurement_failure& failure) {
            // The two kinds of pairs are never mixed, so a later failure is reported.
            if (failure.kind != failure_kind::out_of_memory || !is_first) throw;
            totals_ = partial_result(totals_, failure);
        }
        series_.alternates = true;
    }
    return take_by([&] { return take_alternating(); });
}

const process_pair* process_pair_source::next() {
    const std::size_t index = totals_.evidence.processes;
    if (index == series_.pairs.size()) {
        process_pair_outcome fresh = take();
        if (!fresh.pair) {
            series_.head = std::move(fresh.head);
            return nullptr;
        }
        series_.pairs.push_back(*std::move(fresh.pair));
    }
    if (series_.alternates)
        totals_.disturbed = joined(
            std::move(totals_.disturbed),
            {.notes = {"both builds together do not fit into memory, so they were measured one after the other"}});
    const process_pair& pair = series_.pairs[index];
    totals_.evidence.processes += 1;
    totals_.evidence.rounds += pair.rounds;
    totals_.evidence.add_time(pair.spent);
    return &pair;
}

}  // namespace perfspec::inline v0_2::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The dry run: by what a claim would be judged, and at what cost, told from one call of each body. Mirrors judge_by_bound of evaluate-inl.hpp.

#include <perfspec/language/subject_state.hpp>
#include <perfspec/measure/launch_sample.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/run/evaluation.hpp>
#include <perfspec/run/judge_reference.hpp>
#include <perfspec/run/measuring.hpp>
#include <perfspec/run/sharing.hpp>
#include <perfspec/run/stored_claim.hpp>
#include <perfspec/stats/growth.hpp>
#include <perfspec/stats/percentile.hpp>
#include <perfspec/stats/sequential.hpp>
#include <perfspec/stats/stability.hpp>
#include <perfspec/stats/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// Those of the query, then those of the other one.
inline std::vector<subject> subjects_of_both(const evaluation& e) {
    std::vector<subject> subjects = e.query().subjects;
    if (e.tree().bound == bound_kind::query)
        subjects.insert(subjects.end(), e.tree().other.subjects.begin(), e.tree().other.subjects.end());
    return subjects;
}

inline double time_one_call(evaluation& e, const subject& s) {
    clock& wall = e.context.around().wall;
    const bodies_run_scope told(e);
    const std::int64_t started = wall.now();
    run_untimed(s, 1);
    return static_cast<double>(wall.now() - started);
}

/// The wall time of one call of each subject's body; a subject of several claims is called once, and again where its body threw.
inline std::vector<double> call_once(evaluation& e) {
    std::map<std::uint64_t, double>& known = e.context.samples().called_ns;
    std::vector<double> calls_ns;
    for (const subject& s : subjects_of_both(e)) {
        const std::uint64_t id = s.state().id;
        if (!known.contains(id)) {
            const double call_ns = time_one_call(e, s);
            known.emplace(id, call_ns);
        }
        calls_ns.push_back(known.at(id));
    }
    return calls_ns;
}

/// What one claim would cost.
class cost_estimate {
public:
    cost_estimate(const evaluation& e, const std::vector<double>& calls_ns) : e_(e) {
        for (const double call : calls_ns) {
            all_calls_ns_ += call;
            round_ns_ += sample_ns(call);
        }
    }

    [[nodiscard]] double all_calls_ns() const noexcept { return all_calls_ns_; }
    /// One sample of every subject.
    [[nodiscard]] double round_ns() const noexcept { return round_ns_; }

    /// The budget, where so many rounds of this length would be comfortable.
    [[nodiscard]] double budget_ns(double comfortable, double each_ns) const {
        const auto given = static_cast<double>(e_.plan.budget.count());
        if (e_.plan.budget_given) return given;
        return std::max(given, std::min(static_cast<double>(e_.plan.cap.count()), comfortable * each_ns));
    }

    /// A few calls, and the warm-up that follows them.
    [[nodiscard]] double calibration_ns() const {
        return 2.0 * all_calls_ns_ + std::min(3.0 * round_ns_, static_cast<double>(e_.plan.warmup.count()) + round_ns_);
    }

    /// Every size as often as a slope takes it.
    [[nodiscard]] double growth_block_ns() const { return samples_of_a_size * round_ns_; }

    /// What one process measures that takes a launch of the query.
    [[nodiscard]] double launch_ns() const {
        constexpr launch_limits limits;
        const metric_kind m = e_.query().measured;
        if (m == metric_kind::cold_start) return std::max(11.0 * all_calls_ns_, 1e8);
        if (needs_fresh_process(m)) return all_calls_ns_;
        if (is_counted(m)) return 4.0 * round_ns_;
        if (m == metric_kind::growth) return calibration_ns() + fewest_blocks * growth_block_ns();
        if (e_.query().ratio) return calibration_ns() + comfortable_pairs * round_ns_;
        if (needs_single_iterations(e_.query())) return calibration_ns() + fewest_single_pairs * round_ns_;
        const double samples = std::min(limits.samples * round_ns_, static_cast<double>(limits.at_most.count()));
        return calibration_ns() + std::max({samples, round_ns_, static_cast<double>(limits.at_least.count())});
    }

private:
    [[nodiscard]] double sample_ns(double call_ns) const {
        if (e_.plan.iterations) return call_ns * *e_.plan.iterations;
        if (needs_single_iterations(e_.query()) || is_told_by_body(e_.query().measured)) return call_ns;
        return std::max(call_ns, static_cast<double>(e_.plan.sample_time.count()));
    }

    const evaluation& e_;
    double all_calls_ns_{};
    double round_ns_{};
};

inline std::string from_to(std::size_t least, std::size_t most, const std::string& what) {
    return (least == most ? std::to_string(most) : std::to_string(least) + " to " + std::to_string(most)) + " " + what;
}

/// Sets the range, and the budget that it lies in, nanoseconds.
inline void set_cost(forecast& f, double least_ns, double most_ns, double budget_ns = 0.0) {
    f.least_seconds = least_ns * 1e-9;
    f.most_seconds = std::max(least_ns, most_ns) * 1e-9;
    f.budget_seconds = budget_ns * 1e-9;
}

inline void foresee_rounds(const evaluation& e, const cost_estimate& cost, forecast& f, std::string method, std::size_t fewest,
                           std::size_t comfortable, std::size_t most, const std::string& what) {
    const double budget = cost.budget_ns(static_cast<double>(comfortable), cost.round_ns());
    const std::size_t limit = e.plan.rounds.value_or(most);
    f.method = std::move(method);
    f.amount = from_to(std::min(fewest, limit), limit, what);
    const double least = cost.calibration_ns() + static_cast<double>(std::min(fewest, limit)) * cost.round_ns();
    set_cost(f, std::min(least, budget), std::min(budget, cost.calibration_ns() + static_cast<double>(limit) * cost.round_ns()), budget);
}

inline void foresee_blocks(const evaluation& e, const cost_estimate& cost, forecast& f) {
    const bool single = needs_single_iterations(e.query());
    const double block =
        single ? static_cast<double>(percentile_block(percentile_level(e))) * cost.round_ns() : std::max(block_length_ns, cost.round_ns());
    const double budget = cost.budget_ns(comfortable_blocks, block);
    const std::size_t most = e.plan.rounds.value_or(comfortable_blocks);
    f.method = "blocks spread over the budget";
    f.amount = from_to(std::min<std::size_t>(fewest_blocks, most), most, "blocks");
    set_cost(f, budget * fewest_blocks / comfortable_blocks, budget, budget);
}

inline void foresee_launches(const cost_estimate& cost, forecast& f, std::string method, std::size_t least, std::size_t most,
                             const std::string& what = "fresh launches") {
    f.method = std::move(method);
    f.amount = from_to(least, most, what);
    set_cost(f, static_cast<double>(least) * cost.launch_ns(), static_cast<double>(most) * cost.launch_ns());
}

inline void foresee_growth(const evaluation& e, const cost_estimate& cost, forecast& f) {
    const double block = cost.growth_block_ns();
    const double budget = cost.budget_ns(comfortable_blocks, block);
    const std::size_t most = e.plan.rounds.value_or(comfortable_blocks);
    f.method = "blocks of sizes in random order";
    f.amount = from_to(std::min<std::size_t>(fewest_blocks, most), e.tree().bound == bound_kind::none ? fewest_blocks : most, "blocks");
    const double least = cost.calibration_ns() + fewest_blocks * block;
    set_cost(f, least, std::min(budget, cost.calibration_ns() + static_cast<double>(most) * block), budget);
}

inline void foresee_counts(const evaluation& e, const cost_estimate& cost, forecast& f) {
    const double exact = 4.0 * (is_counted_by_hardware(e.query().measured) ? cost.round_ns() : cost.all_calls_ns());
    f.method = "exact comparison of three runs; statistics where they vary";
    const double budget = cost.budget_ns(comfortable_pairs, cost.round_ns());
    set_cost(f, exact, budget, budget);
}

inline std::string stored_text(const evaluation& e, const baseline_entry& entry, const std::string& file) {
    return std::to_string(entry.launches.size()) + " launches, median " + format_value(median(values_of(entry.launches)), e.out.unit) +
           ", in " + file;
}

/// The entry that the claim would be compared with. What is broken is told in `f`.
inline std::optional<baseline_entry> stored_entry(evaluation& e, forecast& f) {
    std::vector<baseline_store> stores;
    if (auto committed = committed_store(e)) stores.push_back(std::move(*committed));
    if (e.plan.policy == missing_baseline_policy::local && e.plan.update == baseline_update::none) stores.push_back(local_store(e));
    for (const baseline_store& store : stores) {
        const baseline_lookup found = e.context.stored_in(store).find(e.out.key);
        if (found.outcome == lookup_outcome::unreadable || found.outcome == lookup_outcome::corrupt) {
            f.baseline = "cannot be used: " + found.reason;
            return {};
        }
        if (found.outcome != lookup_outcome::found) continue;
        f.baseline = stored_text(e, *found.entry, store.path());
        return found.entry;
    }
    return {};
}

inline void foresee_stored(evaluation& e, const cost_estimate& cost, forecast& f) {
    const auto entry = stored_entry(e, f);
    const std::size_t recorded = std::max(wanted_launches(e), launches_to_record);
    if (e.plan.update != baseline_update::none) {
        const bool kept = entry && e.plan.update == baseline_update::missing;
        if (f.baseline.empty()) f.baseline = "none";
        return foresee_launches(cost, f, kept ? "nothing, it has a baseline" : "recording", kept ? 0 : recorded, kept ? 0 : recorded);
    }
    if (entry) return foresee_launches(cost, f, "fresh launches against stored ones, by ranks", 1, 5);
    if (!f.baseline.empty()) return foresee_launches(cost, f, "nothing, the claim is invalid", 0, 0);
    const bool local = e.plan.policy == missing_baseline_policy::local;
    f.baseline = local ? "none: this run would record one, and judge nothing" : "none, and policy=ci records none";
    const std::size_t count = local ? recorded : wanted_launches(e);
    foresee_launches(cost, f, local ? "recording" : "launches to accept", count, count);
}

inline void foresee_reference(const evaluation& e, const cost_estimate& cost, forecast& f) {
    const std::size_t fewest = sequential_settings::for_launch_centres().first_look;
    const bool counted = is_counted(e.query().measured);
    f.baseline = "another build, " + e.plan.against;
    foresee_launches(
        cost, f, counted ? "exact comparison of launch pairs of both builds; statistics where they vary" : "launch pairs of both builds",
        counted ? 1 : fewest, most_pairs_of(e, 2.0 * cost.launch_ns()), "launch pairs");
    f.least_seconds *= 2.0;
    f.most_seconds *= 2.0;
}

/// An oracle's measurements, which share a given budget.
inline void foresee_repeated(const evaluation& e, forecast& f) {
    const double measurements = e.query().best_of;
    const double longest = e.plan.budget_given ? f.budget_seconds : measurements * f.budget_seconds;
    f.budget_seconds = longest;
    f.least_seconds = std::min(measurements * f.least_seconds, longest);
    f.most_seconds = std::min(measurements * f.most_seconds, longest);
}

/// PERF_RECORD.
inline void foresee_unbounded(const evaluation& e, const cost_estimate& cost, forecast& f) {
    constexpr std::size_t rounds_of_several = 100;
    const metric_kind m = e.query().measured;
    if (needs_fresh_process(m)) {
        const std::size_t launches = launches_to_measure(e.plan);
        return foresee_launches(cost, f, "values of fresh launches", launches, launches);
    }
    if (m == metric_kind::growth) return foresee_growth(e, cost, f);
    if (m == metric_kind::profile)
        return foresee_rounds(e, cost, f, "recorded and plain iterations in random order", fewest_pairs, fewest_pairs, fewest_pairs,
                              "rounds");
    if (e.query().taken == statistic::several) {
        foresee_rounds(e, cost, f, "rounds of all subjects in random order", fewest_pairs, comfortable_pairs, rounds_of_several, "rounds");
        return foresee_repeated(e, f);
    }
    f.method = "samples as one launch takes them, without a bound";
    set_cost(f, cost.launch_ns(), cost.launch_ns());
}

inline void foresee_spread(const evaluation& e, const cost_estimate& cost, forecast& f) {
    const std::size_t launches = over_launches(e) ? *e.plan.launches : launches_of_a_spread;
    foresee_launches(cost, f, "the spread of fresh launches", launches, launches);
}

inline void foresee_pairs(const evaluation& e, const cost_estimate& cost, forecast& f) {
    if (needs_single_iterations(e.query()))
        return foresee_rounds(e, cost, f, "pairs of single iterations in random order", fewest_single_pairs, comfortable_single_pairs,
                              sequential_settings::for_percentile_pairs().most, "pairs");
    constexpr sequential_settings test = sequential_settings::for_pairs();
    foresee_rounds(e, cost, f, is_told_by_body(e.query().measured) ? "pairs of values in random order" : "pairs in random order",
                   test.first_look, comfortable_pairs, test.most, "pairs");
}

inline void foresee_judging(evaluation& e, const cost_estimate& cost, forecast& f) {
    constexpr sequential_settings of_launches = sequential_settings::for_launch_centres();
    const metric_kind m = e.query().measured;
    const bool of_pairs = e.tree().bound == bound_kind::query || e.query().ratio;
    if (e.tree().verification) {
        f.method = "comparison of outputs";
        return set_cost(f, cost.all_calls_ns(), cost.all_calls_ns());
    }
    if (e.tree().bound == bound_kind::baseline) return e.plan.against.empty() ? foresee_stored(e, cost, f) : foresee_reference(e, cost, f);
    if (m == metric_kind::stability) return foresee_spread(e, cost, f);
    if (e.tree().bound == bound_kind::none) return foresee_unbounded(e, cost, f);
    if (needs_fresh_process(m)) return foresee_launches(cost, f, "values of fresh launches", of_launches.first_look, of_launches.most);
    if (is_counted(m)) return foresee_counts(e, cost, f);
    if (m == metric_kind::growth) return foresee_growth(e, cost, f);
    if (over_launches(e))
        return foresee_launches(cost, f, "centres of fresh launches", std::max<std::size_t>(*e.plan.launches, of_launches.first_look),
                                of_launches.most);
    of_pairs ? foresee_pairs(e, cost, f) : foresee_blocks(e, cost, f);
}

/// What would be measured already, for an earlier claim of the test case at another place.
inline void leave_out_shared(evaluation& e, forecast& f) {
    const std::vector<subject> all = subjects_of_both(e);
    std::vector<const subject*> subjects;
    for (const subject& s : all) subjects.push_back(&s);
    const bool of_launches = e.tree().bound == bound_kind::baseline;
    const std::string series = f.method + "\n" + (of_launches ? e.out.key : "") + sharing_key(e, subjects, e.query().measured);
    std::set<std::string>& places = e.context.samples().foreseen[series];
    const bool is_first = places.empty();
    if (!places.insert(place_of(e)).second || is_first || f.most_seconds == 0.0) return;
    f.amount += (f.amount.empty() ? "" : ", ") + std::string("shared with an earlier claim");
    f.least_seconds = f.most_seconds = 0.0;
}

void foresee(evaluation& e, const std::string& reason) {
    note_request(e);
    forecast& f = e.out.planned.emplace();
    // As many bodies as the run would call: none of a claim that an update passes over.
    const bool measures = e.plan.mode == evaluation_mode::measure && (reason.empty() || e.plan.update == baseline_update::none);
    const bool calls = measures || e.plan.mode == evaluation_mode::smoke;
    const std::vector<double> calls_ns = calls ? call_once(e) : std::vector<double>{};
    const cost_estimate cost(e, calls_ns);
    if (reason.empty()) {
        foresee_judging(e, cost, f);
        leave_out_shared(e, f);
    } else {
        f.method = "no judging: " + reason;
        set_cost(f, cost.all_calls_ns(), cost.all_calls_ns());
    }
    set_verdict(e, verdict::not_judged, "dry run");
}

}  // namespace perfspec::detail

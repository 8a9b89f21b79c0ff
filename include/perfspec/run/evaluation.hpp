// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/one_side.hpp>
#include <perfspec/measure/calibration.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/run/assertion_request.hpp>
#include <perfspec/run/host.hpp>
#include <perfspec/run/session.hpp>
#include <perfspec/stats/sequential.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::detail {

/// One of the two claims of a tolerance.
struct side_of_tolerance {
    tolerance_end end;
    expression_node claimed;
};

/// One assertion on its way from claim to record; the stages of `run/` fill in `out`.
struct evaluation {
    session& context;
    host& framework;
    const assertion_request& asked;
    perfspec::plan plan;
    test_position position;
    std::vector<std::string> names;  ///< of the query's subjects, then of the other query's
    unsigned occurrence{};
    record out;
    std::exception_ptr thrown;
    std::uint64_t number{};  ///< of this evaluation among those of the process, from 1 on
    std::size_t side{};      ///< of a claim that compares two queries in processes of their own: which one the next process measures

    std::optional<side_of_tolerance> judged_side{};  ///< of `== within(…)`: the one that is judged now

    /// The claim that is judged: the one asked for, or a side of its tolerance.
    [[nodiscard]] const expression_node& tree() const noexcept { return judged_side ? judged_side->claimed : asked.tree; }
    [[nodiscard]] const query_description& query() const noexcept { return asked.tree.query; }
    [[nodiscard]] bool is_child() const noexcept { return context.child().has_value(); }
};

/// A value that is a ratio of two times: exp(log(time of numerator / time of denominator) + log_factor).
struct time_ratio {
    subject numerator;
    subject denominator;
    std::string numerator_name;
    std::string denominator_name;
    metric_kind measured{metric_kind::latency};
    double log_factor{};
};

/// The query, or query divided by query, as a ratio of times. Throws input_error for two queries that cannot be paired.
[[nodiscard]] time_ratio ratio_of(const evaluation& e);

/// The level of the query's percentile, a fraction.
[[nodiscard]] inline double percentile_level(const evaluation& e) noexcept { return e.query().percent / 100.0; }

/// +1 for claims that the value is greater than the bound, -1 for less (and for equal, which only exact comparisons see).
[[nodiscard]] inline double sign_of(comparison c) noexcept {
    return c == comparison::greater || c == comparison::greater_equal ? 1.0 : -1.0;
}

/// The plan's rates and margin, on what the procedure sets otherwise.
[[nodiscard]] inline sequential_settings with_rates(sequential_settings s, const plan& p) noexcept {
    s.margin = p.margin;
    s.false_failure = p.false_failure;
    s.false_pass = p.false_pass;
    return s;
}

/// The counter of what is counted: of kernels, where the subjects run them.
[[nodiscard]] counter& counter_for(const evaluation& e, metric_kind m);
/// The clocks for a metric.
[[nodiscard]] clocks clocks_for(const evaluation& e, metric_kind m);
[[nodiscard]] measuring_settings settings_of(const evaluation& e, metric_kind m);

/// The value of a single-subject query from the time of one iteration: the time itself, or work a second.
[[nodiscard]] double value_from_time(const evaluation& e, double nanoseconds);

/// The arithmetic mean of values, one at least.
[[nodiscard]] double mean_of(const std::vector<double>& values);

/// Work of one iteration as declared. Throws input_error where the subject declares none of that kind.
[[nodiscard]] double declared_work(const query_description& query, const std::string& name);

/// The unit of samples: of times also where the query is a rate or a ratio of times, of bytes where it is one of memory.
[[nodiscard]] inline dimension unit_of_samples(const evaluation& e) noexcept {
    const metric_kind m = e.query().measured;
    if (m == metric_kind::peak_memory) return dimension::bytes;
    return is_counted(m) || needs_fresh_process(m) || is_told_by_body(m) ? e.query().unit : dimension::time;
}

/// The logarithm of a sample. It may have counted nothing: half of one then, below every other sample of so many iterations.
[[nodiscard]] double log_of(double value, std::uint64_t iterations = 1);
/// The same for what a body tells itself, where nothing lies far below everything.
[[nodiscard]] double log_of_value(double value);

/// Times of one subject as a record shows them, with a strip of at most 64 quantiles.
[[nodiscard]] sample_summary summary_of(const std::string& name, std::vector<double> times, std::uint64_t iterations);

void set_verdict(evaluation& e, verdict v, std::string reason = {});

/// Notes that something else was asked for than a verdict. In CI nobody asks for that: there it is a switch that was left on.
inline void note_request(evaluation& e) noexcept { e.out.on_request = e.plan.policy == missing_baseline_policy::local; }

/// Judges the claim, or one side of its tolerance, by the procedure for its kind of query and bound; in a process that was started for it, what
/// its task says.
void judge_by_bound(evaluation& e);

/// Whether this process may measure the claim: no subject refuses, and outputs agree where that is a condition. Else the verdict is *invalid*.
/// Throws input_error for a subject that refuses.
[[nodiscard]] bool is_measurable(evaluation& e);
/// Pairs of samples: relative claims. Fills verdict, evidence and estimate; in a child, of this one stage.
void judge_pairs(evaluation& e);
/// Throws input_error for options that a percentile cannot be measured with.
void require_percentile_options(const evaluation& e);
/// Pairs of single iterations: percentiles of two subjects.
void judge_percentiles(evaluation& e);
/// Counts: exactly where they repeat.
void judge_counts(evaluation& e);
/// Several subjects in the same rounds; only measured.
void measure_several(evaluation& e);
/// A model's layers by four methods, or those of two variants; only measured.
void measure_layers(evaluation& e);
/// The operators that a subject runs; only measured.
void measure_profile(evaluation& e);
/// trace=DIR: writes what the subjects of a violated claim, or of a profile, spend their time in; advice says where, or why not.
void write_traces(evaluation& e);
/// Powers of growth over sizes; with a bound, or without.
void judge_growth(evaluation& e);
/// The power that this process fits.
void measure_growth(evaluation& e);
/// The spread of launch medians; with a bound, or without.
void judge_stability(evaluation& e);
/// What bodies tell themselves, of two subjects: pairs of values in random order.
void judge_value_pairs(evaluation& e);
/// What only fresh processes show: a value a launch, of one subject each. Judges a claim, or measures a query without a bound.
void judge_fresh(evaluation& e);
/// Centres of fresh launches: relative claims with `launches(n)`.
void judge_launches(evaluation& e);
/// Both sides of a tolerance, by what judges each of them.
void judge_within(evaluation& e);
/// Blocks of samples: absolute claims.
void judge_blocks(evaluation& e);
/// Fresh launches against stored ones; recording.
void judge_stored(evaluation& e);
/// Launch pairs of this build and another one.
void judge_reference(evaluation& e);
void judge_counted_builds(evaluation& e);
/// A query without a bound: measured as one launch is, not judged.
void measure_only(evaluation& e);
/// The value of one launch, for the process that asked.
void measure_launch_value(evaluation& e);
/// Outputs of two subjects; a claim of its own, or the condition of a comparison.
[[nodiscard]] verification verify(evaluation& e);
/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const evaluation& e);
/// Says what the claim would be judged by and at what cost, instead of judging it. `reason`: why it would not be; empty where it would.
void foresee(evaluation& e, const std::string& reason);
/// Every body once, untimed.
void run_bodies_once(evaluation& e);

}  // namespace perfspec::detail

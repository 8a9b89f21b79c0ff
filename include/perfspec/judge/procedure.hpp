// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>

#include <algorithm>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace perfspec::detail {

/// A failure that takes along what was known of the claim until then. Whoever only reports the failure need not know.
template <class Failure> struct knowing_failure : Failure {
    knowing_failure(const Failure& failure, claim_result k) : Failure(failure), known(std::move(k)) {}

    claim_result known;
};

/// What a failure says of the claim, behind what was known before.
template <class Failure> [[nodiscard]] claim_result known_with(const claim_result& before, const Failure& failure) {
    const auto* const knowing = dynamic_cast<const knowing_failure<Failure>*>(&failure);
    return knowing != nullptr ? joined(before, knowing->known) : before;
}

/// Takes a step of judging. If it fails, the failure takes along what is known of the claim before it.
///
/// known  makes that result, once the step has failed. What the step itself knows comes behind it, so that must not have
///        it already
template <class Known, class Step>
requires std::is_invocable_r_v<claim_result, Known>
auto knowing(Known known, Step step) -> decltype(step()) {
    try {
        return step();
    } catch (const measurement_failure& failure) {
        throw knowing_failure<measurement_failure>(failure, known_with(known(), failure));
    } catch (const input_error& wrong) { throw knowing_failure<input_error>(wrong, known_with(known(), wrong)); }
}

/// The same, with what is known already.
template <class Step> auto knowing(const claim_result& known, Step step) -> decltype(step()) {
    return knowing([&] { return known; }, step);
}

/// The result of a step that goes on with a claim of which something is known.
template <class Step> [[nodiscard]] claim_result continued(const claim_result& known, Step step) {
    return joined(known, knowing(known, step));
}

/// An empty result, with the units and the margin of the claim.
[[nodiscard]] claim_result empty_result(const claim_context& context);

/// A way to judge claims, or to measure queries. Each procedure has its own file.
struct procedure {
    const char* method;                             ///< its name in a dry run
    bool (*answers)(const claim_context& context);  ///< of an adapter's: whether it is the one for this claim
    /// Makes the result. May throw measurement_failure and input_error: then the claim is invalid, or not judged if
    /// the failure says so. The record has what is `knowing` in the failure.
    claim_result (*judge)(const claim_context& context);
};

/// Adds the procedures of an adapter.
void add_procedures(std::span<const procedure* const> more);

/// The procedure for a claim: an adapter's that answers, else one of the core's. A dry run, a run and a fresh process
/// that is started for the claim all use this one.
[[nodiscard]] procedure procedure_for(const claim_context& context);

/// Judges a claim or one side of its tolerance, or measures a query. A process that was started for a launch measures
/// that launch instead. The verdict is *not judged* if the subjects offer nothing to read here. Throws as procedures
/// do.
[[nodiscard]] claim_result judge_by_procedure(const claim_context& context);

/// Why this process may not measure the claim: outputs that do not agree. Empty if it may. Throws input_error for a
/// subject that refuses.
[[nodiscard]] std::string reason_not_to_measure(const claim_context& context);

/// Measures the value of one launch.
[[nodiscard]] claim_result measure_one_launch(const claim_context& context);

// How this process, which has the machine, measures the value of a launch. A count that differs from run to run is
// sampled as a time.
[[nodiscard]] claim_result measure_growth(const claim_context& context);
[[nodiscard]] claim_result measure_ratio(const claim_context& context);
[[nodiscard]] claim_result measure_count(const claim_context& context);
[[nodiscard]] claim_result measure_declared(const claim_context& context);
[[nodiscard]] claim_result measure_time_value(const claim_context& context);

/// Throws input_error for a spread without a positive bound, or over too few launches.
void require_spread(const claim_context& context);

/// Throws input_error for a tolerance that reaches down to 0.
void require_two_sides(const claim_context& context);

/// Judges both sides of a tolerance.
[[nodiscard]] claim_result judge_within(const claim_context& context);

/// What explains a result, from extra runs.
struct explanation {
    std::vector<part_value> parts{};
    std::vector<std::string> advice{};            ///< where files are, or why there are none
    std::optional<operator_profile> operators{};  ///< of a model, to store with its launches
    disturbances disturbed{};
};

/// The result with that. Operators go with its baseline.
[[nodiscard]] claim_result explained(claim_result result, explanation more);

/// Says where the subjects of a violated claim spend their time: its operators, and traces if the option trace=DIR asks
/// for them.
/// perfspec::explain sets it.
inline explanation (*result_explainer)(const claim_context& context, const claim_result& result) = nullptr;
/// The result, explained by that one. If none is linked and traces are asked for, advice says so.
[[nodiscard]] claim_result explained(const claim_context& context, claim_result result);

/// Records the operators to store with the launches of a claim on the time of a model. Advice says why there are none
/// where that failed, and nothing if the claim is no such claim. perfspec::explain sets it.
inline explanation (*operators_recording)(const claim_context& context) = nullptr;
/// Records with that one; nothing if none is linked.
[[nodiscard]] inline explanation operators_to_store(const claim_context& context) {
    return operators_recording != nullptr ? operators_recording(context) : explanation{};
}

/// The result, and the exception of a body if that is why the claim is invalid.
struct judged_claim {
    claim_result result;
    std::exception_ptr thrown{};
};

/// Answers a claim: judges its claim, or does what the plan asks for instead. Mistakes of the user and of bodies are
/// not thrown: they become results.
[[nodiscard]] judged_claim judge_claim(const claim_context& context);

/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const claim_context& context);

/// What a comparison of outputs says of a claim on the performance of two subjects.
struct outputs_check {
    std::optional<verification> verified{};  ///< nothing where they were not compared
    std::optional<judgement> against{};      ///< why they allow no verdict; nothing where they do
};

/// Compares the outputs of the two subjects before measuring. They allow a verdict where they agree, where no adapter
/// can compare them, and where a subject is unverified.
[[nodiscard]] outputs_check check_outputs(const claim_context& context);

/// The result after the outputs were compared once more, where the claim holds: a body may be right in its first calls
/// only, or only under the settings that make comparisons repeat. The verdict becomes invalid where they agreed before
/// it was measured, and do not now. Nothing changes where they were not compared, or where fresh processes were
/// measured.
[[nodiscard]] claim_result compare_outputs_again(const claim_context& context, claim_result result);

/// Runs every body once, untimed.
void run_bodies_once(const claim_context& context);

/// How a module takes a count in fresh processes. Its queries are of `metric_kind::module_count`, and name it in their
/// `own_metric`; a procedure of the module judges claims that are not on a baseline (`add_procedures`).
class module_counter {
public:
    module_counter() = default;
    module_counter(const module_counter&) = delete;
    module_counter& operator=(const module_counter&) = delete;
    virtual ~module_counter() = default;

    /// Why nothing can be counted here, and what to do; empty if it can.
    [[nodiscard]] virtual std::string fault() const = 0;
    /// Changes the command of a fresh process so that it can count.
    virtual void prepare(child_command& command, const claim_context& context) const = 0;
    /// Counts in that process. Throws as procedures do.
    [[nodiscard]] virtual claim_result measure(const claim_context& context) const = 0;
    /// What a violated claim counts, in place of the parts that its result has.
    [[nodiscard]] virtual std::vector<part_value> parts_of_violation(const claim_context& context) const = 0;
};

/// Null for a metric of the core.
[[nodiscard]] inline const module_counter* module_counter_of(const claim_context& context) {
    return context.query.said<own_metric>().counter;
}

/// Whether the bound is a number or another query.
[[nodiscard]] inline bool is_judged_by_itself(const claim_context& context) {
    return context.is_bounded() && !context.is_against_baseline();
}
/// Whether the claim is judged over fresh processes because the option `launches` at its call asks for them. The same
/// option in a plan does not count, because a plan is for every claim of a run.
[[nodiscard]] inline bool over_launches(const claim_context& context) {
    if (context.is_child()) return false;
    return std::ranges::any_of(context.options,
                               [](const option& o) { return o.id == option_id::launches && o.number > 0.0; });
}

// How the core judges.

[[nodiscard]] claim_result judge_output(const claim_context& context);
[[nodiscard]] claim_result judge_stored(const claim_context& context);
[[nodiscard]] claim_result judge_reference(const claim_context& context);
[[nodiscard]] claim_result judge_stability(const claim_context& context);
[[nodiscard]] claim_result judge_fresh(const claim_context& context);
[[nodiscard]] claim_result measure_several(const claim_context& context);
[[nodiscard]] claim_result judge_growth(const claim_context& context);
[[nodiscard]] claim_result judge_declared(const claim_context& context);
[[nodiscard]] claim_result judge_counts(const claim_context& context);
[[nodiscard]] claim_result judge_blocks(const claim_context& context);
[[nodiscard]] claim_result judge_pairs(const claim_context& context);
[[nodiscard]] claim_result judge_percentiles(const claim_context& context);
[[nodiscard]] claim_result judge_launches(const claim_context& context);

}  // namespace perfspec::detail

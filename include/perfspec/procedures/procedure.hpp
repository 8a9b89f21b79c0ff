// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/claim/claim_context.hpp>
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

/// A failure that carries the partial result of the claim.
template <class Failure> struct failure_with_result : Failure {
    failure_with_result(const Failure& failure, claim_result r) : Failure(failure), result(std::move(r)) {}

    claim_result result;
};

/// The partial result before a step, joined with the one that its failure carries.
template <class Failure> [[nodiscard]] claim_result partial_result(const claim_result& before, const Failure& failure) {
    const auto* const carrier = dynamic_cast<const failure_with_result<Failure>*>(&failure);
    return carrier != nullptr ? joined(before, carrier->result) : before;
}

/// Runs a step of judging. If it fails, the failure carries the partial result.
///
/// partial  makes the result before the step. It must not overlap with the one that the failure carries already
template <class Partial, class Step>
requires std::is_invocable_r_v<claim_result, Partial>
auto with_partial_result(Partial partial, Step step) -> decltype(step()) {
    try {
        return step();
    } catch (const measurement_failure& failure) {
        throw failure_with_result<measurement_failure>(failure, partial_result(partial(), failure));
    } catch (const input_error& wrong) {
        throw failure_with_result<input_error>(wrong, partial_result(partial(), wrong));
    }
}

/// The same with a partial result that does not change during the step.
template <class Step> auto with_partial_result(const claim_result& partial, Step step) -> decltype(step()) {
    return with_partial_result([&] { return partial; }, step);
}

/// The result of a step, joined with the partial result before it.
template <class Step> [[nodiscard]] claim_result continued(const claim_result& partial, Step step) {
    return joined(partial, with_partial_result(partial, step));
}

/// An empty result, with the units and the margin of the claim.
[[nodiscard]] claim_result empty_result(const claim_context& context);

/// A way to judge claims, or to measure queries. Each procedure has its own file.
struct procedure {
    const char* method;                             ///< its name in a dry run
    bool (*answers)(const claim_context& context);  ///< an adapter's: whether it judges this claim
    /// May throw measurement_failure and input_error: then the claim is invalid, or not judged if the failure's kind
    /// says so. The record gets the partial result that the failure carries.
    claim_result (*judge)(const claim_context& context);
};

/// Adds the procedures of an adapter.
void add_procedures(std::span<const procedure* const> more);

/// The procedure for a claim: an adapter's if one takes the claim; otherwise the core's. Dry runs, and processes that
/// repeat a claim, use it, too.
[[nodiscard]] procedure procedure_for(const claim_context& context);

/// Judges a claim or one side of its tolerance, or measures a query. A process that was started for a launch measures
/// that launch instead. The verdict is *not judged* if the subjects cannot be read here. Throws as procedures do.
[[nodiscard]] claim_result judge_by_procedure(const claim_context& context);

/// Why this process may not measure the claim: its outputs do not agree. Empty if it may. Throws input_error for a
/// refused subject.
[[nodiscard]] std::string reason_not_to_measure(const claim_context& context);

/// Measures the value of one launch.
[[nodiscard]] claim_result measure_one_launch(const claim_context& context);

// The ways to measure the value of a launch in this process, within a measuring_scope. A count that differs from run
// to run is sampled as a time.
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
    std::vector<std::string> advice{};            ///< the paths of files, or why there are none
    std::optional<operator_profile> operators{};  ///< of a model, to store with its launches
    disturbances disturbed{};
};

/// The result with an explanation. The operators go into its baseline.
[[nodiscard]] claim_result explained(claim_result result, explanation added);

/// Explains where the subjects of a violated claim spend their time: by operators, and with the option trace=DIR by
/// traces. perfspec::explain sets it.
inline explanation (*result_explainer)(const claim_context& context, const claim_result& result) = nullptr;
/// The result, explained by `result_explainer`. If none is linked and the option trace is set, advice says so.
[[nodiscard]] claim_result explained(const claim_context& context, claim_result result);

/// Records the operators to store with the launches of a claim on the time of a model. If that fails, advice says why.
/// Empty for other claims. perfspec::explain sets it.
inline explanation (*operators_recording)(const claim_context& context) = nullptr;
[[nodiscard]] inline explanation operators_to_store(const claim_context& context) {
    return operators_recording != nullptr ? operators_recording(context) : explanation{};
}

/// The result, and the exception of a body if that is why the claim is invalid.
struct judged_claim {
    claim_result result;
    std::exception_ptr thrown{};
};

/// Judges a claim, or does what the plan requests instead. Mistakes of the user and of bodies become results.
[[nodiscard]] judged_claim judge_claim(const claim_context& context);

/// Throws input_error for a claim that compares a subject with itself.
void refuse_comparison_with_itself(const claim_context& context);

/// A comparison of outputs for a claim on the performance of two subjects.
struct outputs_check {
    std::optional<verification> verified{};  ///< empty if they were not compared
    std::optional<judgement> against{};      ///< why they allow no verdict; empty if they do
};

/// Compares the outputs of the two subjects before measuring. They allow a verdict if they agree, if no adapter can
/// compare them, and if a subject is unverified.
[[nodiscard]] outputs_check check_outputs(const claim_context& context);

/// Compares the outputs of a claim that holds once more: a body may be right only in its first calls, or only under the
/// settings that make comparisons repeat. If they agreed before measuring and do not now, the verdict becomes invalid.
/// Does nothing if they were not compared, or if fresh processes were measured.
[[nodiscard]] claim_result compare_outputs_again(const claim_context& context, claim_result result);

/// Runs every body once, untimed.
void run_bodies_once(const claim_context& context);

/// A module's way to count in fresh processes. Its queries have `metric_kind::module_count` and name it in their
/// `own_metric`; a procedure of the module (`add_procedures`) judges claims that are not on a baseline.
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
    /// The parts that replace those of a violated claim's result.
    [[nodiscard]] virtual std::vector<part_value> parts_of_violation(const claim_context& context) const = 0;
};

/// Null for a metric of the core.
[[nodiscard]] inline const module_counter* module_counter_of(const claim_context& context) {
    return context.query.payload_as<own_metric>().counter;
}

/// Whether the bound is a number or another query.
[[nodiscard]] inline bool is_judged_by_itself(const claim_context& context) {
    return context.is_bounded() && !context.is_against_baseline();
}
/// Whether the option `launches` at the call requests judging over fresh processes. The option does not count
/// elsewhere, because it would be for every claim of a run.
[[nodiscard]] inline bool over_launches(const claim_context& context) {
    if (context.is_child()) return false;
    return std::ranges::any_of(context.options,
                               [](const option& o) { return o.id == option_id::launches && o.number > 0.0; });
}

// The core's procedures.

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

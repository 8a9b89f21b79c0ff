// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/claim_result.hpp>

#include <type_traits>
#include <utility>

namespace perfspec::inline v0_2::detail {

/// An empty result, with the units and the margin of the claim.
[[nodiscard]] inline claim_result empty_result(const claim_context& context) {
    claim_result result;
    result.unit = context.unit;
    result.margin = context.margin();
    return result;
}

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

}  // namespace perfspec::inline v0_2::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What modules add to the evaluation of a claim.

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/claim_result.hpp>

#include <optional>
#include <string>
#include <vector>

namespace perfspec::inline v0_1::detail {

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

}  // namespace perfspec::inline v0_1::detail

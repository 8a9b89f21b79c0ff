// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What modules add to the evaluation of a claim.

#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/claim_result.hpp>

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// How a module measures a metric of its own. Its queries hold one (`module_query`); `reading` of the metric says which
/// of its functions are called. The core needs no line for it.
///
///     inline constexpr metric_traits charge_row{"charge", dimension::count, …, reading::call, …};
///     class charge_metric final : public module_metric {
///         double read(const subject& x, counters&) const override { … }  // runs x once, and returns its charge
///     };
///     query<dimension::count> charge(const subject& x) {
///         return make_query<dimension::count>(
///             {.metric = charge_row, .module = {.metrics = {std::make_shared<charge_metric>()}}, .subjects = {x}});
///     }
class module_metric : public call_reader {
public:
    /// Why it cannot be read of the subjects of a claim, and what to do; empty if it can. This, axes and notes are
    /// asked of the metric of the first subject.
    [[nodiscard]] virtual std::string fault(const claim_context&) const { return {}; }
    /// Whether a subject that runs in another process can be measured.
    [[nodiscard]] virtual bool reads_other_processes() const { return false; }
    /// Why the queries of `a < k * b` cannot be compared, and what to do; empty if they can.
    [[nodiscard]] virtual std::string fault_of_pair(const query_description&, const query_description&) const {
        return {};
    }
    /// What results and baselines are kept apart by, in addition to the axes of the subjects. Throws input_error for
    /// subjects that are not comparable.
    [[nodiscard]] virtual std::vector<std::pair<std::string, std::string>> axes(const claim_context&) const {
        return {};
    }
    /// Notes on what the readings include.
    [[nodiscard]] virtual std::vector<std::string> notes(const claim_context&) const { return {}; }

    /// reading::counter and peak_of_counter: the counter of a claim.
    [[nodiscard]] virtual counter_key counter_of(const claim_context& context) const { return {context.query.metric}; }
    /// The same: refuses counts of a few runs that cannot be right. Throws measurement_failure.
    virtual void require_plausible(const subject&, std::span<const std::uint64_t>) const {}
    /// reading::call: runs the subject once and returns its value. Throws as take_sample does.
    [[nodiscard]] double read(const subject& x, counters& all) const override;
    /// reading::declared: the value of a subject.
    [[nodiscard]] virtual double declared(const subject& x) const;
    /// reading::module: changes the command of a fresh process so that it can count.
    virtual void prepare(child_command&, const claim_context&) const {}
    /// The same: counts in that process. Throws as procedures do. A procedure of the module (`add_procedures`) judges
    /// claims that are not on a baseline.
    [[nodiscard]] virtual claim_result measure(const claim_context&) const;
    /// The same: the parts that replace those of a violated claim's result.
    [[nodiscard]] virtual std::vector<part_value> parts_of_violation(const claim_context&) const { return {}; }
};

/// The metric of one subject of a query. Null for a metric of the core.
[[nodiscard]] inline const module_metric* module_of(const query_description& query, std::size_t subject = 0) {
    return subject < query.module.metrics.size() ? query.module.metrics[subject].get() : nullptr;
}

/// What a module adds to the parts of a ratio, and to those of a cold start: the cost of what was done before the
/// program ran. A module sets them.
inline std::vector<part_value> (*parts_of_ratio)(const claim_context& context, const time_ratio& r,
                                                 const claim_result& result) = nullptr;
inline std::vector<part_value> (*parts_before_start)(const subject& x) = nullptr;

/// What explains a result, from extra runs.
struct explanation {
    std::vector<part_value> parts{};
    std::vector<std::string> advice{};      ///< the paths of files, or why there are none
    std::optional<part_profile> profile{};  ///< to store with the processes of a claim
    disturbances disturbed{};
};

/// The result with an explanation. The profile goes into its baseline.
[[nodiscard]] claim_result explained(claim_result result, explanation added);

/// Explains where the subjects of a violated claim spend their time: by their parts, and with the option trace=DIR by
/// traces. A module sets it.
inline explanation (*result_explainer)(const claim_context& context, const claim_result& result) = nullptr;

/// The result, explained by `result_explainer`. If none is linked and the option trace is set, advice says so.
[[nodiscard]] claim_result explained(const claim_context& context, claim_result result);

/// Records the parts to store with the processes of a claim. If that fails, advice says why. Empty for claims without
/// known parts. A module sets it.
inline explanation (*profile_recording)(const claim_context& context) = nullptr;

[[nodiscard]] inline explanation profile_to_store(const claim_context& context) {
    return profile_recording != nullptr ? profile_recording(context) : explanation{};
}

}  // namespace perfspec::inline v0_2::detail

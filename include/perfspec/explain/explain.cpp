// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The bodies of <perfspec/explain.hpp>.

#include <perfspec/claim/modules.hpp>
#include <perfspec/explain/best_mixture-inl.hpp>
#include <perfspec/explain/device_metrics-inl.hpp>
#include <perfspec/explain/kernel_times-inl.hpp>
#include <perfspec/explain/layer_rounds-inl.hpp>
#include <perfspec/explain/layers-inl.hpp>
#include <perfspec/explain/model_metrics-inl.hpp>
#include <perfspec/explain/model_queries-inl.hpp>
#include <perfspec/explain/moved_operators-inl.hpp>
#include <perfspec/explain/operator_events-inl.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/explain/queries-inl.hpp>
#include <perfspec/explain/recorders-inl.hpp>
#include <perfspec/explain/traces-inl.hpp>
#include <perfspec/procedures/procedure.hpp>

#include <utility>

namespace perfspec::inline v0_2::detail {

inline bool add_explaining_procedures() {
    static constexpr const procedure* procedures[] = {&rounds_of_layers, &rounds_of_a_mixture, &recorded_operators};
    add_procedures(procedures);
    result_explainer = [](const claim_context& context, const claim_result& result) {
        explanation operators = name_operators(context, result);
        explanation traces = write_traces(context, result);
        append(operators.advice, std::move(traces.advice));
        operators.disturbed = joined(std::move(operators.disturbed), traces.disturbed);
        return operators;
    };
    profile_recording = record_operators_to_store;
    parts_of_ratio = parts_of_compilation;
    parts_before_start = parts_before_cold_start;
    return true;
}

void explain() { [[maybe_unused]] static const bool is_done = add_explaining_procedures(); }

}  // namespace perfspec::inline v0_2::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/explain.hpp>
#include <perfspec/explain/layer_memory-inl.hpp>
#include <perfspec/explain/layers-inl.hpp>
#include <perfspec/explain/moved_operators-inl.hpp>
#include <perfspec/explain/profile-inl.hpp>
#include <perfspec/explain/stored_operators-inl.hpp>
#include <perfspec/explain/traces-inl.hpp>
#include <perfspec/judge/procedure.hpp>

namespace perfspec::detail {

inline bool add_explaining_procedures() {
    static constexpr const procedure* all[] = {&rounds_of_layers, &rounds_of_an_oracle, &recorded_operators,
                                               &memory_of_layers};
    add_procedures(all);
    explain_findings_by([](const claim_context& context, claim_result& result) {
        name_operators(context, result);
        write_traces(context, result);
    });
    store_operators_by(record_operators_to_store);
    return true;
}

void explain() { [[maybe_unused]] static const bool is_done = add_explaining_procedures(); }

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/claim_result.hpp>

#include <string>

namespace perfspec::detail {

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
    virtual void measure(const claim_context& context, claim_result& result) const = 0;
    /// Shows what a violated claim counts.
    virtual void explain(const claim_context& context, claim_result& result) const = 0;
};

/// Null for a metric of the core.
[[nodiscard]] inline const module_counter* module_counter_of(const claim_context& context) {
    return context.query.said<own_metric>().counter;
}

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/commands.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/waived.hpp>
#include <perfspec/session/build_kind.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The first waiver of the project file whose pattern matches the claim's key.
inline std::optional<waiver> waiver_for(const claim_context& context) {
    const std::vector<waiver>& all = context.run.settings().waivers;
    const auto found = std::ranges::find_if(all, [&](const waiver& w) { return covers(w, context.key); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

inline bool fails_test(const claim_context& context, verdict v) {
    if (context.where.effect == effect::warn) return false;
    switch (v) {
    case verdict::violated:
    case verdict::error: return true;
    case verdict::undecided: return context.plan.undecided == undecided_effect::fail;
    case verdict::holds:
    case verdict::measured:
    case verdict::skipped: break;
    }
    return false;
}

/// The record with the place, the time and the origin of the evaluation.
inline record with_place(const claim_context& context, record r) {
    r.time = context.time;
    r.suite = context.run.suite();
    r.test = context.position.test;
    r.sections = context.position.sections;
    r.macro = context.where.macro;
    r.claim = context.claim;
    r.file = context.where.file;
    r.line = context.where.line;
    r.build = to_string(context.where.build);
    const provenance& p = context.run.origin();
    r.commit = p.commit;
    r.branch = p.branch;
    r.shard = context.run.shard();
    r.run_id = p.run_id;
    r.started_by = p.started_by;
    r.host = p.host;
    r.dirty = !context.plan.output.empty() && context.run.has_uncommitted_changes();
    return r;
}

/// The record with the query and its options.
inline record with_query(const claim_context& context, record r) {
    r.key = context.key;
    r.query = context.text;
    r.metric = context.is_of_outputs ? "same_output" : metric_name(context.query);
    r.names = context.names;
    r.axes = context.axes;
    r.direction = context.query.direction;
    if (context.unit == dimension::own) r.own_unit = context.unit_name();
    if (context.written) r.comparison = to_string(context.written->compared);
    r.options = plan_options(context.plan);
    r.origins = context.origins;
    r.build_variant = context.plan.build_variant;
    r.hardware_key = context.hardware_key;
    return r;
}

record record_of(const claim_context& context, const claim_result& result) {
    record r;
    static_cast<claim_result&>(r) = result;
    r = with_query(context, with_place(context, std::move(r)));
    if (context.is_child()) return r;
    r.failed = fails_test(context, result.verdict);
    r.commands = commands_for(context, result);
    if (context.fault.empty() && !context.is_bounded_by_allowed_regression())
        if (const std::optional<waiver> found_waiver = waiver_for(context)) return waived(std::move(r), *found_waiver);
    return r;
}

}  // namespace perfspec::inline v0_2::detail

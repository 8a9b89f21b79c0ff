// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/commands.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/language/describe.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/session/not_judged.hpp>

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <string>

namespace perfspec::detail {

/// The values that a claim allows, as its waiver widens them. The bound must be there.
inline tolerated_range allowed_with(const record& r, const waiver_ceiling& ceiling) {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    const bool below = r.comparison.starts_with('<');
    const bool above = r.comparison.starts_with('>');
    tolerated_range range =
        r.tolerated.value_or(tolerated_range{below ? -infinity : *r.bound, above ? infinity : *r.bound});
    if (ceiling.value) return {std::min(range.low, *ceiling.value), std::max(range.high, *ceiling.value)};
    const double factor = 1.0 + *ceiling.fraction;
    if (!std::isinf(range.high)) range.high = std::max(range.high * factor, range.high / factor);
    if (!std::isinf(range.low)) range.low = std::min(range.low * factor, range.low / factor);
    return range;
}

/// Why the ceiling cannot be compared with the measured value; empty if it can.
inline std::string fault_of_ceiling(const record& r, const waiver_ceiling& ceiling) {
    if (!r.bound) return "the claim has no bound";
    if (ceiling.fraction && *r.bound == 0.0)
        return "a percentage of the bound 0 is 0: write the largest value that is tolerated";
    if (ceiling.value && *ceiling.value == 0.0 && r.comparison.starts_with('>'))
        return "every value is above 0: write the least value that is tolerated";
    if (ceiling.value && ceiling.is_duration != (r.unit == dimension::time))
        return ceiling.is_duration ? "the claim is not about a time: write a percentage or a number"
                                   : "a time needs a unit, such as 150us";
    return {};
}

inline bool is_within_ceiling(const record& r, const waiver_ceiling& ceiling) {
    if (!r.estimate || !fault_of_ceiling(r, ceiling).empty()) return false;
    const auto [low, high] = allowed_with(r, ceiling);
    return r.estimate->centre >= low && r.estimate->centre <= high;
}

inline waiver_effect effect_of(const record& r, const waiver& w) {
    if (r.verdict == verdict::holds) return waiver_effect::not_needed;
    if (r.time.substr(0, w.until.size()) > w.until) return waiver_effect::expired;
    return is_within_ceiling(r, ceiling_of(w)) ? waiver_effect::waived : waiver_effect::too_far;
}

inline void tell(record& r, const applied_waiver& a, const std::string& fault) {
    const std::string who = fmt::format("{} ({})", a.reason, a.owner);
    const std::string why = fmt::format("{}; {}", who, a.place);
    switch (a.effect) {
    case waiver_effect::waived:
        r.notes.push_back(fmt::format("waived until {} up to {}: {}", a.until, a.ceiling, why));
        return;
    case waiver_effect::not_needed:
        r.notes.push_back(
            fmt::format("the claim holds; if it keeps doing so, remove its waiver at {}: {}", a.place, who));
        return;
    case waiver_effect::too_far:
        r.advice.push_back(fault.empty()
                               ? fmt::format("its waiver allows {} and no more: {}", a.ceiling, why)
                               : fmt::format("the ceiling {} of its waiver does not apply: {}", a.ceiling, fault));
        return;
    case waiver_effect::expired: r.advice.push_back(fmt::format("its waiver ended on {}: {}", a.until, why)); return;
    }
}

std::optional<waiver> waiver_for(const claim_context& context) {
    const std::vector<waiver>& all = context.run.settings().waivers;
    const auto found = std::ranges::find_if(all, [&](const waiver& w) { return covers(w, context.key); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

void waive(record& r, const waiver& w) {
    const bool holds = r.verdict == verdict::holds && r.bound && !r.comparison.empty();
    const bool is_covered = holds || r.verdict == verdict::violated || (r.verdict == verdict::undecided && r.failed);
    const bool is_of_outputs =
        r.verified && (r.verified->code != verification_code::pass || !r.estimate);  // these have no ceiling
    if (!is_covered || is_of_outputs) return;
    r.waiver = applied_waiver{effect_of(r, w), w.ceiling, w.until, w.reason, w.owner, w.place};
    if (r.waiver->effect == waiver_effect::waived) r.failed = false;
    tell(r, *r.waiver, fault_of_ceiling(r, ceiling_of(w)));
}

claim_result empty_result(const claim_context& context) {
    claim_result result;
    result.unit = context.unit;
    result.margin = context.plan.margin;
    return result;
}

/// Whether this verdict fails the test.
inline bool fails_test(const claim_context& context, verdict v) {
    if (context.where.effect == effect::warn) return false;
    switch (v) {
    case verdict::violated:
    case verdict::invalid: return true;
    case verdict::undecided: return context.plan.undecided == undecided_effect::fail;
    case verdict::holds:
    case verdict::not_judged: break;
    }
    return false;
}

inline void write_place(const claim_context& context, record& r) {
    r.time = context.time;
    r.suite = context.run.suite();
    r.test = context.position.test;
    r.sections = context.position.sections;
    r.macro = context.where.macro;
    r.claim = context.claim;
    r.file = context.where.file;
    r.line = context.where.line;
    r.build = to_string(context.where.build);
}

inline void write_query(const claim_context& context, record& r) {
    r.key = context.key;
    r.query = context.text;
    r.axes = context.axes;
    r.direction = context.query.direction;
    if (context.unit == dimension::own) r.own_unit = context.unit_name();
    if (context.written) r.comparison = to_string(context.written->compared);
    r.options = plan_options(context.plan);
    r.origins = context.origins;
    r.build_variant = context.plan.build_variant;
    r.hardware_key = context.hardware_key;
}

inline void write_origin(const claim_context& context, record& r) {
    const provenance& p = context.run.origin();
    r.commit = p.commit;
    r.branch = p.branch;
    r.run_id = p.run_id;
    r.started_by = p.started_by;
    r.host = p.host;
    r.dirty = !context.plan.output.empty() && context.run.has_uncommitted_changes();
}

record record_of(const claim_context& context, const claim_result& result) {
    record r;
    static_cast<claim_result&>(r) = result;
    write_place(context, r);
    write_query(context, r);
    write_origin(context, r);
    if (context.is_child()) return r;
    r.failed = fails_test(context, result.verdict);
    r.commands = commands_for(context, result);
    if (context.fault.empty() && !context.is_bounded_by_regression())
        if (const std::optional<waiver> found_waiver = waiver_for(context)) waive(r, *found_waiver);
    return r;
}

}  // namespace perfspec::detail

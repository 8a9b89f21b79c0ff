// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/commands.hpp>
#include <perfspec/ask/record_of.hpp>
#include <perfspec/ask/waive.hpp>
#include <perfspec/language/describe.hpp>
#include <perfspec/plan/plan_text.hpp>
#include <perfspec/session/not_judged.hpp>

namespace perfspec::detail {

finding nothing_found(const question& asked) {
    finding found;
    found.unit = asked.unit;
    found.margin = asked.plan.margin;
    return found;
}

/// Whether this verdict fails the test.
inline bool fails_test(const question& asked, verdict v) {
    if (asked.where.effect == effect::warn) return false;
    switch (v) {
    case verdict::violated:
    case verdict::invalid: return true;
    case verdict::undecided: return asked.plan.undecided == undecided_effect::fail;
    case verdict::holds:
    case verdict::not_judged: break;
    }
    return false;
}

inline void write_place(const question& asked, record& r) {
    r.time = asked.time;
    r.suite = asked.context.suite();
    r.test = asked.position.test;
    r.sections = asked.position.sections;
    r.macro = asked.where.macro;
    r.claim = asked.claim;
    r.file = asked.where.file;
    r.line = asked.where.line;
    r.build = to_string(asked.where.build);
}

inline void write_query(const question& asked, record& r) {
    r.key = asked.key;
    r.query = asked.text;
    r.axes = asked.axes;
    r.direction = asked.query.direction;
    if (asked.unit == dimension::own) r.own_unit = asked.unit_name();
    if (asked.written) r.comparison = to_string(asked.written->compared);
    r.options = plan_options(asked.plan);
    r.origins = asked.origins;
    r.build_variant = asked.plan.build_variant;
    r.hardware_key = asked.hardware_key;
}

inline void write_origin(const question& asked, record& r) {
    const provenance& p = asked.context.origin();
    r.commit = p.commit;
    r.branch = p.branch;
    r.run_id = p.run_id;
    r.started_by = p.started_by;
    r.host = p.host;
    r.dirty = !asked.plan.output.empty() && asked.context.has_uncommitted_changes();
}

record record_of(const question& asked, const finding& found) {
    record r;
    static_cast<finding&>(r) = found;
    write_place(asked, r);
    write_query(asked, r);
    write_origin(asked, r);
    if (asked.is_child()) return r;
    r.failed = fails_test(asked, found.verdict);
    r.commands = commands_for(asked, found);
    if (asked.fault.empty() && !asked.is_bounded_by_regression())
        if (const std::optional<waiver> found_waiver = waiver_for(asked)) waive(r, *found_waiver);
    return r;
}

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Resolves the plan, names and key of a claim from its assertion.

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/readings-inl.hpp>
#include <perfspec/judge/record_of.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

namespace perfspec::detail {

std::string claim_context::unit_name() const {
    return unit == dimension::own ? query.said<own_metric>().name : std::string(base_unit(unit));
}

/// Copies an expression into the claim.
struct resolve_expression {
    claim_context& q;

    void operator()(const query_description& query) const { q.query = query; }
    void operator()(const bounded_claim& claimed) const {
        q.query = claimed.query;
        q.written = q.judged = claimed.terms;
    }
    void operator()(const output_claim& of) const {
        q.is_of_outputs = true;
        q.query = {.unit = dimension::count, .subjects = {of.reference, of.candidate}};
    }
};

inline claim_context context_of(session& run, host& framework, const assertion_request& request) {
    claim_context q{.run = run,
                    .framework = framework,
                    .where = request.where,
                    .claim = request.claim,
                    .options = request.options,
                    .time = run.system().utc_now(),
                    .position = framework.position()};
    std::visit(resolve_expression{q}, request.tree.says);
    q.unit = q.is_against_query() ? dimension::ratio : q.query.unit;
    q.subjects = q.query.subjects;
    if (q.is_against_query()) q.subjects.insert(q.subjects.end(), q.other().subjects.begin(), q.other().subjects.end());
    return q;
}

inline plan with_absolute_paths(const session& run, plan p) {
    for (std::string* path : {&p.output, &p.trace, &p.baseline_dir})
        if (!path->empty()) *path = absolute_path(run, *path);
    return p;
}

/// If the options of the claim are wrong, sets the plan of the run before it throws: the invalid result needs an output
/// file, too.
inline void resolve_plan(claim_context& q) {
    if (q.is_child()) {
        q.plan = with_absolute_paths(q.run, plan_from_text(q.run.child()->plan));
        return;
    }
    try {
        q.plan = with_absolute_paths(q.run, q.run.resolve_plan(q.options));
    } catch (const input_error&) {
        q.plan = with_absolute_paths(q.run, q.run.resolve_plan({}));
        throw;
    }
}

/// The place of the assertion without the folder, so that keys are the same in every checkout: "sort_test.cpp:42".
inline std::string short_place_of(const claim_context& q) {
    const std::string place = place_of(q);
    return place.substr(place.rfind('/') + 1);
}

/// Throws input_error if a baseline would depend on the name of an unnamed body: that name has the line, which moves
/// with every edit above it.
inline void require_name_for_baseline(const claim_context& q) {
    if (q.is_against_baseline() && q.plan.key.empty())
        throw input_error(
            "a claim on baseline() needs subjects with names, because the names form its key: perfspec::subject(\"name\", f), or the option "
            "key(\"name\")");
}

/// The subject's name. An unnamed body is called by its place, "sort_test.cpp:42"; the second one of a claim
/// "sort_test.cpp:42#2".
inline std::string name_of(const claim_context& q, std::size_t index, std::size_t& unnamed) {
    const subject& s = q.subjects[index];
    if (!s.name().empty()) return std::string(s.name());
    if (const auto sizes = q.query.said<growth_sizes>().sizes; !sizes.empty())
        return "n=" + std::to_string(std::llround(sizes.at(index)));
    require_name_for_baseline(q);
    return short_place_of(q) + (++unnamed == 1 ? "" : "#" + std::to_string(unnamed));
}

inline std::vector<std::string> names_of(const claim_context& q) {
    std::size_t unnamed = 0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < q.subjects.size(); ++i) {
        names.push_back(name_of(q, i, unnamed));
        for (const auto& [name, value] : distinguishing_settings(q.subjects[i], q.subjects))
            names.back() += " " + name + "=" + value;
    }
    return names;
}

/// The query with its names. The subjects of a growth are sizes, and its body has no name.
inline std::string query_text(const claim_context& q) {
    const auto split = static_cast<std::ptrdiff_t>(q.query.subjects.size());
    if (q.is_of_outputs) return "same_output(" + q.names.at(0) + ", " + q.names.at(1) + ")";
    if (q.query.metric == metric_kind::growth) {
        require_name_for_baseline(q);
        return "growth(" + short_place_of(q) + ")";
    }
    const std::string own = describe(q.query, {q.names.begin(), q.names.begin() + split});
    if (!q.is_against_query()) return own;
    return own + " / " + describe(q.other(), {q.names.begin() + split, q.names.end()});
}

/// A part of a key. It escapes the separator, so a test "a / b" differs from a section "b" of a test "a".
inline std::string escaped_part(std::string part) {
    for (std::size_t at = 0; (at = part.find(" / ", at)) != std::string::npos; at += 4) part.insert(at + 1, 1, '\\');
    return part;
}

/// The key of an entry: test / sections / query / axes, joined by " / ".
inline std::string key_of(const claim_context& q) {
    std::string key;
    const auto append = [&key](const std::string& part) {
        if (!key.empty()) key += " / ";
        key += part;
    };
    if (!q.position.test.empty()) append(escaped_part(q.position.test));
    for (const std::string& section : q.position.sections) append(escaped_part(section));
    append(q.plan.key.empty() ? q.text : q.plan.key);
    for (const auto& [name, value] : q.axes) append(name + "=" + value);
    return key;
}

/// The query's text without the place of unnamed bodies.
inline std::string query_of_any_place(const claim_context& q) {
    const std::string place = short_place_of(q);
    std::string text = q.text;
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;) text.erase(at, place.size());
    return text;
}

inline key_use use_of_key(const claim_context& q) {
    key_use use{.place = place_of(q),
                .query = query_of_any_place(q) + (q.unit == dimension::time ? "" : ", in " + q.unit_name()),
                .declared_at = q.position.declared_at,
                .compares_runs = !q.is_child() && q.is_against_baseline(),
                .generated = q.position.generated};
    for (const subject& s : q.subjects) use.bodies.push_back(keyed(s));
    return use;
}

/// "hot", or a default text if its adapter has only one way of timing.
inline std::string timing_text(const subject& x) {
    const std::string& timing = x.state().device_timing;
    return timing.empty() ? "as its adapter does" : timing;
}

/// How the device's time of a subject is taken: "hot". The profiler times kernels regardless of the stream's state;
/// LibTorch's subjects run warm unless each iteration needs another input.
inline std::string timing_of(const claim_context& q, const subject_state& x) {
    if (q.query.metric != metric_kind::kernel_time || x.traced.begin != nullptr || x.device_timing.empty())
        return x.device_timing;
    return x.traced.settle != nullptr ? "hot" : "unwarmed";
}

/// Adds an axis for how the device's clock takes the time. Throws input_error if two subjects differ in this: their
/// times are not comparable.
inline void name_device_timing(claim_context& q) {
    if (q.subjects.empty() || traits_of(q.query.metric).from != reading::device_clock) return;
    for (std::size_t i = 1; i < q.subjects.size(); ++i) {
        if (timing_of(q, q.subjects[i].state()) == timing_of(q, q.subjects[0].state())) continue;
        throw input_error(
            std::string(traits_of(q.query.metric).word) + " of \"" + q.names[0] + "\" is taken " +
            timing_text(q.subjects[0]) + ", and that of \"" + q.names[i] + "\" " + timing_text(q.subjects[i]) +
            ": say .hot() or .cold() on both, or host_synchronised(x) of both models, or bound each by a number or baseline()");
    }
    if (const std::string timing = timing_of(q, q.subjects[0].state()); !timing.empty())
        q.axes.emplace_back("timed", timing);
    std::ranges::sort(q.axes);
}

/// Throws input_error for axes in conflict, for a claim on a baseline of an unnamed subject, and for a key that another
/// claim uses.
inline void resolve_names(claim_context& q) {
    q.names = names_of(q);
    q.text = query_text(q);
    q.axes = united_axes(q.subjects);
    name_device_timing(q);
    q.key = key_of(q);
    q.run.enter(q.position);
    q.run.keys_in_use().use(q.key, use_of_key(q));
}

/// Widens the bound on the baseline to what the option `regression` allows. A wider bound and its offset stay.
inline void bound_by_regression(claim_context& q) {
    const double allowed = 1.0 + q.plan.regression.value();
    stored_bound bound = q.stored();
    bound.factor = q.claims_less() ? std::max(bound.factor, allowed) : std::min(bound.factor, 1.0 / allowed);
    bound.offset = q.claims_less() ? std::max(bound.offset, 0.0) : std::min(bound.offset, 0.0);
    q.judged.value().bound = bound;
    q.written = q.judged;
    if (q.is_child()) return;
    q.run.log_once("claims on baseline() allow at least a regression of " +
                   format_percentage(q.plan.regression.value()) +
                   " in this run (--perf-regression), whatever they say");
}

/// Passes the claim's time limit to bodies that search.
inline void limit_searches(const claim_context& q) {
    const auto longest = (q.plan.has_hard_budget ? q.plan.budget : q.plan.cap).count();
    for (const subject& s : q.subjects)
        if (const auto limit = s.state().functions->limit_search) limit(s.storage(), q.run.system().wall, longest);
}

/// Throws input_error for a user's mistake, and measurement_failure for settings that cannot be applied.
inline void resolve(claim_context& q) {
    resolve_plan(q);
    if (!q.is_child()) q.origins = q.run.origins(q.options);
    for (const option& o : q.options) {
        if (o.id == option_id::key) q.plan.key = o.text;
    }
    apply_settings_of_run(q);
    limit_searches(q);
    q.hardware_key = hardware_key_of(q);
    if (q.is_against_baseline() && !(q.stored().factor > 0.0))
        throw input_error("the bound is " + format_value(q.stored().factor, dimension::own) +
                          " * baseline(): write a factor above 0, such as 1.05 * baseline()");
    if (q.is_bounded_by_regression()) bound_by_regression(q);
    resolve_names(q);
    q.occurrence = q.run.next_occurrence(q.key);
}

claim_context make_claim_context(session& run, host& framework, const assertion_request& request) {
    claim_context q = context_of(run, framework, request);
    try {
        resolve(q);
    } catch (const measurement_failure& failed) {
        q.fault = failed.what();
        q.failure = failed.kind;
    } catch (const input_error& wrong) { q.fault = wrong.what(); }
    return q;
}

claim_context at_end(const claim_context& whole, tolerance_end end, double false_failure) {
    claim_context side = whole;
    side.end = end;
    side.judged = one_side(whole.written.value(), whole.query.direction, end);
    side.plan.false_failure = false_failure;
    return side;
}

std::string place_of(const claim_context& context) {
    return std::string(context.where.file) + ":" + std::to_string(context.where.line);
}

}  // namespace perfspec::detail

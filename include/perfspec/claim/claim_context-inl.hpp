// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Resolves the plan, names and key of a claim from its assertion.

#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/devices.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/claim/requested_settings-inl.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/json_fields.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <variant>
#include <vector>

namespace perfspec::inline v0_2::detail {

std::string claim_context::unit_name() const {
    return unit == dimension::own ? query.payload_as<own_metric>().name : std::string(base_unit(unit));
}

/// Copies an expression into the claim.
struct resolve_expression {
    claim_context& context;

    void operator()(const query_description& query) const { context.query = query; }
    void operator()(const bounded_claim& claim) const {
        context.query = claim.query;
        context.written = context.judged = claim.terms;
    }
    void operator()(const output_claim& outputs) const {
        context.is_of_outputs = true;
        context.query = {.unit = dimension::count, .subjects = {outputs.reference, outputs.candidate}};
    }
};

inline claim_context context_of(session& run, host& framework, const assertion_request& request) {
    claim_context context{.run = run,
                          .framework = framework,
                          .where = request.where,
                          .claim = request.claim,
                          .options = request.options,
                          .time = run.system().utc_now(),
                          .position = framework.position()};
    std::visit(resolve_expression{context}, request.tree.says);
    context.unit = context.is_against_query() ? dimension::ratio : context.query.unit;
    context.subjects = context.query.subjects;
    if (context.is_against_query())
        context.subjects.insert(context.subjects.end(), context.other().subjects.begin(),
                                context.other().subjects.end());
    return context;
}

inline plan with_absolute_paths(const session& run, plan p) {
    for (std::string* path : {&p.output, &p.trace, &p.baseline_dir})
        if (!path->empty()) *path = absolute_path(run, *path);
    return p;
}

/// If the options of the claim are wrong, sets the plan of the run before it throws: the result with the error needs an
/// output file, too.
inline void resolve_plan(claim_context& context) {
    if (context.is_child()) {
        context.plan = with_absolute_paths(context.run, read_plan(context.run.child()->plan));
        return;
    }
    try {
        context.plan = with_absolute_paths(context.run, context.run.resolve_plan(context.options));
    } catch (const input_error&) {
        context.plan = with_absolute_paths(context.run, context.run.resolve_plan({}));
        throw;
    }
}

/// The place of the assertion without the folder, so that keys are the same in every checkout: "sort_test.cpp:42".
inline std::string short_place_of(const claim_context& context) {
    const std::string place = place_of(context);
    return place.substr(place.rfind('/') + 1);
}

/// Throws input_error if a baseline would depend on the name of an unnamed body: that name has the line, which moves
/// with every edit above it.
inline void require_name_for_baseline(const claim_context& context) {
    if (context.is_against_baseline() && context.plan.key.empty())
        throw input_error("a claim on baseline() needs subjects with names, because the names form its key: write "
                          "perfspec::subject(\"name\", f), or add the option key(\"name\")");
}

/// The subject's name. An unnamed body is called by its place, "sort_test.cpp:42"; the second one of a claim
/// "sort_test.cpp:42#2".
inline std::string name_of(const claim_context& context, std::size_t index, std::size_t& unnamed) {
    const subject& s = context.subjects[index];
    if (!s.name().empty()) return std::string(s.name());
    if (const auto sizes = context.query.payload_as<complexity_sizes>().sizes; !sizes.empty())
        return "n=" + std::to_string(std::llround(sizes.at(index)));
    require_name_for_baseline(context);
    return short_place_of(context) + (++unnamed == 1 ? "" : "#" + std::to_string(unnamed));
}

inline std::vector<std::string> names_of(const claim_context& context) {
    std::size_t unnamed = 0;
    std::vector<std::string> names;
    for (std::size_t i = 0; i < context.subjects.size(); ++i) {
        names.push_back(name_of(context, i, unnamed));
        for (const auto& [name, value] : distinguishing_settings(context.subjects[i], context.subjects))
            names.back() += " " + name + "=" + value;
    }
    return names;
}

/// The query with its names. The subjects of a query on complexity are sizes, and its body has no name.
inline std::string query_text(const claim_context& context) {
    const auto split = static_cast<std::ptrdiff_t>(context.query.subjects.size());
    if (context.is_of_outputs) return "same_output(" + context.names.at(0) + ", " + context.names.at(1) + ")";
    if (context.query.metric == metrics::complexity) {
        require_name_for_baseline(context);
        return "complexity(" + short_place_of(context) + ")";
    }
    const std::string own = describe(context.query, {context.names.begin(), context.names.begin() + split});
    if (!context.is_against_query()) return own;
    return own + " / " + describe(context.other(), {context.names.begin() + split, context.names.end()});
}

/// A part of a key. It escapes the separator, so a test "a / b" differs from a section "b" of a test "a".
inline std::string escaped_part(std::string part) {
    for (std::size_t at = 0; (at = part.find(" / ", at)) != std::string::npos; at += 4) part.insert(at + 1, 1, '\\');
    return part;
}

/// The key of an entry: test / sections / query / axes, joined by " / ".
inline std::string key_of(const claim_context& context) {
    std::string key;
    const auto append = [&key](const std::string& part) {
        if (!key.empty()) key += " / ";
        key += part;
    };
    if (!context.position.test.empty()) append(escaped_part(context.position.test));
    for (const std::string& section : context.position.sections) append(escaped_part(section));
    append(context.plan.key.empty() ? context.text : context.plan.key);
    for (const auto& [name, value] : context.axes) append(name + "=" + value);
    return key;
}

/// The query's text without the place of unnamed bodies.
inline std::string query_of_any_place(const claim_context& context) {
    const std::string place = short_place_of(context);
    std::string text = context.text;
    for (std::size_t at = 0; (at = text.find(place, at)) != std::string::npos;) text.erase(at, place.size());
    return text;
}

inline key_use use_of_key(const claim_context& context) {
    key_use use{.place = place_of(context),
                .query = query_of_any_place(context) +
                         (context.unit == dimension::time ? "" : ", in " + context.unit_name()),
                .declared_at = context.position.declared_at,
                .compares_runs = !context.is_child() && context.is_against_baseline(),
                .generated = context.position.generated};
    for (const subject& s : context.subjects) use.bodies.push_back(keyed(s));
    return use;
}

/// Throws input_error for axes in conflict, for a claim on a baseline of an unnamed subject, and for a key that another
/// claim uses.
inline void resolve_names(claim_context& context) {
    context.names = names_of(context);
    context.text = query_text(context);
    context.axes = united_axes(context.subjects);
    if (const module_metric* const module = module_of(context.query)) {
        append(context.axes, module->axes(context));
        std::ranges::sort(context.axes);
    }
    context.key = utf8_or_replaced(key_of(context));  // as a fresh process receives it
    context.run.enter(context.position);
    context.run.keys_in_use().use(context.key, use_of_key(context));
}

/// Widens the bound on the baseline to what the option `allow_regression` allows. A wider bound and its offset stay.
inline void bound_by_allowed_regression(claim_context& context) {
    const double allowed = 1.0 + context.plan.allow_regression.value();
    stored_bound bound = context.stored();
    bound.factor = context.claims_less() ? std::max(bound.factor, allowed) : std::min(bound.factor, 1.0 / allowed);
    bound.offset = context.claims_less() ? std::max(bound.offset, 0.0) : std::min(bound.offset, 0.0);
    context.judged.value().bound = bound;
    context.written = context.judged;
    if (context.is_child()) return;
    context.run.log_once("in this run, claims on baseline() tolerate a regression of at least " +
                         format_percentage(context.plan.allow_regression.value()) +
                         ", even if their bounds are closer (--perf-allow-regression)");
}

/// Passes the claim's time limit to bodies that search.
inline void limit_searches(const claim_context& context) {
    const auto longest = context.plan.cap.count();
    for (const subject& s : context.subjects)
        if (const auto limit = s.state().functions->limit_search)
            limit(s.storage(), context.run.system().wall, longest);
}

/// Throws input_error for a user's mistake, and measurement_failure for settings that cannot be applied.
inline void resolve(claim_context& context) {
    resolve_plan(context);
    if (!context.is_child()) context.origins = context.run.origins(context.options);
    for (const option& o : context.options) {
        if (o.id == option_id::key) context.plan.key = o.text;
    }
    apply_settings_of_run(context);
    limit_searches(context);
    context.hardware_key = hardware_key_of(context);
    if (context.is_against_baseline() && !(context.stored().factor > 0.0))
        throw input_error("the bound is " + format_value(context.stored().factor, dimension::own) +
                          " * baseline(): write a factor above 0, such as 1.05 * baseline()");
    if (context.is_bounded_by_allowed_regression()) bound_by_allowed_regression(context);
    resolve_names(context);
    context.occurrence = context.run.next_occurrence(context.key);
}

claim_context make_claim_context(session& run, host& framework, const assertion_request& request) {
    claim_context context = context_of(run, framework, request);
    try {
        resolve(context);
    } catch (const measurement_failure& failed) {
        context.fault = failed.what();
        context.failure = failed.kind;
    } catch (const std::exception& wrong) { context.fault = wrong.what(); }  // of the claim, or of the system
    return context;
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

}  // namespace perfspec::inline v0_2::detail

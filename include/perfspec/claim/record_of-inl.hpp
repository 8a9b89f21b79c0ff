// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/against_baseline/stored_claim.hpp>
#include <perfspec/claim/readings-inl.hpp>
#include <perfspec/claim/record_of.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/session/build_kind.hpp>
#include <perfspec/stats/rank_test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

std::string shell_quoted(std::string_view text) {
    std::string quoted = "'";
    for (const char c : text) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

namespace detail {

inline std::string literal_pattern(std::string_view text) {
    constexpr std::string_view special = R"(\^$.|?*+()[])";
    std::string pattern;
    for (const char c : text) {
        if (special.find(c) != std::string_view::npos) pattern += '\\';
        pattern += c;
    }
    return pattern;
}

}  // namespace detail

std::string ctest_pattern(std::string_view prefix, std::string_view name) {
    const std::string_view trimmed_prefix = prefix.substr(0, prefix.find_last_not_of(' ') + 1);
    const std::string blank = trimmed_prefix.size() < prefix.size() ? " ?" : "";
    return "^" + detail::literal_pattern(trimmed_prefix) + blank + detail::literal_pattern(name) + "$";
}

namespace detail {

/// The settings that the run requests, as a variable before a command: "PERFSPEC_WITH=batch=8,threads=2 ".
inline std::string settings_of_run(const claim_context& context) {
    std::string text;
    for (const auto& [name, value] : requested_settings_of(context.plan).axes())
        text += (text.empty() ? "PERFSPEC_WITH=" : ",") + name + "=" + value;
    return text.empty() ? text : text + " ";
}

std::string run_again(const claim_context& context) {
    if (const std::string own = context.framework.command(context.position); !own.empty())
        return settings_of_run(context) + own;
    const std::string& build = context.run.project().build;
    if (!build.empty()) {  // an absolute path, because users paste the command in any folder
        return settings_of_run(context) + "ctest --test-dir " + shell_quoted(build) + " -R " +
               shell_quoted(ctest_pattern(context.run.project().prefix, context.position.test)) +
               " --output-on-failure";
    }
    return settings_of_run(context) + shell_quoted(context.run.system().start.executable) + " " +
           shell_quoted(context.framework.test_filter(context.position));
}

std::string absolute_path(const session& run, const std::string& path) {
    return (std::filesystem::path(run.system().start.working_directory) / path).lexically_normal().string();
}

/// A folder relative to the top of its repository; unchanged if it is in no repository.
[[nodiscard]] inline std::string from_repository(const file_system& files, const std::string& folder) {
    const std::filesystem::path path = folder;
    for (auto above = path.parent_path(); !above.empty(); above = above.parent_path()) {
        const std::string git = (above / ".git").string();
        if (files.is_folder(git) || files.read(git, 1U << 20).outcome == read_outcome::complete)
            return path.lexically_relative(above).string();
        if (above == above.parent_path()) break;
    }
    return folder;
}

/// Whether there are enough launches for a baseline, and this run did not store them.
[[nodiscard]] inline bool has_launches_to_accept(const claim_result& result) {
    const auto& launches = result.baseline;
    const bool stored_here = launches && launches->action != baseline_action::compared &&
                             launches->action != baseline_action::would_be_recorded;
    const bool is_undecided =
        result.verdict == verdict::undecided || result.verdict == verdict::holds;  // neither shows a change
    return launches && launches->taken.size() >= stored_rank_test::min_stored && !stored_here && !is_undecided;
}

std::string accept_from_results(const claim_context& context, const claim_result& result) {
    if (context.plan.output.empty() || !has_launches_to_accept(result)) return {};
    const auto committed = find_committed_folder(context.run.paths(context.plan), context.run.system().files);
    const std::string folder =
        committed ? from_repository(context.run.system().files, *committed) : std::string("baselines");
    return "perfspec accept " + shell_quoted(std::filesystem::path(context.plan.output).filename().string()) +
           " --baseline-dir " + shell_quoted(folder);
}

using text_pairs = std::vector<std::pair<std::string, std::string>>;

inline void add_commands_of_test(const claim_context& context, const claim_result& result, text_pairs& commands) {
    const std::string against =
        context.plan.against.empty()
            ? ""
            : "PERFSPEC_AGAINST=" + shell_quoted(absolute_path(context.run, context.plan.against)) + " ";
    const std::string again = against + run_again(context);
    commands.emplace_back("again", again);
    const bool shows_change = result.verdict == verdict::violated;
    if (context.is_against_baseline() && shows_change && context.plan.against.empty()) {
        const std::string file = result.baseline ? result.baseline->file : std::string{};
        commands.emplace_back("accept", update_variables(context, file, "1") + " " + again);
    }
}

/// The commands that run the assertion again and that accept its value as baseline, by name. Unknown commands are left
/// out. Empty if the claim holds, and in a dry run.
inline text_pairs commands_for(const claim_context& context, const claim_result& result) {
    text_pairs commands;
    if (result.verdict == verdict::holds || result.planned) return commands;
    if (!context.position.test.empty()) add_commands_of_test(context, result, commands);
    if (std::string accept = accept_from_results(context, result); !accept.empty())
        commands.emplace_back("from CI", std::move(accept));
    return commands;
}

/// The values that a claim with this waiver allows. Precondition: there is a bound.
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

inline std::string text_of(const applied_waiver& a, const std::string& fault) {
    const std::string reason = fmt::format("{} ({})", a.reason, a.owner);
    const std::string reason_and_place = fmt::format("{}; {}", reason, a.place);
    switch (a.effect) {
    case waiver_effect::waived:
        return fmt::format("waived until {} up to {}: {}", a.until, a.ceiling, reason_and_place);
    case waiver_effect::not_needed:
        return fmt::format("the claim holds; if it keeps doing so, remove its waiver at {}: {}", a.place, reason);
    case waiver_effect::too_far:
        return fault.empty() ? fmt::format("its waiver allows {} and no more: {}", a.ceiling, reason_and_place)
                             : fmt::format("the ceiling {} of its waiver does not apply: {}", a.ceiling, fault);
    case waiver_effect::expired: break;
    }
    return fmt::format("its waiver ended on {}: {}", a.until, reason_and_place);
}

/// The first waiver of the project file whose pattern matches the claim's key.
inline std::optional<waiver> waiver_for(const claim_context& context) {
    const std::vector<waiver>& all = context.run.settings().waivers;
    const auto found = std::ranges::find_if(all, [&](const waiver& w) { return covers(w, context.key); });
    return found == all.end() ? std::nullopt : std::optional(*found);
}

record waived(record r, const waiver& w) {
    const bool holds = r.verdict == verdict::holds && r.bound && !r.comparison.empty();
    const bool is_covered =
        holds || r.verdict == verdict::violated || skips_test(r) || (r.verdict == verdict::undecided && r.failed);
    const bool is_of_outputs =
        r.verified && (r.verified->code != verification_code::pass || !r.estimate);  // these have no ceiling
    if (!is_covered || is_of_outputs) return r;
    const applied_waiver applied{effect_of(r, w), w.ceiling, w.until, w.reason, w.owner, w.place};
    const bool is_in_force = applied.effect == waiver_effect::waived || applied.effect == waiver_effect::not_needed;
    (is_in_force ? r.notes : r.advice).push_back(text_of(applied, fault_of_ceiling(r, ceiling_of(w))));
    if (applied.effect == waiver_effect::waived) r.failed = false;
    r.waiver = applied;
    return r;
}

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
    if (context.fault.empty() && !context.is_bounded_by_regression())
        if (const std::optional<waiver> found_waiver = waiver_for(context)) return waived(std::move(r), *found_waiver);
    return r;
}

}  // namespace detail
}  // namespace perfspec

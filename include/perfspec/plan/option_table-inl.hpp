// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/option_table.hpp>

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <concepts>
#include <optional>
#include <type_traits>

namespace perfspec::inline v0_2 {
namespace detail {

template <class T> void store(T& field, const option_value& value) {
    field = static_cast<T>(std::get<std::uint64_t>(value));
}
template <class T>
requires std::same_as<T, double> || std::same_as<T, std::string> || std::same_as<T, std::chrono::nanoseconds>
void store(T& field, const option_value& value) { field = std::get<T>(value); }
template <class T> void store(std::optional<T>& field, const option_value& value) {
    if (std::holds_alternative<std::monostate>(value)) {
        field.reset();
    } else {
        store(field.emplace(), value);
    }
}

template <class T> option_value load(const T& field) {
    if constexpr (std::is_enum_v<T> || std::integral<T>) {
        return static_cast<std::uint64_t>(field);
    } else {
        return field;
    }
}
template <class T> option_value load(const std::optional<T>& field) { return field ? load(*field) : option_value{}; }

template <auto Member> void assign_member(plan& p, const option_value& value) { store(p.*Member, value); }
template <auto Member> option_value read_member(const plan& p) { return load(p.*Member); }

/// Sets the usual time, and the hard limit if that is shorter.
void assign_budget(plan& p, const option_value& value) {
    p.budget = std::get<std::chrono::nanoseconds>(value);
    p.cap = std::max(p.cap, p.budget);
}
/// Sets the hard limit, and the usual time if that is longer.
void assign_cap(plan& p, const option_value& value) {
    p.cap = std::get<std::chrono::nanoseconds>(value);
    p.budget = std::min(p.budget, p.cap);
}

constexpr std::uint64_t value_of(auto enumerator) { return static_cast<std::uint64_t>(enumerator); }

constexpr option_word switch_words[] = {{"off", 0}, {"on", 1}, {"0", 0}, {"1", 1}};
constexpr option_word automatic[] = {{"auto", 0}};
constexpr option_word undecided_words[] = {{"pass", value_of(undecided_effect::pass)},
                                           {"warn", value_of(undecided_effect::warn)},
                                           {"fail", value_of(undecided_effect::fail)}};
constexpr option_word ci_words[] = {
    {"auto", value_of(ci_rules::automatic)}, {"on", value_of(ci_rules::on)}, {"off", value_of(ci_rules::off)}};
constexpr option_word update_words[] = {
    {"none", value_of(baseline_update::none)},       {"moved", value_of(baseline_update::moved)},
    {"missing", value_of(baseline_update::missing)}, {"append", value_of(baseline_update::append)},
    {"all", value_of(baseline_update::all)},         {"0", value_of(baseline_update::none)},
    {"1", value_of(baseline_update::moved)}};
constexpr option_word mode_words[] = {{"measure", value_of(evaluation_mode::measure)},
                                      {"smoke", value_of(evaluation_mode::smoke)},
                                      {"verify", value_of(evaluation_mode::verify)},
                                      {"dry-run", value_of(evaluation_mode::dry_run)},
                                      {"off", value_of(evaluation_mode::off)}};
constexpr option_word verbosity_words[] = {{"quiet", value_of(console_verbosity::quiet)},
                                           {"normal", value_of(console_verbosity::normal)},
                                           {"verbose", value_of(console_verbosity::verbose)}};

/// In the project file, most of these options would let tests pass without judging them.
constexpr std::string_view run_only = "it is meant for one run, and every run reads this file";

constexpr double one_day = 86400e9;
constexpr option_range positive_time{.low = 1, .high = one_day};
constexpr option_range error_rate{.low = 0, .high = 0.5, .above = true};

template <auto Member> constexpr option_description row(option_description described) {
    described.assign = assign_member<Member>;
    described.read = read_member<Member>;
    return described;
}

// clang-format off
constexpr auto make_table() {
    using enum option_kind;
    using enum option_scope;
    return std::to_array<option_description>({
    {.id = option_id::budget, .name = "budget", .kind = duration, .legal = "10s",
     .help = "usual time to measure one claim; slow subjects, and ratios that look violated, may take up to the cap",
     .range = positive_time, .assign = assign_budget, .read = read_member<&plan::budget>},
    {.id = option_id::cap, .name = "cap", .kind = duration, .legal = "120s",
     .help = "longest time to measure one claim, a hard limit", .range = positive_time, .assign = assign_cap,
     .read = read_member<&plan::cap>},
    row<&plan::confirm>({.id = option_id::confirm, .name = "confirm", .kind = word, .legal = "off",
        .help = "repeat a violated claim in a fresh process before it fails", .words = switch_words}),
    row<&plan::false_failure>({.id = option_id::false_failure, .name = "false_failure", .kind = rate, .legal = "0.001",
        .help = "highest rate at which a claim that is exactly at its bound fails", .range = error_rate}),
    row<&plan::false_pass>({.id = option_id::false_pass, .name = "false_pass", .kind = rate, .legal = "0.05",
        .help = "highest rate at which a claim that is false by the margin holds", .range = error_rate}),
    row<&plan::margin>({.id = option_id::margin, .name = "margin", .kind = percentage, .legal = "1%",
        .help = "tolerance of <=, >= and within: such a claim holds if its value is shown to be at most this far beyond the bound", .range = {.low = 0, .high = 0.5}}),
    row<&plan::drift>({.id = option_id::drift, .name = "drift", .kind = percentage, .legal = "5%",
        .help = "how much the machine may drift between recording sessions: a claim that misses its bound by less does not fail",
        .by_default = "auto: 10% for times and rates, 3% for others; with three sessions or more, the drift that they show", .range = {.low = 0, .high = 1},
        .words = automatic}),
    row<&plan::rounds>({.id = option_id::rounds, .name = "rounds", .kind = count, .legal = "100",
        .help = "highest number of rounds; auto: 2000 pairs, 20 blocks, or 20000 pairs for a percentile", .range = {.low = 10, .high = 1e9},
        .words = automatic}),
    row<&plan::iterations>({.id = option_id::iterations, .name = "iterations", .kind = count, .legal = "1000",
        .help = "how many iterations one sample contains; auto: enough to last 100 us", .range = {.low = 1, .high = 4294967295.0}, .words = automatic}),
    row<&plan::processes>({.id = option_id::processes, .name = "processes", .kind = count, .scope = call, .legal = "7",
        .help = "fresh processes that judge the claim, or record its baseline",
        .by_default = "auto: one process for a claim within one run", .not_in_file = "it belongs to one claim; write processes(7) at its call",
        .range = {.low = 1, .high = 40}, .words = automatic}),
    row<&plan::baseline_processes>({.id = option_id::baseline_processes, .name = "baseline_processes", .kind = count, .scope = outside,
        .legal = "12", .help = "fresh processes that record a baseline; 0: in CI, none for perfspec accept",
        .by_default = "auto: 10 to 40, as many as ten seconds allow", .range = {.low = 0, .high = 40}, .words = automatic}),
    row<&plan::seed>({.id = option_id::seed, .name = "seed", .kind = count, .legal = "42",
        .help = "fixes the random order; auto: drawn, and printed in the record", .range = {.low = 0, .high = 18446744073709551615.0},
        .words = automatic}),
    row<&plan::undecided>({.id = option_id::undecided, .name = "undecided", .kind = word, .legal = "fail",
        .help = "effect of an undecided claim on the test; unless it is pass, a claim that looks violated skips the test", .words = undecided_words}),
    row<&plan::ci>({.id = option_id::ci, .name = "ci", .kind = word, .scope = outside, .legal = "on",
        .help = "whether the rules of CI apply; on: a claim without a baseline is skipped or an error; off: it records one",
        .by_default = "auto: on if CI or a variable like it is set", .not_in_file = "it depends on the machine, because a new one "
            "would record baselines, and pass",
        .words = ci_words}),
    row<&plan::update>({.id = option_id::update_baselines, .name = "update_baselines", .kind = word, .scope = outside, .legal = "1",
        .bare = "moved", .help = "record baselines instead of judging; 1 or moved: changed and missing ones; missing: only missing ones; append: a further session; all: every one",
        .not_in_file = run_only,
        .words = update_words}),
    row<&plan::record_anyway>({.id = option_id::record_anyway, .name = "record_anyway", .kind = word, .scope = outside, .legal = "on", .bare = "on",
        .help = "record a baseline even if its processes vary widely or the machine is busy", .not_in_file = run_only, .words = switch_words}),
    row<&plan::baseline_dir>({.id = option_id::baseline_dir, .name = "baseline_dir", .kind = text, .scope = outside, .legal = "baselines",
        .help = "folder with the committed baselines and perfspec.json",
        .by_default = "the project's, else the nearest folder \"baselines\" above the working directory",
        .not_in_file = "it says where this file is"}),
    row<&plan::build_variant>({.id = option_id::build_variant, .name = "build_variant", .kind = text, .scope = outside, .legal = "gcc-o3",
        .help = "label that keeps separate baselines for each build configuration", .by_default = "none"}),
    row<&plan::baseline_build>({.id = option_id::baseline_build, .name = "baseline_build", .kind = text, .scope = outside, .legal = "../baseline/build/sort_test",
        .help = "path of another build of this program, or of its build folder: baseline() then means that build, measured now",
        .by_default = "none: baseline() means the stored baseline", .not_in_file = run_only}),
    row<&plan::allow_regression>({.id = option_id::allow_regression, .name = "allow_regression", .kind = percentage, .scope = outside, .legal = "50%",
        .help = "how much worse than baseline() values may be in this run, even if their claims allow less, such as while bisecting a "
                "large regression",
        .by_default = "auto: as each claim says", .not_in_file = run_only, .range = {.low = 0, .high = 10}, .words = automatic}),
    row<&plan::mode>({.id = option_id::mode, .name = "mode", .kind = word, .scope = outside, .legal = "smoke",
        .help = "measure; smoke: run every body once; verify: only compare outputs; dry-run: say how each claim "
            "would be judged, and at most how long that takes; off: run nothing", .not_in_file = run_only, .words = mode_words}),
    row<&plan::only>({.id = option_id::only, .name = "only", .kind = axes, .scope = outside, .legal = "batch=8,batch=16",
        .help = "judge only claims whose subjects have one of these values on each of these axes", .by_default = "none: every claim",
        .not_in_file = run_only}),
    row<&plan::with>({.id = option_id::with, .name = "with", .kind = settings, .scope = outside, .legal = "dtype=bfloat16,batch=8",
        .help = "settings of every subject in LibTorch or Python: some of device=cuda:1, dtype=bfloat16, batch=8 and threads=2",
        .by_default = "none: as the code says", .not_in_file = run_only}),
    row<&plan::output>({.id = option_id::output, .name = "output", .kind = text, .scope = outside, .legal = "results.jsonl",
        .help = "file to which results are appended as JSON lines", .by_default = "none"}),
    row<&plan::trace>({.id = option_id::trace, .name = "trace", .kind = text, .scope = outside, .legal = "traces",
        .help = "folder for traces of operators: of violated claims, and of profile(x)", .by_default = "none"}),
    row<&plan::verbosity>({.id = option_id::verbosity, .name = "verbosity", .kind = word, .scope = outside, .legal = "verbose",
        .help = "how much the console prints about claims that hold", .words = verbosity_words}),
    row<&plan::key>({.id = option_id::key, .name = "key", .kind = text, .scope = call, .legal = "sort 1M",
        .help = "key of a query, for texts that change or repeat", .by_default = "the query's text",
        .not_in_file = "it belongs to one query; write key(\"...\") at its call"}),
    });
}
// clang-format on
constexpr auto option_rows = make_table();

const char* spelling(std::span<const option_word> words, std::uint64_t value) noexcept {
    const auto found = std::ranges::find(words, value, &option_word::value);
    return found == words.end() ? "?" : found->text.data();
}

}  // namespace detail

std::span<const option_description> option_table() noexcept { return detail::option_rows; }

const option_description& describe(option_id id) {
    const auto found = std::ranges::find(detail::option_rows, id, &option_description::id);
    if (found == detail::option_rows.end())
        throw input_error("an option without a name: write one such as budget(10s)");
    return *found;
}

const option_description* find_option(std::string_view name) noexcept {
    const auto found = std::ranges::find(detail::option_rows, name, &option_description::name);
    return found == detail::option_rows.end() ? nullptr : &*found;
}

std::string default_text(const option_description& row) {
    if (!row.by_default.empty()) return std::string(row.by_default);
    const option_value value = row.read(plan{});
    if (row.kind == option_kind::percentage) return fmt::format("{:g}%", 100.0 * std::get<double>(value));
    return option_text(row, value);
}

std::string command_line_name(const option_description& row) {
    std::string name = "--perf-" + std::string(row.name);
    std::ranges::replace(name, '_', '-');
    return name;
}

std::string environment_name(const option_description& row) {
    std::string name = "PERFSPEC_" + std::string(row.name);
    for (char& c : name) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
    }
    return name;
}

}  // namespace perfspec::inline v0_2

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command `history`.

#include "program.hpp"
#include "reports/report.hpp"
#include "results/claims.hpp"
#include "results/results.hpp"

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <numeric>
#include <set>
#include <tuple>

namespace perfspec::tool {
namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

/// One run of the tests.
struct history_run {
    std::string time{};  ///< of its first measurement
    std::string commit{};
    std::string branch{};
    bool dirty{};
};

/// The results of a key in one run. Values are in the base unit, or `no_value`.
struct history_point {
    std::size_t run{};  ///< in history::runs
    double value{no_value};
    double low{no_value};
    double high{no_value};
    double bound{no_value};          ///< of the most urgent claim
    concern worst{concern::none};    ///< of all claims on the key
    verdict judged{verdict::holds};  ///< of that claim
};

/// The state of a key, most urgent first. Violated: its claims were violated in both of its last two runs and not
/// waived. Missing: a newer run on its hardware has no result of it.
enum class key_state : std::uint8_t { violated, missing, steady };

/// A key on one hardware key, from run to run.
struct key_history {
    std::string hardware{};
    std::string variant{};
    std::string suite{};
    std::string key{};
    std::string claim{};                  ///< as written, in the newest run; the query if there is no claim
    std::string unit{};                   ///< unit_name of its records
    std::vector<history_point> points{};  ///< in the order of runs
    key_state state{key_state::steady};
    bool is_missing{};  ///< in a newer run on its hardware, even if it is violated
};

/// The results of many runs.
struct history {
    std::vector<history_run> runs{};   ///< in the order of time
    std::vector<key_history> keys{};   ///< sorted by key, then by hardware
    std::vector<std::string> notes{};  ///< on lines that end in the middle
};

/// Collects the results of many files, one file at a time, so that only their values stay in memory.
///
/// Results with the same `run_id` are one run; so are the results without an id in one file. Runs are in the order of
/// their first measurement, which need not be the order of their commits. A measurement that started and never ended is
/// an *error* result. If a run has several results of a key, its last value counts, and the most urgent claim.
///
///     history_reader reader(since);
///     for (const std::string& path : paths) reader.read(text_of(path));
///     const history all = reader.collected();
class history_reader {
public:
    /// since  only results of this day and later: "2026-10-01"; empty: all
    explicit history_reader(std::string since) : since_(std::move(since)) {}

    /// Throws input_error as read_results does.
    void read(const input_text& file);

    /// All that was read.
    [[nodiscard]] history collected() const;

private:
    using key_identity = std::tuple<std::string, std::string, std::string, std::string, std::string>;

    void add(const record& r, const std::string& path);

    std::string since_;
    std::vector<std::string> notes_;
    std::map<std::string, std::size_t> run_indices_;
    std::vector<history_run> runs_;  // in the order of the files
    std::map<key_identity, key_history> keys_;
};

/// The point of a key in a run; a new one if the run has none yet.
history_point& point_of(key_history& key, std::size_t run) {
    const auto found = std::ranges::find(key.points, run, &history_point::run);
    if (found != key.points.end()) return *found;
    return key.points.emplace_back(history_point{.run = run});
}

void add_value(history_point& point, const record& r) {
    if (!r.estimate || !std::isfinite(r.estimate->value)) return;
    point.value = r.estimate->value;
    point.low = r.estimate->low;
    point.high = r.estimate->high;
}

void add_verdict(history_point& point, const record& r, bool is_first) {
    const concern here = concern_of(r);
    if (!is_first && here >= point.worst) return;
    point.worst = here;
    point.judged = r.verdict;
    if (r.bound) point.bound = *r.bound;
}

bool violates_twice(const std::vector<history_point>& points) {
    return points.size() >= 2 && points.back().worst == concern::violated &&
           points[points.size() - 2].worst == concern::violated;
}

void find_states(history& all) {
    std::map<std::pair<std::string_view, std::string_view>, std::size_t> newest;  // run of each hardware and variant
    for (const key_history& key : all.keys) {
        std::size_t& run = newest[{key.hardware, key.variant}];
        run = std::max(run, key.points.back().run);
    }
    for (key_history& key : all.keys) {
        key.is_missing = key.points.back().run < newest.at({key.hardware, key.variant});
        key.state = violates_twice(key.points) ? key_state::violated
                    : key.is_missing           ? key_state::missing
                                               : key_state::steady;
    }
}

void history_reader::add(const record& r, const std::string& path) {
    if (r.time < since_) return;
    const std::string name = r.key.empty() ? test_of(r) : r.key;
    const key_identity identity{name, r.hardware_key, r.build_variant, r.suite, unit_name(r)};
    const auto [place, is_new] = run_indices_.try_emplace(r.run_id.empty() ? "file " + path : r.run_id, runs_.size());
    if (is_new) runs_.push_back({r.time, r.commit, r.branch, r.dirty});
    const std::size_t index = place->second;
    runs_[index].time = std::min(runs_[index].time, r.time);
    key_history& key = keys_[identity];
    std::tie(key.key, key.hardware, key.variant, key.suite, key.unit) = identity;
    key.claim = r.claim.empty() ? r.query : r.claim;
    const std::size_t known = key.points.size();
    history_point& point = point_of(key, index);
    add_verdict(point, r, key.points.size() > known);
    add_value(point, r);
}

void history_reader::read(const input_text& file) {
    const results input = read_results({&file, 1});
    notes_.insert(notes_.end(), input.notes.begin(), input.notes.end());
    for (const result_line* line : input.finished()) add(line->about, file.path);
    for (const result_line* line : input.unfinished()) add(result_of_unfinished(line->about), file.path);
}

history history_reader::collected() const {
    std::vector<std::size_t> order(runs_.size());
    std::iota(order.begin(), order.end(), std::size_t{});
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return runs_[i].time; });
    std::vector<std::size_t> place(runs_.size());
    history all{.runs = {}, .keys = {}, .notes = notes_};
    for (const std::size_t i : order) {
        place[i] = all.runs.size();
        all.runs.push_back(runs_[i]);
    }
    for (const auto& [identity, key] : keys_) {
        key_history& sorted = all.keys.emplace_back(key);
        for (history_point& point : sorted.points) point.run = place[point.run];
        std::ranges::sort(sorted.points, {}, &history_point::run);
    }
    find_states(all);
    return all;
}

std::string_view word_of(key_state s) noexcept {
    return s == key_state::violated ? "violated" : s == key_state::missing ? "missing" : "steady";
}

std::string run_text(const history_run& run) { return commit_and_day(run.commit, run.dirty, run.time); }

/// "52 runs from 2025-11-24 to 2026-11-20, 14 keys on 2 machines".
std::string extent_text(const history& all) {
    if (all.runs.empty()) return "no runs";
    std::set<std::string_view> machines;
    for (const key_history& key : all.keys) machines.insert(key.hardware);
    return fmt::format("{} from {} to {}, {} on {}", counted(all.runs.size(), "run"), day_of(all.runs.front().time),
                       day_of(all.runs.back().time), counted(all.keys.size(), "key"),
                       counted(machines.size(), "machine"));
}

/// The key, with its machine if the keys are of several machines.
std::string name_of(const history& all, const key_history& key) {
    const auto is_here = [&](const key_history& k) { return k.hardware == key.hardware && k.variant == key.variant; };
    const std::string variant = key.variant.empty() ? "" : ", variant " + detail::single_line(key.variant);
    const std::string place = fmt::format("  ({}{})", detail::single_line(key.hardware), variant);
    return detail::single_line(key.key) + (std::ranges::all_of(all.keys, is_here) ? "" : place);
}

std::string section(std::string_view title, const table_rows& rows) {
    return rows.size() < 2 ? std::string{} : fmt::format("{}\n{}\n", title, table_text(rows, "  "));
}

/// How the last value of a key differs from the first: "1.20 ms, +12 % since 2026-10-01"; without a value, the verdict.
std::string newest_text(const history& all, const key_history& key) {
    const auto has_value = [](const history_point& point) { return std::isfinite(point.value); };
    const auto first = std::ranges::find_if(key.points, has_value);
    if (first == key.points.end() || !has_value(key.points.back()))
        return perfspec::to_string(key.points.back().judged);
    const std::string now = value_text(key.points.back().value, key.unit);
    if (first == key.points.end() - 1 || first->value == 0) return now;
    return fmt::format("{}, {} since {}", now, format_change(key.points.back().value / first->value - 1),
                       day_of(all.runs[first->run].time));
}

/// A number, or null for what JSON cannot hold.
std::string number_or_null(double value) { return std::isfinite(value) ? detail::json(value) : "null"; }

std::string json_of(const history_run& run) {
    detail::json_members members;
    members.add("time", run.time);
    members.add("commit", run.commit);
    members.add("branch", run.branch);
    members.add("dirty", run.dirty);
    return members.object();
}

/// [run, value, low, high, bound, verdict]. Names would make the page three times as large.
std::string json_of(const history_point& p) {
    const std::string word = p.worst == concern::waived ? std::string(to_string(p.worst)) : detail::file_word(p.judged);
    return fmt::format("[{},{},{},{},{},\"{}\"]", p.run, number_or_null(p.value), number_or_null(p.low),
                       number_or_null(p.high), number_or_null(p.bound), word);
}

template <class T> std::string json_list(const std::vector<T>& all) {
    std::string text = "[";
    for (const T& one : all) text += (text.size() == 1 ? "" : ",") + json_of(one);
    return text + "]";
}

std::string json_of(const history& all, const key_history& key, std::size_t number) {
    detail::json_members members;
    members.add("number", number);
    members.add("state", word_of(key.state));
    members.add("key", key.key);
    members.add("suite", key.suite);
    members.add("hardware", key.hardware);
    members.add("variant", key.variant);
    members.add("claim", key.claim);
    members.add("unit", key.unit);
    members.add("newest", newest_text(all, key));
    members.add("missing", key.is_missing);
    members.add_raw("points", json_list(key.points));
    return members.object();
}

/// A table of violated keys, one of missing keys, and counts. The code is `violated` if a key is violated in its last
/// two runs, else `fine`.
outcome history_console(const history& all) {
    table_rows violated{{"key", "last", "bound", "run before", "last run"}};
    table_rows missing{{"key", "last run with it"}};
    std::map<key_state, std::size_t> counts;
    const auto value_or_dash = [](double v, const std::string& unit) {
        return std::isfinite(v) ? value_text(v, unit) : "-";
    };
    for (const key_history& key : all.keys) {
        ++counts[key.state];
        const history_point& last = key.points.back();
        if (key.state == key_state::violated)
            violated.push_back({name_of(all, key), value_or_dash(last.value, key.unit),
                                value_or_dash(last.bound, key.unit), run_text(all.runs[(key.points.end() - 2)->run]),
                                run_text(all.runs[last.run])});
        if (key.is_missing) missing.push_back({name_of(all, key), run_text(all.runs[last.run])});
    }
    outcome done;
    for (const std::string& note : all.notes) done.text += note + '\n';
    done.text += extent_text(all) + "\n\n" + section("Violated in both of the last two runs", violated) +
                 section("Not in the newest run of its machine", missing);
    done.text += fmt::format("{}: {} violated twice, {} missing, {} steady\n", counted(all.keys.size(), "key"),
                             counts[key_state::violated], counts[key_state::missing], counts[key_state::steady]);
    if (counts[key_state::violated] > 0) done.code = exit_code::violated;
    return done;
}

/// All keys, the most urgent first, with their values in each run.
std::string history_page(const history& all) {
    std::vector<const key_history*> sorted;
    for (const key_history& key : all.keys) sorted.push_back(&key);
    std::ranges::stable_sort(sorted, {}, &key_history::state);
    std::string keys;
    for (std::size_t at = 0; at < sorted.size(); ++at)
        keys += (at == 0 ? "\n" : ",\n") + json_of(all, *sorted[at], at + 1);
    detail::json_members data;
    data.add("title", "perfspec: " + extent_text(all));
    data.add("notes", all.notes);
    data.add_raw("runs", json_list(all.runs));
    data.add_raw("keys", "[" + keys + "]");
    return page_with(data.object());
}

struct history_options {
    std::vector<std::string> results;
    std::string since;
    std::string html;
};

history read_history(const history_options& o, const command_context& context) {
    if (!o.since.empty() && !is_day(o.since))
        throw input_error(fmt::format("--since is {}, expected a day, such as 2026-10-01", detail::excerpt(o.since)));
    history_reader reader(o.since);
    for (const std::string& path : o.results) reader.read(context.read_results_files({path}).front());
    history all = reader.collected();
    if (all.keys.empty())
        throw input_error(fmt::format("there is no result of {} or later: give an earlier day by --since", o.since));
    return all;
}

}  // namespace

void add_history(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("history", "Shows how the keys of many runs developed.");
    const auto o = std::make_shared<history_options>();
    command->add_option("RESULTS", o->results, "files that --perf-output wrote, of any number of runs")->required();
    command->add_option("--html", o->html, "also write FILE, a page for a browser; it loads nothing from the network")
        ->type_name("FILE");
    command->add_option("--since", o->since, "use only results of this day and later, such as 2026-10-01")
        ->type_name("DAY");
    command->footer(
        R"(A run is all results with one run id, or those of one file without an id. Runs are in the order of their first measurement.

violated twice  the claims of a key were violated in both of its last two runs; claims under PERF_WARN count, waived ones do not
missing         a newer run on the same machine has no result of the key

If a line was cut short, the command leaves it out and prints a note.

Exit codes: 0; 1 a key was violated twice; 2 wrong input.

Examples:
  perfspec history runs/*.jsonl
  perfspec history runs/*.jsonl --since 2026-10-01 --html history.html)");
    command->callback([o, &context] {
        const history all = read_history(*o, context);
        context.done = history_console(all);
        if (!o->html.empty()) write_file(context.system, o->html, history_page(all));
    });
}

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "score.hpp"

#include "../baselines/baseline_files.hpp"
#include "../results/results.hpp"
#include "../results/value_change.hpp"
#include "report.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

namespace perfspec::tool {
namespace {

using keys_of_run = std::map<entry_address, const record*>;

/// The last result of each key. Outputs alone have no value to score.
keys_of_run last_results(std::span<const record> records) {
    keys_of_run keys;
    for (const record& r : records)
        if (has_value(r) || r.verdict == verdict::invalid) keys[address_of(r)] = &r;
    return keys;
}

bool is_valid(const record& r) { return has_value(r) && r.verdict != verdict::invalid; }

/// "test-cpu-4c" or "test-cpu-4c, variant clang".
std::string machine_of(const record& r) {
    return detail::single_line(r.hardware_key + (r.build_variant.empty() ? "" : ", variant " + r.build_variant));
}

std::set<std::string> machines_of(const keys_of_run& keys) {
    std::set<std::string> machines;
    for (const auto& [at, r] : keys) machines.insert(machine_of(*r));
    return machines;
}

void refuse_other_machines(const keys_of_run& run, const keys_of_run& reference) {
    const auto here = machines_of(run);
    const auto there = machines_of(reference);
    const auto is_here = [&](const std::string& machine) { return here.contains(machine); };
    if (here.empty() || std::ranges::any_of(there, is_here)) return;
    throw input_error(
        fmt::format("--score: the reference is of {} and the results of {}, expected one machine: a score compares code, not machines; "
                    "perfspec compare --across-hardware compares machines",
                    fmt::join(there, "; "), fmt::join(here, "; ")));
}

std::string metric_of(const record& r) { return fmt::format("{} in {}", r.query.substr(0, r.query.find('(')), unit_name(r)); }

/// Why a key of the reference cannot be scored; empty where it can.
std::string fault_of(const record& before, const record* now) {
    if (now == nullptr) return "has no result";
    if (!is_valid(*now)) return fmt::format("is {}", to_string(now->verdict));
    if (unit_name(before) != unit_name(*now)) return fmt::format("is in {}, the reference in {}", unit_name(*now), unit_name(before));
    if (const std::string_view why = why_no_ratio(before, *now); !why.empty()) return fmt::format("has {}", why);
    const bool was_zero = before.estimate->centre == 0.0;
    if (was_zero != (now->estimate->centre == 0.0))
        return was_zero ? "was zero, so that it has no ratio" : "is zero, so that it has no ratio";
    return {};
}

/// The keys of one row.
struct scored_keys {
    double logarithms{};
    std::size_t keys{};
    std::size_t changed{};
    std::size_t unclear{};

    void add(const record& before, const record& now, double dead_band) {
        ++keys;
        const value_change change = change_between(*before.estimate, *now.estimate);
        if (std::abs(change.centre) <= dead_band) return;
        ++changed;
        if (change.is_open() || side_of(change, now.direction, 0.0) == direction_of_change::none) ++unclear;
        const double gain = std::log1p(change.centre);
        logarithms += now.direction == better::more ? gain : -gain;
    }
    [[nodiscard]] score_row row(const std::string& metric, const std::string& suite) const {
        return {metric, suite, score_of_the_reference * std::exp(logarithms / static_cast<double>(keys)), keys, changed, unclear};
    }
};

class score_sheet {
public:
    explicit score_sheet(double dead_band) : dead_band_(dead_band) {}

    void add(const record& before, const record& now) {
        scores_of_metric& scores = metrics_[metric_of(before)];
        scores.all.add(before, now, dead_band_);
        scores.suites[before.suite].add(before, now, dead_band_);
    }
    [[nodiscard]] std::vector<score_row> rows() const {
        std::vector<score_row> rows;
        for (const auto& [metric, scores] : metrics_) {
            rows.push_back(scores.all.row(metric, ""));
            if (scores.suites.size() == 1) continue;
            for (const auto& [suite, keys] : scores.suites) rows.push_back(keys.row(metric, suite));
        }
        return rows;
    }

private:
    struct scores_of_metric {
        scored_keys all{};
        std::map<std::string, scored_keys> suites{};
    };
    double dead_band_;
    std::map<std::string, scores_of_metric> metrics_;
};

std::optional<std::string> new_keys_note(const keys_of_run& run, const keys_of_run& reference) {
    const auto is_new = [&](const auto& each) { return is_valid(*each.second) && !reference.contains(each.first); };
    const auto first = std::ranges::find_if(run, is_new);
    if (first == run.end()) return std::nullopt;
    const auto count = static_cast<std::size_t>(std::ranges::count_if(run, is_new));
    return fmt::format("{} {} no part in the score, such as {}: the reference does not have {}", counted(count, "key"),
                       count == 1 ? "has" : "have", detail::single_line(first->second->key), count == 1 ? "it" : "them");
}

std::string title_of_score(const suite_score& score, const score_request& asked, const std::string& reference) {
    if (score.rows.empty())
        return fmt::format("no score against {}: {} of the reference cannot be compared; run the same tests, or measure a reference anew",
                           reference, counted(score.faults.size(), "key"));
    return fmt::format("score against {}: {:g} is the reference, more is better; a change of {} or less counts as none", reference,
                       score_of_the_reference, format_percentage(asked.dead_band));
}

table_rows score_cells(const suite_score& score) {
    table_rows cells{{"metric", "suite", "score", "keys", "changed", "within their noise"}};
    for (const score_row& row : score.rows)
        cells.push_back({detail::single_line(row.metric), row.suite.empty() ? "all" : detail::single_line(row.suite),
                         fmt::format("{:.0f}", row.score), std::to_string(row.keys), std::to_string(row.changed),
                         std::to_string(row.unclear)});
    return cells;
}

}  // namespace

suite_score score_of(std::span<const record> run, std::span<const record> reference, const score_request& asked) {
    const keys_of_run now = last_results(run);
    keys_of_run then = last_results(reference);
    std::erase_if(then, [](const auto& each) { return !is_valid(*each.second); });
    if (then.empty()) throw input_error("--score: the reference has no measured value, expected the results of a run that measured");
    refuse_other_machines(now, then);
    suite_score score;
    score_sheet sheet(asked.dead_band);
    for (const auto& [at, before] : then) {
        const auto found = now.find(at);
        const record* r = found == now.end() ? nullptr : found->second;
        if (const std::string fault = fault_of(*before, r); fault.empty()) sheet.add(*before, *r);
        else score.faults.push_back(fmt::format("{} {}", before->key, fault));
    }
    if (auto note = new_keys_note(now, then)) score.notes.push_back(*std::move(note));
    if (score.faults.empty()) score.rows = sheet.rows();
    return score;
}

std::string score_console(const suite_score& score, const score_request& asked, const std::string& reference) {
    std::string text = title_of_score(score, asked, reference) + '\n';
    if (!score.rows.empty()) text += table_text(score_cells(score), "  ");
    for (const std::string& fault : score.faults) text += "  " + detail::single_line(fault) + '\n';
    for (const std::string& note : score.notes) text += note + '\n';
    return text;
}

std::string score_markdown(const suite_score& score, const score_request& asked, const std::string& reference) {
    std::string text = markdown_text(title_of_score(score, asked, reference)) + "\n\n";
    if (!score.rows.empty()) text += markdown_table(score_cells(score), "|---|---|---:|---:|---:|---:|");
    for (const std::string& fault : score.faults) text += fmt::format("- {}\n", markdown_text(fault));
    return text;
}

outcome judge_score(outcome done, const suite_score& score, const score_request& asked) {
    if (score.rows.empty()) done.code = exit_code::unusable;
    for (const score_row& row : score.rows) {
        constexpr double rounding = 1e-9;  // of a score
        if (!row.suite.empty() || row.score >= asked.required - rounding) continue;
        done.text +=
            fmt::format("the score of {} is {:.4g}, below the required {:g}\n", detail::single_line(row.metric), row.score, asked.required);
        if (done.code != exit_code::unusable) done.code = exit_code::violated;
    }
    return done;
}

}  // namespace perfspec::tool

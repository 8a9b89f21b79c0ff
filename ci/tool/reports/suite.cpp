// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"
#include "summaries.hpp"

#include "../results/dynamo.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

namespace perfspec::tool {
namespace {

constexpr double slowest_speedup = 0.95;
constexpr double longest_compilation = 120e9;
constexpr double least_memory_ratio = 0.9;

constexpr std::string_view memory = "peak_memory";
constexpr std::string_view memory_with_load = "peak_memory, including_load";  ///< another value of a model
constexpr std::string_view compilation = "compilation";  ///< of compile_time(x), and of the parts of other results

std::string_view metric_name(const record& r) {
    return r.metric == "compile_time" ? compilation : std::string_view(r.metric);
}

bool is_speedup(const record& r) { return metric_name(r) == "speedup" && r.compared.empty(); }

/// Whether a result is of two subjects: their speedup, or whether their outputs agree.
bool is_of_pair(const record& r) { return is_speedup(r) || metric_name(r) == "same_output"; }

/// Whether a claim failed, a measurement did not end, or outputs differ. A count that a subject lacks is no failure.
bool fails_model(const record& r) {
    const bool ended = r.failure != failure_kind::unfinished && r.failure != failure_kind::timed_out;
    return (r.failed && (detail::has_claim(r) || is_of_pair(r) || !ended)) ||
           (r.verified && r.verified->code != verification_code::pass);
}

/// The two subjects of a speedup.
struct speedup_pair {
    std::string reference;
    std::string candidate;
};

speedup_pair pair_of(const record& r) {
    if (r.names.size() < 2) return {};
    return {r.names[0], r.names[1]};
}

/// The subject of a query that is no speedup: "inductor" of "latency(inductor)".
std::string last_subject(const record& r) { return r.names.empty() ? std::string{} : r.names.back(); }

/// Names of models and modes. They have the suite or the machine only if the results are of several.
struct distinct_names {
    bool suites{};
    bool machines{};

    explicit distinct_names(std::span<const record> records) {
        for (const record& r : records) {
            suites = suites || r.suite != records.front().suite;
            machines = machines || r.hardware_key != records.front().hardware_key;
        }
    }
    [[nodiscard]] std::string model_of(const record& r) const {
        return (suites ? r.suite + " / " : "") + detail::axis_of(r, "model").value_or(test_of(r));
    }
    /// The axes but the model: ", dtype=float32, test=eval".
    [[nodiscard]] std::string mode_of(const record& r) const {
        std::string text;
        for (const auto& [axis, value] : r.axes)
            if (axis != "model") text += fmt::format(", {}={}", axis, value);
        return machines ? text + " on " + r.hardware_key : text;
    }
};

/// The metric of a speedup, because a model may be compared with several subjects.
std::string speedup_over(const std::string& other) { return "speedup over " + other; }

/// The median time of a subject of a record.
std::optional<double> time_of(const record& r, std::string_view subject) {
    const auto found = std::ranges::find(r.subjects, subject, &sample_summary::subject);
    return found == r.subjects.end() || found->unit != dimension::time ? std::nullopt : std::optional(found->median);
}

bool is_failure(std::string_view claim) { return claim == "violated" || claim == "error"; }

/// Keeps the slowest of several results. A failed verdict stays.
void keep_slowest(model_row& row, const record& r, const estimate& speedup, const speedup_pair& of) {
    if (row.speedup && row.speedup->value <= speedup.value) return;
    row.speedup = speedup;
    row.reference = time_of(r, of.reference);
    row.candidate = time_of(r, of.candidate);
    if (!is_failure(row.claim)) row.claim = detail::has_claim(r) ? to_string(r.verdict) : "";
}

/// Adds the verdict, the outputs and the failure of a result.
void add_verdicts(model_row& row, const record& r) {
    const std::string code = dynamo_status(r);
    const auto outputs = r.verified ? r.verified->code : verification_code::verifier_didnt_run;
    if (outputs == verification_code::fail) row.outputs = "differ";
    if (outputs == verification_code::pass && row.outputs.empty()) row.outputs = "same";
    if (fails_model(r) && row.code.empty() && code != "pass") row.code = code;
    if (is_speedup(r) && detail::has_claim(r) && (row.claim.empty() || is_failure(to_string(r.verdict))))
        row.claim = to_string(r.verdict);
}

/// The values of one model in one row.
struct model_values {
    std::map<std::string, double, std::less<>> values{};   ///< by metric
    std::map<std::string, model_row, std::less<>> rows{};  ///< by the metric of a speedup
    bool failed{};
    bool judged{};

    [[nodiscard]] std::optional<double> of(std::string_view metric) const {
        const auto found = values.find(metric);
        return found == values.end() ? std::nullopt : std::optional(found->second);
    }
    void add(const record& r, const std::string& metric) {
        judged = judged || r.estimate || r.verdict != verdict::skipped;
        failed = failed || fails_model(r);
        if (is_of_pair(r)) add_verdicts(rows[metric], r);
        else if (fails_model(r))
            for (auto& [over, row] : rows) add_verdicts(row, r);
        if (r.estimate && is_speedup(r)) add_speedup(metric, r, *r.estimate, pair_of(r));
        else if (r.estimate) add_cost(metric, r.estimate->value);
        for (const part_value& part : r.parts)
            if (part.part == detail::compilation_part) add_cost(std::string(compilation), part.value.value);
    }
    /// The worst of several results for one value counts.
    void add_speedup(const std::string& metric, const record& r, const estimate& value, const speedup_pair& of) {
        judged = true;
        double& kept = values.try_emplace(metric, value.value).first->second;
        kept = std::min(kept, value.value);
        keep_slowest(rows[metric], r, value, of);
    }
    void add_cost(const std::string& metric, double value) {
        double& kept = values.try_emplace(metric, value).first->second;
        kept = std::max(kept, value);
    }
};

using models = std::map<std::string, model_values>;

double geometric_mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += std::log(value);
    return values.empty() ? 0.0 : std::exp(sum / static_cast<double>(values.size()));
}

/// The values of one metric, over the models that have it.
std::vector<double> all_of(const models& known, std::string_view metric) {
    std::vector<double> values;
    for (const auto& [name, model] : known)
        if (const auto value = model.of(metric); value && *value > 0.0) values.push_back(*value);
    return values;
}

/// The memory that each model needs with the other subject of its speedup, over its own. Including the model itself if
/// both were measured so.
std::map<std::string, double> memory_ratios(const models& known, const models* other) {
    std::map<std::string, double> ratios;
    if (other == nullptr) return ratios;
    for (const auto& [name, model] : known) {
        const auto reference = other->find(name);
        for (const std::string_view metric : {memory, memory_with_load}) {
            const auto mine = model.of(metric);
            const auto others = reference == other->end() ? std::nullopt : reference->second.of(metric);
            if (mine && others && *mine > 0.0 && *others > 0.0) ratios[name] = *others / *mine;
        }
    }
    return ratios;
}

std::vector<std::string> warnings_of(const models& known, const std::string& speedup_metric,
                                     const std::map<std::string, double>& memory_of) {
    std::vector<std::string> warnings;
    for (const auto& [name, model] : known) {
        if (const auto speedup = model.of(speedup_metric); speedup && *speedup < slowest_speedup)
            warnings.push_back(
                fmt::format("{}: speedup {}, below 0.95", name, format_value(*speedup, dimension::ratio)));
        if (const auto time = model.of(compilation); time && *time > longest_compilation)
            warnings.push_back(
                fmt::format("{}: compiled in {}, more than 120 s", name, format_value(*time, dimension::time)));
        if (const auto ratio = memory_of.find(name); ratio != memory_of.end() && ratio->second < least_memory_ratio)
            warnings.push_back(
                fmt::format("{}: memory ratio {}, below 0.9", name, format_value(ratio->second, dimension::ratio)));
    }
    return warnings;
}

std::vector<model_row> rows_of_models(const models& known, const std::string& speedup_metric) {
    std::vector<model_row> rows;
    for (const auto& [name, model] : known) {
        const auto found = model.rows.find(speedup_metric);
        rows.push_back(found == model.rows.end() ? model_row{} : found->second);
        rows.back().name = name;
    }
    return rows;
}

double geometric_mean_of_ends(const std::vector<model_row>& rows, double estimate::*end) {
    std::vector<double> ends;
    for (const model_row& row : rows)
        if (row.speedup) ends.push_back((*row.speedup).*end);
    return geometric_mean(ends);
}

suite_row row_of(const std::string& name, const models& known, const std::string& speedup_metric, const models* other) {
    const auto count = [&](auto has) {
        return static_cast<std::size_t>(
            std::ranges::count_if(known, [&](const auto& each) { return has(each.second); }));
    };
    suite_row row{.name = name, .models = count([](const model_values& m) { return m.judged; })};
    row.skipped = known.size() - row.models;
    row.passed = count([](const model_values& m) { return m.judged && !m.failed; });
    std::vector<double> speedups = all_of(known, speedup_metric);
    row.speedups = speedups.size();
    row.geomean = geometric_mean(speedups);
    for (double& speedup : speedups) speedup = std::max(speedup, 1.0);
    row.geomean_clipped = geometric_mean(speedups);
    row.by_model = rows_of_models(known, speedup_metric);
    row.low = geometric_mean_of_ends(row.by_model, &estimate::low);
    row.high = geometric_mean_of_ends(row.by_model, &estimate::high);
    if (const auto times = all_of(known, compilation); !times.empty()) row.compilation = median(times);
    const auto by_model = memory_ratios(known, other);
    std::vector<double> ratios;
    for (const auto& [model, ratio] : by_model) ratios.push_back(ratio);
    if (!ratios.empty()) row.memory = geometric_mean(ratios);
    row.warnings = warnings_of(known, speedup_metric, by_model);
    return row;
}

/// The results of a suite by subject and mode, and the pairs of subjects.
class suite_values {
public:
    explicit suite_values(std::span<const record> records) : names_(records) {
        for (const record& r : records) add_speedups(r);
        for (const record& r : records)
            if (!is_of_pair(r) && r.compared.empty()) add_other(r);
    }
    [[nodiscard]] std::vector<suite_row> rows() const {
        std::vector<suite_row> all;
        for (const auto& [subject, other, mode] : compared_) {
            const auto reference = groups_.find(other + mode);
            all.push_back(row_of(subject + " over " + other + mode, groups_.at(subject + mode), speedup_over(other),
                                 reference == groups_.end() ? nullptr : &reference->second));
            all.back().reference = other;
            all.back().candidate = subject;
        }
        return all;
    }

private:
    void add_speedups(const record& r) {
        const std::string reference = r.subjects.empty() ? pair_of(r).reference : r.subjects.front().subject;
        for (const compared_subject& each : r.compared)
            group_of(reference, each.subject, r)
                .add_speedup(speedup_over(reference), r, each.speedup, {reference, each.subject});
        if (!is_of_pair(r)) return;
        const auto [first, last] = pair_of(r);
        group_of(first, last, r).add(r, speedup_over(first));
    }
    void add_other(const record& r) {
        const std::string subject = last_subject(r);
        if (!subject.empty())
            groups_[subject + names_.mode_of(r)][names_.model_of(r)].add(r, std::string(metric_name(r)));
    }
    model_values& group_of(const std::string& reference, const std::string& candidate, const record& r) {
        compared_.insert({candidate, reference, names_.mode_of(r)});
        return groups_[candidate + names_.mode_of(r)][names_.model_of(r)];
    }

    distinct_names names_;
    std::map<std::string, models> groups_;
    std::set<std::array<std::string, 3>> compared_;  ///< subject, other subject, mode
};

}  // namespace

std::vector<suite_row> suite_of(std::span<const record> records) { return suite_values(records).rows(); }

report_part models_part(const suite_row& row) {
    const auto time = [](std::optional<double> ns) { return ns ? format_value(*ns, dimension::time) : std::string{}; };
    const auto range = [](double low, double high) {
        return low > 0.0 && std::isfinite(high) ? format_range(low, high, dimension::ratio) : std::string{};
    };
    const auto ratio = [](double r) { return r > 0.0 ? format_value(r, dimension::ratio) : std::string{}; };
    report_part part{.title = detail::single_line(row.name),
                     .rows = {{"model", detail::single_line(row.reference), detail::single_line(row.candidate),
                               "speedup", "interval", "claim", "outputs", "code"}}};
    for (const model_row& each : row.by_model) {
        const estimate speedup = each.speedup.value_or(estimate{});
        part.rows.push_back({detail::single_line(each.name), time(each.reference), time(each.candidate),
                             ratio(speedup.value), range(speedup.low, speedup.high), each.claim, each.outputs,
                             each.code});
    }
    part.rows.push_back({fmt::format("geometric mean of {}", row.speedups), "", "", ratio(row.geomean),
                         range(row.low, row.high), "", "", ""});
    return part;
}

report_part suite_part(std::span<const suite_row> rows) {
    const auto ratio = [](double r) { return r > 0.0 ? format_value(r, dimension::ratio) : std::string{}; };
    report_part part{.rows = {{"suite", "models", "passed", "speedups", "geometric mean", "clipped at 1", "compilation",
                               "memory ratio"}}};
    for (const suite_row& row : rows) {
        const double passed =
            static_cast<double>(row.passed) / static_cast<double>(std::max<std::size_t>(row.models, 1));
        const std::string skipped = row.skipped == 0 ? "" : fmt::format(" ({} skipped)", row.skipped);
        part.rows.push_back({detail::single_line(row.name), std::to_string(row.models) + skipped,
                             fmt::format("{} ({})", row.passed, format_percentage(passed)),
                             std::to_string(row.speedups), ratio(row.geomean), ratio(row.geomean_clipped),
                             row.compilation ? format_value(*row.compilation, dimension::time) : std::string{},
                             ratio(row.memory.value_or(0.0))});
        for (const std::string& warning : row.warnings) part.lines.push_back("warning: " + row.name + ", " + warning);
    }
    return part;
}

}  // namespace perfspec::tool

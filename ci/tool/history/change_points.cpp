// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "change_points.hpp"

#include "../run_captured.hpp"

#include <perfspec/baseline/json_tree.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/parse.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <optional>

namespace perfspec::tool {
namespace {

constexpr std::size_t fewest_values = 10;
/// Otava prints means with six decimals. Values near this number keep seven digits and more, whatever their unit is.
constexpr double typical_value = 1000.0;

/// The values of a key as Otava gets them.
struct value_series {
    std::size_t key{};  ///< in the list of keys
    std::vector<std::size_t> runs{};
    std::vector<double> values{};
    double scale{};  ///< of a value that Otava gets, in the base unit
};

std::optional<value_series> series_of(const key_history& key, std::size_t index) {
    value_series series{.key = index};
    for (const history_point& point : key.points) {
        if (!std::isfinite(point.value) || point.worst == concern::invalid) continue;
        series.runs.push_back(point.run);
        series.values.push_back(point.value);
    }
    if (series.values.size() < fewest_values) return {};
    series.scale = median(series.values) / typical_value;
    if (!(series.scale > 0)) return {};
    for (double& value : series.values) value /= series.scale;
    return series;
}

std::string name_of(const value_series& series) { return fmt::format("key{}", series.key); }

/// Otava sorts by time. A day for each value keeps their order, whatever the clocks of the machines said.
std::string csv_of(const value_series& series) {
    std::string text = "time,value\n";
    std::chrono::sys_days day{std::chrono::year{2000} / 1 / 1};
    for (const double value : series.values) {
        const std::chrono::year_month_day date{day};
        text += fmt::format("{:04}-{:02}-{:02}T00:00:00Z,{}\n", static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                            static_cast<unsigned>(date.day()), value);
        day += std::chrono::days{1};
    }
    return text;
}

/// A folder that is removed at the end.
class temporary_folder {
public:
    explicit temporary_folder(const tool_surroundings& around) : around_(around) {
        const child_end made = run_captured(around, "mktemp", {"-d"}, patience);
        if (!ended_well(made)) throw input_error("there is no temporary folder for Apache Otava: " + last_line_of(made));
        path = made.result.substr(0, made.result.find('\n'));
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;
    ~temporary_folder() { static_cast<void>(run_captured(around_, "rm", {"-r", "--", path}, patience)); }

    std::string path{};

private:
    static constexpr std::chrono::seconds patience{10};
    const tool_surroundings& around_;
};

/// Writes the values and Otava's settings. Returns the path of the settings.
std::string write_files(const std::vector<value_series>& all, const std::string& folder, file_system& files) {
    std::string settings = "tests:\n";
    for (const value_series& series : all) {
        const std::string path = folder + "/" + name_of(series) + ".csv";
        files.write_atomically(path, csv_of(series));
        settings += fmt::format(
            "  {}: {{type: csv, file: {}, time_column: time, metrics: {{value: {{column: value, scale: 1, direction: -1}}}}}}\n",
            name_of(series), path);
    }
    files.write_atomically(folder + "/otava.yaml", settings);
    return folder + "/otava.yaml";
}

child_end run_otava(const std::vector<value_series>& all, const tool_surroundings& around) {
    const temporary_folder folder(around);
    std::vector<std::string> arguments{"analyze", "--since", "1999-01-01", "--output", "json"};
    for (const value_series& series : all) arguments.push_back(name_of(series));
    return run_captured(around, "otava", std::move(arguments), std::chrono::minutes(30),
                        {{"OTAVA_CONFIG", write_files(all, folder.path, around.files)}});
}

double number_of(const detail::json_value& change, std::string_view name) {
    const detail::json_value* found = change.member(name);
    const auto number = found == nullptr                           ? std::nullopt
                        : found->kind == detail::json_kind::number ? found->number
                                                                   : parse_number(found->text);
    if (!number) throw detail::json_fault(change.line, fmt::format("no number \"{}\"", name));
    return *number;
}

/// {"key3": [{"changes": [{"index": 40, "mean_before": "100.2", "mean_after": "109.6", …}]}]}
void take_changes(const detail::json_value& line, const value_series& series, std::vector<change_point>& into) {
    const detail::json_value* groups = line.member(name_of(series));
    if (groups == nullptr) return;
    for (const detail::json_value& group : groups->items) {
        const detail::json_value* changes = group.member("changes");
        if (changes == nullptr) throw detail::json_fault(group.line, "no \"changes\"");
        for (const detail::json_value& change : changes->items) {
            const double index = number_of(change, "index");
            if (!(index >= 0 && index < static_cast<double>(series.runs.size())))
                throw detail::json_fault(change.line, "\"index\" is outside of the values");
            into.push_back({series.runs[static_cast<std::size_t>(index)], number_of(change, "mean_before") * series.scale,
                            number_of(change, "mean_after") * series.scale});
        }
    }
}

std::string why_not(const child_end& end) {
    const bool is_missing = end.how == child_outcome::exited && end.code == code_of_no_such_program;
    return is_missing ? "no change points: Apache Otava is not installed; install it:  pip install apache-otava"
                      : "no change points: Apache Otava failed: " + last_line_of(end);
}

}  // namespace

change_points find_change_points(std::span<const key_history> keys, const tool_surroundings& around) {
    change_points found{.of_keys = std::vector<std::vector<change_point>>(keys.size())};
    std::vector<value_series> all;
    for (std::size_t i = 0; i < keys.size(); ++i)
        if (auto series = series_of(keys[i], i)) all.push_back(*std::move(series));
    if (all.empty()) {
        found.note = fmt::format("no change points: no key has {} values or more", fewest_values);
        return found;
    }
    const child_end end = run_otava(all, around);
    if (!ended_well(end)) {
        found.note = why_not(end);
        return found;
    }
    try {
        std::string_view rest = end.result;
        while (!rest.empty()) {
            const std::string_view line = detail::trimmed(detail::take_until(rest, '\n'));
            if (line.empty()) continue;
            const detail::json_value tree = detail::read_json(line);
            for (const value_series& series : all) take_changes(tree, series, found.of_keys[series.key]);
        }
    } catch (const detail::json_fault& fault) {
        found = {.of_keys = std::vector<std::vector<change_point>>(keys.size()),
                 .note = fmt::format("no change points: the answer of Apache Otava cannot be read: {}", detail::single_line(fault.what()))};
    }
    return found;
}

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "trace.hpp"

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <istream>
#include <optional>
#include <set>

namespace perfspec::testing {
namespace {

std::vector<std::string> cells_of(const std::string& line) {
    std::vector<std::string> cells;
    std::size_t start = 0;
    for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', start)) {
        cells.push_back(line.substr(start, comma - start));
        start = comma + 1;
    }
    cells.push_back(line.substr(start));
    return cells;
}

std::optional<double> number(std::string_view text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
    return value;
}

/// A line without the carriage return of files from elsewhere; false at the end.
bool next_line(std::istream& in, std::string& line) {
    if (!std::getline(in, line)) return false;
    if (line.ends_with('\r')) line.pop_back();
    return true;
}

}  // namespace

trace trace::read(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in || std::filesystem::is_directory(file))
        throw input_error(fmt::format("{}: cannot be read, needs a file of recorded times such as samples_q_arith.csv",
                                      file.string()));
    return parse(in, file.string());
}

trace trace::parse(std::istream& in, std::string name) {
    trace t(std::move(name));
    std::string line;
    next_line(in, line);
    t.set_heading(line);
    while (next_line(in, line)) t.add_row(line);
    if (t.cells_.empty())
        throw input_error(
            fmt::format("{}:2: found no row after the heading \"{}\", needs at least one, such as 1005889 for wall_ns",
                        t.name_, fmt::join(t.columns_, ",")));
    return t;
}

void trace::set_heading(const std::string& line) {
    columns_ = cells_of(line);
    for (std::size_t i = 0; i < columns_.size(); ++i) {
        const std::string& column = columns_[i];
        const bool is_twice = std::find(columns_.begin(), columns_.begin() + static_cast<std::ptrdiff_t>(i), column) !=
                              columns_.begin() + static_cast<std::ptrdiff_t>(i);
        if (column.empty() || number(column) || is_twice)
            throw input_error(
                fmt::format("{}:1: column {}: found {} \"{}\", needs a heading of column names such as wall_ns", name_,
                            i + 1, is_twice ? "a second" : "the name", column));
    }
}

void trace::add_row(const std::string& line) {
    std::vector<std::string> cells = cells_of(line);
    if (cells.size() != columns_.size())
        throw input_error(
            fmt::format("{}:{}: column {}: found {}, needs {} cells, one for each of {}", name_, rows() + 2,
                        cells.size() < columns_.size() ? columns_[cells.size()] : std::to_string(columns_.size() + 1),
                        cells.size() < columns_.size() ? "no cell" : "a cell without a name", columns_.size(),
                        fmt::join(columns_, ",")));
    std::move(cells.begin(), cells.end(), std::back_inserter(cells_));
}

bool trace::has(std::string_view column) const noexcept {
    return std::find(columns_.begin(), columns_.end(), column) != columns_.end();
}

std::size_t trace::index_of(std::string_view column) const {
    const auto found = std::find(columns_.begin(), columns_.end(), column);
    if (found == columns_.end())
        throw input_error(
            fmt::format("{}:1: column {}: is not there, needs one of {}", name_, column, fmt::join(columns_, ", ")));
    return static_cast<std::size_t>(found - columns_.begin());
}

std::vector<double> trace::times(std::string_view column) const {
    std::vector<double> values;
    values.reserve(rows());
    for (std::size_t i = index_of(column); i < cells_.size(); i += columns_.size()) {
        const auto value = number(cells_[i]);
        if (!value || !std::isfinite(*value) || *value <= 0)
            throw input_error(fmt::format("{}:{}: column {}: found \"{}\", needs nanoseconds above 0, such as 1005889",
                                          name_, values.size() + 2, column, cells_[i]));
        values.push_back(*value);
    }
    return values;
}

std::vector<std::string> trace::words(std::string_view column) const {
    std::vector<std::string> values;
    values.reserve(rows());
    for (std::size_t i = index_of(column); i < cells_.size(); i += columns_.size()) {
        if (cells_[i].empty())
            throw input_error(fmt::format("{}:{}: column {}: found nothing, needs a word such as arith or 001", name_,
                                          values.size() + 2, column));
        values.push_back(cells_[i]);
    }
    return values;
}

std::vector<double> times_of_workload(const trace& from, std::string_view column, std::string_view workload) {
    const auto times = from.times(column);
    const auto workloads = from.words("workload");
    std::vector<double> chosen;
    for (std::size_t i = 0; i < times.size(); ++i)
        if (workloads[i] == workload) chosen.push_back(times[i]);
    if (chosen.empty())
        throw input_error(fmt::format("{}: column workload: found no \"{}\", needs one of {}", from.name(), workload,
                                      fmt::join(std::set<std::string>(workloads.begin(), workloads.end()), ", ")));
    return chosen;
}

std::vector<double> settled(std::vector<double> times) {
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 20));
    return times;
}

}  // namespace perfspec::testing

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "trace.hpp"

#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <fstream>
#include <sstream>

namespace perfspec::testing {
namespace {

std::vector<std::string> cells_of(std::string line) {
    if (line.ends_with('\r')) line.pop_back();
    std::vector<std::string> cells;
    std::istringstream rest(line);
    for (std::string cell; std::getline(rest, cell, ',');) cells.push_back(cell);
    return cells;
}

}  // namespace

trace::trace(std::string file) : name_(std::move(file)) {
    std::ifstream in(name_);
    std::string line;
    if (!std::getline(in, line)) throw input_error(name_ + ": cannot be read, needs a file of recorded times");
    const auto names = cells_of(line);
    for (std::size_t row = 2; std::getline(in, line); ++row) {
        const auto cells = cells_of(line);
        if (cells.size() != names.size())
            throw input_error(fmt::format("{}:{}: found {} cells, needs {}", name_, row, cells.size(), names.size()));
        for (std::size_t i = 0; i < cells.size(); ++i) columns_[names[i]].push_back(cells[i]);
    }
}

std::vector<double> trace::times(const std::string& column) const {
    std::vector<double> values;
    for (const std::string& cell : words(column)) {
        const auto value = parse_number(cell);
        if (!value || !(*value > 0))
            throw input_error(fmt::format("{}:{}: column {}: found \"{}\", needs nanoseconds above 0", name_,
                                          values.size() + 2, column, cell));
        values.push_back(*value);
    }
    return values;
}

const std::vector<std::string>& trace::words(const std::string& column) const {
    const auto found = columns_.find(column);
    if (found == columns_.end()) throw input_error(fmt::format("{}:1: column {}: is not there", name_, column));
    return found->second;
}

std::vector<double> times_of_workload(const trace& from, const std::string& column, const std::string& workload) {
    const auto times = from.times(column);
    const auto& workloads = from.words("workload");
    std::vector<double> chosen;
    for (std::size_t i = 0; i < times.size(); ++i)
        if (workloads[i] == workload) chosen.push_back(times[i]);
    if (chosen.empty()) throw input_error(fmt::format("{}: column workload: found no \"{}\"", from.name(), workload));
    return chosen;
}

std::vector<double> settled(std::vector<double> times) {
    times.erase(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 20));
    return times;
}

}  // namespace perfspec::testing

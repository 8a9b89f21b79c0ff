// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/procedure.hpp>
#include <perfspec/launch/layout.hpp>
#include <perfspec/launch/take_launches.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/layout.hpp>
#include <perfspec/stored/stored_claim.hpp>

#include <cmath>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace perfspec::detail {

std::vector<std::string> other_link_orders(const question& asked) {
    const surroundings& around = asked.context.around();
    const std::filesystem::path own = around.start.executable;
    const std::string beginning = own.filename().string() + ".layout";
    std::vector<std::string> programs;
    for (const std::string& name : around.files.names_in(own.parent_path().string())) {
        const bool is_numbered =
            name.starts_with(beginning) && name.size() == beginning.size() + 1 && name.back() >= '1' && name.back() <= '9';
        if (!is_numbered || around.files.is_folder((own.parent_path() / name).string())) continue;
        programs.push_back((own.parent_path() / name).string());
        if (around.files.is_older(programs.back(), own.string()))
            throw input_error(programs.back() + " is older than this program, and may differ from it: build the target " +
                              own.filename().string() + "_layouts, or remove it");
    }
    return programs;
}

process_layout draw_layout(const question& asked) {
    constexpr std::uint64_t page = 4096;
    const std::vector<std::string> others = other_link_orders(asked);
    const std::uint64_t drawn = asked.context.around().draw_seed();
    process_layout layout{.padding = drawn % page, .addresses = address_space::randomised};
    const std::size_t program = drawn / page % (others.size() + 1);
    if (program > 0) layout.executable = others[program - 1];
    return layout;
}

void lay_out(child_command& command, const process_layout& layout) {
    if (!layout.executable.empty()) command.executable = layout.executable;
    if (layout.padding > 0)
        command.environment = with_variable(std::move(command.environment), "PERFSPEC_PADDING", std::string(layout.padding, 'x'));
    command.addresses = layout.addresses;
}

/// The bound; for a tolerance, the end nearer to the measured value.
inline double nearest_bound(const finding& found) {
    if (!found.tolerated) return found.bound.value();
    const double value = found.estimate.value().centre;
    const auto [low, high] = *found.tolerated;
    return std::abs(value - low) < std::abs(value - high) ? low : high;
}

/// Warns where a claim holds or is violated by less than layouts move the value.
inline void warn_of_layout(const question& asked, finding& found) {
    if (!found.bound || !found.estimate) return;
    const double value = positive_of_launch(asked, found.estimate->centre);
    const double bound = positive_of_launch(asked, nearest_bound(found));
    if (!(value > 0.0 && bound > 0.0) || !may_be_layout(*found.layout, value, bound)) return;
    const std::string moves = "layouts move it by up to " + format_percentage(found.layout->moves) + ", and it lies " +
                              format_percentage(std::abs(value / bound - 1.0)) + " from its bound: ";
    if (found.verdict == verdict::violated)
        found.advice.push_back(moves + "the layout may explain the change, not the code; move the bound farther away, or align the code "
                                       "(-falign-functions=64)");
    if (found.verdict == verdict::holds) found.notes.push_back(moves + "another build of the same code may be beyond");
}

void tell_layout(const question& asked, finding& found) {
    const bool is_measured = found.verdict == verdict::holds || found.verdict == verdict::violated || found.verdict == verdict::undecided;
    if (!probes_layouts(asked) || !is_measured) return;
    found.layout = effect_of_layouts(asked, found);
    if (found.verdict == verdict::holds) found.notes.push_back("layout: " + layout_text(*found.layout));  // it has no row in reports
    warn_of_layout(asked, found);
}

}  // namespace perfspec::detail

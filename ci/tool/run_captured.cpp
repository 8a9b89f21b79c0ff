// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run_captured.hpp"

#include <perfspec/process/child_request.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace perfspec::tool {

child_end run_captured(const tool_surroundings& around, const std::string& program, std::vector<std::string> arguments,
                       std::chrono::nanoseconds time_out, std::vector<std::pair<std::string, std::string>> variables) {
    std::vector<std::string> all{"-c", fmt::format("exec \"$0\" \"$@\" >&{}", child_result_descriptor), program};
    all.insert(all.end(), std::make_move_iterator(arguments.begin()), std::make_move_iterator(arguments.end()));
    auto environment = around.inherited;
    for (auto& variable : variables) {
        std::erase_if(environment, [&](const auto& one) { return one.first == variable.first; });
        environment.push_back(std::move(variable));
    }
    return around.launcher.run({.executable = "/bin/sh",
                                .arguments = std::move(all),
                                .environment = std::move(environment),
                                .working_directory = around.working_directory,
                                .time_out = time_out});
}

bool ended_well(const child_end& end) noexcept { return end.how == child_outcome::exited && end.code == 0; }

std::string last_line_of(const child_end& end) {
    std::string words = end.last_words;
    while (words.ends_with('\n')) words.pop_back();
    return words.empty() ? describe(end) : detail::single_line(words.substr(words.rfind('\n') + 1));
}

}  // namespace perfspec::tool

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/commands.hpp>
#include <perfspec/launch/start_elsewhere.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/plan/program_path.hpp>

#include <algorithm>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {
namespace {

std::vector<std::string> words_between_blanks(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;) words.push_back(std::move(word));
    return words;
}

/// `env` with the variables that this process was not started with, and the command: a launcher that starts programs in
/// an environment of its own, as sudo and some settings of srun do, keeps them.
std::vector<std::string> with_own_variables(const child_command& command, const program_start& start) {
    std::vector<std::string> words{"env"};
    for (const auto& variable : command.environment)
        if (std::ranges::find(start.environment, variable) == start.environment.end())
            words.push_back(variable.first + "=" + variable.second);
    words.push_back(command.executable);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    return words;
}

/// The command for a shell on another machine, in the same folder.
std::string shell_command(const std::string& folder, const std::vector<std::string>& words) {
    std::string text = folder.empty() ? std::string() : "cd " + shell_quoted(folder) + " && ";
    text += "exec";
    for (const std::string& word : words) text += " " + shell_quoted(word);
    return text;
}

}  // namespace

void start_elsewhere(child_command& command, const question& asked) {
    std::vector<std::string> words = words_between_blanks(asked.plan.launcher);
    if (words.empty()) return;
    const surroundings& around = asked.context.around();
    const std::string program = program_path(around.variables, words.front());
    if (program.empty())
        throw measurement_failure(failure_kind::worker_failed,
                                  "there is no program \"" + words.front() +
                                      "\" to start processes with: correct PERFSPEC_LAUNCHER, such as "
                                      "PERFSPEC_LAUNCHER='taskset -c 3', or install the program");
    words.erase(words.begin());
    const std::vector<std::string> own_words = with_own_variables(command, around.start);
    if (program.ends_with("/ssh")) words.push_back(shell_command(command.working_directory, own_words));
    else words.insert(words.end(), own_words.begin(), own_words.end());
    command.executable = program;
    command.arguments = std::move(words);
    command.channels = child_channels::standard;
}

void require_same_hardware(const question& asked, const std::string& hardware_of_process) {
    if (asked.plan.launcher.empty() || hardware_of_process == asked.hardware_key) return;
    throw measurement_failure(failure_kind::worker_failed,
                              "\"" + asked.plan.launcher + "\" started a process on other hardware (" +
                                  (hardware_of_process.empty() ? "unknown" : hardware_of_process) +
                                  ") than that of this claim (" + asked.hardware_key +
                                  "): start the test program itself there, or choose equal machines");
}

}  // namespace perfspec::detail

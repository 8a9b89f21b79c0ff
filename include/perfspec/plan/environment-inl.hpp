// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/environment.hpp>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {

std::string program_path(const environment& variables, const std::string& name) {
    std::error_code unknown;  // the working directory: a relative folder then has no program
    std::string folders = variables.get("PATH").value_or("/usr/local/bin:/usr/bin:/bin");
    while (!folders.empty()) {
        const std::size_t end = std::min(folders.find(':'), folders.size());
        const std::string folder = folders.substr(0, end);
        folders.erase(0, end + 1);
        const std::string path = (std::filesystem::absolute(folder, unknown) / name).string();
        if (!folder.empty() && detail::is_program(path)) return path;
    }
    return {};
}

namespace detail {

bool is_program(const std::string& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && ::access(path.c_str(), X_OK) == 0;
}

variable_list with_variable(variable_list variables, std::string_view name, std::string_view value) {
    std::erase_if(variables, [name](const auto& variable) { return variable.first == name; });
    variables.emplace_back(name, value);
    return variables;
}

/// The running file's path, empty after an error. The system marks it if the file was removed or replaced.
[[nodiscard]] inline std::string path_of_running_file() {
    constexpr std::string_view mark = " (deleted)";
    std::error_code error;
    std::string path = std::filesystem::read_symlink("/proc/self/exe", error).string();
    if (path.ends_with(mark) && !std::filesystem::exists(path, error)) path.resize(path.size() - mark.size());
    return path;
}

/// If the running file is a loader that was called with this program, notes its words and the program's path.
inline void note_loader(program_start& start) {
    if (::getauxval(AT_BASE) != 0) return;                                           // the system called the loader
    const auto* const name = reinterpret_cast<const char*>(::getauxval(AT_EXECFN));  // corrected by the loader
    std::error_code error;
    const std::string program = name == nullptr ? "" : std::filesystem::canonical(name, error).string();
    if (program.empty() || program == start.executable) return;
    std::ifstream words("/proc/self/cmdline");
    for (std::string word; std::getline(words, word, '\0') && word != name;) start.loader.push_back(word);
    if (!start.loader.empty()) start.loader.front() = std::exchange(start.executable, program);  // perhaps from PATH
}

[[nodiscard]] inline program_start read_program_start() {
    program_start start;
    std::error_code error;
    start.executable = path_of_running_file();
    note_loader(start);
    start.working_directory = std::filesystem::current_path(error).string();
    for (char** entry = ::environ; entry != nullptr && *entry != nullptr; ++entry) {
        const std::string_view text = *entry;
        const auto equals = text.find('=');
        if (equals != text.npos && equals != 0)
            start.environment.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    return start;
}

[[nodiscard]] inline program_start& own_program_start() {
    // Never destroyed, because code after main may read it.
    static program_start& start = *new program_start(read_program_start());
    return start;
}

}  // namespace detail

const program_start& at_program_start() { return detail::own_program_start(); }

void set_at_program_start(const char* name, const std::string& value) {
    program_start& start = detail::own_program_start();
    start.environment = detail::with_variable(std::move(start.environment), name, value);
    setenv(name, value.c_str(), 1);
}

namespace detail {
/// Captures before main; a static initializer of another file may capture earlier.
[[maybe_unused]] inline const program_start& program_start_captured = at_program_start();
}  // namespace detail

std::optional<std::string> program_start_environment::get(const std::string& name) const {
    // If a variable occurs twice, the first one counts, as with getenv.
    for (const auto& [variable, value] : at_program_start().environment)
        if (variable == name) return value;
    return std::nullopt;
}

std::vector<std::string> program_start_environment::names() const {
    std::vector<std::string> result;
    for (const auto& variable : at_program_start().environment) result.push_back(variable.first);
    std::sort(result.begin(), result.end());
    result.erase(std::unique(result.begin(), result.end()), result.end());
    return result;
}

/// Declared in program/program.hpp; defined here, because it needs no session.
bool in_child() { return program_start_environment().get("PERFSPEC_CHILD").has_value(); }

}  // namespace perfspec::inline v0_2

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/build_kind.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace perfspec::testing {

/// Skips the test case if its programs judge nothing. Not within an assertion, which would report the skip as a
/// failure.
inline void skip_unless_judged() {
    if (PERFSPEC_DETAIL_BUILD_KIND != build_kind::optimized) SKIP("this build is skipped");
}

/// How a program ended, and what it wrote.
struct ended_program {
    int code{};  ///< exit code, or 1000 and the signal
    std::string out{};
    std::string err{};

    /// For failure messages.
    [[nodiscard]] std::string text() const {
        return "exit code " + std::to_string(code) + "\n--- standard output\n" + out + "--- standard error\n" + err;
    }
};

/// A folder of its own for a test, removed at its end.
class scratch_folder {
public:
    scratch_folder() {
        std::string name = (std::filesystem::temp_directory_path() / "perfspec-test-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("mkdtemp failed: " + name);
        path_ = name;
    }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;
    ~scratch_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    [[nodiscard]] std::string operator/(const std::string& name) const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

[[nodiscard]] inline std::string text_of_file(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

inline void unset_own_variables() {
    std::vector<std::string> names{"CI",       "GITHUB_ACTIONS",   "GITLAB_CI",   "BUILDKITE",
                                   "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL", "CODEBUILD_BUILD_ID"};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string text = *variable;
        if (text.starts_with("PERFSPEC_")) names.push_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) ::unsetenv(name.c_str());
}

/// Without the lines about waits for other programs that measure on this machine.
[[nodiscard]] inline std::string without_waiting(const std::string& text) {
    std::istringstream lines(text);
    std::string kept;
    for (std::string line; std::getline(lines, line);)
        if (!line.starts_with("perfspec: waiting for another measurement to end")) kept += line + "\n";
    return kept;
}

/// Starts a program and waits for its end. Its environment is this one without the variables of perfspec and CI
/// systems, plus `variables`.
[[nodiscard]] inline ended_program start_program(const std::string& path, const std::vector<std::string>& arguments,
                                                 const std::map<std::string, std::string>& variables = {}) {
    const scratch_folder folder;
    const std::string out = folder / "out";
    const std::string err = folder / "err";
    const pid_t child = ::fork();
    if (child == 0) {
        unset_own_variables();
        for (const auto& [name, value] : variables) ::setenv(name.c_str(), value.c_str(), 1);
        ::dup2(::open(out.c_str(), O_CREAT | O_WRONLY, 0600), STDOUT_FILENO);
        ::dup2(::open(err.c_str(), O_CREAT | O_WRONLY, 0600), STDERR_FILENO);
        std::vector<char*> words{const_cast<char*>(path.c_str())};
        for (const std::string& a : arguments) words.push_back(const_cast<char*>(a.c_str()));
        words.push_back(nullptr);
        ::execv(path.c_str(), words.data());
        ::_exit(127);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    return {WIFSIGNALED(status) ? 1000 + WTERMSIG(status) : WEXITSTATUS(status), text_of_file(out),
            without_waiting(text_of_file(err))};
}

}  // namespace perfspec::testing

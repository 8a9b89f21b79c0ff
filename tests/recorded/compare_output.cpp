// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// compare_output [--example] RECORDING COMMAND [ARGUMENT…]: runs the command without the variables of perfspec and of
// CI systems, neutralizes its output (both streams), and compares it with the recording.
//
// --example: the command is an example of this build. Lines that Catch2 broke are joined, and blanks do not count. A
// build or machine that judges nothing (Debug, a sanitizer, Valgrind) is skipped with its reason. Any other verdict is
// a difference, even undecided: the examples' bounds are far enough from their values for the budget. Load may change
// one run in a hundred, but not three in a row, so a text that differs gets up to three runs.
#include <recorded/recorded.hpp>

#include <perfspec/session/build_kind.hpp>
#include <perfspec/session/session.hpp>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

constexpr int could_not_run = 2;
constexpr int skipped = 77;

std::string quoted(const std::string& argument) {
    std::string text = "'";
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

void forget_settings() {
    std::vector<std::string> names{"CI",       "GITHUB_ACTIONS",   "GITLAB_CI",   "BUILDKITE",
                                   "TF_BUILD", "TEAMCITY_VERSION", "JENKINS_URL", "CODEBUILD_BUILD_ID"};
    for (char** variable = environ; *variable != nullptr; ++variable) {
        const std::string_view text = *variable;
        if (text.starts_with("PERFSPEC_") && !text.starts_with("PERFSPEC_TEST_RECORD="))
            names.emplace_back(text.substr(0, text.find('=')));
    }
    for (const std::string& name : names) ::unsetenv(name.c_str());
}

/// The command's output, and its exit code in a last line.
std::string output_of(const std::string& command) {
    std::FILE* pipe = ::popen((command + "2>&1").c_str(), "r");
    if (pipe == nullptr) return "cannot run " + command + "\n";
    std::string output;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) output.append(part.data(), n);
    const int status = ::pclose(pipe);
    return output + "exit code " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + "\n";
}

}  // namespace

int main(int argc, char** argv) {
    const bool example = argc > 1 && std::string_view(argv[1]) == "--example";
    const int recording = example ? 2 : 1;
    if (argc < recording + 2) {
        std::cerr << "usage: compare_output [--example] RECORDING COMMAND [ARGUMENT…]\n";
        return could_not_run;
    }
    if (example) {
        const auto reason =
            perfspec::detail::reason_of_build_or_machine(PERFSPEC_DETAIL_BUILD_KIND, perfspec::this_session());
        if (!reason.empty()) {
            std::cerr << "not compared: " << reason << '\n';
            return skipped;
        }
    }
    forget_settings();
    std::string command;
    for (int i = recording + 1; i < argc; ++i) command += quoted(argv[i]) + " ";
    using namespace perfspec::testing;
    const int most_runs = example ? 3 : 1;
    for (int run = 1; run <= most_runs; ++run) {
        const std::string output = output_of(command);
        const auto result = compare_recorded(argv[recording], neutralized(example ? unbroken(output) : output),
                                             example ? blanks::ignored : blanks::compared);
        if (result.same) return 0;
        std::cerr << "--- run " << run << " of at most " << most_runs << '\n'
                  << result.difference << "\n--- the whole output\n"
                  << output;
    }
    return 1;
}

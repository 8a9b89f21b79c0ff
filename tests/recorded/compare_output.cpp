// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// compare_output RECORDING COMMAND [ARGUMENT…]: runs the command, neutralises what it prints (both streams) and compares that with the recording.
#include <recorded/recorded.hpp>

#include <array>
#include <cstdio>
#include <iostream>
#include <string>
#include <sys/wait.h>

namespace {

std::string quoted(const std::string& argument) {
    std::string text = "'";
    for (const char c : argument) text += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return text + "'";
}

}  // namespace

int main(int argc, char** argv) {
    if (argc < 3) {
        std::cerr << "usage: compare_output RECORDING COMMAND [ARGUMENT…]\n";
        return 2;
    }
    std::string command;
    for (int i = 2; i < argc; ++i) command += quoted(argv[i]) + " ";
    std::FILE* pipe = ::popen((command + "2>&1").c_str(), "r");
    if (pipe == nullptr) {
        std::cerr << "cannot run " << command << '\n';
        return 2;
    }
    std::string output;
    std::array<char, 4096> part{};
    for (std::size_t n = 0; (n = std::fread(part.data(), 1, part.size(), pipe)) > 0;) output.append(part.data(), n);
    const int status = ::pclose(pipe);
    output += "exit code " + std::to_string(WIFEXITED(status) ? WEXITSTATUS(status) : -1) + "\n";
    const auto result = perfspec::testing::compare_recorded(argv[1], perfspec::testing::neutralised(output));
    if (!result.same) std::cerr << result.difference << "\n--- the whole output\n" << output;
    return result.same ? 0 : 1;
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// No test framework and no macros: evaluate returns the verdict, and the program decides.

#define PERFSPEC_IMPLEMENTATION
#include <perfspec/perfspec.hpp>

#include <cstdio>
#include <string>

int main(int argc, char** argv) {
    using namespace perfspec::language;
    perfspec::init(argc, argv);  // a violated claim is repeated in a fresh process: this program, with these arguments

    auto append = perfspec::subject("append", [] {
        std::string s;
        for (int i = 0; i < 500; ++i) s += 'x';
        return s;
    });
    auto insert = perfspec::subject("insert", [] {
        std::string s;
        for (int i = 0; i < 500; ++i) s.insert(s.begin(), 'x');
        return s;
    });

    const perfspec::evaluation found = perfspec::evaluate(speedup(insert, append) > 1.5, budget(2s));
    std::printf("%s: %s\n", found.query.c_str(), perfspec::to_string(found.verdict));
    return perfspec::exit_code();
}

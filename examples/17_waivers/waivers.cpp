// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A violation that everybody knows: it is tolerated up to a ceiling, until a day, for a reason. The claim stays as it
// should be.
#include <perfspec/allocations.hpp>
#include <perfspec/catch2.hpp>

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

namespace {

/// Splits a line at its commas. It should fill a vector of the right size, and does not do so yet.
std::vector<std::string> split(const std::string& line) {
    std::vector<std::string> parts;
    std::string::size_type from = 0;
    for (auto to = line.find(','); to != std::string::npos; to = line.find(',', from)) {
        parts.push_back(line.substr(from, to - from));
        from = to + 1;
    }
    parts.push_back(line.substr(from));
    return parts;
}

}  // namespace

TEST_CASE("splitting a line allocates once") {
    const std::string line = "a,b,c,d,e,f,g,h";
    REQUIRE(split(line).size() == 8);
    // The waiver is in baselines/perfspec.json. Yours ends within months. This one does not, because an example must
    // pass for as long as somebody builds it.
    PERF_CHECK(perfspec::allocations([&] { return split(line); }) <= 1);
}

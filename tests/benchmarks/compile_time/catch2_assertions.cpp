// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A test case of 6 assertions with 3 lambdas, of which `run` compiles five, as plain Catch2 writes them.

#include <catch2/catch_test_macros.hpp>

#include <string>
#include <vector>

std::vector<int> sorted(const std::vector<int>& v);
int count(const std::string& s, char c);
double mean(const std::vector<double>& v);

TEST_CASE("case 0") {
    std::vector<int> v{3, 1, 2};
    std::string s("abc0");
    std::vector<double> d{1.0, 2.0};
    auto f0 = [&] { return sorted(v); };
    auto f1 = [&] { return count(s, 'a'); };
    [[maybe_unused]] auto f2 = [&] { return mean(d); };
    REQUIRE(f0().size() == 3);
    CHECK(f1() == 1);
    CHECK(f1() < 5);
    CHECK(f0().front() >= 0);
    REQUIRE(f0() == f0());
    CHECK(f1() * 2 <= 7);
}

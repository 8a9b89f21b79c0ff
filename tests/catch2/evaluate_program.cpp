// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Test cases that evaluate a claim that is skipped, and then end in each way that Catch2 knows.
#include <perfspec/catch2.hpp>

#include <cstdlib>
#include <stdexcept>

namespace {

/// The verdict of a claim whose body throws. Nothing is reported to Catch2.
perfspec::verdict verdict_of_a_body_that_throws() {
    using namespace std::chrono_literals;
    const auto broken = perfspec::subject("broken", [] { throw std::runtime_error("no data"); });
    return perfspec::evaluate(perfspec::latency(broken) < 1s).verdict;
}

}  // namespace

TEST_CASE("evaluates and skips") {
    static_cast<void>(verdict_of_a_body_that_throws());
    SKIP("after evaluate");
}
TEST_CASE("evaluates and fails") {
    static_cast<void>(verdict_of_a_body_that_throws());
    FAIL("after evaluate");
}
TEST_CASE("evaluates and throws") {
    static_cast<void>(verdict_of_a_body_that_throws());
    throw std::runtime_error("after evaluate");
}
TEST_CASE("evaluates and returns") {
    const perfspec::verdict v = verdict_of_a_body_that_throws();
    CHECK((v == perfspec::verdict::error || v == perfspec::verdict::skipped));
}
TEST_CASE("evaluates and exits") {
    static_cast<void>(verdict_of_a_body_that_throws());
    std::exit(0);
}

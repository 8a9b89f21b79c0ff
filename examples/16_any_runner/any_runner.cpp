// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Counts that are the same on every runner: a simulated processor counts instructions, so neither the machine nor other
// work on it matters.
#include <perfspec/callgrind.hpp>
#include <perfspec/catch2.hpp>

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

namespace {

/// FNV-1a, a byte at a time.
std::uint64_t hash_of(const std::string& text) {
    std::uint64_t hash = 0xcbf29ce484222325U;
    for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3U;
    return hash;
}

/// Joins words. The second one knows the length of the result before it begins.
std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text = text + word + " ";
    return text;
}
std::string joined_at_once(const std::vector<std::string>& words) {
    std::string text;
    text.reserve(std::accumulate(words.begin(), words.end(), std::size_t{0},
                                 [](std::size_t n, const auto& w) { return n + w.size() + 1; }));
    for (const std::string& word : words) (text += word) += ' ';
    return text;
}

}  // namespace

TEST_CASE("hashing takes a few instructions a byte") {
    const std::string text(10000, 'x');
    REQUIRE(hash_of("") == 0xcbf29ce484222325U);
    PERF_CHECK(perfspec::simulated_instructions([&] { return hash_of(text); }) < 8 * 10000);
}

TEST_CASE("joining at once takes less than half of the instructions") {
    const std::vector<std::string> words(200, "performance");
    REQUIRE(joined(words) == joined_at_once(words));
    PERF_CHECK(perfspec::simulated_instructions([&] { return joined_at_once(words); }) <
               0.5 * perfspec::simulated_instructions([&] { return joined(words); }));
}

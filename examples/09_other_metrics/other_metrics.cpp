// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// What a test can limit apart from time: allocations, memory, complexity, your own metric; and that something costs nothing.

#include <perfspec/allocations.hpp>  // in one source file of the program: makes allocations(x) count
#include <perfspec/catch2.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace {

std::size_t words_in(std::string_view text) {
    std::size_t words = 0;
    bool inside = false;
    for (const char c : text) {
        const bool letter = c != ' ';
        words += letter && !inside ? 1 : 0;
        inside = letter;
    }
    return words;
}

std::vector<std::string> split(std::string_view text) {
    std::vector<std::string> words;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(' ', at), text.size());
        if (end > at) words.emplace_back(text.substr(at, end - at));
        at = end + 1;
    }
    return words;
}

const std::string text = [] {
    std::string t;
    for (int i = 0; i < 20'000; ++i) t += "a-word-that-is-too-long-for-a-small-string ";
    return t;
}();

}  // namespace

TEST_CASE("counting words allocates nothing, splitting does", "[perf]") {
    auto count = perfspec::subject("words_in", [] { return words_in(text); });
    auto list = perfspec::subject("split", [] { return split(text); });

    PERF_CHECK(allocations(count) == 0);  // exactly, without statistics
    PERF_CHECK(allocations(list) >= 20'000);
    PERF_CHECK(allocated_bytes(count) < allocated_bytes(list));
}

#define LOG_DEBUG(...) static_cast<void>(0)  // compiled out

TEST_CASE("a disabled log statement costs nothing", "[perf]") {
    auto disabled =
        perfspec::subject("disabled", [] { LOG_DEBUG("words: {}", words_in(text)); }).may_be_optimized_away();

    PERF_CHECK(latency(disabled) < 5ns);
}

TEST_CASE("splitting needs memory, which counting does not", "[perf]") {
    auto count = perfspec::subject("words_in", [] { return words_in(text); });
    auto list = perfspec::subject("split", [] { return split(text); });

    PERF_CHECK(peak_memory(list) < 16_MiB);  // each in its own processes
    PERF_CHECK(peak_memory(count) < 0.5 * peak_memory(list));
}

TEST_CASE("counting words grows with the text, not with its square", "[perf]") {
    const auto text_of = [](std::size_t n) { return text.substr(0, n); };

    PERF_CHECK(complexity(setup(text_of), [](std::string& t) { return words_in(t); }, {1000, 4000, 16000, 64000}) <=
               order::power(1));
}

TEST_CASE("a packed string keeps its ratio", "[perf]") {
    const auto packed = [] { return 1.0 - static_cast<double>(words_in(text)) / static_cast<double>(text.size()); };

    PERF_CHECK(metric("saved", more_is_better, packed) > 0.9);
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/peak_memory.hpp>

#include <run/start_program.hpp>

#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

enum class heap_variables : std::uint8_t { given, left_out };

/// The peak in MiB, of a process that ran the body so often before.
double peak_of(const std::string& what, std::size_t bytes, int runs, heap_variables given = heap_variables::given) {
    skip_unless_judged();
    std::map<std::string, std::string> variables;
    if (given == heap_variables::given)
        for (const auto& [name, value] : steady_heap_variables) variables[name] = value;
    const ended_program e =
        start_program(PERFSPEC_MEMORY_PROGRAM, {what, std::to_string(bytes), std::to_string(runs)}, variables);
    if (e.code == 77) SKIP("this system does not reset the peak of memory");
    INFO(e.text());
    REQUIRE(e.code == 0);
    return std::strtod(e.out.c_str(), nullptr) / (1 << 20);
}

constexpr std::size_t kibibyte = 1024;
constexpr std::size_t mebibyte = 1024 * kibibyte;

}  // namespace

TEST_CASE("peak memory is what the body needs, however often it ran before, for blocks of every size",
          "[measure][unit]") {
    const std::size_t bytes =
        GENERATE(values<std::size_t>({100, kibibyte, 8 * kibibyte, 64 * kibibyte, 128 * kibibyte, 256 * kibibyte,
                                      mebibyte, 8 * mebibyte, 16 * mebibyte, 32 * mebibyte, 64 * mebibyte}));
    CAPTURE(bytes);
    const double heads = 16.0 / static_cast<double>(bytes) * 64 * 2;  // malloc's own, and the pointers
    for (const int runs : {0, 1, 3}) {
        CAPTURE(runs);
        const double peak = peak_of("blocks", bytes, runs);
        CHECK(peak > 63.0);
        CHECK(peak < 66.0 + heads);
    }
}

TEST_CASE("peak memory does not hold what the heap of an earlier run kept", "[measure][unit]") {
    for (const int runs : {0, 1, 3}) {
        const double peak = peak_of("hole", 0, runs);
        CAPTURE(runs, peak);
        CHECK(peak > 29.0);
        CHECK(peak < 32.0);
    }
}

#if defined(__GLIBC__)
TEST_CASE("glibc's heap needs more the second time where its thresholds move", "[measure][unit]") {
    CHECK(peak_of("hole", 0, 0, heap_variables::left_out) < 32.0);
    CHECK(peak_of("hole", 0, 3, heap_variables::left_out) > 45.0);
}
#endif

TEST_CASE("peak memory sees a stack that an earlier run filled", "[measure][unit]") {
    for (const int runs : {0, 3}) {
        const double peak = peak_of("stack", 4 * mebibyte, runs);
        CAPTURE(runs, peak);
        CHECK(peak > 3.9);
        CHECK(peak < 5.0);
    }
}

}  // namespace perfspec

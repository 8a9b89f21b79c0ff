// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/sentence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstddef>

namespace perfspec {

TEST_CASE("claim_in cuts the options off a macro's arguments", "[language][unit]") {
    struct row {
        const char* arguments;
        std::size_t options;
        const char* claim;
    };
    const auto r = GENERATE(values<row>({
        {"latency(f) < 3ms", 0, "latency(f) < 3ms"},
        {"latency(f) < 3ms, budget(2s)", 1, "latency(f) < 3ms"},
        {"speedup(a, b) > 0.95, budget(2s), margin(1_pct)", 2, "speedup(a, b) > 0.95"},
        {"  latency(f)<3ms ,budget( 2s )  ", 1, "latency(f)<3ms"},
        {"speedup(cpu_time(a), cpu_time(b)) > 1, confirm(off)", 1, "speedup(cpu_time(a), cpu_time(b)) > 1"},
        {"1.05 * baseline() > latency(f), rounds(20)", 1, "1.05 * baseline() > latency(f)"},
        {"latency([x, y = 2] { int a, b; return f(x, y); }) < 3ms, rounds(20)", 1,
         "latency([x, y = 2] { int a, b; return f(x, y); }) < 3ms"},
        {"latency(f) < std::array{1ms, 2ms}[0], rounds(20)", 1, "latency(f) < std::array{1ms, 2ms}[0]"},
    }));
    CHECK(claim_in(r.arguments, r.options) == r.claim);
}

TEST_CASE("claim_in knows that templates have commas", "[language][unit]") {
    CHECK(claim_in("speedup(a, b) > ratio<1, 2>::value, rounds(20)", 1) == "speedup(a, b) > ratio<1, 2>::value");
    CHECK(claim_in("latency(f<int, long>) < 3ms, rounds(20)", 1) == "latency(f<int, long>) < 3ms");
    CHECK(claim_in("latency(f) < limit<int, long>", 0) == "latency(f) < limit<int, long>");
}

TEST_CASE("claim_in does not look into literals", "[language][unit]") {
    const char* const claim = GENERATE(
        // characters
        "latency([] { put(','); }) < 3ms", "latency([] { put('('); }) < 3ms", "latency([] { put('\\''); }) < 3ms",
        "latency([] { put('\"'); }) < 3ms", "latency([] { put(L','); }) < 3ms", "latency([] { put(u8'x'); }) < 3ms",
        "latency([] { put(u8'f'); }) < 3ms",
        // strings
        "latency([] { put(\"a, b)\"); }) < 3ms", "latency([] { put(\"\\\"),\"); }) < 3ms", "latency([] { put(\"it's\"); }) < 3ms",
        // raw strings
        "latency([] { put(R\"(a \", b)\"); }) < 3ms", "latency([] { put(R\"x()\", ))x\"); }) < 3ms",
        "latency([] { put(u8R\"(\\)\"); }) < 3ms");
    CHECK(claim_in(std::string(claim) + ", budget(2s)", 1) == claim);
}

TEST_CASE("claim_in takes no digit separator for a literal", "[language][unit]") {
    const char* const claim =
        GENERATE("latency(f) < 1'000'000ns", "latency([] { f(0xFF'FF, 0b1010'1010); }) < 3ms",
                 "throughput(f, items) > items_per_second(1'000'000.5)", "latency([] { f(1'000, 'x', 2'000); }) < 3ms");
    CHECK(claim_in(std::string(claim) + ", budget(2s)", 1) == claim);
}

TEST_CASE("claim_in keeps everything where there are fewer commas than options", "[language][unit]") {
    CHECK(claim_in("CLAIM_AND_OPTIONS", 2) == "CLAIM_AND_OPTIONS");
    CHECK(claim_in("", 0).empty());
}

TEST_CASE("claim_in returns a part of its argument", "[language][unit]") {  // Catch2's reporters keep it until the end of the run
    static constexpr const char* literal = "latency(f) < 3ms, budget(2s)";
    CHECK(claim_in(literal, 1).data() == literal);
}

}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/language/sentence.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string>
#include <vector>

namespace perfspec {

TEST_CASE("subjects_in finds the arguments of query functions", "[language][unit]") {
    struct row {
        const char* claim;
        std::vector<std::string> subjects;
    };
    const auto r = GENERATE(values<row>({
        {"latency(f) < 3ms", {"f"}},
        {"latency( sorted ) < 3ms", {"sorted"}},
        {"perfspec::latency (f) < 3ms", {"f"}},
        {"cpu_time(f) < 3ms", {"f"}},
        {"throughput(parser, bytes) > 200_MBps", {"parser"}},
        {"throughput(parser) > items_per_second(1e6)", {"parser"}},
        {"speedup(a, b) > 0.95", {"a", "b"}},
        {"same_output(a, b)", {"a", "b"}},
        {"latency(b) < 0.8 * latency(a)", {"b", "a"}},
        {"0.8 * latency(a) > latency(b)", {"a", "b"}},
        {"speedup(cpu_time(a), cpu_time(b)) > 1.2", {"a", "b"}},
        {"speedup(perfspec::cpu_time(a), latency([&] { f(1, 2); })) > 1.2", {"a", "[&] { f(1, 2); }"}},
        {"p99(latency(f)) < 3ms", {"f"}},
        {"percentile(latency(f), 99.5) < 1.2 * percentile(latency(work<int, 4>), 99.5)", {"f", "work<int, 4>"}},
        {"minimum(cpu_time(f))", {"f"}},
        {"1.05 * baseline() > latency(f)", {"f"}},
        {"allocations(parse) == 0", {"parse"}},
        {"compare(eager, [&] { f(1, 2); }, compiled)", {"eager", "[&] { f(1, 2); }", "compiled"}},
        {"growth(setup(make), [](auto& v) { sort(v); }, {1, 8, 64}) <= order::power(1)", {"[](auto& v) { sort(v); }"}},
        {"first_call(b) < 0.8 * first_call(a)", {"b", "a"}},
        {"metric(\"tokens/s\", more_is_better, [&] { return f(1, 2); }) > 40", {"[&] { return f(1, 2); }"}},
        {"peak_memory(model, with_load) < 80_MiB", {"model"}},
        {"peak_memory(work<int, 4>, perfspec::with_load) < peak_memory(b, with_load)", {"work<int, 4>", "b"}},
        {"compression(work<int, 4>, b, with_load) > 0.9", {"work<int, 4>", "b"}},
        {"kernel_time(step) < 3us", {"step"}},
        {"kernel_time(step, \"softmax\") < 3us", {"step"}},
        {"kernel_time(work<int, 4>, \"a, b\") < 0.5 * kernel_time([&] { f(1, 2); }, name)", {"work<int, 4>", "[&] { f(1, 2); }"}},
        {"op_count(step, \"aten::mm\") == 2", {"step"}},
        {"op_count(step) == 2", {"step"}},
        {"q < 3ms", {}},
    }));
    CHECK(subjects_in(r.claim) == r.subjects);
}

TEST_CASE("subjects_in takes lambdas whole", "[language][unit]") {
    CHECK(subjects_in("latency([x, y = 2] { int a, b; }) < 3ms") == std::vector<std::string>{"[x, y = 2] { int a, b; }"});
    CHECK(subjects_in("latency([] { return latency(other); }) < 3ms") == std::vector<std::string>{"[] { return latency(other); }"});
    CHECK(subjects_in("speedup([] { put(')', \",\"); }, b) > 1") == std::vector<std::string>{"[] { put(')', \",\"); }", "b"});
    CHECK(subjects_in("speedup([] { return R\"((,)\"; }, b) > 1") == std::vector<std::string>{"[] { return R\"((,)\"; }", "b"});
}

TEST_CASE("subjects_in keeps template arguments together", "[language][unit]") {
    struct row {
        const char* claim;
        std::vector<std::string> subjects;
    };
    const auto r = GENERATE(values<row>({
        {"latency(work<int, 4>) < 3ms", {"work<int, 4>"}},
        {"latency(work<pair<int, long>, 4>{}) < 3ms", {"work<pair<int, long>, 4>{}"}},
        {"throughput(work<int, 4>, bytes) > 2_MBps", {"work<int, 4>"}},
        {"throughput(work<int, 4>) > items_per_second(9)", {"work<int, 4>"}},
        {"speedup(work<int, 4>, work<int, 8>) > 1", {"work<int, 4>", "work<int, 8>"}},
        {"speedup(a, work<int, 8>) > 1", {"a", "work<int, 8>"}},
        {"speedup(cpu_time(work<int, 4>), cpu_time(b)) > 1", {"work<int, 4>", "b"}},
        {"speedup([&] { return x < y; }, [&] { return x->y; }) > 1", {"[&] { return x < y; }", "[&] { return x->y; }"}},
    }));
    CHECK(subjects_in(r.claim) == r.subjects);
}

TEST_CASE("subjects_in takes neither strings nor members nor longer words for queries", "[language][unit]") {
    CHECK(subjects_in("latency(\"latency(x)\") < 3ms") == std::vector<std::string>{"\"latency(x)\""});
    CHECK(subjects_in("latency(f) < my_latency(2)") == std::vector<std::string>{"f"});
    CHECK(subjects_in("latency(f) < limits.latency(2)") == std::vector<std::string>{"f"});
    CHECK(subjects_in("latency(f) < limits->latency(2)") == std::vector<std::string>{"f"});
}

TEST_CASE("name_from_text folds blanks", "[language][unit]") {
    CHECK(name_from_text("  [&] {\n    f(1,   2);\t}  ") == "[&] { f(1, 2); }");
    CHECK(name_from_text("sorted") == "sorted");
}

TEST_CASE("name_from_text cuts a long text, and tells two with the same beginning apart", "[language][unit]") {
    const std::string sixty(60, 'x');
    CHECK(name_from_text(sixty) == sixty);
    CHECK(name_from_text(sixty + "y") == std::string(49, 'x') + "...2a4be1a4");
    CHECK(name_from_text(sixty + "z") == std::string(49, 'x') + "...2d4be65d");
}

TEST_CASE("name_from_text cuts between characters", "[language][unit]") {  // keys are UTF-8, and files hold them
    const std::string text = std::string(48, 'x') + "\xC3\xA9" + std::string(20, 'y');
    CHECK(name_from_text(text).starts_with(std::string(48, 'x') + "..."));
    const std::string longer = std::string(46, 'x') + "\xF0\x9F\x9A\x80" + std::string(20, 'y');
    CHECK(name_from_text(longer).starts_with(std::string(46, 'x') + "..."));
}

}  // namespace perfspec

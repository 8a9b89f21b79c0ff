// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <support/reference.hpp>
#include <support/test.hpp>
#include <support/written_query.hpp>

namespace perfspec {
namespace {

using namespace testing;
using Catch::Matchers::ContainsSubstring;

}  // namespace

TEST_CASE("queries of models describe themselves as they are written", "[explain][unit]") {
    const subject a("a", [] {});
    const subject b("b", [] {});
    CHECK(words(operators(a)) == "operators(a)");
    CHECK(words(operators(a, "aten::mm")) == "operators(a, aten::mm)");
    CHECK(words(kernels(a)) == "kernels(a)");
    CHECK(words(flop_count(a)) == "flop_count(a)");
    CHECK(words(tensor_allocations(a)) == "tensor_allocations(a)");
    CHECK(words(tensor_memory(a)) == "tensor_memory(a)");
    CHECK(words(device_memory(a)) == "device_memory(a)");
    CHECK(words(compile_time(a)) == "compile_time(a)");
    CHECK(words(device_time(a)) == "device_time(a)");
    CHECK(words(kernel_time(a)) == "kernel_time(a)");
    CHECK(words(kernel_time(a, "gelu")) == "kernel_time(a, gelu)");
    CHECK(words(speedup(kernel_time(a, "gelu"), kernel_time(b))) == "speedup(kernel_time(a, gelu), kernel_time(b))");
}

TEST_CASE("queries of models know their unit and which direction is better", "[explain][unit]") {
    const subject a("a", [] {});
    check_query(operators(a, "aten::mm"), detail::metrics::operators, dimension::count, better::less);
    check_query(flop_count(a), detail::metrics::flop_count, dimension::count, better::less);
    check_query(kernel_time(a), detail::metrics::kernel_time, dimension::time, better::less);
    check_query(kernel_time(a, "gelu"), detail::metrics::kernel_time, dimension::time, better::less);
    check_query(speedup(kernel_time(a, "gelu"), kernel_time(a, "relu")), detail::metrics::kernel_time, dimension::ratio,
                better::more);
}

TEST_CASE("operators refuses an empty name", "[explain][unit]") {
    CHECK_THROWS_WITH(operators(subject("a", [] {}), ""), ContainsSubstring("operators(x) for all operators"));
}

TEST_CASE("kernel_time refuses an empty name, which would fit every kernel", "[explain][unit]") {
    CHECK_THROWS_RECORDED(std::exception, kernel_time(subject("a", [] {}), ""));
}

TEST_CASE("the reference says of every metric of models what its row says", "[explain][unit]") {
    for (const metric_traits* const row : detail::metrics::of_models) check_reference_of(*row);
}

TEST_CASE("what counts a metric of models is known", "[explain][unit]") {
    for (const metric_traits* const row : detail::metrics::of_models) {
        INFO(row->word);
        if (row->from == reading::counter) CHECK_NOTHROW(process_counters().of({*row}));
    }
}

}  // namespace perfspec

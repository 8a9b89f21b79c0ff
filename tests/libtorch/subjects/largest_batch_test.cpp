// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <torch/csrc/jit/api/module.h>

#include "fake_module.hpp"

#include <perfspec/language/expression_node.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/subjects/largest_batch.hpp>
#include <perfspec/libtorch/subjects/saved_model.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/perfspec.hpp>
#include <perfspec/quantity/text.hpp>

#include <support/evaluate_record.hpp>
#include <support/scripted_clock.hpp>
#include <support/test.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <c10/util/Exception.h>

#include <new>

namespace {

using namespace perfspec::testing;
using perfspec::batch_search;
using perfspec::input_error;
using perfspec::largest_batch;
using perfspec::subject;
using perfspec::testing::stepped_clock;

/// A model of rows of 4,096 bytes with as many bytes of output. It logs its batches.
struct row_model {
    std::vector<std::int64_t> batches{};
    subject model = fake::model(at::ones({2, 1024}), [this](const at::Tensor& x) {
        batches.push_back(x.size(0));
        return at::relu(x);
    });
};

perfspec::quantity<perfspec::dimension::bytes> kibibytes(std::int64_t n) { return {1024.0 * static_cast<double>(n)}; }

subject search_of(const subject& x, const batch_search& within) {
    return largest_batch(x, within).node().query().subjects.at(0);
}

double value_of(const subject& search) { return search.state().functions->value(search.storage()); }

const batch_search plenty{.memory = kibibytes(1 << 20)};

subject fails_from_nine_on(void (*fail)()) {
    return fake::model(at::ones({2, 4}), [fail](const at::Tensor& x) {
        if (x.size(0) > 8) fail();
        return x + 1;
    });
}

}  // namespace

TEST_CASE("largest_batch is the last one whose inputs and outputs fit into the memory", "[libtorch][unit]") {
    struct row {
        std::int64_t kibibytes;  ///< a row takes eight
        std::uint32_t limit;
        double largest;
    };
    const auto example = GENERATE(values<row>({{8 * 37, 4096, 37},
                                               {8 * 37 - 1, 4096, 36},
                                               {8 * 64, 4096, 64},
                                               {8 * 64, 50, 50},
                                               {8, 4096, 1},
                                               {7, 4096, 0}}));
    CAPTURE(example.kibibytes, example.limit);
    const row_model rows;
    const subject search = search_of(rows.model, {.limit = example.limit, .memory = kibibytes(example.kibibytes)});
    CHECK(value_of(search) == example.largest);
    CHECK(value_of(search) == example.largest);
}

TEST_CASE("largest_batch doubles, bisects, and finds its answer again in two runs", "[libtorch][unit]") {
    row_model rows;
    const subject search = search_of(rows.model, {.limit = 100, .memory = kibibytes(8 * 6)});
    CHECK(value_of(search) == 6);
    CHECK(rows.batches ==
          std::vector<std::int64_t>{2, 3, 2, 4, 8, 6, 7, 14});  // and one beyond the first that is too large
    rows.batches.clear();
    CHECK(value_of(search) == 6);
    CHECK(rows.batches == std::vector<std::int64_t>{6, 7});
}

TEST_CASE("largest_that finds the last number that fits, from wherever it starts", "[libtorch][unit]") {
    for (std::uint32_t limit = 1; limit < 20; ++limit)
        for (std::uint32_t start = 1; start <= limit; ++start)
            for (std::uint32_t last = 0; last <= limit; ++last)
                CHECK(perfspec::detail::largest_that([&](std::uint32_t n) { return n <= last; }, start, limit) == last);
}

TEST_CASE("largest_batch ends where memory is lacking, by the type of what a model throws", "[libtorch][unit]") {
    const auto fails = GENERATE(values<void (*)()>({
        [] { throw std::bad_alloc(); },
        [] {
            throw c10::OutOfMemoryError(c10::SourceLocation{"", "", 1}, "the device is full");
        },
        [] { static_cast<void>(at::empty({1LL << 55})); },  // what LibTorch's allocator of the processor throws
    }));
    CHECK(value_of(search_of(fails_from_nine_on(fails), plenty)) == 8);
}

TEST_CASE("largest_batch throws what else a model throws, also where it speaks of memory", "[libtorch][unit]") {
    const auto [fails, thrown] = GENERATE(values<std::pair<void (*)(), const char*>>({
        {[] { throw std::runtime_error("shapes differ"); }, "in a batch of 16: shapes differ"},
        {[] { throw std::runtime_error("a slot is out of memory range"); },
         "in a batch of 16: a slot is out of memory range"},
        {[] { TORCH_CHECK(false, "out of memory slots"); }, "in a batch of 16: out of memory slots"},
    }));
    CHECK_THROWS_MATCHES(value_of(search_of(fails_from_nine_on(fails), plenty)), std::runtime_error, Message(thrown));
}

TEST_CASE("largest_batch of a TorchScript model ends where LibTorch has no memory", "[libtorch][unit]") {
    torch::jit::Module module{"toy"};
    module.define("def forward(self, x):\n    return torch.zeros([x.size(0) // 9 * 36028797018963968 + 1])\n");
    CHECK(value_of(search_of(perfspec::torchscript("script", module, at::ones({2, 4})), plenty)) == 8);
}

TEST_CASE("largest_batch finds nothing where a batch fits that is larger than one that does not", "[libtorch][unit]") {
    const auto rows = GENERATE(2, 7);  // 7: the first answer is that of the inputs
    const auto only_at_sixteen = fake::model(at::ones({rows, 4}), [](const at::Tensor& x) {
        if (x.size(0) > 7 && x.size(0) != 16) throw std::bad_alloc();
        return x + 1;
    });
    const auto search = search_of(only_at_sixteen, plenty);
    CHECK_THROWS_RECORDED(std::runtime_error, value_of(search));
    CHECK(value_of(search_of(only_at_sixteen, {.limit = 8, .memory = plenty.memory})) == 7);
}

TEST_CASE("largest_batch stops after the longest time that its claim may take", "[libtorch][unit]") {
    stepped_clock wall;
    const auto slow = fake::model(at::ones({2, 4}), [&wall](const at::Tensor& x) {
        wall.advance(1s);
        return x + 1;
    });
    const subject search = search_of(slow, plenty);
    search.state().functions->limit_search(search.storage(), wall, 3'000'000'000);
    // 2, 3, 2 and 4 take four seconds.
    CHECK_THROWS_RECORDED(perfspec::measurement_failure, value_of(search));
}

TEST_CASE("largest_batch searches under what a run asks of the model, and takes no batch", "[libtorch][unit]") {
    const row_model rows;
    const subject search = search_of(rows.model, {.memory = kibibytes(8 * 8)});
    const auto take = search.state().functions->take_settings;
    CHECK_RECORDED(take(search, {.batch = 8}));
    CHECK(value_of(search) == 8);
    CHECK(take(search, {.dtype = "float64"}).empty());
    // Three times as many bytes: a row in float32 is made before the one in float64, and freed before the output is
    // made.
    CHECK(value_of(search) == 4);
}

TEST_CASE("largest_batch is a metric that claims bound", "[libtorch][unit]") {
    const row_model rows;
    const batch_search within{.limit = 64, .memory = kibibytes(8 * 10)};
    const perfspec::record r = evaluate_record(largest_batch(rows.model, within) >= 10);
    if (r.verdict == perfspec::verdict::skipped) SKIP(r.reason);
    CHECK(r.verdict == perfspec::verdict::holds);
    CHECK(r.estimate.value().value == 10);
    CHECK_THAT(r.key, ContainsSubstring("metric(rows, largest_batch(fake, 80.00 KiB, at most 64))"));
    const perfspec::record again = evaluate_record(largest_batch(rows.model, within) <= 10);
    CHECK(again.key == r.key);
    CHECK(again.verdict == perfspec::verdict::holds);
    CHECK(evaluate_record(largest_batch(rows.model, within) >= 11, perfspec::confirm::off).verdict ==
          perfspec::verdict::violated);
}

TEST_CASE("largest_batch refuses what has no batch, and a search without an end", "[libtorch][unit]") {
    const row_model rows;
    CHECK_THROWS_RECORDED(input_error, largest_batch(rows.model));
    CHECK_THROWS_RECORDED(input_error, largest_batch(rows.model, {.limit = 0, .memory = kibibytes(1 << 20)}));
    CHECK_THROWS_RECORDED(input_error, largest_batch(subject("loop", [] {}), {.memory = kibibytes(1 << 20)}));
    const auto scalar = fake::model(at::ones({}), [](const at::Tensor& x) { return x + 1; });
    CHECK_THROWS_RECORDED(input_error, largest_batch(scalar, {.memory = kibibytes(1 << 20)}));
}

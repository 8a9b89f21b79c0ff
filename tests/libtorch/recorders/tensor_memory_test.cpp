// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// Counts of LibTorch's memory, exactly.
#include "fake_module.hpp"

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/recorders.hpp>
#include <perfspec/libtorch.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/conv2d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>
#include <ATen/ops/sum.h>
#include <c10/core/CPUAllocator.h>
#include <support/test.hpp>

namespace {

using perfspec::counting;
using perfspec::installed_recorder;
using perfspec::run_untimed;
using perfspec::take_sample;
using perfspec::tensor_counter;
using perfspec::tensor_memory_counter;
using perfspec::tensor_recorder;
using perfspec::warm_call;

const at::Tensor input = at::ones({1024});  // 4,096 bytes

std::int64_t read(perfspec::counter& by, const perfspec::subject& x, std::uint64_t iterations = 1) {
    const counting counts(by);
    CHECK(counts.fault().empty());
    return take_sample(x, iterations, warm_call::no, by).elapsed_ns;
}

const auto three = fake::model(input, [](const at::Tensor& x) { return at::relu(x).add(x).mul(x); });

}  // namespace

TEST_CASE("tensor_allocations counts the blocks of a model", "[libtorch][unit]") {
    tensor_counter blocks(installed_recorder<tensor_recorder>);
    CHECK(read(blocks, three) == 3);
    CHECK(read(blocks, three, 4) == 12);
    CHECK(read(blocks, fake::model(input, [](const at::Tensor& x) { return x.view({32, 32}); })) == 0);
}

TEST_CASE("tensor_memory is what is alive at once", "[libtorch][unit]") {
    tensor_memory_counter peak(installed_recorder<tensor_recorder>);
    const auto in_turn = [](const at::Tensor& x) {
        at::Tensor y = at::relu(x);
        for (int i = 0; i < 5; ++i) y = y.add(x);  // the old one is freed after the new one is made
        return y;
    };
    CHECK(read(peak, fake::model(input, in_turn)) == 2 * 4096);
    const auto keeps = [](const at::Tensor& x) {
        const at::Tensor a = at::relu(x), b = a + x;
        return a + b;
    };
    CHECK(read(peak, fake::model(input, keeps)) == 3 * 4096);
}

TEST_CASE("tensors that the body leaves count, and those that it frees do not lower the level", "[libtorch][unit]") {
    tensor_memory_counter peak(installed_recorder<tensor_recorder>);
    at::Tensor kept;
    const perfspec::subject grows("grows", [&] { kept = at::empty({256}); });
    CHECK(read(peak, grows) == 1024);
    CHECK(read(peak, grows) == 1024);  // the old one is freed after the new one is made
    const perfspec::subject frees("frees", [&] { kept.reset(); });
    CHECK(read(peak, frees) == 0);
}

TEST_CASE("the processor's allocator is as before once nothing counts", "[libtorch][unit]") {
    auto* const before = c10::GetCPUAllocator();
    tensor_counter blocks(installed_recorder<tensor_recorder>);
    at::Tensor kept;
    const perfspec::subject makes("makes", [&] { kept = at::ones({8}); });
    CHECK(read(blocks, makes) == 1);
    CHECK(c10::GetCPUAllocator() == before);
    kept.resize_({64}).fill_(1);  // by the allocator that it came from, which still lives
    CHECK(kept.sum().item<float>() == 64.0F);
    const counting outer(blocks);
    CHECK(read(blocks, makes) == 1);
    CHECK(c10::GetCPUAllocator() != before);  // the outer one still counts
}

TEST_CASE("blocks that libraries allocate and free by their addresses pass through", "[libtorch][unit]") {
    tensor_counter blocks(installed_recorder<tensor_recorder>);
    tensor_memory_counter peak(installed_recorder<tensor_recorder>);
    auto* const outside = c10::GetCPUAllocator();
    void* const older = outside->raw_allocate(512);
    void* newer = nullptr;
    {
        const counting counts(blocks);
        c10::GetCPUAllocator()->raw_deallocate(older);
        newer = c10::GetCPUAllocator()->raw_allocate(512);
    }
    outside->raw_deallocate(newer);
    const perfspec::subject raw(
        "raw", [] { c10::GetCPUAllocator()->raw_deallocate(c10::GetCPUAllocator()->raw_allocate(512)); });
    CHECK(read(blocks, raw) == 1);
    CHECK(read(peak, raw) == 512);
}

TEST_CASE("convolutions of oneDNN can be counted", "[libtorch][unit]") {
    tensor_memory_counter peak(installed_recorder<tensor_recorder>);
    const auto weights = at::ones({8, 8, 3, 3});
    const auto convolution =
        fake::model(at::ones({1, 8, 32, 32}), [weights](const at::Tensor& x) { return at::conv2d(x, weights); });
    run_untimed(convolution, 1);
    const auto first = read(peak, convolution);
    CHECK(first >= 4 * 8 * 30 * 30);
    CHECK(read(peak, convolution) == first);
}

TEST_CASE("tensors of all threads count", "[libtorch][unit]") {
    tensor_counter blocks(installed_recorder<tensor_recorder>);
    tensor_memory_counter peak(installed_recorder<tensor_recorder>);
    const perfspec::subject threaded("threaded",
                                     [] { std::thread([] { perfspec::do_not_optimize(at::empty({256})); }).join(); });
    CHECK(read(blocks, threaded) == 1);
    CHECK(read(peak, threaded) == 1024);
}

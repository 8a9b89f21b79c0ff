// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A model from a Python file: traced, compiled, compiled in bfloat16, quantized to int8, pruned. The build exports all
// of them (CMakeLists.txt).
#include <perfspec/catch2.hpp>
#include <perfspec/libtorch.hpp>

#include <ATen/ops/ones.h>
#include <ATen/ops/randint.h>

#include <string>

namespace {

// The inputs in the order in which models.py names them.
const perfspec::tensor_list inputs{at::randint(1000, {8, 48}, at::kLong), at::ones({8, 48})};

std::string exported(const char* file) { return std::string(OWN_MODEL_FOLDER "/") + file; }

}  // namespace

TEST_CASE("the compiled classifier is right and no slower than the traced one", "[perf]") {
    auto traced = perfspec::torchscript("traced", exported("classifier.pt"), inputs);
    auto compiled = perfspec::aot_inductor("compiled", exported("classifier.pt2"), inputs);
    PERF_REQUIRE(same_output(traced, compiled));
    PERF_CHECK(speedup(traced, compiled) > 0.8);
    PERF_CHECK(latency(compiled) < 1.05 * baseline());
    PERF_CHECK(compile_time(compiled) < 10min);
    PERF_CHECK(tensor_memory(compiled) <= 4 * tensor_memory(traced));
}

TEST_CASE("the classifier in bfloat16 loses no more than bfloat16 does", "[perf]") {
    auto traced = perfspec::torchscript("traced", exported("classifier.pt"), inputs);
    auto half =
        perfspec::aot_inductor("half", exported("classifier_half.pt2"), {inputs[0], inputs[1].to(at::kBFloat16)});
    PERF_REQUIRE(same_output(traced, half));
    PERF_MEASURE(speedup(traced, half));
}

TEST_CASE("the classifier quantized to int8 loses no more than int8 may", "[perf]") {
    auto traced = perfspec::torchscript("traced", exported("classifier.pt"), inputs);
    auto quantized = perfspec::torchscript("int8", exported("classifier_int8.pt"), inputs);
    PERF_REQUIRE(same_output(traced, quantized, perfspec::accuracy{.tolerance = 0.1}));
    PERF_MEASURE(speedup(traced, quantized));
}

// Masks set the weights of pruned channels to zero, and the model multiplies by them as before. Only without these
// channels it is smaller and faster. Both return the same, because a channel of zeros adds nothing.
TEST_CASE("the classifier without its masked channels returns the same, smaller and faster", "[perf]") {
    auto masked = perfspec::torchscript("masked", exported("masked.pt"), inputs);
    auto pruned = perfspec::torchscript("pruned", exported("pruned.pt"), inputs);
    PERF_REQUIRE(same_output(masked, pruned));
    PERF_CHECK(speedup(masked, pruned) > 1.5);
    PERF_CHECK(flop_count(pruned) < 0.5 * flop_count(masked));
    PERF_CHECK(tensor_memory(pruned) < 0.5 * tensor_memory(masked));
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/measure/counters/tensor_events.hpp>
#include <perfspec/measure/sample.hpp>

#include <support/scripted_tensors.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>

namespace perfspec {
namespace {

using Catch::Matchers::ContainsSubstring;

testing::scripted_tensors* library{};
tensor_recorder* of_library() noexcept { return library; }

/// Makes tensors visible for one test.
struct known_library {
    testing::scripted_tensors tensors;
    known_library() { library = &tensors; }
    known_library(const known_library&) = delete;
    known_library& operator=(const known_library&) = delete;
    ~known_library() { library = nullptr; }
};

std::int64_t read(counter& by, const subject& x, std::uint64_t iterations = 1) {
    return take_sample(x, iterations, warm_call::no, by).elapsed_ns;
}

}  // namespace

TEST_CASE("tensor_counter counts blocks", "[measure][unit]") {
    known_library of;
    tensor_counter blocks(of_library);
    const counting counts(blocks);
    CHECK(counts.fault().empty());
    const subject x("x", [&] {
        of.tensors.allocate(8);
        of.tensors.allocate(8);
        of.tensors.free(16);
    });
    CHECK(read(blocks, x) == 2);
    CHECK(read(blocks, x, 3) == 6);
}

TEST_CASE("tensor_memory_counter measures each peak from the level before it", "[measure][unit]") {
    known_library of;
    tensor_memory_counter peak(of_library);
    const counting counts(peak);
    of.tensors.allocate(1000);  // weights
    const subject x("x", [&] {
        of.tensors.allocate(300);
        of.tensors.free(200);
        of.tensors.allocate(100);
        of.tensors.free(100);
    });
    CHECK(read(peak, x) == 300);
    CHECK(read(peak, x) == 300);  // each iteration leaves 100, and the next begins from there
    const subject frees("frees", [&] { of.tensors.free(500); });
    CHECK(read(peak, frees) == 0);
}

TEST_CASE("tensor_memory_counter begins anew after a body that throws", "[measure][unit]") {
    known_library of;
    tensor_memory_counter peak(of_library);
    const subject throws("throws", [&]() -> void { throw std::runtime_error("no input"); });
    const subject x("x", [&] {
        of.tensors.allocate(300);
        of.tensors.free(300);
    });
    {
        const counting counts(peak);
        CHECK_THROWS(read(peak, throws));
    }
    const counting counts(peak);
    CHECK(read(peak, x) == 300);
}

TEST_CASE("tensors are not counted where nothing sees them", "[measure][unit]") {
    tensor_counter blocks(of_library);
    CHECK_THAT(counting(blocks).fault(), ContainsSubstring("link perfspec::libtorch"));
    known_library of;
    of.tensors.fault = "no memory";
    tensor_memory_counter peak(of_library);
    CHECK(counting(peak).fault() == "no memory");
    CHECK(of.tensors.begun == of.tensors.ended);
}

}  // namespace perfspec

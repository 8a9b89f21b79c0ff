// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Models that know the tensors that are timed, read more of them than their values, or change them.
#include "fake_module.hpp"

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/as_strided.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/relu.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <array>
#include <functional>
#include <memory>
#include <tuple>
#include <vector>

namespace {

using Catch::Matchers::StartsWith;
using fake::model;
using perfspec::subject;
using perfspec::verification;
using enum perfspec::verification_code;

using function = std::function<at::Tensor(const at::Tensor&)>;

at::Tensor twice(const at::Tensor& x) { return x * 2; }

at::Tensor ramp() { return at::arange(6, at::kFloat).view({2, 3}) + 1; }

verification verify_as_timed(const subject& reference, const subject& candidate) {
    return reference.state().functions->same_output_as_timed(reference.storage(), candidate.storage());
}

/// Calls `compute` for a tensor that it has not seen before, and `answer` on what that returned for one that it has. Tensors are told apart by
/// their address, and stay alive so that no other one gets it.
function by_address(function compute, function answer) {
    return [compute, answer, seen = std::make_shared<std::vector<std::tuple<at::Tensor, at::Tensor>>>()](const at::Tensor& x) {
        for (const auto& [input, result] : *seen)
            if (input.is_same(x)) return answer(result);
        seen->emplace_back(x, compute(x));
        return std::get<1>(seen->back());
    };
}

/// Makes a model known to the tensors that are timed, as a measurement does.
verification verify_after_a_call(const subject& reference, const subject& candidate) {
    for (const subject* each : {&reference, &candidate}) each->state().functions->run(each->storage(), 1);
    return verify_as_timed(reference, candidate);
}

}  // namespace

TEST_CASE("a model that knows its input by the address is told as it is timed, whatever it returns of what it keeps", "[libtorch][unit]") {
    const auto answer = GENERATE(values<function>({[](const at::Tensor& kept) { return kept; },          // itself
                                                   [](const at::Tensor& kept) { return kept.clone(); },  // a copy
                                                   [](const at::Tensor& kept) {                          // a part of it computed anew
                                                       at::Tensor result = kept;
                                                       result[0][0] = 2.0;
                                                       return result;
                                                   }}));
    const at::Tensor input = ramp();
    const auto remembers = by_address(twice, answer);
    CHECK(fake::verify(model(input, twice), model(input, remembers)).not_computed.empty());
    const verification candidate = verify_after_a_call(model(input, twice), model(input, remembers));
    CHECK(candidate.code == pass);
    CHECK_THAT(candidate.not_computed, StartsWith("the candidate returned what"));
    CHECK_THAT(verify_after_a_call(model(input, by_address(twice, answer)), model(input, twice)).not_computed,
               StartsWith("the reference returned what"));
    CHECK(at::equal(input, ramp()));
}

TEST_CASE("outputs that stay are told beside others that are computed", "[libtorch][unit]") {
    struct two_outputs {
        function first, second;
        std::vector<at::Tensor> forward(const at::Tensor& x) { return {first(x), second(x)}; }
        std::vector<at::Tensor> parameters() const { return {}; }
        std::vector<at::Tensor> buffers() const { return {}; }
    };
    const at::Tensor input = ramp(), grid = at::ones({4});
    const auto with = [&](const function& first, const function& second) {
        return perfspec::eager("two", std::make_shared<two_outputs>(two_outputs{first, second}), input);
    };
    const auto copies = by_address(twice, [](const at::Tensor& kept) { return kept.clone(); });
    const auto sum = [](const at::Tensor& x) { return x.sum(); };
    CHECK_THAT(verify_after_a_call(with(twice, sum), with(copies, sum)).not_computed,
               StartsWith("the candidate returned what it had returned for other inputs"));
    // What depends on no input may be kept, whichever side does that.
    const auto kept_grid = [&](const at::Tensor&) { return grid; };
    const auto made_grid = [](const at::Tensor&) { return at::ones({4}); };
    CHECK(verify_after_a_call(with(twice, made_grid), with(twice, kept_grid)).not_computed.empty());
    CHECK(verify_after_a_call(with(twice, kept_grid), with(twice, made_grid)).not_computed.empty());
}

TEST_CASE("outputs of coarse values, and of values that are cut off, follow their inputs", "[libtorch][unit]") {
    const at::Tensor input = ramp() - 3;
    const auto rounded = [](const at::Tensor& x) { return x.to(at::kBFloat16).to(at::kFloat); };
    const auto cut = [](const at::Tensor& x) { return at::relu(x); };
    const auto constant = [](const at::Tensor& x) { return at::ones({3}) + 0 * x.sum(); };
    for (const function& f : {function(rounded), function(cut), function(constant)}) {
        CHECK(verify_as_timed(model(input, f), model(input, f)).code == pass);
        CHECK(verify_as_timed(model(input, f), model(input, f)).not_computed.empty());
    }
    const auto other = verify_as_timed(model(input, [](const at::Tensor& x) { return x.to(at::kBFloat16); }), model(input, rounded));
    CHECK(other.not_computed.empty());
}

TEST_CASE("the tensors that are timed have their values back, whatever the model does with others", "[libtorch][unit]") {
    std::array<float, 6> memory{1, 2, 3, 4, 5, 6};
    const at::Tensor borrowed = at::from_blob(memory.data(), {2, 3}, at::kFloat);  // not LibTorch's, so it stays as it is
    const at::Tensor gradient = ramp().requires_grad_();
    const at::Tensor expanded = at::arange(3, at::kFloat).expand({2, 3}), turned = ramp().t();
    for (const at::Tensor& input : {borrowed, gradient, expanded, turned, ramp().to(at::kDouble), at::arange(6)}) {
        const at::Tensor before = input.detach().clone();
        const auto throws = [&](const at::Tensor& x) {
            if (!at::equal(x, before)) throw std::runtime_error("other values");
            return twice(x);
        };
        CHECK(verify_as_timed(model(input, twice), model(input, twice)).not_computed.empty());
        CHECK(verify_as_timed(model(input, twice), model(input, throws)).not_computed.empty());
        CHECK(at::equal(input, before));
    }
}

TEST_CASE("a kernel that does not look at strides fails on an input with gaps, and on an expanded one", "[libtorch][unit]") {
    const auto ignores_strides = [](const at::Tensor& x) { return twice(at::as_strided(x, x.sizes(), {3, 1})); };
    const at::Tensor gaps = at::cat({ramp(), ramp() * 7}, 1).slice(1, 0, 3), contiguous = ramp();
    const at::Tensor expanded = at::arange(12, at::kFloat).view({4, 3}).slice(0, 0, 2).t().slice(1, 0, 1).expand({3, 2}).t();
    CHECK(fake::verify(model(contiguous, twice), model(contiguous, ignores_strides)).code == pass);
    CHECK(fake::verify(model(gaps, twice), model(gaps, ignores_strides)).code == fail);
    CHECK(fake::verify(model(expanded, twice), model(expanded, twice)).code == pass);
    CHECK(verify_as_timed(model(gaps, twice), model(gaps, ignores_strides)).code == fail);
}

TEST_CASE("a model that changes its inputs is told", "[libtorch][unit]") {
    const at::Tensor unsorted = at::ones({4}).cumsum(0).flip(0);
    const auto sorts = [](const at::Tensor& x) { return std::get<0>(x.sort()); };
    const auto sorts_in_place = [](const at::Tensor& x) {
        at::Tensor own = x;
        return own.copy_(std::get<0>(x.sort())).clone();
    };
    const verification candidate = fake::verify(model(unsorted, sorts), model(unsorted, sorts_in_place));
    CHECK(candidate.code == pass);
    CHECK(candidate.not_computed == "the candidate changes its inputs, so all but its first call work on other values");
    CHECK_THAT(fake::verify(model(unsorted, sorts_in_place), model(unsorted, sorts)).not_computed, StartsWith("the reference changes"));
    // Called once before, it finds what it leaves.
    const at::Tensor sorted = at::arange(4, at::kFloat);
    CHECK(fake::verify(model(sorted, sorts), model(sorted, sorts_in_place)).not_computed.empty());
}

TEST_CASE("inputs of dtypes that PyTorch cannot compare are compared bit by bit", "[libtorch][unit]") {
    const auto widened = [](const at::Tensor& x) { return x.to(at::kFloat) * 2; };
    const at::Tensor input = ramp().to(at::kFloat8_e4m3fn);
    const at::Tensor same = ramp().to(at::kFloat8_e4m3fn), other = (ramp() + 1).to(at::kFloat8_e4m3fn);
    CHECK(fake::verify(model(input, widened), model(same, widened)).code == pass);
    CHECK(verify_as_timed(model(input, widened), model(same, widened)).code == pass);
    CHECK(fake::verify(model(input, widened), model(other, widened)).code == verifier_didnt_run);
    CHECK(fake::verify(model(input, [](const at::Tensor& x) { return x; }), model(same, [](const at::Tensor& x) { return x; })).code ==
          pass);
}

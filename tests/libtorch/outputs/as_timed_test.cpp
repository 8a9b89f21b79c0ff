// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
// Models that see whether they are compared or timed, and models that only behave differently then.
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linalg_qr.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>
#include <ATen/ops/rand_like.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros_like.h>
#include <catch2/generators/catch_generators_adapters.hpp>
#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::model;
using perfspec::subject;
using perfspec::verdict;
using enum perfspec::verification_code;

const at::Tensor input = at::ones({2, 3});

at::Tensor twice(const at::Tensor& x) { return x * 2; }

bool is_compared() { return at::globalContext().deterministicAlgorithms(); }

/// Deterministic where PyTorch asks for that; else each call adds that much more.
std::function<at::Tensor(const at::Tensor&)> drifting(double by) {
    return [by, calls = std::make_shared<int>(0)](const at::Tensor& x) {
        return is_compared() ? twice(x) : twice(x) * (1 + by * (*calls)++);
    };
}

perfspec::verification verify_as_timed(const subject& reference, const subject& candidate) {
    return reference.state().functions->same_output_as_timed(reference.storage(), candidate.storage());
}

}  // namespace

TEST_CASE("a model that is right only under the conditions of a comparison agrees then, and fails as it is timed",
          "[libtorch][unit]") {
    using function = std::function<at::Tensor(const at::Tensor&)>;
    const auto is_seeded = [] { return at::detail::getDefaultCPUGenerator().current_seed() == 1337; };
    at::manual_seed(1);
    for (const function& cheats : {function([](const at::Tensor& x) { return is_compared() ? twice(x) : x; }),
                                   function([&](const at::Tensor& x) { return is_seeded() ? twice(x) : x; })}) {
        CHECK(fake::verify(model(input, twice), model(input, cheats)).code == pass);
        const auto found = verify_as_timed(model(input, twice), model(input, cheats));
        CHECK(found.code == fail);
        CHECK_THAT(
            found.text,
            StartsWith(
                "run as they are timed, without deterministic algorithms and a fixed seed: output 1, float32[2,3]: "));
        CHECK(verify_as_timed(model(input, cheats), model(input, twice)).code == fail);
    }
}

TEST_CASE("models that draw random numbers agree as they are timed, and the program's numbers stay",
          "[libtorch][unit]") {
    const auto draws = [](const at::Tensor& x) { return x + at::rand_like(x); };
    at::manual_seed(7);
    const at::Tensor next = at::rand({3});
    at::manual_seed(7);
    CHECK(verify_as_timed(model(input, draws), model(input, draws)).code == pass);
    CHECK(at::equal(at::rand({3}), next));
}

TEST_CASE("runs as they are timed have to agree within the accuracy, not bit by bit", "[libtorch][unit]") {
    const auto by_rounding = drifting(1e-6);
    CHECK(verify_as_timed(model(input, by_rounding), model(input, twice)).code == pass);
    CHECK(verify_as_timed(model(input, by_rounding), model(input, by_rounding)).code == pass);
    CHECK(verify_as_timed(model(input, by_rounding), model(input, [](const at::Tensor& x) { return x * 3; })).code ==
          fail);
    const auto cheats = [](const at::Tensor& x) { return is_compared() ? twice(x) : x; };
    CHECK(verify_as_timed(model(input, by_rounding), model(input, cheats)).code ==
          fail);  // not left to the repeatable runs
}

TEST_CASE("a reference whose timed runs differ by more is compared as before, and the text says so",
          "[libtorch][unit]") {
    const auto found = verify_as_timed(model(input, drifting(0.5)), model(input, twice));
    CHECK(found.code == pass);
    CHECK_THAT(
        found.text,
        StartsWith(
            "output 1, float32[2,3]: within 0.0001 absolute plus relative\n"
            "not compared as they are timed, without deterministic algorithms: two runs of the reference from one seed"));
    CHECK(verify_as_timed(model(input, drifting(0.5)), model(input, [](const at::Tensor& x) { return x * 3; })).code ==
          fail);

    CHECK(verify_as_timed(model(input, twice),
                          model(input, [](const at::Tensor& x) { return is_compared() ? twice(x) : x; }))
              .code == fail);
}

TEST_CASE("runs as they are timed have the settings of the program and of the subject", "[libtorch][unit]") {
    bool deterministic = true;
    const auto looks = [&](const at::Tensor& x) {
        deterministic = is_compared();
        return twice(x);
    };
    CHECK(verify_as_timed(model(input, twice), model(input, looks)).code == pass);
    CHECK_FALSE(deterministic);
    CHECK(verify_as_timed(model(input, twice), configured(model(input, looks), {.deterministic = true})).code == pass);
    CHECK(deterministic);
    CHECK_FALSE(is_compared());
}

TEST_CASE("what must not be compared is not compared as it is timed either", "[libtorch][unit]") {
    const auto candidate = model(input, twice);
    std::ignore = same_output(model(input, twice), candidate, perfspec::accuracy{.skipped = "draws its own numbers"});
    CHECK(verify_as_timed(model(input, twice), candidate).code == verifier_skipped);
    CHECK(verify_as_timed(model(input, twice), model(input + 1, twice)).code == verifier_didnt_run);
}

TEST_CASE("a speedup of a model that is right only while it is compared is invalid, and that of an honest one holds",
          "[libtorch][unit]") {
    const at::Tensor square = at::ones({256, 256});
    const auto multiplied = [](const at::Tensor& x) { return at::mm(x, x); };
    const auto longer = [=](const at::Tensor& x) { return multiplied(x) + 0 * multiplied(x) + 0 * multiplied(x); };
    const auto judged = [&](const char* name, std::function<at::Tensor(const at::Tensor&)> candidate) {
        auto r = evaluate_record(speedup(fake::named_model(std::string("reference of ") + name, square, longer),
                                         fake::named_model(name, square, std::move(candidate))) > 1.01,
                                 perfspec::language::rounds(30));
        if (r.verdict == verdict::not_judged) SKIP(r.reason);  // speed is judged in optimised builds only
        return r;
    };
    const auto cheating =
        judged("cheating", [=](const at::Tensor& x) { return is_compared() ? multiplied(x) : at::zeros_like(x); });
    CHECK(cheating.verdict == verdict::invalid);
    CHECK_THAT(
        cheating.reason,
        StartsWith("the outputs agreed before measuring, and not after it (FAIL), so a speedup says nothing: run as"));
    const auto honest = judged("honest", multiplied);
    CHECK(honest.verdict == verdict::holds);
    REQUIRE(honest.verified);
    CHECK(honest.verified->code == pass);
}

namespace {

using perfspec::configured;
using perfspec::torch_settings;

/// A model of many products, whose rounding adds up to more than the tolerance of one.
subject deep_model(const at::Tensor& x, const at::Tensor& w) {
    return fake::model(x,
                       [w](const at::Tensor& in) {
                           at::Tensor y = in;
                           for (int layer = 0; layer < 30; ++layer) y = y.matmul(w);
                           return y;
                       },
                       {w});
}

/// A product with it changes no vector's length.
at::Tensor rotation() { return std::get<0>(at::linalg_qr(at::randn({64, 64}))).contiguous(); }

}  // namespace

TEST_CASE("a model in a coarser dtype is verified by what the reference itself loses in it", "[libtorch][unit]") {
    const auto type = GENERATE(at::kBFloat16, at::kHalf);
    const torch_settings setting =
        GENERATE(true, false) ? torch_settings{.dtype = type} : torch_settings{.autocast = type};
    at::manual_seed(3);
    const at::Tensor x = at::randn({64, 64}), w = rotation();
    const auto same = fake::verify(deep_model(x, w), configured(deep_model(x, w.clone()), setting));
    CHECK(same.code == pass);
    const auto wrong =
        fake::verify(deep_model(x, w), configured(deep_model(x, w * 1.01), setting));  // 1.01^30: a third larger
    CHECK(wrong.code == fail);
    CHECK_THAT(wrong.text, ContainsSubstring("the reference's own") &&
                               ContainsSubstring(type == at::kHalf ? "in float16" : "in bfloat16"));
}

TEST_CASE("a model of half precision takes the inputs of the reference in half precision", "[libtorch][unit]") {
    at::manual_seed(3);
    const at::Tensor x = at::randn({64, 64}), w = rotation();
    const auto low = [&](double factor) { return deep_model(x.to(at::kBFloat16), (w * factor).to(at::kBFloat16)); };
    CHECK(fake::verify(deep_model(x, w), low(1)).code == pass);
    CHECK(fake::verify(deep_model(x, w), low(1.01)).code == fail);
    CHECK(fake::verify(deep_model(x + 0.1, w), low(1)).code == verifier_didnt_run);
    const auto candidate = low(1);
    std::ignore = same_output(deep_model(x, w), candidate, perfspec::accuracy{.also_on = {at::randn({32, 64})}});
    CHECK(fake::verify(deep_model(x, w), candidate).code == pass);
}

namespace {

/// A model of whole numbers, which rounds to the dtype of its parameter in each of many products that autocast leaves
/// as they are.
subject model_of_numbers(double factor, at::ScalarType type) {
    const at::Tensor growth = at::full({1}, 1.01 * factor, type);
    return fake::model(at::arange(1, 65),
                       [growth](const at::Tensor& in) {
                           at::Tensor y = in.to(growth.scalar_type());
                           for (int layer = 0; layer < 100; ++layer) y = y * growth;
                           return y;
                       },
                       {growth});
}

}  // namespace

TEST_CASE("a model of whole numbers that is in half precision itself is verified by what the reference loses in it",
          "[libtorch][unit]") {
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1, at::kBFloat16)).code == pass);
    CHECK(fake::verify(model_of_numbers(1, at::kFloat), model_of_numbers(1.02, at::kBFloat16)).code == fail);
}

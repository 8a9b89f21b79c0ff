// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/generators/catch_generators_range.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <stdexcept>
#include <string>

namespace {

using Catch::Matchers::ContainsSubstring;
using fake::named_model;
using perfspec::evaluate;
using perfspec::verdict;
using perfspec::language::rounds;

const at::Tensor input = at::ones({64, 64});

perfspec::subject twice(std::string_view name) {
    return named_model(name, input, [](const at::Tensor& x) { return x * 2; });
}
perfspec::subject thrice(std::string_view name) {
    return named_model(name, input, [](const at::Tensor& x) { return x * 3; });
}

// Speed is judged in optimised builds only; there these tests have nothing to see.
perfspec::record judged(perfspec::record r) {
    if (r.verdict == verdict::not_judged) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("same_output holds for equal outputs and is violated by others", "[libtorch][unit]") {
    CHECK(evaluate(same_output(twice("claim reference"), twice("claim equal"))).verdict == verdict::holds);
    const auto wrong = evaluate(same_output(twice("claim reference 2"), thrice("claim other")));
    CHECK(wrong.verdict == verdict::violated);
    REQUIRE(wrong.verified);
    CHECK(wrong.verified->code == perfspec::verification_code::fail);
    CHECK_FALSE(wrong.verified->statistics.empty());
}

TEST_CASE("same_output is invalid where the candidate throws", "[libtorch][unit]") {
    const auto broken = named_model("claim broken", input,
                                    [](const at::Tensor&) -> at::Tensor { throw std::runtime_error{"no kernel"}; });
    const auto found = evaluate(same_output(twice("claim reference 3"), broken));
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("EXCEPTION_RAISED: the candidate threw: no kernel"));
}

TEST_CASE("speedup of a wrong answer is invalid", "[libtorch][unit]") {
    const auto found = judged(evaluate(speedup(twice("speed reference"), thrice("speed wrong")) > 1e-6, rounds(30)));
    CHECK(found.verdict == verdict::invalid);
    CHECK_THAT(found.reason, ContainsSubstring("the outputs do not agree (FAIL)"));
}

TEST_CASE("speedup of a wrong answer counts where it is unverified", "[libtorch][unit]") {
    const auto found =
        judged(evaluate(speedup(twice("free reference"), thrice("free wrong").unverified()) > 1e-6, rounds(30)));
    CHECK(found.verdict != verdict::invalid);
    CHECK_FALSE(found.verified);
}

TEST_CASE("speedup verifies by itself and keeps what it found", "[libtorch][unit]") {
    const auto found = judged(evaluate(speedup(twice("good reference"), twice("good candidate")) > 1e-6, rounds(30)));
    CHECK(found.verdict != verdict::invalid);
    REQUIRE(found.verified);
    CHECK(found.verified->code == perfspec::verification_code::pass);
}

TEST_CASE("claims on a package that must not run are invalid with its reason", "[libtorch][unit]") {
    const auto missing = perfspec::aot_inductor("claim missing", "no/such.pt2", input);
    for (const auto& found : {evaluate(same_output(twice("package reference"), missing)),
                              evaluate(latency(missing) < std::chrono::hours{1})}) {
        if (found.verdict == verdict::not_judged) continue;
        CHECK(found.verdict == verdict::invalid);
        CHECK_THAT(
            found.reason,
            ContainsSubstring("no/such.pt2 was not run: there is no such file; compile it for this process: python3 "));
    }
}

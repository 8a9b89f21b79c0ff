// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::named_model;
using perfspec::evaluate;
using perfspec::verdict;
using perfspec::language::rounds;

const at::Tensor input = at::ones({64, 64});

perfspec::subject twice(std::string_view name) {
    return named_model(name, input, [](const at::Tensor& x) { return x * 2; });
}

// Speed is judged in optimized builds only; there these tests have nothing to see.
perfspec::record judged(perfspec::record r) {
    if (r.verdict == verdict::skipped) SKIP(r.reason);
    return r;
}

}  // namespace

TEST_CASE("speedup verifies by itself and keeps what it found", "[libtorch][unit]") {
    const auto found =
        judged(evaluate_record(speedup(twice("good reference"), twice("good candidate")) > 1e-6, rounds(30)));
    CHECK(found.verdict != verdict::error);
    REQUIRE(found.verified);
    CHECK(found.verified->code == perfspec::verification_code::pass);
}

TEST_CASE("claims on a package that must not run are errors with its reason", "[libtorch][unit]") {
    const auto missing = perfspec::aot_inductor("claim missing", "no/such.pt2", input);
    for (const auto& found : {evaluate_record(same_output(twice("package reference"), missing)),
                              evaluate_record(latency(missing) < std::chrono::hours{1})}) {
        if (found.verdict == verdict::skipped) continue;
        CHECK(found.verdict == verdict::error);
        CHECK_THAT(
            found.reason,
            ContainsSubstring("no/such.pt2 was not run: there is no such file. Compile it for this process: python3 "));
    }
}

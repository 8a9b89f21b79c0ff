// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Claims on models with one fault each: the verdict, the code, and the user's message.
#include "fake_module.hpp"

#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/sqrt.h>

#include <support/evaluate_record.hpp>
#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using fake::named_model;
using perfspec::evaluate;
using perfspec::record;
using perfspec::subject;
using perfspec::verdict;
using enum perfspec::verification_code;

const at::Tensor input = at::arange(8, at::kFloat).reshape({1, 8}) / 8;

// The model of toy_models.py with scaled weights.
at::Tensor toy(const at::Tensor& x, double scale = 1) {
    const auto weight = (at::arange(32, x.options()).reshape({4, 8}) / 16 - 1) * scale;
    return at::linear(x, weight, at::arange(4, x.options()) / 4);
}

std::string package(const std::string& name) {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    return PERFSPEC_TOY_FOLDER "/" + name + ".pt2";
}

struct bad_pair {
    subject reference, candidate;
};

bad_pair pair_for(const std::string& fault) {
    const auto healthy = [] { return named_model("reference", input, [](const at::Tensor& x) { return toy(x); }); };
    const auto candidate = [](auto function) { return named_model("candidate", input, function); };
    const auto nan = [](const at::Tensor& x) { return at::sqrt(toy(x) - 100); };
    if (fault == "other weights")
        return {named_model("reference", input, [](const at::Tensor& x) { return toy(x, 2); }),
                perfspec::aot_inductor("candidate", package("libtorch_toy"), input)};
    if (fault == "other processor")
        return {healthy(), perfspec::aot_inductor("candidate", package("forged_cpu_flags"), input)};
    if (fault == "truncated") return {healthy(), perfspec::aot_inductor("candidate", package("truncated"), input)};
    if (fault == "truncated script") {
        const auto file = std::filesystem::temp_directory_path() / "perfspec_truncated.pt";
        std::ofstream{file} << "PK\x03\x04";
        return {healthy(), perfspec::torchscript("candidate", file.string(), input)};
    }
    if (fault == "throws") return {healthy(), candidate([](const at::Tensor& x) { return x.reshape({7}); })};
    if (fault == "NaN") return {healthy(), candidate(nan)};
    if (fault == "NaN in both") return {named_model("reference", input, nan), candidate(nan)};
    return {named_model("reference", input, [calls = 0](const at::Tensor& x) mutable { return toy(x) * ++calls; }),
            candidate([](const at::Tensor& x) { return toy(x); })};
}

}  // namespace

TEST_CASE("claims on bad models say what is wrong with them, and none holds", "[libtorch][unit]") {
    struct row {
        const char* fault;
        perfspec::verification_code code;
        verdict outputs;
        const char* reason;
    };
    const auto r =
        GENERATE(values<row>({{"other weights", fail, verdict::violated,
                               "output 1, float32[1,4]: root mean square error against double precision"},
                              {"other processor", verifier_didnt_run, verdict::error,
                               "it was compiled for another CPU (flags 0123456789abcdef, here "},
                              {"truncated", verifier_didnt_run, verdict::error,
                               "truncated.pt2 was not run: it is not an AOTInductor package, or only a part of one"},
                              {"truncated script", load_failed, verdict::error,
                               "the candidate could not be loaded: PytorchStreamReader failed"},
                              {"throws", exception_raised, verdict::error,
                               "the candidate threw: shape '[7]' is invalid for input of size 8"},
                              {"NaN", fail, verdict::violated, "; the candidate holds NaN"},
                              {"NaN in both", nondeterministic_eager_run, verdict::error,
                               "; both hold NaN, which agree only with nan_rule::agree"},
                              {"nondeterministic", nondeterministic_eager_run, verdict::error,
                               "two runs of the reference with the same seed differ"}}));
    INFO(r.fault);
    const auto [reference, candidate] = pair_for(r.fault);

    const record outputs = evaluate_record(same_output(reference, candidate));
    CHECK(outputs.verdict == r.outputs);
    CHECK(outputs.failed);
    REQUIRE(outputs.verified);
    CHECK(outputs.verified->code == r.code);
    CHECK_THAT(outputs.reason, ContainsSubstring(r.reason));

    const record speed = evaluate_record(speedup(reference, candidate) > 1e-6);
    if (speed.build != "optimized") return;  // bodies are run once, and nothing is compared
    CHECK(speed.verdict == verdict::error);
    CHECK(speed.failed);
    CHECK_THAT(speed.reason, ContainsSubstring(r.reason));
}

TEST_CASE("claims on the time of a model that throws are errors with what it threw", "[libtorch][unit]") {
    const auto broken = named_model("throwing", input, [](const at::Tensor& x) { return x.reshape({7}); });
    const record found = evaluate_record(latency(broken) < std::chrono::hours{1});
    CHECK(found.verdict == verdict::error);
    CHECK(found.failed);
    CHECK_THAT(found.reason,
               ContainsSubstring("shape '[7]' is invalid for input of size 8") && !ContainsSubstring("\n"));
}

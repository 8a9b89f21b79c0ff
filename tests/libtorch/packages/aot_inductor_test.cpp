// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/libtorch/packages/package.hpp>

#include <ATen/Parallel.h>
#include <ATen/TensorIndexing.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/remainder.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::aot_inductor;
using enum perfspec::verification_code;

// The package was compiled for PyTorch's own number of threads. Restores it after a test.
struct keep_threads {
    int threads = at::get_num_threads();
    ~keep_threads() { at::set_num_threads(threads); }
};

const at::Tensor input = at::arange(8, at::kFloat).reshape({1, 8}) / 8;

// The model of toy_models.py.
perfspec::subject reference() {
    return fake::model(input, [](const at::Tensor& x) {
        const auto weight = at::arange(32, x.options()).reshape({4, 8}) / 16 - 1;
        return at::linear(x, weight, at::arange(4, x.options()) / 4);
    });
}

std::string package(const std::string& name = "libtorch_toy") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    return PERFSPEC_TOY_FOLDER "/" + name + ".pt2";
}

}  // namespace

TEST_CASE("aot_inductor runs a package that fits this process", "[libtorch][unit]") {
    const auto compiled = aot_inductor("inductor", package(), input);
    CHECK(compiled.state().error_reason.empty());
    const auto found = fake::verify(reference(), compiled);
    INFO(found.text);
    CHECK(found.code == pass);
}

TEST_CASE("aot_inductor runs a package of each mode, with the outputs of eager", "[libtorch][unit]") {
    const auto [name, mode] = GENERATE(table<const char*, const char*>(
        {{"libtorch_toy", "frozen"}, {"libtorch_unfrozen", "unfrozen"}, {"libtorch_max_autotune", "max-autotune"}}));
    const auto file = package(name);
    CAPTURE(file);
    const auto read = perfspec::detail::read_package_metadata(file);
    CHECK(read.metadata.at("PERFSPEC_MODE") == mode);
    const auto compiled = aot_inductor("inductor", file, input);
    CHECK(compiled.state().error_reason.empty());
    const auto found = fake::verify(reference(), compiled);
    INFO(found.text);
    CHECK(found.code == pass);
    CHECK(model_of(compiled).compile_ns > 0);
}

TEST_CASE("aot_inductor knows what compiling its package took", "[libtorch][unit]") {
    const double seconds = model_of(aot_inductor("inductor", package(), input)).compile_ns * 1e-9;
    CHECK(seconds > 0.1);  // a compiler was started
    CHECK(seconds < 3600.0);
}

TEST_CASE("aot_inductor can be measured like any subject", "[libtorch][unit]") {
    const auto compiled = aot_inductor("inductor", package(), input);
    const auto& functions = *compiled.state().functions;
    functions.prepare(compiled.storage(), 3);
    functions.run(compiled.storage(), 3);
    functions.wait(compiled.storage());
    CHECK(fake::verify(reference(), compiled).code == pass);
}

TEST_CASE("aot_inductor loads its package once, on first use", "[libtorch][unit]") {
    const auto copy = std::filesystem::temp_directory_path() / "perfspec_loaded_once.pt2";
    std::filesystem::copy_file(package(), copy, std::filesystem::copy_options::overwrite_existing);
    const auto never_run = aot_inductor("inductor", copy.string(), input);
    const auto compiled = aot_inductor("inductor", copy.string(), input);
    compiled.state().functions->prepare(compiled.storage(), 1);
    std::filesystem::remove(copy);
    CHECK_NOTHROW(compiled.state().functions->prepare(compiled.storage(), 1));
    CHECK_THROWS(never_run.state().functions->prepare(never_run.storage(), 1));
}

TEST_CASE("aot_inductor leaves nothing unpacked while the package is loaded", "[libtorch][unit]") {
    const auto compiled = aot_inductor("inductor", package(), input);
    compiled.state().functions->prepare(compiled.storage(), 1);
    int libraries = 0;
    std::ifstream maps{"/proc/self/maps"};
    for (std::string line; std::getline(maps, line);) {
        if (line.find("/data/aotinductor/") == std::string::npos) continue;
        ++libraries;
        CHECK_THAT(line, EndsWith("(deleted)"));  // a process may end without destructors
    }
    CHECK(libraries > 0);
    CHECK(fake::verify(reference(), compiled).code == pass);
}

TEST_CASE("aot_inductor finds a difference of the compiled model", "[libtorch][unit]") {
    const auto other = fake::model(input, [](const at::Tensor& x) { return at::ones({1, 4}) * x[0][0]; });
    const auto compiled = aot_inductor("inductor", package(), input);
    CHECK(fake::verify(other, compiled).code == fail);
}

namespace {

/// The model "tokens" of toy_models.py.
struct tokens_module {
    std::vector<at::Tensor> forward(const at::Tensor& ids, const at::Tensor& mask) const {
        const auto embedded = (at::arange(16 * 8, at::kFloat).reshape({16, 8}) / 64).index({ids}) * mask.unsqueeze(-1);
        const auto weight = at::arange(32, at::kFloat).reshape({4, 8}) / 16 - 1;
        return {at::linear(embedded, weight, at::arange(4, at::kFloat) / 4), embedded.sum(1)};
    }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

}  // namespace

TEST_CASE("aot_inductor runs a package of several inputs, outputs by name, and sizes that vary", "[libtorch][unit]") {
    const auto file = package("libtorch_tokens");
    for (const std::int64_t batch : {1, 2, 8}) {
        const auto ids = at::arange(batch * 5).reshape({batch, 5}).remainder(16), mask = at::ones({batch, 5});
        const auto compiled = aot_inductor("inductor", file, {ids, mask});
        CAPTURE(batch, compiled.state().error_reason);
        CHECK(compiled.state().error_reason.empty());
        const auto found =
            fake::verify(perfspec::eager("eager", std::make_shared<tokens_module>(), {ids, mask}), compiled);
        CHECK(found.code == pass);
        CHECK_THAT(found.text, ContainsSubstring("output 2, float32[" + std::to_string(batch) + ",8]"));
    }
    CHECK_THAT(aot_inductor("inductor", file, {at::ones({9, 5}, at::kLong), at::ones({9, 5})}).state().error_reason,
               ContainsSubstring(
                   "compiled for inputs int64[1..8,2..16];float32[1..8,2..16], but is given int64[9,5];float32[9,5]"));
}

TEST_CASE("aot_inductor refuses a package that was forged to be of elsewhere", "[libtorch][unit]") {
    const auto [name, reason] = GENERATE(table<const char*, const char*>(
        {{"forged_threads", "it was compiled for 64 threads"},
         {"forged_cpu_flags", "it was compiled for another CPU (flags 0123456789abcdef, here "},
         {"forged_torch", "it was compiled by PyTorch 99.0.0, newer than this LibTorch "},
         {"forged_device", "it was compiled for device cuda, but its inputs are on cpu"},
         {"forged_inputs", "it was compiled for inputs float32[2,8], but is given float32[1,8]"},
         {"forged_schema", "it does not say what it was compiled for"},
         {"truncated", "it is not an AOTInductor package, or only a part of one"},
         {"missing", "there is no such file"}}));
    const auto refused = aot_inductor("inductor", package(name), input);
    CHECK_THAT(refused.state().error_reason,
               ContainsSubstring(reason) && ContainsSubstring("libtorch/export/export.py --"));
    CHECK(fake::verify(reference(), refused).code == verifier_didnt_run);
}

TEST_CASE("aot_inductor refuses a package when the process runs other threads", "[libtorch][unit]") {
    const auto fitting = package();
    const keep_threads restored;
    at::set_num_threads(restored.threads + 1);
    const auto refused = aot_inductor("inductor", fitting, input);
    CHECK_THAT(refused.state().error_reason,
               ContainsSubstring("this process runs " + std::to_string(restored.threads + 1)) &&
                   ContainsSubstring("--threads " + std::to_string(restored.threads + 1)));
}

TEST_CASE("aot_inductor refuses inputs of another shape or dtype", "[libtorch][unit]") {
    const auto file = package();
    CHECK_THAT(aot_inductor("inductor", file, at::ones({2, 8})).state().error_reason,
               ContainsSubstring("but is given float32[2,8]"));
    CHECK_THAT(aot_inductor("inductor", file, at::ones({1, 8}, at::kDouble)).state().error_reason,
               ContainsSubstring("but is given float64[1,8]"));
    CHECK_THAT(aot_inductor("inductor", file, at::ones({1, 16}).slice(1, 0, 16, 2)).state().error_reason,
               ContainsSubstring("compiled for inputs float32[1,8], but is given float32[1,8](0,2)"));
    CHECK_THAT(aot_inductor("inductor", file, {input, input}).state().error_reason,
               ContainsSubstring("but is given float32[1,8];float32[1,8]"));
}

TEST_CASE("aot_inductor stops when the threads change after it was made", "[libtorch][unit]") {
    const auto compiled = aot_inductor("inductor", package(), input);
    const keep_threads restored;
    at::set_num_threads(restored.threads + 1);
    CHECK_THROWS_MATCHES(compiled.state().functions->prepare(compiled.storage(), 1), std::runtime_error,
                         Catch::Matchers::MessageMatches(ContainsSubstring("at::set_num_threads has changed them")));
}

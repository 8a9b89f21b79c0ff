// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/runtime/graph_executor.h>

#include "fake_module.hpp"

#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <support/test.hpp>

#include <initializer_list>

namespace {

using namespace perfspec::testing;
using perfspec::torchscript;
using enum perfspec::verification_code;

const at::Tensor input = at::arange(8, at::kFloat).reshape({2, 4}) / 8;

torch::jit::Module script(const std::string& returned = "x * self.weight") {
    torch::jit::Module module{"toy"};
    module.register_parameter("weight", at::arange(4, at::kFloat) + 1, /*is_buffer=*/false);
    module.define("def forward(self, x):\n    return " + returned + "\n");
    module.eval();
    return module;
}

// The same model as script().
perfspec::subject reference() {
    return fake::model(input, [](const at::Tensor& x) { return x * (at::arange(4, x.options()) + 1); });
}

std::string saved(const std::string& name) {
    const auto file = std::filesystem::temp_directory_path() / ("perfspec_" + name + ".pt");
    script().save(file.string());
    return file.string();
}

void prepare(const perfspec::subject& x) { x.state().functions->prepare(x.storage(), 1); }

}  // namespace

TEST_CASE("torchscript runs a file and a module in memory", "[libtorch][unit]") {
    CHECK(fake::verify(reference(), torchscript("file", saved("runs"), input)).code == pass);
    CHECK(fake::verify(reference(), torchscript("module", script(), input)).code == pass);
    CHECK(fake::verify(reference(), torchscript("other", script("x + self.weight"), input)).code == fail);
}

TEST_CASE("torchscript takes a model without inputs", "[libtorch][unit]") {
    torch::jit::Module constant{"constant"};
    constant.define("def forward(self):\n    return torch.ones([2])\n");
    const auto file = std::filesystem::temp_directory_path() / "perfspec_constant.pt";
    constant.save(file.string());
    const auto in_memory = torchscript("module", constant, {}), in_file = torchscript("file", file.string(), {});
    CHECK(fake::verify(in_memory, in_file).code == pass);
}

TEST_CASE("torchscript computes the same however it is prepared", "[libtorch][unit]") {
    const auto file = saved("prepared");
    CHECK(fake::verify(reference(), torchscript("frozen", file, input).frozen()).code == pass);
    CHECK(fake::verify(reference(), torchscript("optimized", file, input).optimized()).code == pass);
    CHECK(fake::verify(reference(), torchscript("unoptimized", file, input).unoptimized()).code == pass);
    CHECK(fake::verify(reference(), torchscript("frozen, unoptimized", file, input).frozen().unoptimized()).code ==
          pass);
}

TEST_CASE("torchscript makes constants of the weights when it is frozen or optimized, and then alone",
          "[libtorch][unit]") {
    auto module = script();
    const auto plain = torchscript("plain", module, input);
    const auto frozen = torchscript("frozen", module, input).frozen();
    const auto optimized = torchscript("optimized", module, input).optimized();
    for (const auto& each : std::initializer_list<perfspec::subject>{plain, frozen, optimized}) prepare(each);
    module.setattr("weight", at::zeros(4));
    CHECK(fake::verify(reference(), frozen).code == pass);
    CHECK(fake::verify(reference(), optimized).code == pass);
    CHECK(fake::verify(reference(), plain).code == fail);
}

TEST_CASE("torchscript does not profile what is unoptimized, and leaves the setting as it was", "[libtorch][unit]") {
    const auto profiled = [](const perfspec::subject& x) {
        prepare(x);
        x.state().functions->run(x.storage(), 1);
        return torch::jit::lastExecutedOptimizedGraph()->toString().find("prim::profile") != std::string::npos;
    };
    CHECK(profiled(torchscript("default", script(), input)));
    CHECK_FALSE(profiled(torchscript("unoptimized", script(), input).unoptimized()));
    CHECK(profiled(torchscript("default again", script(), input)));
}

TEST_CASE("torchscript returns the tensors of tuples and lists", "[libtorch][unit]") {
    const std::string returned = GENERATE("(x, x * self.weight)", "[x, x * self.weight]");
    const auto two = torchscript("two", script(returned), input);
    const auto found = fake::verify(two, torchscript("two again", script(returned), input));
    CHECK(found.code == pass);
    CHECK_THAT(found.text, ContainsSubstring("output 2, float32[2,4]"));
}

TEST_CASE("torchscript cannot compare what is no tensor, and says what it got", "[libtorch][unit]") {
    const auto found = fake::verify(reference(), torchscript("dictionary", script("{'x': x}"), input));
    CHECK(found.code == exception_raised);
    CHECK_THAT(found.text, ContainsSubstring(
                               "forward() returned Dict[str, Tensor]: return a tensor, or a list or tuple of tensors"));
}

TEST_CASE("torchscript reports what the model threw, not where in the interpreter", "[libtorch][unit]") {
    const auto broken = torchscript("script", script("x.reshape([7])"), input);
    const auto found = fake::verify(reference(), broken);
    CHECK(found.code == exception_raised);
    CHECK(found.text == "the candidate threw: RuntimeError: shape '[7]' is invalid for input of size 8");
    CHECK_THROWS_MATCHES(broken.state().functions->run(broken.storage(), 1), std::runtime_error,
                         Catch::Matchers::Message("RuntimeError: shape '[7]' is invalid for input of size 8"));
}

TEST_CASE("torchscript reports what a traced model threw, whose lines in Python follow those of the interpreter",
          "[libtorch][unit]") {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    const auto traced = torchscript("script", PERFSPEC_TOY_FOLDER "/libtorch_traced.pt", at::ones({1, 8}, at::kDouble));
    CHECK_THROWS_MATCHES(perfspec::run_untimed(traced, 1), std::runtime_error,
                         MessageMatches(ContainsSubstring("threw: RuntimeError: ") && ContainsSubstring("ouble") &&
                                        !ContainsSubstring("\n")));
}

TEST_CASE("torchscript as the reference is computed in double precision too", "[libtorch][unit]") {
    auto module = script();
    const auto x = torchscript("reference", module, input);
    CHECK(fake::verify(
              x, fake::model(input,
                             [](const at::Tensor& each) { return each * (at::arange(4, each.options()) + 1) + 2e-4; }))
              .code == fail);
    CHECK(module.attr("weight").toTensor().scalar_type() == at::kFloat);
    CHECK(fake::verify(reference(), x).code == pass);
}

TEST_CASE("torchscript loads its file once, on first use, as a step that load_time measures", "[libtorch][unit]") {
    const auto file = saved("loaded_once");
    const auto x = torchscript("script", file, input);
    REQUIRE(x.state().run_load != nullptr);
    x.state().run_load(x.state().load_step);
    std::filesystem::remove(file);
    CHECK_NOTHROW(prepare(x));
}

TEST_CASE("torchscript refuses a file that is missing, with the command that makes one", "[libtorch][unit]") {
    const auto missing = torchscript("script", "no/such.pt", input);
    CHECK_THAT(missing.state().error_reason,
               StartsWith("the TorchScript model no/such.pt was not run: there is no such file. Build the target of "
                          "perfspec_export_model that makes it, or make it with a Python that has torch: python3 ") &&
                   ContainsSubstring("/libtorch/export/export.py --models models.py") &&
                   EndsWith("--output no/such.pt"));
    CHECK(fake::verify(reference(), missing).code == verifier_didnt_run);
}

TEST_CASE("torchscript reports in one line that a file is no model", "[libtorch][unit]") {
    const auto file = std::filesystem::temp_directory_path() / "perfspec_no_model.pt";
    std::ofstream{file} << "no archive";
    const auto broken = torchscript("script", file.string(), input);
    CHECK_THROWS_MATCHES(prepare(broken), std::runtime_error, !MessageMatches(ContainsSubstring("\n")));
}

TEST_CASE("torchscript is prepared before it runs, and not in two ways that contradict each other",
          "[libtorch][unit]") {
    auto run = torchscript("run", script(), input);
    prepare(run);
    CHECK_THROWS_MATCHES(run.frozen(), perfspec::input_error,
                         MessageMatches(EndsWith(".frozen(): the model ran already: call this directly after "
                                                 "torchscript(…)")));
    auto both = torchscript("both", script(), input).unoptimized();
    CHECK_THROWS_MATCHES(
        both.optimized(), perfspec::input_error,
        MessageMatches(EndsWith("optimized() and unoptimized() contradict each other: leave one out")));
}

TEST_CASE("a module in memory is held before it is loaded, a file is not", "[libtorch][unit]") {
    const auto of_module = torchscript("script", script(), input);
    REQUIRE(of_module.state().held_bytes != nullptr);
    CHECK(of_module.state().held_bytes(of_module.storage()) == 16.0);  // four floats
    CHECK(of_module.state().run_load != nullptr);
    CHECK(torchscript("script", saved("held"), input).state().held_bytes == nullptr);
}

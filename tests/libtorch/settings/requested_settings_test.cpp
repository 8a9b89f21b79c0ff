// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// --perf-with on LibTorch's subjects.
#include <torch/csrc/jit/api/module.h>

#include "fake_module.hpp"

#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/sample.hpp>

#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/zeros.h>

#include <support/test.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::requested_settings;
using perfspec::subject;

/// The last run, as a model observed it.
struct observed_run {
    std::vector<at::Tensor> inputs{};
    at::ScalarType weight{};
    int threads{};
};

/// A model of two inputs and a weight that observes its inputs.
struct observing_module {
    observed_run* observed;
    at::Tensor weight = at::ones({3});

    at::Tensor forward(const at::Tensor& x) { return forward(x, x); }
    at::Tensor forward(const at::Tensor& x, const at::Tensor& y) {
        *observed = {{x, y}, weight.scalar_type(), at::get_num_threads()};
        return x * weight;
    }
    [[nodiscard]] std::vector<at::Tensor> parameters() const { return {weight}; }
    [[nodiscard]] std::vector<at::Tensor> buffers() const { return {}; }
};

const at::Tensor rows = at::arange(6, at::kFloat).reshape({2, 3});

std::string take(const subject& x, const requested_settings& requested) {
    return x.state().functions->take_settings(x, requested);
}

void run(const subject& x) {
    const perfspec::body_functions& f = *x.state().functions;
    f.prepare(x.storage(), 1);
    f.run(x.storage(), 1);
    f.discard(x.storage());
}

std::string package(const std::string& name) {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    return PERFSPEC_TOY_FOLDER "/" + name + ".pt2";
}

torch::jit::Module script() {
    torch::jit::Module module{"toy"};
    module.register_parameter("weight", at::ones({3}), /*is_buffer=*/false);
    module.define("def forward(self, x):\n    return x * self.weight\n");
    module.eval();
    return module;
}

at::Tensor sum_of(const at::Tensor& y) { return y.sum(); }

}  // namespace

TEST_CASE("a model takes dtype and threads for its samples, as configured would", "[libtorch][unit]") {
    observed_run observed;
    const int before = at::get_num_threads();
    const auto module = std::make_shared<observing_module>(observing_module{&observed});
    const subject model = perfspec::eager("model", module, rows);
    CHECK(take(model, {.dtype = "bfloat16", .threads = 1}).empty());
    for (int samples = 0; samples < 2; ++samples) {
        run(model);
        CHECK(observed.inputs[0].scalar_type() == at::kBFloat16);
        CHECK(observed.weight == at::kBFloat16);
        CHECK(observed.threads == 1);
        CHECK(module->weight.scalar_type() == at::kFloat);
        CHECK(at::get_num_threads() == before);
        CHECK(take(model, {.dtype = "bfloat16", .threads = 1}).empty());
    }
}

TEST_CASE("a batch repeats rows from the first one on, or cuts them, of every input that has as many",
          "[libtorch][unit]") {
    struct row {
        std::uint32_t batch;
        std::vector<std::int64_t> rows;
    };
    const auto given = GENERATE(values<row>({{1, {0}}, {2, {0, 1}}, {5, {0, 1, 0, 1, 0}}}));
    CAPTURE(given.batch);
    observed_run observed;
    subject model =
        perfspec::eager("model", std::make_shared<observing_module>(observing_module{&observed}), {rows, rows + 10})
            .items(2)
            .flops(8);
    for (int times = 0; times < 2; ++times) {  // a second claim asks again
        CHECK(take(model, {.batch = given.batch}).empty());
        run(model);
        REQUIRE(observed.inputs[0].size(0) == static_cast<std::int64_t>(given.batch));
        for (std::size_t i = 0; i < given.rows.size(); ++i) {
            const auto at = static_cast<std::int64_t>(i);
            CHECK(at::equal(observed.inputs[0].select(0, at), rows.select(0, given.rows[i])));
            CHECK(at::equal(observed.inputs[1].select(0, at), rows.select(0, given.rows[i]) + 10));
        }
        CHECK(model.state().items * model.state().work_factor == given.batch);
        CHECK(model.state().flops * model.state().work_factor == 4.0 * given.batch);
    }
}

TEST_CASE("a batch leaves inputs of other sizes, and keeps the memory format", "[libtorch][unit]") {
    observed_run observed;
    const at::Tensor image = at::ones({2, 3, 4, 3}).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor table = at::ones({3});
    const subject model =
        perfspec::eager("model", std::make_shared<observing_module>(observing_module{&observed}), {image, table});
    CHECK(take(model, {.batch = 4}).empty());
    run(model);
    CHECK(observed.inputs[0].size(0) == 4);
    CHECK(observed.inputs[0].is_contiguous(at::MemoryFormat::ChannelsLast));
    CHECK(observed.inputs[1].sizes() == table.sizes());
}

TEST_CASE("outputs are compared on the batch that a run asks for", "[libtorch][unit]") {
    // Right for two rows only.
    const subject reference = fake::model(rows, [](const at::Tensor& x) { return x * 2; });
    const subject candidate = fake::model(rows, [](const at::Tensor& x) { return x.size(0) == 2 ? x * 2 : x * 3; });
    CHECK(fake::verify(reference, candidate).code == perfspec::verification_code::pass);
    CHECK(take(reference, {.batch = 4}).empty());
    CHECK(take(candidate, {.batch = 4}).empty());
    CHECK(fake::verify(reference, candidate).code == perfspec::verification_code::fail);
}

TEST_CASE("inputs without rows cannot take a batch", "[libtorch][unit]") {
    observed_run observed;
    const auto module = std::make_shared<observing_module>(observing_module{&observed});
    CHECK_RECORDED(take(perfspec::eager("m", module, at::ones({})), {.batch = 2}));
    CHECK_RECORDED(take(perfspec::eager("m", module, at::ones({0, 3})), {.batch = 2}));
}

TEST_CASE("a step of training takes threads and nothing else", "[libtorch][unit]") {
    observed_run observed;
    const auto module = std::make_shared<observing_module>(observing_module{&observed, at::ones({3}).requires_grad_()});
    const subject step = perfspec::train("step", module, rows, sum_of);
    CHECK(take(step, {.threads = 1}).empty());
    run(step);
    CHECK(observed.threads == 1);
    CHECK_RECORDED(take(step, {.dtype = "bfloat16"}));
    CHECK_RECORDED(take(step, {.batch = 4}));
    run(step);
    CHECK(observed.inputs[0].sizes() == rows.sizes());
    CHECK(observed.weight == at::kFloat);
}

TEST_CASE("what a subject has already is taken where nothing could be changed", "[libtorch][unit]") {
    observed_run observed;
    const auto module = std::make_shared<observing_module>(observing_module{&observed, at::ones({3}).requires_grad_()});
    const subject step = perfspec::train("step", module, rows, sum_of);
    const subject frozen = perfspec::torchscript("script", script(), rows).frozen();
    for (const subject* each : {&step, &frozen})
        CHECK(take(*each, {.device = "cpu", .dtype = "float32", .batch = 2}).empty());
    CHECK_FALSE(take(step, {.dtype = "float64"}).empty());
    CHECK_FALSE(take(step, {.batch = 3}).empty());
    const auto half_inputs = perfspec::train("step", module, rows.to(at::kBFloat16), sum_of);
    CHECK_FALSE(take(half_inputs, {.dtype = "float32"}).empty());
}

TEST_CASE("a device that is missing is reported with LibTorch's reason, and nothing is moved", "[libtorch][unit]") {
    observed_run observed;
    const subject model =
        perfspec::eager("model", std::make_shared<observing_module>(observing_module{&observed}), rows);
    CHECK_THAT(take(model, {.device = "xpu:7", .threads = 1}),
               ContainsSubstring("this LibTorch is built without device xpu:7") ||
                   ContainsSubstring("there is no device xpu:7"));
    CHECK(perfspec::detail::torch_body_of(model)->inputs[0].device().is_cpu());
    CHECK_FALSE(perfspec::detail::torch_body_of(model)->settings.threads);
    CHECK(take(model, {.device = "cpu"}).empty());
    const subject elsewhere = configured(model, {.device = c10::Device{"xpu:7"}});
    CHECK_THAT(elsewhere.state().skip_reason, ContainsSubstring("device xpu:7"));
}

TEST_CASE("a device has the inputs, a copy of the parameters, and the subject's kernels", "[libtorch][unit]") {
    observed_run observed;
    const auto module = std::make_shared<observing_module>(observing_module{&observed});
    const subject model = perfspec::eager("model", module, rows);
    CHECK(take(model, {.device = "meta", .dtype = "bfloat16"})
              .empty());  // a device of every LibTorch, which holds no values
    const perfspec::detail::torch_body& body = *perfspec::detail::torch_body_of(model);
    CHECK(body.inputs[0].is_meta());
    CHECK(body.inputs_to_run[0].is_meta());
    CHECK(body.inputs_to_run[0].scalar_type() == at::kBFloat16);
    CHECK(body.device.is_meta());
    CHECK(model.state().device == "meta");
    CHECK(model_of(model).kernels == perfspec::detail::kernel_view::device);
    // LibTorch cannot copy a tensor of this device to the processor, as it can from a GPU, so the model is not
    // run here.
    CHECK(perfspec::detail::converted(body.model.state(), body.settings)[0].is_meta());
    CHECK(module->weight.device().is_cpu());
}

TEST_CASE("a frozen TorchScript model keeps its dtype, and one that is not frozen is converted", "[libtorch][unit]") {
    const subject frozen = perfspec::torchscript("script", script(), rows).frozen();
    CHECK_RECORDED(take(frozen, {.dtype = "float64"}));
    CHECK(take(frozen, {.batch = 4, .threads = 1}).empty());
    run(frozen);
    const subject plain = perfspec::torchscript("script", script(), rows);
    CHECK(take(plain, {.dtype = "float64", .batch = 3}).empty());
    const at::Tensor expected = at::arange(9, at::kDouble).reshape({3, 3}).remainder(6);
    const subject reference = perfspec::eager(
        "r", std::make_shared<fake::module>(fake::module{[](const at::Tensor& x) { return x * 1; }, {}}),
        expected.to(at::kFloat));
    CHECK(fake::verify(reference, plain).code == perfspec::verification_code::pass);
}

TEST_CASE("layers that are functions keep their dtype, because their parameters are unknown", "[libtorch][unit]") {
    const auto model = perfspec::layered("m", {{"double", [](const at::Tensor& x) { return x * 2; }}}, rows);
    CHECK_THAT(take(model, {.dtype = "bfloat16"}), StartsWith("perfspec cannot reach its parameters"));
    CHECK(take(model, {.batch = 4}).empty());
}

TEST_CASE("a package runs under what it was compiled for, and else says how to compile it", "[libtorch][unit]") {
    const at::Tensor input = at::ones({1, 8});
    const auto threads = static_cast<std::uint32_t>(at::get_num_threads());
    const subject compiled = perfspec::aot_inductor("inductor", package("libtorch_toy"), input);
    CHECK(take(compiled, {.batch = 1, .threads = threads}).empty());
    run(compiled);
    CHECK_THAT(take(compiled, {.threads = threads + 1}),
               ContainsSubstring("it was compiled for " + std::to_string(threads) + " threads") &&
                   ContainsSubstring(" --threads " + std::to_string(threads + 1) + " "));
    CHECK_THAT(
        take(compiled, {.batch = 8}),
        StartsWith("the package " + package("libtorch_toy") +
                   " was not run: it was compiled for inputs float32[1,8], but is given float32[8,8]. Compile another "
                   "package for that, and make a subject of it: /") &&
            ContainsSubstring(" --batch 8 ") &&
            EndsWith("/libtorch_toy_variant.pt2. If perfspec_export_model made this one, give it another TARGET and "
                     "OUTPUT"));
    CHECK_THAT(take(compiled, {.dtype = "bfloat16"}), ContainsSubstring("but is given bfloat16[1,8]") &&
                                                          ContainsSubstring(" --dtype bfloat16 ") &&
                                                          ContainsSubstring("/libtorch_toy_variant.pt2"));
    run(compiled);  // what was refused left it as it was
}

TEST_CASE("a package of sizes that vary takes another batch within them", "[libtorch][unit]") {
    const subject compiled =
        perfspec::aot_inductor("inductor", package("libtorch_tokens"), {at::ones({2, 5}, at::kLong), at::ones({2, 5})});
    CHECK(take(compiled, {.batch = 8}).empty());
    run(compiled);
    CHECK_THAT(take(compiled, {.batch = 9}),
               ContainsSubstring("but is given int64[9,5];float32[9,5]") &&
                   ContainsSubstring(" --dynamic 0=1..8 --dynamic 1=2..16 --dynamic 0=1..9 --batch 9 "));
}

TEST_CASE("a package for other threads than the process has runs where the run asks for its own", "[libtorch][unit]") {
    const subject compiled = perfspec::aot_inductor("inductor", package("forged_threads"), at::ones({1, 8}));
    CHECK_THAT(compiled.state().error_reason, ContainsSubstring("it was compiled for 64 threads"));
    CHECK(take(compiled, {.threads = 64}).empty());
    CHECK(compiled.state().error_reason.empty());
    compiled.state().run_load(compiled.state().load_step);  // outside of the settings, as load_time does
    const perfspec::body_functions& f = *compiled.state().functions;
    f.prepare(compiled.storage(), 1);
    f.discard(compiled.storage());
}

TEST_CASE("a package that is an error without settings stays an error with them", "[libtorch][unit]") {
    const auto name = GENERATE(values<const char*>({"forged_cpu_flags", "forged_schema", "missing", "truncated"}));
    const subject refused = perfspec::aot_inductor("inductor", package(name), at::ones({1, 8}));
    CHECK(take(refused, {.threads = 1}).empty());
    CHECK_FALSE(refused.state().error_reason.empty());
}

TEST_CASE("work that is declared after a batch was taken is that of the batch in the code", "[libtorch][unit]") {
    observed_run observed;
    subject model = perfspec::eager("model", std::make_shared<observing_module>(observing_module{&observed}), rows);
    CHECK(take(model, {.batch = 8}).empty());
    model = model.items(2);
    CHECK(model.state().items * model.state().work_factor == 8.0);
}

TEST_CASE("a model is converted if one of its parameters has another dtype than the requested one",
          "[libtorch][unit]") {
    const at::Tensor first = at::ones({1}), second = at::ones({3}, at::kBFloat16);
    at::ScalarType observed = at::kInt;
    const subject model = fake::model(rows,
                                      [&](const at::Tensor& x) {
                                          observed = second.scalar_type();
                                          return x * second;
                                      },
                                      {first, second});
    CHECK(take(model, {.dtype = "float32"}).empty());
    run(model);
    CHECK(observed == at::kFloat);
}

TEST_CASE("outputs are compared by the parameters that a model has then", "[libtorch][unit]") {
    const at::Tensor weight = at::ones({3}), other = at::ones({3});
    const auto times = [](const at::Tensor& w) {
        return fake::model(rows, [w](const at::Tensor& x) { return x * w; }, {w});
    };
    const subject a = times(weight), b = times(other);
    for (const subject& x : {a, b}) CHECK(take(x, {.dtype = "bfloat16"}).empty());
    CHECK(fake::verify(a, b).code == perfspec::verification_code::pass);
    other.mul_(2);
    CHECK(fake::verify(a, b).code == perfspec::verification_code::fail);
}

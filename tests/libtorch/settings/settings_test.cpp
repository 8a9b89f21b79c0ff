// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/settings/float32_precision-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <ATen/Context.h>
#include <ATen/Parallel.h>
#include <ATen/TensorOperators.h>
#include <ATen/autocast_mode.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/rand.h>

#include <support/test.hpp>

#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

namespace {

using namespace perfspec::testing;
using perfspec::configured;
using perfspec::torch_settings;

/// PyTorch's settings, as a body observes them.
struct seen_settings {
    int threads{};
    bool onednn{};
    bool deterministic{};
    bool autocast{};
    at::ScalarType dtype{};
    at::ScalarType weight{};
    bool channels_last{};

    friend bool operator==(const seen_settings&, const seen_settings&) = default;
};

seen_settings look(const at::Tensor& input, const at::Tensor& weight) {
    return {at::get_num_threads(),
            at::globalContext().userEnabledMkldnn(),
            at::globalContext().deterministicAlgorithms(),
            at::autocast::is_autocast_enabled(at::kCPU),
            input.scalar_type(),
            weight.scalar_type(),
            input.is_contiguous(at::MemoryFormat::ChannelsLast)};
}

struct observing_model {
    at::Tensor input = at::ones({2, 3, 4, 5});
    at::Tensor weight = at::ones({3, 3, 2, 2});
    seen_settings seen{};
    perfspec::subject model = fake::model(input,
                                          [this](const at::Tensor& x) {
                                              seen = look(x, weight);
                                              return x + 1;
                                          },
                                          {weight});

    /// Takes a sample as perfspec does.
    seen_settings run(const perfspec::subject& x) {
        const perfspec::body_functions& f = *x.state().functions;
        f.prepare(x.storage(), 1);
        f.run(x.storage(), 1);
        f.discard(x.storage());
        return seen;
    }
};

}  // namespace

TEST_CASE("configured applies settings to one subject's samples, and puts all back", "[libtorch][unit]") {
    observing_model m;
    const seen_settings before = look(m.input, m.weight);
    const void* const data = m.weight.data_ptr();
    const auto one = configured(m.model, {.threads = before.threads + 1,
                                          .dtype = at::kBFloat16,
                                          .autocast = at::kBFloat16,
                                          .channels_last = true,
                                          .onednn = !before.onednn,
                                          .deterministic = !before.deterministic});
    CHECK(m.run(one) == seen_settings{before.threads + 1, !before.onednn, !before.deterministic, true, at::kBFloat16,
                                      at::kBFloat16, true});
    CHECK(look(m.input, m.weight) == before);
    CHECK(m.weight.data_ptr() == data);
    CHECK(m.run(m.model) == before);  // another subject
}

TEST_CASE("settings for TF32 put a program's own precision back as it was", "[libtorch][unit]") {
    at::Context& context = at::globalContext();
    const auto initial = perfspec::detail::float32_precision_now();
    const auto [precision, convolutions] =
        GENERATE(table<const char*, bool>({{"highest", true}, {"high", false}, {"medium", true}}));
    CAPTURE(precision, convolutions);
    context.setFloat32MatmulPrecision(precision);
    context.setAllowTF32CuDNN(convolutions);
    const auto before = context.float32MatmulPrecision();
    {
        const bool wanted = !context.allowTF32CuBLAS();
        const perfspec::detail::applied_settings applied{{.tf32 = wanted}, at::kCUDA};
        CHECK(context.allowTF32CuBLAS() == wanted);
        CHECK(context.allowTF32CuDNN() == wanted);
    }
    CHECK(context.float32MatmulPrecision() == before);
    CHECK(context.allowTF32CuDNN() == convolutions);
    initial();
}

#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 13)
TEST_CASE("settings for TF32 put a precision by operator back as it was", "[libtorch][unit]") {
    using enum at::Float32Backend;
    using enum at::Float32Op;
    using enum at::Float32Precision;
    at::Context& context = at::globalContext();
    const auto initial = perfspec::detail::float32_precision_now();
    // A state that the old functions cannot express, so that their getters throw.
    context.setFloat32Precision(CUDA, ALL, TF32);
    context.setFloat32Precision(CUDA, MATMUL, NONE);
    context.setFloat32Precision(CUDA, RNN, IEEE);
    context.setFloat32Precision(CUDA, CONV, TF32);
    context.setFloat32Precision(MKLDNN, MATMUL, BF16);
    { const perfspec::detail::applied_settings applied{{.tf32 = false}, at::kCUDA}; }
    CHECK(context.float32Precision(CUDA, MATMUL) == TF32);
    CHECK(context.float32Precision(CUDA, RNN) == IEEE);
    CHECK(context.float32Precision(CUDA, CONV) == TF32);
    CHECK(context.float32Precision(MKLDNN, MATMUL) == BF16);
    context.setFloat32Precision(CUDA, ALL, IEEE);
    CHECK(context.float32Precision(CUDA, MATMUL) == IEEE);  // what inherited its precision still does
    context.setFloat32Precision(CUDA, ALL, NONE);
    initial();
}
#endif

TEST_CASE("configured puts all back where the body throws", "[libtorch][unit]") {
    const at::Tensor weight = at::ones({2});
    const auto broken =
        fake::model(at::ones({2}), [](const at::Tensor&) -> at::Tensor { throw std::runtime_error("no"); }, {weight});
    const auto one = configured(broken, {.threads = at::get_num_threads() + 1, .dtype = at::kDouble});
    const seen_settings before = look(weight, weight);
    CHECK_THROWS_AS(perfspec::run_untimed(one, 1), perfspec::measurement_failure);
    CHECK(look(weight, weight) == before);
}

TEST_CASE("configured gives an axis for each setting", "[libtorch][unit]") {
    observing_model m;
    const auto one =
        configured(configured(m.model.axis("batch", 2), {.threads = 1}), {.autocast = at::kBFloat16, .onednn = false});
    using axes = std::vector<std::pair<std::string, std::string>>;
    CHECK(one.state().axes == axes{{"batch", "2"}, {"threads", "1"}, {"autocast", "bfloat16"}, {"onednn", "off"}});
    CHECK(m.run(one).threads == 1);  // of the first
}

TEST_CASE("configured says what this machine lacks, so that the claim is skipped", "[libtorch][unit]") {
    const auto model = fake::model(at::ones({2}), [](const at::Tensor& x) { return x + 1; });
    CHECK_RECORDED(configured(model, {.tf32 = true}).state().skip_reason);
    CHECK_RECORDED(configured(model, {.cudnn_benchmark = true}).state().skip_reason);
    CHECK_RECORDED(configured(model, {.channels_last = true}).state().skip_reason);
    CHECK(configured(model, {.threads = 1}).state().skip_reason.empty());
}

TEST_CASE("configured refuses what is no setting", "[libtorch][unit]") {
    const auto model = fake::model(at::ones({2}), [](const at::Tensor& x) { return x + 1; });
    const auto message = [&](const perfspec::subject& x, const torch_settings& s) -> std::string {
        try {
            static_cast<void>(configured(x, s));
        } catch (const perfspec::input_error& error) { return error.what(); }
        return {};
    };
    CHECK(message(model, {}) == "configured(\"fake\"): no setting is given: give one, such as {.threads = 2}");
    CHECK_THAT(message(model, {.threads = 0}), ContainsSubstring("threads is 0: give 1 to 1024"));
    CHECK_THAT(message(model, {.dtype = at::kLong}), ContainsSubstring("dtype is int64: give a floating-point one"));
    CHECK_RECORDED(message(model, {.autocast = at::kDouble}));
    CHECK_RECORDED(message(perfspec::subject("plain", [] {}), {.threads = 1}));
}

TEST_CASE("random numbers are the same in every sample, and the program's continue as if none had been taken",
          "[libtorch][unit]") {
    std::vector<at::Tensor> drawn;
    const auto model = fake::model(at::ones({2}), [&](const at::Tensor& x) {
        drawn.push_back(at::rand({2}).clone());
        return x + 1;
    });
    at::Generator numbers = at::globalContext().defaultGenerator(at::kCPU);
    numbers.set_current_seed(7);
    const at::Tensor expected = at::rand({2});
    numbers.set_current_seed(7);
    perfspec::run_untimed(model, 1);
    perfspec::run_untimed(model, 1);
    CHECK(drawn.at(0).equal(drawn.at(1)));
    CHECK(at::rand({2}).equal(expected));
}

TEST_CASE("on_device waits for a device that is there, and is skipped where there is none", "[libtorch][unit]") {
    int runs = 0;
    const auto here = on_device(perfspec::subject("work", [&] { ++runs; }).items(3), at::kCPU);
    perfspec::run_untimed(here, 4);
    CHECK(runs == 4);
    CHECK(here.state().items == 3.0);
    CHECK(here.state().axes.front() == std::pair<std::string, std::string>("device", "cpu"));
    CHECK(here.state().skip_reason.empty());
    const auto nowhere = on_device(perfspec::subject("work", [] {}), at::Device(at::kXLA));
    CHECK(nowhere.state().skip_reason == "this LibTorch is built without device xla");
    CHECK_THROWS_RECORDED(perfspec::input_error,
                          on_device(fake::model(at::ones({2}), [](const at::Tensor& x) { return x; }), at::kCPU));
}

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Times of kernels of LibTorch subjects on a device, with traces as Kineto tells them.
#include "fake_device.hpp"
#include "fake_module.hpp"
#include "fake_random_numbers.hpp"

#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/counters/device_events.hpp>
#include <perfspec/perfspec.hpp>

#include <support/scripted_devices.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/ones.h>

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace {

using Catch::Matchers::ContainsSubstring;
using perfspec::device_event;
using perfspec::device_recorder;
using perfspec::evaluate;
using perfspec::subject;
using perfspec::traced_work;
using perfspec::verdict;
using namespace perfspec::language;

const char* const gelu_kernel =
    "void at::native::vectorized_elementwise_kernel<4, at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, "
    "at::native::GeluType)::{lambda()#1}::operator()() const::{lambda(float)#1}, std::array<char*, 2ul> >(int, "
    "at::native::GeluCUDAKernelImpl(at::TensorIteratorBase&, at::native::GeluType)::{lambda(float)#1}, std::array<char*, 2ul>)";

device_event ran(const char* name, std::int64_t ns) { return {name, traced_work::kernel, 1'000, 1'000 + ns, 0, 0}; }

/// A subject of LibTorch as if its tensors were on a device.
subject on_a_device(const char* name, std::function<void()> body) {
    perfspec::detail::torch_model model;
    model.run = [body = std::move(body)](const perfspec::tensor_list& x, std::uint64_t iterations) {
        for (; iterations != 0; --iterations) body();
        return x;
    };
    const auto made = perfspec::detail::torch_subject(name, std::move(model), at::ones({2}));
    made.state().device = fake::device::name().str();
    perfspec::detail::torch_body_of(made)->device = fake::device::name();
    fake::random_numbers::install();
    return made;
}

/// A device whose traces the test writes, in place of Kineto.
class traced_device {
public:
    traced_device() { perfspec::use_device_recorder(devices_); }
    traced_device(const traced_device&) = delete;
    traced_device& operator=(const traced_device&) = delete;
    ~traced_device() { perfspec::use_device_recorder(*before_); }

    subject runs(const char* name, const std::vector<device_event>& events) {
        return on_a_device(name, [this, events] { devices_.run(events); });
    }

private:
    device_recorder* before_{perfspec::known_device_recorder()};
    perfspec::testing::scripted_devices devices_{};
    fake::device device_{};
};

}  // namespace

TEST_CASE("kernel_time of a model on a device is that of the kernels that Kineto saw", "[libtorch][unit]") {
    traced_device traced;
    const auto gelu = traced.runs(
        "gelu", {ran(gelu_kernel, 20'000), ran("ampere_sgemm_128x64_tn", 70'000), ran(gelu_kernel, 20'000)});
    CHECK(evaluate(kernel_time(gelu, "vectorized_elementwise_kernel") < 41us).verdict == verdict::holds);
    CHECK(evaluate(kernel_time(gelu, "GeluCUDAKernelImpl") < 39us, perfspec::confirm(perfspec::off)).verdict ==
          verdict::violated);
    const auto fused = traced.runs("fused", {ran("triton_poi_fused_gelu_0", 15'000)});
    CHECK(evaluate(kernel_time(fused, "triton_*") < 0.5 * kernel_time(gelu, "*Gelu*"), perfspec::confirm(perfspec::off))
              .verdict == verdict::holds);
    const auto r = evaluate(kernel_time(gelu, "sgemn") < 1s);
    CHECK(r.verdict == verdict::invalid);
    CHECK_THAT(r.reason, ContainsSubstring("It runs: ") && ContainsSubstring("ampere_sgemm_128x64_tn"));
}

TEST_CASE("kernel_time of a model on a device of which Kineto sees no kernel is not judged, rather than 0",
          "[libtorch][unit]") {
    const fake::device device;
    const auto r = evaluate(kernel_time(on_a_device("unseen", [] {}), "gelu") < 1s);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason, ContainsSubstring("saw no kernel on the device"));
}

TEST_CASE("kernel_time of a model on the processor is not judged", "[libtorch][unit]") {
    const auto here = fake::named_model("here", at::ones({2}), [](const at::Tensor& x) { return x + x; });
    const auto r = evaluate(kernel_time(here, "gelu") < 1s);
    CHECK(r.verdict == verdict::not_judged);
    CHECK_THAT(r.reason, ContainsSubstring("the subject runs on the processor"));
}

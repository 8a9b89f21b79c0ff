// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "fake_module.hpp"

#include "fake_device.hpp"
#include "fake_random_numbers.hpp"

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/operator_events.hpp>
#include <perfspec/explain/operators.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/perfspec.hpp>

#include <ATen/TensorOperators.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <support/evaluate_record.hpp>
#include <support/scripted_devices.hpp>
#include <support/test.hpp>

#include <unistd.h>

namespace {

using namespace perfspec::testing;
using perfspec::aot_inductor;
using perfspec::evaluate;
using perfspec::operator_event;
using perfspec::verdict;

const at::Tensor input = at::arange(8, at::kFloat).reshape({1, 8}) / 8;

std::string package(const std::string& name) {
    if (const std::string unavailable = PERFSPEC_TOY_UNAVAILABLE; !unavailable.empty()) SKIP(unavailable);
    return PERFSPEC_TOY_FOLDER "/" + name + ".pt2";
}

/// The operators of one iteration, after one that may load.
std::vector<operator_event> events_of(const perfspec::subject& x) {
    auto* const recorder = perfspec::installed_recorder<perfspec::operator_recorder>();
    REQUIRE(recorder != nullptr);
    perfspec::run_untimed(x, 1);
    return record_operators(*recorder, x);
}

/// Operators that are not within another one, by their times. The recorder counts open calls instead.
std::vector<operator_event> outermost(const std::vector<operator_event>& all) {
    std::vector<operator_event> found;
    for (const operator_event& e : all) {
        const bool within = std::ranges::any_of(all, [&](const operator_event& other) {
            return &other != &e && other.thread == e.thread && other.start_ns <= e.start_ns && other.end_ns >= e.end_ns;
        });
        if (!within) found.push_back(e);
    }
    return found;
}

bool is_announced_by_package(const operator_event& e) {
    return e.name.starts_with("graph_") || e.name.starts_with("aoti_torch_");
}

perfspec::record judged(perfspec::record r) {
    if (r.verdict == verdict::skipped) SKIP(r.reason);
    return r;
}

/// Captures the standard error while it lives.
class captured_errors {
public:
    captured_errors() : before_(::dup(STDERR_FILENO)) { ::dup2(::fileno(file_), STDERR_FILENO); }
    captured_errors(const captured_errors&) = delete;
    captured_errors& operator=(const captured_errors&) = delete;
    ~captured_errors() {
        ::dup2(before_, STDERR_FILENO);
        ::close(before_);
        std::fclose(file_);
    }
    [[nodiscard]] std::string text() const {
        std::string all(100'000, '\0');
        std::rewind(file_);
        all.resize(std::fread(all.data(), 1, all.size(), file_));
        return all;
    }

private:
    std::FILE* file_{std::tmpfile()};
    int before_;
};

/// Why kernels are not recorded, in a build that can be judged.
std::string reason_of(const perfspec::record& r) {
    CHECK(r.verdict == verdict::skipped);
    if (r.reason.find("is compiled") < r.reason.find(':')) SKIP(r.reason);
    return r.reason;
}

}  // namespace

TEST_CASE("a package with kernel profiling announces each kernel", "[libtorch][unit]") {
    const auto stages = aot_inductor("stages", package("libtorch_stages"), input);
    CHECK(stages.state().error_reason.empty());
    CHECK(model_of(stages).hidden_operators.empty());
    const auto kernels = outermost(events_of(stages));
    for (const operator_event& e : kernels) UNSCOPED_INFO(e.name);
    CHECK(std::ranges::count_if(kernels,
                                [](const auto& e) { return e.name.find("_cpp_fused_") != std::string::npos; }) >= 2);
    CHECK(std::ranges::count_if(kernels, [](const auto& e) { return e.name.starts_with("aoti_torch_cpu_sort"); }) == 1);
    // An operator without an entry in AOTInductor's interface goes through LibTorch's dispatcher, under its own name.
    CHECK(std::ranges::count_if(kernels, [](const auto& e) { return e.name == "aten::_linalg_eigh"; }) == 1);
    CHECK(std::ranges::count_if(kernels, is_announced_by_package) + 1 == std::ssize(kernels));
}

TEST_CASE("kernels counts the kernels of a package, and not what they call", "[libtorch][unit]") {
    const auto stages = aot_inductor("stages", package("libtorch_stages"), input);
    const auto events = events_of(stages);
    const auto of_package = static_cast<double>(outermost(events).size());
    CHECK(of_package < static_cast<double>(events.size()));
    const auto counted = judged(evaluate_record(kernels(stages) == of_package));
    CHECK(counted.verdict == verdict::holds);
    CHECK(evaluate_record(kernels(stages) < of_package, perfspec::confirm::off).verdict == verdict::violated);
    CHECK(evaluate_record(operators(stages) == static_cast<double>(events.size())).verdict == verdict::holds);
    const auto table = evaluate_record(profile(stages));
    CHECK(table.verdict == verdict::measured);
    CHECK(std::ranges::any_of(table.parts,
                              [](const auto& p) { return p.part.find("_cpp_fused_") != std::string::npos; }));
}

TEST_CASE("a package without kernel profiling hides its kernels, and says how to export it", "[libtorch][unit]") {
    const auto toy = aot_inductor("toy", package("libtorch_toy"), input);
    for (const auto& r : {evaluate_record(kernels(toy) <= 100), evaluate_record(operators(toy) <= 100),
                          evaluate_record(profile(toy))}) {
        const std::string reason = reason_of(r);
        CHECK_THAT(reason, ContainsSubstring("runs its own kernels without reporting them") &&
                               ContainsSubstring("--model linear") &&
                               ContainsSubstring("--kernel-profiling --output") &&
                               ContainsSubstring("KERNEL_PROFILING ON"));
    }
}

TEST_CASE("Kineto sees the calls that the recorder of operators sees", "[libtorch][unit]") {
    auto* const devices = perfspec::installed_recorder<perfspec::device_recorder>();
    REQUIRE(devices != nullptr);
    const auto x = fake::named_model("x", input, [](const at::Tensor& t) { return at::matmul(t, t.t()) + 1; });
    const auto sorted_names = [](const std::vector<operator_event>& events) {
        std::vector<std::string> names;
        for (const operator_event& e : events) names.push_back(e.name);
        std::ranges::sort(names);
        return names;
    };
    perfspec::run_untimed(x, 1);
    const auto seen = record_operators(*devices, x);
    CHECK(sorted_names(seen) == sorted_names(events_of(x)));
    CHECK(std::ranges::all_of(seen, [](const auto& e) { return e.device_ns == 0.0; }));  // of the processor
    CHECK(std::ranges::any_of(tabulate(seen),
                              [](const auto& o) { return o.name == "aten::matmul" && o.total_ns > o.self_ns; }));
}

TEST_CASE("Kineto sees the shapes that the recorder of operators sees", "[libtorch][unit]") {
    auto* const devices = perfspec::installed_recorder<perfspec::device_recorder>();
    auto* const operators = perfspec::installed_recorder<perfspec::operator_recorder>();
    REQUIRE((devices != nullptr && operators != nullptr));
    const auto x = fake::named_model("x", input, [](const at::Tensor& t) { return at::matmul(t, t.t()) + 1; });
    const auto named_by_shapes = [](const std::vector<operator_event>& events) {
        std::vector<std::string> names;
        for (const operator_event& e : events) names.push_back(e.name + " " + e.shapes);
        std::ranges::sort(names);
        return names;
    };
    perfspec::run_untimed(x, 1);
    const auto seen = named_by_shapes(record_operators(*devices, x, perfspec::input_shapes::recorded));
    CHECK(seen == named_by_shapes(record_operators(*operators, x, perfspec::input_shapes::recorded)));
    CHECK(seen != named_by_shapes(record_operators(*devices, x)));
}

TEST_CASE("Kineto keeps the console quiet, and leaves the environment as it was", "[libtorch][unit]") {
    auto* const devices = perfspec::installed_recorder<perfspec::device_recorder>();
    REQUIRE(devices != nullptr);
    const bool was_set = std::getenv("KINETO_LOG_LEVEL") != nullptr;
    const captured_errors captured;
    static_cast<void>(
        record_operators(*devices, fake::named_model("x", input, [](const at::Tensor& t) { return t + t; })));
    CHECK_THAT(captured.text(), !ContainsSubstring("USDT"));
    CHECK((std::getenv("KINETO_LOG_LEVEL") != nullptr) == was_set);
}

TEST_CASE("Kineto reports why it cannot record", "[libtorch][unit]") {
    auto* const devices = perfspec::installed_recorder<perfspec::device_recorder>();
    REQUIRE(devices != nullptr);
    REQUIRE(devices->begin(perfspec::input_shapes::ignored).empty());
    CHECK_THAT(devices->begin(perfspec::input_shapes::ignored),
               ContainsSubstring("Kineto cannot record, because another profiler of LibTorch already records"));
    static_cast<void>(devices->end());
    CHECK(devices->end().empty());
}

TEST_CASE("kernels of a model on the processor is skipped, and points to operators", "[libtorch][unit]") {
    const auto eager = fake::named_model("eager", input, [](const at::Tensor& x) { return x + x; });
    const std::string reason = reason_of(evaluate_record(kernels(eager) == 1));
    CHECK_THAT(reason, ContainsSubstring("write operators(x)"));
}

namespace {

using perfspec::device_event;
using perfspec::device_recorder;
using perfspec::subject;
using perfspec::traced_work;
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

/// A device with scripted traces, in place of Kineto.
class traced_device {
public:
    traced_device() { perfspec::install_recorder<perfspec::device_recorder>(&devices_); }
    traced_device(const traced_device&) = delete;
    traced_device& operator=(const traced_device&) = delete;
    ~traced_device() { perfspec::install_recorder<perfspec::device_recorder>(before_); }

    subject runs(const char* name, const std::vector<device_event>& events) {
        return on_a_device(name, [this, events] { devices_.run(events); });
    }

private:
    device_recorder* before_{perfspec::installed_recorder<perfspec::device_recorder>()};
    perfspec::testing::scripted_devices devices_{};
    fake::device device_{};
};

}  // namespace

TEST_CASE("kernel_time of a model on a device is that of the kernels that Kineto saw", "[libtorch][unit]") {
    traced_device traced;
    const auto gelu = traced.runs(
        "gelu", {ran(gelu_kernel, 20'000), ran("ampere_sgemm_128x64_tn", 70'000), ran(gelu_kernel, 20'000)});
    CHECK(evaluate_record(kernel_time(gelu, "vectorized_elementwise_kernel") < 41us).verdict == verdict::holds);
    CHECK(evaluate_record(kernel_time(gelu, "*GeluCUDAKernelImpl*") < 39us, perfspec::confirm::off).verdict ==
          verdict::violated);
    const auto fused = traced.runs("fused", {ran("triton_poi_fused_gelu_0", 15'000)});
    CHECK(evaluate_record(kernel_time(fused, "triton_*") < 0.5 * kernel_time(gelu, "*Gelu*"), perfspec::confirm::off)
              .verdict == verdict::holds);
    const auto r = evaluate_record(kernel_time(gelu, "sgemn") < 1s);
    CHECK(r.verdict == verdict::error);
    CHECK_THAT(r.reason, ContainsSubstring("It runs: ") && ContainsSubstring("ampere_sgemm_128x64_tn"));
}

TEST_CASE("kernel_time of a model on a device of which Kineto sees no kernel is skipped, rather than 0",
          "[libtorch][unit]") {
    const fake::device device;
    const auto r = evaluate_record(kernel_time(on_a_device("unseen", [] {}), "gelu") < 1s);
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("saw no kernel on the device"));
}

TEST_CASE("kernel_time of a model on the processor is skipped", "[libtorch][unit]") {
    const auto here = fake::named_model("here", at::ones({2}), [](const at::Tensor& x) { return x + x; });
    const auto r = evaluate_record(kernel_time(here, "gelu") < 1s);
    CHECK(r.verdict == verdict::skipped);
    CHECK_THAT(r.reason, ContainsSubstring("the subject runs on the processor"));
}

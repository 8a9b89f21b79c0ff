// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/text.hpp>

#include <c10/core/impl/VirtualGuardImpl.h>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <utility>

namespace perfspec::inline v0_2 {
namespace detail {

/// Loads the subject, unless this process has done so.
inline void load_once(const subject& x) {
    subject_state& state = x.state();
    if (state.run_load == nullptr || std::exchange(state.loaded, true)) return;
    try {
        state.run_load(state.load_step);
    } catch (...) {
        state.loaded = false;
        throw;
    }
}

/// Lets a subject that runs another one load that one.
inline void load_like(subject& made, const subject& inner) {
    if (inner.state().run_load != nullptr) made.load([inner] { load_once(inner); });
}

/// A traced iteration with caches warmed by an earlier one.
template <void (*Run)(void*, std::uint64_t), void (*Wait)(void*)> traced_iteration warmed_before_trace(void* self) {
    return {.self = self, .settle = [](void* storage) {
                Run(storage, 1);
                Wait(storage);
            }};
}

/// A body that is not LibTorch's, and the device for which it waits.
struct waiting_body {
    subject inner;
    c10::Device device;
    stream_set streams{};  ///< of that device; empty: it runs on the current one
    device_clock clock{};

    [[nodiscard]] const body_functions& functions() const { return *inner.state().functions; }
    void run_once() const { functions().run(inner.storage(), 1); }
};

inline waiting_body& waiting_at(void* self) { return *static_cast<waiting_body*>(self); }

inline void run_inner(void* self, std::uint64_t iterations) {
    const waiting_body& body = waiting_at(self);
    if (body.streams.count == 0) return body.functions().run(body.inner.storage(), iterations);
    run_on_each(body.streams, iterations, [&] { body.run_once(); });
}

inline void prepare_inner(void* self, std::uint64_t iterations) {
    waiting_body& body = waiting_at(self);
    const auto runs = iterations * static_cast<std::uint64_t>(std::max(body.streams.count, 1));
    if (body.functions().prepare != nullptr) body.functions().prepare(body.inner.storage(), runs);
    if (body.streams.count != 0) make_ready(body.streams);
}

inline void discard_inner(void* self) noexcept {
    const waiting_body& body = waiting_at(self);
    if (body.functions().discard != nullptr) body.functions().discard(body.inner.storage());
}

inline void wait_for_inner(void* self) {
    const waiting_body& body = waiting_at(self);
    if (body.functions().wait != nullptr) body.functions().wait(body.inner.storage());
    wait_for(body.device);
}

inline double time_inner_on_device(void* self) {
    waiting_body& body = waiting_at(self);
    const auto run_once = [&] { body.run_once(); };
    if (body.streams.count != 0) return device_time_of(body.clock, body.inner.name(), body.streams, run_once);
    return device_time_of(body.clock, body.inner.name(), body.device, run_once);
}

inline constexpr body_functions waiting_functions{.run = run_inner,
                                                  .destroy = destroy_body<waiting_body>,
                                                  .prepare = prepare_inner,
                                                  .discard = discard_inner,
                                                  .wait = wait_for_inner};

/// The body of `on_device` and of subjects made from it; null for another subject.
inline const waiting_body* waiting_body_of(const subject& x) {
    return x.state().functions == &waiting_functions ? &waiting_at(x.storage()) : nullptr;
}

/// Why the device does not exist; empty if it does.
inline std::string why_no_device(c10::Device device) {
    if (device.is_cpu()) return {};
    const std::string text = device.str();
    if (!c10::impl::hasDeviceGuardImpl(device.type())) return "this LibTorch is built without device " + text;
    try {
        const int count = c10::impl::VirtualGuardImpl{device.type()}.deviceCount();
        if (count > std::max<int>(device.index(), 0)) return {};
        return "there is no device " + text + ": this process sees " + std::to_string(count) + " of this kind";
    } catch (const std::exception& error) { return "there is no device " + text + ": " + error.what(); }
}

/// A subject with the declarations of x.
///
/// streams  their number; 0: it runs on the current one
inline subject waiting_subject(const subject& x, const subject& inner, c10::Device device, int streams,
                               bool is_host_synchronized) {
    subject made{x.name(), waiting_functions, sizeof(waiting_body)};
    auto& body = made.construct<waiting_body>(inner, device, stream_set{device, streams});
    declare_like(made, x);
    load_like(made, x);
    const bool makes_inputs = body.functions().prepare != nullptr;
    body.clock.is_host_synchronized = is_host_synchronized;
    body.clock.select_timers(made, device, makes_inputs);
    made.state().caveat = [](void* self) { return waiting_at(self).clock.caveat(); };
    made.state().report_slow_samples = [](void* self) { return waiting_at(self).clock.report_slow_samples(); };
    readings_of(made).device_ns = time_inner_on_device;
    if (!makes_inputs && streams == 0)
        readings_of(made).traced = warmed_before_trace<run_inner, wait_for_inner>(made.storage());
    return made;
}

}  // namespace detail

inline namespace language {

subject on_device(const subject& x, c10::Device device) {
    if (detail::torch_body_of(x) != nullptr)
        throw input_error("on_device(\"" + std::string(x.name()) +
                          "\"): a LibTorch subject already waits for the device of its inputs");
    const std::string missing = detail::why_no_device(device);
    // "cuda" means the current device; waiting needs its number.
    const c10::Device numbered = missing.empty() && !device.is_cpu() && !device.has_index()
                                     ? c10::impl::VirtualGuardImpl{device.type()}.getDevice()
                                     : device;
    subject made = detail::waiting_subject(x, x, numbered, /*streams=*/0, /*is_host_synchronized=*/false);
    made.axis("device", device.str());
    if (!device.is_cpu()) {
        model_of(made).kernels = detail::kernel_view::device;
        made.state().device = numbered.str();
    }
    detail::note_missing_device(made, missing);
    return made;
}

}  // namespace language
namespace detail {

constexpr const char* processor_has_no_streams =
    "it runs on the processor, which has no streams: give a LibTorch subject whose inputs are on a device, or write "
    "on_device(x, at::kCUDA)";

inline subject work_on_streams(const subject& x, int n) {
    const waiting_body* const waiting = waiting_body_of(x);
    subject made = waiting == nullptr
                       ? waiting_subject(x, x, c10::kCPU, n, false)
                       : waiting_subject(x, waiting->inner, waiting->device, n, waiting->clock.is_host_synchronized);
    if (waiting_at(made.storage()).device.is_cpu() && made.state().skip_reason.empty())
        made.lacks(processor_has_no_streams);
    return made;
}

/// A LibTorch subject, so that its outputs are compared.
inline subject model_on_streams(const subject& x, int n) {
    subject made = same_model(x);
    torch_body& body = *torch_body_of(made);
    body.streams = {body.device, n};
    if (body.device.is_cpu() && made.state().skip_reason.empty()) made.lacks(processor_has_no_streams);
    return made;
}

inline void check_streams(const subject& x, int n) {
    const std::string call = "streams(\"" + std::string(x.name()) + "\", " + std::to_string(n) + ")";
    if (n < 1 || n > 10) throw input_error(call + ": give 1 to 10 streams, such as streams(x, 4)");
    const torch_body* const body = torch_body_of(x);
    const waiting_body* const waiting = waiting_body_of(x);
    if ((waiting != nullptr && waiting->streams.count != 0) || (body != nullptr && body->streams.count != 0))
        throw input_error(call +
                          ": the subject runs on several streams already: give the subject that it was made from");
    if (body != nullptr && body->graph)
        throw input_error(call +
                          ": replays of a graph run one after the other: give the subject that it was made from");
}

}  // namespace detail

inline namespace language {

subject streams(const subject& x, int n) {
    detail::check_streams(x, n);
    subject made = detail::torch_body_of(x) == nullptr ? detail::work_on_streams(x, n) : detail::model_on_streams(x, n);
    for (double* work : {&made.state().items, &made.state().bytes, &made.state().flops}) *work *= n;
    made.axis("streams", n);
    return made;
}

subject host_synchronized(const subject& x) {
    const std::string call = "host_synchronized(\"" + std::string(x.name()) + "\"): ";
    if (const detail::waiting_body* const waiting = detail::waiting_body_of(x); waiting && waiting->streams.count == 0)
        return detail::waiting_subject(x, waiting->inner, waiting->device, /*streams=*/0,
                                       /*is_host_synchronized=*/true);
    const detail::torch_body* const original = detail::torch_body_of(x);
    if (original == nullptr)
        throw input_error(
            call +
            "its samples do not wait for a device, or it runs on streams: give a LibTorch subject, such as "
            "perfspec::eager(…), or on_device(f, at::kCUDA). On streams, write streams(host_synchronized(x), 2). For a "
            "cuda_kernel, write .host_synchronized()");
    if (original->graph)
        throw input_error(call + "the subject is a graph already: write as_graph(host_synchronized(x)), where x is the "
                                 "subject that it was made from");
    subject made = detail::same_model(x);
    detail::torch_body& body = *detail::torch_body_of(made);
    body.clock.is_host_synchronized = true;
    settle_clock(made, body);
    return made;
}

}  // namespace language
}  // namespace perfspec::inline v0_2

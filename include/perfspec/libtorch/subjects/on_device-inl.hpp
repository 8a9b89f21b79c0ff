// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/required_gpu.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/libtorch/subjects/torch_body.hpp>
#include <perfspec/quantity/error.hpp>

#include <c10/core/impl/VirtualGuardImpl.h>

#include <exception>
#include <new>
#include <string>
#include <type_traits>
#include <utility>

namespace perfspec {
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

template <class Body> std::string inspect_inner(void* self) {
    const subject& inner = static_cast<const Body*>(self)->inner;
    subject_state& state = inner.state();
    const auto inspect = std::exchange(state.inspect, nullptr);
    if (state.invalid_reason.empty() && inspect != nullptr) state.invalid_reason = inspect(inner.storage());
    return state.invalid_reason;
}

/// Makes a subject that runs another one load what that one loads. Body: the type that it stores, or void where it
/// inspects on its own.
template <class Body> void load_like(subject& made, const subject& inner) {
    if (inner.state().run_load != nullptr) made.load([inner] { load_once(inner); });
    if constexpr (!std::is_void_v<Body>) {
        if (inner.state().inspect != nullptr) made.state().inspect = inspect_inner<Body>;
    }
}

/// A traced iteration finds in the cache what another one left there.
template <void (*Run)(void*, std::uint64_t), void (*Wait)(void*)> traced_iteration warmed_before_trace(void* self) {
    return {.self = self, .settle = [](void* storage) {
                Run(storage, 1);
                Wait(storage);
            }};
}

struct waiting_body {
    subject inner;
    c10::Device device;
    device_clock clock{};

    [[nodiscard]] const body_functions& functions() const { return *inner.state().functions; }
};

inline waiting_body& waiting_at(void* self) { return *static_cast<waiting_body*>(self); }

inline void run_inner(void* self, std::uint64_t iterations) {
    const waiting_body& body = waiting_at(self);
    body.functions().run(body.inner.storage(), iterations);
}

inline void prepare_inner(void* self, std::uint64_t iterations) {
    const waiting_body& body = waiting_at(self);
    if (body.functions().prepare != nullptr) body.functions().prepare(body.inner.storage(), iterations);
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
    return device_time_of(body.clock, body.inner.name(), body.device,
                          [&] { body.functions().run(body.inner.storage(), 1); });
}

inline constexpr body_functions waiting_functions{.run = run_inner,
                                                  .destroy = destroy_body<waiting_body>,
                                                  .prepare = prepare_inner,
                                                  .discard = discard_inner,
                                                  .wait = wait_for_inner,
                                                  .device_ns = time_inner_on_device};

/// Why the device does not exist; empty where it does.
inline std::string why_no_device(c10::Device device) {
    if (device.is_cpu()) return {};
    const std::string text = device.str();
    if (!c10::impl::hasDeviceGuardImpl(device.type())) return "this LibTorch is built without device " + text;
    try {
        const int count = c10::impl::VirtualGuardImpl{device.type()}.deviceCount();
        if (count > std::max<int>(device.index(), 0)) return {};
        return "there is no device " + text + ": this process sees " + std::to_string(count) + " of the kind";
    } catch (const std::exception& error) { return "there is no device " + text + ": " + error.what(); }
}

/// Gives the subject whose storage holds a Body a clock.
///
/// of  what it runs on the device
template <class Body>
void set_clock(subject& made, Body& body, const subject& of, c10::Device device, bool is_host_synchronised) {
    body.clock.is_host_synchronised = is_host_synchronised;
    body.clock.settle(made.state(), device, /*makes_inputs=*/of.state().functions->prepare != nullptr);
    made.state().caveat = [](void* self) { return static_cast<Body*>(self)->clock.tell(); };
    made.state().tell_slow_samples = [](void* self) { return static_cast<Body*>(self)->clock.tell_slow_samples(); };
}

inline subject waiting_subject(const subject& x, c10::Device one, bool is_host_synchronised) {
    subject made{x.name(), waiting_functions, sizeof(waiting_body)};
    auto& body = made.construct<waiting_body>(x, one);
    declare_like(made, x);
    load_like<waiting_body>(made, x);
    set_clock(made, body, x, one, is_host_synchronised);
    if (x.state().functions->prepare == nullptr)
        made.state().traced = warmed_before_trace<run_inner, wait_for_inner>(&body);
    return made;
}

}  // namespace detail

inline namespace language {

subject on_device(const subject& x, c10::Device device) {
    if (detail::torch_body_of(x) != nullptr)
        throw input_error("on_device(\"" + std::string(x.name()) +
                          "\"): a LibTorch subject already waits for the device of its inputs");
    const std::string missing = detail::why_no_device(device);
    // "cuda" means the current device, which is waited for by its number.
    const c10::Device one = missing.empty() && !device.is_cpu() && !device.has_index()
                                ? c10::impl::VirtualGuardImpl{device.type()}.getDevice()
                                : device;
    subject made = detail::waiting_subject(x, one, /*is_host_synchronised=*/false);
    made.axis("device", device.str());
    if (!device.is_cpu()) {
        made.state().kernels = detail::kernel_view::device;
        made.state().device = one.str();
    }
    detail::note_missing_device(made, missing);
    return made;
}

}  // namespace language
}  // namespace perfspec

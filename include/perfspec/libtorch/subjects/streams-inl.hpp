// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/subjects/device_time-inl.hpp>
#include <perfspec/libtorch/subjects/on_device-inl.hpp>
#include <perfspec/libtorch/subjects/stream_set-inl.hpp>
#include <perfspec/libtorch/subjects/streams.hpp>

#include <cstdint>
#include <string>

namespace perfspec {
namespace detail {

constexpr const char* processor_has_no_streams =
    "it runs on the processor, which has no streams: give a LibTorch subject whose inputs are on a device, or on_device(x, at::kCUDA)";

/// A subject that is not LibTorch's, on streams.
struct streaming_body {
    subject inner;
    stream_set streams;
    device_clock clock{};

    [[nodiscard]] const body_functions& functions() const { return *inner.state().functions; }
};

inline streaming_body& streaming_at(void* self) { return *static_cast<streaming_body*>(self); }

inline void run_on_streams(void* self, std::uint64_t iterations) {
    const streaming_body& body = streaming_at(self);
    run_on_each(body.streams, iterations, [&] { body.functions().run(body.inner.storage(), 1); });
}

inline void prepare_streams(void* self, std::uint64_t iterations) {
    streaming_body& body = streaming_at(self);
    const auto runs = iterations * static_cast<std::uint64_t>(body.streams.count);
    if (body.functions().prepare != nullptr) body.functions().prepare(body.inner.storage(), runs);
    make_ready(body.streams);
}

inline void discard_streamed(void* self) noexcept {
    const streaming_body& body = streaming_at(self);
    if (body.functions().discard != nullptr) body.functions().discard(body.inner.storage());
}

inline void wait_for_streams(void* self) {
    const streaming_body& body = streaming_at(self);
    if (body.functions().wait != nullptr) body.functions().wait(body.inner.storage());
    wait_for(body.streams.device);
}

inline double time_streams_on_device(void* self) {
    streaming_body& body = streaming_at(self);
    return device_time_of(body.clock, body.inner.name(), body.streams,
                          [&] { body.functions().run(body.inner.storage(), 1); });
}

inline constexpr body_functions streaming_functions{.run = run_on_streams,
                                                    .destroy = destroy_body<streaming_body>,
                                                    .prepare = prepare_streams,
                                                    .discard = discard_streamed,
                                                    .wait = wait_for_streams,
                                                    .device_ns = time_streams_on_device};

inline subject another_on_streams(const subject& x, int n) {
    const waiting_body* const waiting = x.state().functions == &waiting_functions ? &waiting_at(x.storage()) : nullptr;
    const c10::Device device = waiting == nullptr ? c10::Device{c10::kCPU} : waiting->device;
    subject made{x.name(), streaming_functions, sizeof(streaming_body)};
    auto& body = made.construct<streaming_body>(x, stream_set{device, n});
    declare_like(made, x);
    load_like<streaming_body>(made, x);
    set_clock(made, body, waiting == nullptr ? x : waiting->inner, device,
              waiting != nullptr && waiting->clock.is_host_synchronised);
    if (device.is_cpu() && made.state().not_judged_reason.empty()) made.lacks(processor_has_no_streams);
    return made;
}

/// A LibTorch subject on streams is made as a LibTorch subject, so its outputs are compared like those of others.
inline subject model_on_streams(const subject& x, int n) {
    subject made = same_model(x);
    torch_body& body = *torch_body_of(made);
    body.streams = {body.device, n};
    if (body.device.is_cpu() && made.state().not_judged_reason.empty()) made.lacks(processor_has_no_streams);
    return made;
}

inline void check_streams(const subject& x, int n) {
    const std::string call = "streams(\"" + std::string(x.name()) + "\", " + std::to_string(n) + ")";
    if (n < 1 || n > 10)
        throw input_error(call + ": found " + std::to_string(n) + " streams, needs 1 to 10: streams(x, 4)");
    const torch_body* const body = torch_body_of(x);
    if (x.state().functions == &streaming_functions || (body != nullptr && body->streams.count != 0))
        throw input_error(call +
                          ": the subject runs on several streams already: give the subject that it was made from");
    if (body != nullptr && body->graph)
        throw input_error(call + ": a graph replays one after the other: give the subject that it was made from");
}

}  // namespace detail

inline namespace language {

subject streams(const subject& x, int n) {
    detail::check_streams(x, n);
    subject made =
        detail::torch_body_of(x) == nullptr ? detail::another_on_streams(x, n) : detail::model_on_streams(x, n);
    for (double* work : {&made.state().items, &made.state().bytes, &made.state().flops}) *work *= n;
    made.axis("streams", n);
    return made;
}

}  // namespace language
}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/libtorch/on_device.ipp>
#include <perfspec/libtorch/streams.hpp>

#include <c10/core/Stream.h>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec {
namespace detail {

struct streaming_body {
    subject inner;
    c10::Device device;
    int count;
    std::vector<c10::Stream> streams{};  ///< made when it first runs

    [[nodiscard]] const body_functions& functions() const { return *inner.state().functions; }
};

inline streaming_body& streaming_at(void* self) { return *static_cast<streaming_body*>(self); }

/// While it lives, this thread puts its work on that stream.
class on_stream {
public:
    explicit on_stream(const c10::Stream& stream) : guard_{stream.device_type()}, before_{guard_.getStream(stream.device())} {
        guard_.exchangeStream(stream);
    }
    on_stream(const on_stream&) = delete;
    on_stream& operator=(const on_stream&) = delete;
    ~on_stream() { guard_.exchangeStream(before_); }

private:
    c10::impl::VirtualGuardImpl guard_;
    c10::Stream before_;
};

inline void run_on_streams(void* self, std::uint64_t iterations) {
    const streaming_body& body = streaming_at(self);
    for (; iterations != 0; --iterations) {
        for (const c10::Stream& stream : body.streams) {
            const on_stream current{stream};
            body.functions().run(body.inner.storage(), 1);
        }
    }
}

inline void prepare_streams(void* self, std::uint64_t iterations) {
    streaming_body& body = streaming_at(self);
    const c10::impl::VirtualGuardImpl guard{body.device.type()};
    while (std::ssize(body.streams) < body.count) body.streams.push_back(guard.getStreamFromGlobalPool(body.device));
    const auto runs = iterations * static_cast<std::uint64_t>(body.count);
    if (body.functions().prepare != nullptr) body.functions().prepare(body.inner.storage(), runs);
    wait_for(body.device);  // streams do not wait for what another one prepares
}

inline void discard_streamed(void* self) noexcept {
    const streaming_body& body = streaming_at(self);
    if (body.functions().discard != nullptr) body.functions().discard(body.inner.storage());
}

inline void wait_for_streams(void* self) {
    const streaming_body& body = streaming_at(self);
    if (body.functions().wait != nullptr) body.functions().wait(body.inner.storage());
    wait_for(body.device);
}

inline constexpr body_functions streaming_functions{.run = run_on_streams,
                                                    .destroy = destroy_body<streaming_body>,
                                                    .prepare = prepare_streams,
                                                    .discard = discard_streamed,
                                                    .wait = wait_for_streams};

inline c10::Device device_of(const subject& x) {
    if (const torch_body* body = torch_body_of(x)) return body->device;
    if (x.state().functions == &waiting_functions) return waiting_at(x.storage()).device;
    return c10::Device{c10::kCPU};
}

inline void check_streams(const subject& x, int n) {
    const std::string call = "streams(\"" + std::string(x.name()) + "\", " + std::to_string(n) + ")";
    if (n < 1 || n > 10) throw input_error(call + ": found " + std::to_string(n) + " streams, needs 1 to 10: streams(x, 4)");
    if (x.state().functions == &streaming_functions)
        throw input_error(call + ": the subject runs on several streams already: give the one that it was made of");
}

}  // namespace detail

inline namespace language {

subject streams(const subject& x, int n) {
    detail::check_streams(x, n);
    const c10::Device device = detail::device_of(x);
    subject made{x.name(), detail::streaming_functions, sizeof(detail::streaming_body)};
    ::new (made.storage()) detail::streaming_body{x, device, n};
    made.constructed();
    detail::declare_like(made, x);
    for (double* work : {&made.state().items, &made.state().bytes, &made.state().flops}) *work *= n;
    made.axis("streams", n);
    if (device.is_cpu() && made.state().lack.empty())
        made.lacks(
            "it runs on the processor, which has no streams: give a LibTorch subject whose inputs are on a device, or on_device(x, at::kCUDA)");
    return made;
}

}  // namespace language
}  // namespace perfspec

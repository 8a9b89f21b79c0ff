// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/on_stream.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>

#include <cstddef>
#include <cstdint>
#include <new>
#include <string>

namespace perfspec {
namespace detail {

/// A subject on a stream of its user's.
struct body_on_stream : work_on_stream {
    body_on_stream(const cuda_runtime& runtime, cudaStream_t given, const subject& x)
        : work_on_stream(runtime, given), inner(x) {}

    subject inner;

    [[nodiscard]] const body_functions& functions() const { return *inner.state().functions; }
};

inline body_on_stream& on_stream_at(void* self) { return *static_cast<body_on_stream*>(self); }

inline void launch_on_stream(void* self) {
    const body_on_stream& body = on_stream_at(self);
    body.functions().run(body.inner.storage(), 1);
}

inline void run_on_stream(void* self, std::uint64_t iterations) {
    body_on_stream& body = on_stream_at(self);
    for (; iterations != 0; --iterations) {
        launch_on_stream(self);
        body.stream.wait();
    }
    body.stream.check_launches();
}

inline void prepare_on_stream(void* self, std::uint64_t iterations) {
    body_on_stream& body = on_stream_at(self);
    if (body.functions().prepare != nullptr) body.functions().prepare(body.inner.storage(), iterations);
    body.stream.prepare();
}

inline void discard_on_stream(void* self) noexcept {
    body_on_stream& body = on_stream_at(self);
    if (body.functions().discard != nullptr) body.functions().discard(body.inner.storage());
}

inline double time_on_stream(void* self) {
    body_on_stream& body = on_stream_at(self);
    if (body.functions().prepare != nullptr)
        throw measurement_failure(
            failure_kind::refused,
            "\"" + std::string(body.inner.name()) +
                "\" has a setup(make), and device_time needs several iterations in a row without one: make "
                "the inputs before, or bound latency(x)");
    return body.time_on_device();
}

inline constexpr body_functions functions_on_stream{.run = run_on_stream,
                                                    .destroy = destroy_body<body_on_stream>,
                                                    .prepare = prepare_on_stream,
                                                    .discard = discard_on_stream,
                                                    .device_ns = time_on_stream};

cuda_work work_on(const subject& x, cudaStream_t stream, const cuda_runtime& runtime) {
    if (!x.state().device.empty() || !x.state().remote.empty())
        throw input_error(
            "\"" + std::string(x.name()) + "\".on(stream): it runs " +
            (x.state().remote.empty() ? "on " + x.state().device : "in " + x.state().remote) +
            " already: give a subject of a plain body, perfspec::subject(\"pipeline\", [&] { … }).on(stream)");
    if (x.state().run_load != nullptr)
        throw input_error("\"" + std::string(x.name()) + "\".on(stream): declare .load(step) behind .on(stream)");
    subject made{x.name(), functions_on_stream, sizeof(body_on_stream)};
    auto& body = made.construct<body_on_stream>(runtime, stream, x);
    body.has_inputs = x.state().functions->prepare != nullptr;
    declare_like(made, x);
    made.state().caveat = [](void* self) { return on_stream_at(self).caveat(); };
    made.state().tell_slow_samples = [](void* self) { return on_stream_at(self).timer.clock.tell_slow_samples(); };
    return finished_work(made, body, launch_on_stream).hot();
}

}  // namespace detail

inline namespace language {

cuda_work on_stream(const subject& x, cudaStream_t stream) {
    return detail::work_on(x, stream, detail::real_cuda_runtime());
}

}  // namespace language
}  // namespace perfspec

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/timing/given_streams.hpp>
#include <perfspec/measure/failure.hpp>

#include <memory>

namespace perfspec::detail {

inline constexpr timing_advice advice_on_models{
    .waits =
        "Models wait in .item(), nonzero, an index that is a mask, a copy to the processor, and in the launches beyond some 1000. Take that out "
        "of the model, or let gaps between launches count: host_synchronised(x), of both subjects where two are compared",
    .leaves_empty =
        "Put the body's work on the stream that is current, as LibTorch's operators do: at::cuda::getCurrentCUDAStream()",
    .leaves_work =
        "Join the other stream to the current one by an event: at::cuda::CUDAEvent event; event.record(other); event.block(current);",
    .repeats_late =
        "Such as a package of AOTInductor, whose one runner waits for its last run. Give it a larger batch, or let gaps between "
        "launches count: host_synchronised(x), of both subjects where two are compared"};

given_stream_timer::timed_stream::timed_stream(const cuda_runtime& runtime, cudaStream_t given, stream_use use)
    : stream(runtime, given) {
    timer.timing = timing(use);
    timer.clock.other_limit = {};  // a model cannot set one
}

device_timing given_stream_timer::timing(stream_use use) {
    return {.cache = cache_mode::hot, .is_host_synchronised = use == stream_use::unheld};
}

given_stream_timer::timed_stream& given_stream_timer::at(cudaStream_t stream) {
    if (!last_ || last_->stream.handle() != stream) last_.emplace(runtime_, stream, use_);
    return *last_;
}

double given_stream_timer::time_iteration(void* stream, const streamed_body& body) {
    timed_stream& on = at(static_cast<cudaStream_t>(stream));
    if (const std::string& reason = on.stream.invalid_reason(); !reason.empty()) {
        const std::string text = "\"" + std::string(body.name) + "\": " + reason;
        last_.reset();  // the device may be another one next time
        throw measurement_failure(failure_kind::refused, text);
    }
    on.stream.prepare();
    return on.timer.time_iteration({.name = body.name,
                                    .self = body.self,
                                    .launch = body.launch,
                                    .repeats_while_held = !body.waits_for_last,
                                    .advice = &advice_on_models});
}

std::string given_stream_timer::caveat() { return last_ ? last_->timer.caveat() : std::string{}; }

std::string given_stream_timer::tell_slow_samples() {
    return last_ ? last_->timer.clock.tell_slow_samples() : std::string{};
}

inline constexpr stream_timers cuda_stream_timers{
    .devices = "cuda",
    .make = [](stream_use use) -> std::unique_ptr<stream_timer> {
        return std::make_unique<given_stream_timer>(real_cuda_runtime(), use);
    },
    .timing = [](stream_use use) { return given_stream_timer::timing(use).text(); }};

/// Runs before main.
[[maybe_unused]] inline const bool streams_of_others_are_timed = use_stream_timers(cuda_stream_timers);

}  // namespace perfspec::detail

bool perfspec_cuda_times_given_streams() noexcept { return perfspec::detail::streams_of_others_are_timed; }

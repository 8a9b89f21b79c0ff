// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/device_timer.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/measure/failure.hpp>

#include <memory>
#include <optional>
#include <string>

namespace perfspec::inline v0_2::detail {

inline constexpr timing_advice advice_on_models{
    .waits =
        "A model waits in .item(), in nonzero, at an index that is a mask, in a copy to the processor, and after about "
        "1000 launches. Remove the wait from the model, or include the gaps between launches: host_synchronized(x), "
        "for both subjects if two are compared",
    .leaves_empty =
        "Put the body's work on the current stream, as LibTorch's operators do: at::cuda::getCurrentCUDAStream()",
    .leaves_work = "Let the current stream wait for the other one: at::cuda::CUDAEvent event; event.record(other); "
                   "event.block(current);",
    .repeats_late =
        "An AOTInductor package does so, because its single runner waits for its last run. Give it a larger batch, or "
        "include the gaps between launches: host_synchronized(x), for both subjects if two are compared"};

/// Times bodies of other adapters, such as LibTorch's models, on streams of these. The L2 cache is hot: a whole model
/// finds its activations there, and mostly has more weights than fit.
class stream_timer_of_models final : public stream_timer {
public:
    stream_timer_of_models(const cuda_runtime& runtime, stream_use use) : runtime_(runtime), use_(use) {}

    [[nodiscard]] double time_iteration(void* stream, const streamed_body& body) override {
        timed_stream& on = at(static_cast<cudaStream_t>(stream));
        if (const std::string& reason = on.stream.error_reason(); !reason.empty()) {
            const std::string text = "\"" + std::string(body.name) + "\": " + reason;
            last_.reset();  // the next device may be another one
            throw measurement_failure(failure_kind::refused, text);
        }
        on.stream.prepare();
        return on.timer.time_iteration(body);
    }

    [[nodiscard]] std::string caveat() override { return last_ ? last_->timer.caveat() : std::string{}; }
    [[nodiscard]] std::string report_slow_samples() override {
        return last_ ? last_->timer.clock.report_slow_samples() : std::string{};
    }

    /// The timing, for records and keys.
    [[nodiscard]] static device_timing timing(stream_use use) {
        return {.cache = cache_mode::hot, .is_host_synchronized = use == stream_use::unheld};
    }

private:
    struct timed_stream {
        timed_stream(const cuda_runtime& runtime, cudaStream_t handle, stream_use use) : stream(runtime, handle) {
            timer.timing = stream_timer_of_models::timing(use);
            timer.advice = &advice_on_models;
            timer.clock.other_limit = {};  // a model cannot set one
        }

        cuda_stream stream;
        device_timer timer{stream};
    };

    /// That of the last sample, or a new one for another stream.
    [[nodiscard]] timed_stream& at(cudaStream_t stream) {
        if (!last_ || last_->stream.handle() != stream) last_.emplace(runtime_, stream, use_);
        return *last_;
    }

    const cuda_runtime& runtime_;
    stream_use use_;
    std::optional<timed_stream> last_{};
};

}  // namespace perfspec::inline v0_2::detail

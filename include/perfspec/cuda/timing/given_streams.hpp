// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/stream_timer.hpp>
#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/device_timer.hpp>

#include <optional>
#include <string>

namespace perfspec::detail {

/// Times the bodies of other adapters, such as LibTorch's models, on the streams that these name. The L2 cache holds
/// what the iteration before left there: a whole model finds its activations in it, and mostly has more weights than it
/// has room for.
class given_stream_timer final : public stream_timer {
public:
    given_stream_timer(const cuda_runtime& runtime, stream_use use) : runtime_(runtime), use_(use) {}

    [[nodiscard]] double time_iteration(void* stream, const streamed_body& body) override;
    [[nodiscard]] std::string caveat() override;
    [[nodiscard]] std::string tell_slow_samples() override;

    /// How it times, for records and keys.
    [[nodiscard]] static device_timing timing(stream_use use);

private:
    struct timed_stream {
        timed_stream(const cuda_runtime& runtime, cudaStream_t given, stream_use use);

        cuda_stream stream;
        device_timer timer{stream};
    };

    /// That of the last sample, unless the program works on another one now.
    [[nodiscard]] timed_stream& at(cudaStream_t stream);

    const cuda_runtime& runtime_;
    stream_use use_;
    std::optional<timed_stream> last_{};
};

}  // namespace perfspec::detail

/// Whether timers for given streams are installed. A program of LibTorch's models calls nothing of perfspec::cuda, and
/// a linker leaves out of a library what nobody calls: the target perfspec::cuda makes it look for this name.
extern "C" bool perfspec_cuda_times_given_streams() noexcept;

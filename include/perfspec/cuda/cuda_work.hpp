// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace perfspec {

class cuda_work;

namespace detail {

/// A callable that puts one iteration on a stream.
struct stream_body {
    std::shared_ptr<void> self;
    cudaError_t (*launch)(void* self, cudaStream_t stream);
};

struct work_on_stream;
enum class cache_mode : std::uint8_t;

/// A subject on the device that is current now; refused where there is no device or no stream.
///
/// given  the stream that it works on; none: one of its own
[[nodiscard]] cuda_work subject_on_stream(std::string_view name, stream_body body, const cuda_runtime& runtime,
                                          std::optional<cudaStream_t> given = {});

}  // namespace detail

/// A subject whose work is on a CUDA stream. The functions here say how `device_time` takes its time; they change no
/// other metric. Records and keys of `device_time` name it, `timed=cold`, and claims do not compare times that were
/// taken differently. They come before those that every subject has: `cuda_kernel("saxpy", launch).hot().bytes(12e6)`.
class cuda_work : public subject {
public:
    /// The L2 cache holds what the iteration before left there. One sample is a batch between two events, after an
    /// iteration that warms up.
    cuda_work& hot() &;
    /// The L2 cache holds nothing of the body's: a write of its size comes before each iteration, outside the time. A
    /// sample sums up iterations.
    cuda_work& cold() &;
    /// The body waits for its device: the stream is not held, so `device_time` counts the time in which the device
    /// waits for the processor, too. Without this such a body is *invalid*.
    cuda_work& host_synchronised() &;

    /// A sample counts whose SM clock is at least this share of the GPU's default clock: 75 % unless you say otherwise.
    /// The samples of a GPU that is hot, or at its limit of power, are discarded, and a note says how many. After ten
    /// in a row the GPU rests for half a second, and where more than half are discarded, the claim is *invalid*. 0 %
    /// lets every sample count. Other shares than 0 % to 100 % make every claim *invalid*.
    cuda_work& slowest_clock(percentage share) &;

    [[nodiscard]] cuda_work slowest_clock(percentage share) && { return slowest_clock(share); }
    [[nodiscard]] cuda_work hot() && { return hot(); }
    [[nodiscard]] cuda_work cold() && { return cold(); }
    [[nodiscard]] cuda_work host_synchronised() && { return host_synchronised(); }

    /// For perfspec: `made` holds `held`.
    cuda_work(const subject& made, detail::work_on_stream& held) : subject(made), work_(&held) {}
    [[nodiscard]] detail::work_on_stream& work() const noexcept { return *work_; }

private:
    cuda_work& cache(detail::cache_mode mode);
    void note_timing();

    detail::work_on_stream* work_;  ///< lives as long as the subject
};

}  // namespace perfspec

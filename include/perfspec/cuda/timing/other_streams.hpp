// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>

#include <array>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// When so much later than its stream the device is done, it worked elsewhere.
inline constexpr double device_settles_ns = 20e3;

/// A sample that looks for work on other streams lasts so long, so that a tenth of it is seen.
inline constexpr double sample_for_others_ns = 10.0 * device_settles_ns;

/// Another program that shares the GPU may come between. So many samples in a row are no accident.
inline constexpr int late_samples_in_a_row = 3;

/// What to do about work elsewhere, for messages.
inline constexpr std::string_view join_to_stream =
    "Join the other stream to the body's, by cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, event), or make a subject with it: "
    ".on(other).";

/// Finds work that a body leaves on other streams than its own. Its own events would not be around it.
///
/// All other streams are held with the body's own, so that what the body puts there cannot be done before the sample
/// begins. Behind the sample its stream waits for all of the device: that takes no time where the body's stream was
/// waiting for the others anyway.
class other_streams {
public:
    /// The stream must outlive this.
    explicit other_streams(const cuda_stream& stream) : stream_(stream) {}
    other_streams(const other_streams&) = delete;
    other_streams& operator=(const other_streams&) = delete;
    ~other_streams();

    void make_ready();
    /// Other streams wait for what is on this one now. Put it where iterations may begin.
    void hold();
    /// Put it behind a sample.
    void end();
    /// What `end` takes where nothing was put anywhere; call it where such a sample is done.
    void calibrate();
    /// Whether the device worked on after the sample that has ended. Throws measurement_failure (refused) where it did
    /// so in several in a row.
    ///
    /// advice  what its message says to do about them
    [[nodiscard]] bool were_late(std::string_view name, std::string_view advice = join_to_stream);
    /// What readers of the samples should know; empty where every stream is seen.
    [[nodiscard]] std::string caveat() const;

private:
    [[nodiscard]] double wait_ns() const;

    enum event { ordering, stream_done, device_done };
    const cuda_stream& stream_;
    std::array<cudaEvent_t, 3> events_{};
    double idle_wait_ns_{};
    int late_in_a_row_{};
};

}  // namespace perfspec::detail

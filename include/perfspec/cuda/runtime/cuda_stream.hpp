// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/format.hpp>

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2::detail {

/// The stream of a subject, and the errors of its work.
class cuda_stream {
public:
    /// Without a device or a stream, `error_reason` is not empty, and nothing else may be called.
    ///
    /// stream  a stream of the user, which outlives this object; invalid on another device than the current one
    explicit cuda_stream(const cuda_runtime& runtime, std::optional<cudaStream_t> stream = {})
        : runtime_(runtime), handle_(stream.value_or(nullptr)), error_reason_(reason_without_device(runtime)) {
        if (!error_reason_.empty()) {
            error_reason_ +=
                ". To skip the test without a device:  if (auto why = perfspec::cuda_unavailable(); !why.empty()) "
                "SKIP(why);";
            return;
        }
        if (runtime_.current_device(&device_) != cudaSuccess) static_cast<void>(runtime_.take_last_error());
        const cudaError_t result = stream ? probe_stream() : runtime_.create_stream(&handle_);
        is_owned_ = !stream && result == cudaSuccess;
        if (result == cudaSuccess) return;
        static_cast<void>(runtime_.take_last_error());
        error_reason_ =
            !stream
                ? "no CUDA stream: " + describe_cuda(result)
                : "the stream does not accept events of the current device, cuda:" + std::to_string(device_) + ": " +
                      describe_cuda(result) +
                      ". A stream belongs to the device that was current at its creation. Call cudaSetDevice for that "
                      "device before on(stream)";
    }

    cuda_stream(const cuda_stream&) = delete;
    cuda_stream& operator=(const cuda_stream&) = delete;
    // Does not wait: the runtime keeps the stream until its work is done, whose errors were reported, or will be later.
    ~cuda_stream() {
        if (is_owned_) static_cast<void>(runtime_.destroy_stream(handle_));
    }

    [[nodiscard]] cudaStream_t handle() const noexcept { return handle_; }
    /// The number of its device in the driver.
    [[nodiscard]] int device() const noexcept { return device_; }
    [[nodiscard]] const cuda_runtime& runtime() const noexcept { return runtime_; }
    [[nodiscard]] const std::string& error_reason() const noexcept { return error_reason_; }

    /// Call it before a sample. Waits until the device is done with other work, and checks for errors of earlier calls.
    /// Throws `cuda_error`, and measurement_failure (refused) if the current device is not that of the stream.
    void prepare() const {
        int current = 0;
        need(runtime_.current_device(&current), " (while reading the current device)");
        if (current != device_)
            throw measurement_failure(
                failure_kind::refused,
                "cuda:" + std::to_string(current) +
                    " is the current device, but the stream of the subject belongs to cuda:" + std::to_string(device_) +
                    ". Call cudaSetDevice(" + std::to_string(device_) +
                    ") before the claim, or create the subject after cudaSetDevice(" + std::to_string(current) + ")");
        need(runtime_.wait_for_device(), " (in earlier work on the device)");
        need(runtime_.take_last_error(), " (left by an earlier call)");
    }

    /// Checks the result of the body. Throws `cuda_error`.
    void check(cudaError_t returned) const { need(returned, " (returned by the body)"); }
    /// Throws `cuda_error` for a failed call; `when` ends its text.
    void need(cudaError_t returned, const char* when) const {
        if (returned != cudaSuccess) fail_cuda(runtime_, returned, when);
    }
    /// Call it after the last iteration of a sample, because only the runtime knows refused launches. Throws
    /// `cuda_error`.
    void check_launches() const { need(runtime_.take_last_error(), " (at the launch)"); }
    /// Waits until the device is done with the work of all streams. Throws `cuda_error` for failed work.
    void wait() const { need(runtime_.wait_for_device(), " (in the body's work)"); }

private:
    // Old versions have no function for the device of a stream. But an event belongs to the current device, and a
    // stream of another device refuses it.
    [[nodiscard]] cudaError_t probe_stream() const {
        cudaEvent_t probe{};
        cudaError_t result = runtime_.create_event(&probe);
        if (result != cudaSuccess) return result;
        result = runtime_.record_event(probe, handle_);
        static_cast<void>(runtime_.destroy_event(probe));
        return result;
    }

    const cuda_runtime& runtime_;
    cudaStream_t handle_{};
    bool is_owned_{};
    int device_{};
    std::string error_reason_{};
};

/// If the device finishes later than the stream by more than this, it has also worked on other streams.
inline constexpr double device_settles_ns = 20e3;

/// The length of a sample that looks for work on other streams: it finds a tenth of its own length.
inline constexpr double sample_for_others_ns = 10.0 * device_settles_ns;

/// Late samples in a row that another program on the GPU cannot explain.
inline constexpr int late_samples_in_a_row = 3;

/// The remedy for work on other streams, for messages.
inline constexpr std::string_view join_to_stream =
    "Let the body's stream wait for the other one, with cudaEventRecord(event, other) and cudaStreamWaitEvent(stream, "
    "event), or create a subject with the other stream: .on(other).";

/// Finds work that a body leaves on other streams than its own, outside its events.
///
/// All other streams are held with the body's own, so that work there does not end before the sample begins. After the
/// sample its stream waits for all of the device: that takes no time if the body has joined the others to its stream.
class other_streams {
public:
    /// The stream must outlive this.
    explicit other_streams(const cuda_stream& stream) : stream_(stream) {}
    other_streams(const other_streams&) = delete;
    other_streams& operator=(const other_streams&) = delete;
    ~other_streams() {
        for (const cudaEvent_t e : events_)
            if (e != nullptr) static_cast<void>(stream_.runtime().destroy_event(e));
    }

    void make_ready() {
        for (cudaEvent_t& e : events_)
            if (e == nullptr)
                stream_.need(stream_.runtime().create_event(&e), " (while creating an event that orders streams)");
    }

    /// Lets other streams wait for the present work of this one. Call it before the iterations.
    void hold() {
        stream_.need(stream_.runtime().hold_others(stream_.handle(), events_[ordering]),
                     " (while holding other streams)");
    }

    /// Call it after a sample.
    void end() {
        const cuda_runtime& runtime = stream_.runtime();
        stream_.need(runtime.record_event(events_[stream_done], stream_.handle()),
                     " (while recording the end of the stream's work)");
        stream_.need(runtime.wait_for_others(stream_.handle(), events_[ordering]),
                     " (while waiting for other streams)");
        stream_.need(runtime.record_event(events_[device_done], stream_.handle()),
                     " (while recording the end of the device's work)");
    }

    /// Measures the time of `end` without any work; call it after such a sample.
    void calibrate() { idle_wait_ns_ = wait_ns(); }
    /// Whether the device was late in the last sample. Throws measurement_failure (refused) after several in a row.
    ///
    /// advice  the remedy for its message
    [[nodiscard]] bool were_late(std::string_view name, std::string_view advice) {
        const double late_ns = wait_ns() - idle_wait_ns_;
        if (late_ns <= device_settles_ns) return (late_in_a_row_ = 0, false);
        if (++late_in_a_row_ < late_samples_in_a_row) return true;
        throw measurement_failure(failure_kind::refused,
                                  "\"" + std::string(name) + "\" leaves work on another stream: the device works for " +
                                      format_value(late_ns, dimension::time) +
                                      " after the body's stream is done, and device_time would not include that. " +
                                      std::string(advice) +
                                      " If another thread uses the device at the same time, stop it");
    }

    /// A note on the samples; empty if every stream is seen.
    [[nodiscard]] std::string caveat() const {
        if (stream_.runtime().sees_every_stream()) return {};
        return "the driver is older than that of CUDA 12.5, so perfspec does not see work that the body leaves on "
               "streams created with cudaStreamNonBlocking";
    }

private:
    [[nodiscard]] double wait_ns() const {
        float milliseconds = 0;
        stream_.need(stream_.runtime().elapsed_ms(&milliseconds, events_[stream_done], events_[device_done]),
                     " (while timing the device after the stream's end)");
        return 1e6 * static_cast<double>(milliseconds);
    }

    enum event { ordering, stream_done, device_done };
    const cuda_stream& stream_;
    std::array<cudaEvent_t, 3> events_{};
    double idle_wait_ns_{};
    int late_in_a_row_{};
};

}  // namespace perfspec::inline v0_2::detail

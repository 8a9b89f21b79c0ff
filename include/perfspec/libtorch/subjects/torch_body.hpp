// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/machine/kernel_times.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>

#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// The fact of records and keys where the time of a run is that between two events, which has the gaps between its
/// launches in it.
inline constexpr const char* timed_with_gaps = "with-gaps";

/// How `device_time` of one LibTorch subject is taken. A copy of the subject has a clock of its own, set alike.
struct device_clock {
    bool is_host_synchronised{};
    bool waits_for_last{};          ///< a run waits until the one before it is done
    const stream_timers* timers{};  ///< that hold its stream; null: two events lie around a run
    std::string why_with_gaps{};    ///< where there are none
    std::unique_ptr<stream_timer> timer{};
    bool has_timed{};  ///< since readers were last told

    /// Settles by what it is timed, where the subject is on `device`, and says so in its state.
    ///
    /// makes_inputs  each run needs another input, so no two can be timed in a row
    void settle(subject_state& state, c10::Device device, bool makes_inputs = false);
    /// What readers of the times since the last call should know; empty where there were none.
    [[nodiscard]] std::string tell();
    [[nodiscard]] std::string tell_slow_samples() {
        return timer == nullptr ? std::string{} : timer->tell_slow_samples();
    }
};

/// The streams of a subject: an iteration runs once on each. Without any it runs on the current stream.
struct stream_set {
    c10::Device device{c10::kCPU};
    int count{};
    std::vector<c10::Stream> made{};  ///< filled when streams are first needed
};

[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Whether a text has the words of one of LibTorch's allocators that found no memory.
[[nodiscard]] inline bool is_told_by_allocator(const std::string& text) {
    for (const char* const words :
         {"DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
          "DefaultCPUAllocator: not enough memory: you tried to allocate ", "CUDA out of memory. Tried to allocate ",
          "XPU out of memory. Tried to allocate ", "CUDA error: out of memory"})
        if (text.find(words) != std::string::npos) return true;
    return false;
}

/// Returns what a call returns. LibTorch's exceptions carry a stack trace in their text, so only the first line is
/// thrown again.
template <class Call> decltype(auto) without_trace(const Call& call) {
    try {
        return call();
    } catch (const c10::Error& error) { throw std::runtime_error{first_line(error.what_without_backtrace())}; }
}

struct torch_body;

/// The scope of a run. While it lives, the settings, the converted tensors and what the model needs before a run are in
/// place. Then everything is as before, including random numbers.
class run_scope {
public:
    explicit run_scope(torch_body& body);
    run_scope(const run_scope&) = delete;
    run_scope& operator=(const run_scope&) = delete;
    ~run_scope();

private:
    torch_body& body_;
    applied_settings settings_;
    kept_random_numbers random_;
};

/// What the storage of a LibTorch subject holds.
struct torch_body {
    torch_model model;
    tensor_list inputs;  ///< as given
    c10::Device device;
    std::string_view name{};  ///< of the subject
    accuracy how{};
    torch_settings settings{};
    stream_set streams{};
    std::shared_ptr<model_graph> graph{};  ///< what samples replay instead of calling the model; null: they call it
    tensor_list inputs_to_run = inputs;    ///< in the dtype and memory format of the settings
    std::optional<converted_tensors> converted{};  ///< of the model; made when it first runs
    std::optional<run_scope> sample{};             ///< while a sample is taken
    device_clock clock{};
    std::optional<std::vector<c10::Device>>
        also_on{};  ///< further devices that hold parameters or buffers; known from the first sample on

    /// Calls the model itself. Throws measurement_failure (refused) where an output is on a device for which no sample
    /// waits.
    [[nodiscard]] tensor_list call(const tensor_list& given, std::uint64_t iterations = 1) const;

    /// Runs once, as samples do, and returns the tensors that are compared.
    [[nodiscard]] named_tensors results(const tensor_list& given) const;
};

/// Runs both subjects on copies of their inputs and compares the results; the candidate's `how` decides. In this order:
///
/// VERIFIER_SKIPPED: `how.skipped` is set. VERIFIER_DIDNT_RUN: one must not be run, their inputs differ, or what `how`
/// asks for does not exist. LOAD_FAILED: one could not be loaded. EAGER_OUT_OF_MEMORY, OUT_OF_MEMORY: the reference, or
/// the candidate, ran out of memory. EAGER_FAILED: the reference threw. NONDETERMINISTIC_EAGER_RUN: its runs from one
/// seed are not the same bit by bit. EXCEPTION_RAISED: the candidate threw. FAIL, PASS: `compare_outputs`, in more than
/// half of `how.runs`; and `how.batch`. Random generators and PyTorch's settings are restored.
[[nodiscard]] verification verify(torch_body& reference, torch_body& candidate);

/// The body of a subject if it is one of LibTorch's, else null.
[[nodiscard]] torch_body* torch_body_of(const subject& x);

/// Settles how `device_time` of the subject with this state is taken, and that samples look anew for which devices they
/// wait. Call it where the device of the body, or what its clock says, has changed.
void settle_clock(subject_state& state, torch_body& body);

/// Another subject with the model, inputs, settings and declarations of a LibTorch subject.
[[nodiscard]] subject same_model(const subject& x);

}  // namespace perfspec::detail

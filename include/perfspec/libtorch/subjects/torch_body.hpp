// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/libtorch/outputs/accuracy.hpp>
#include <perfspec/libtorch/settings/applied_settings.hpp>
#include <perfspec/libtorch/subjects/eager.hpp>
#include <perfspec/libtorch/subjects/on_device.hpp>
#include <perfspec/measure/failure.hpp>

#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The fact of records and keys if two events time a run, which includes the gaps between its launches.
inline constexpr const char* timed_with_gaps = "with-gaps";

/// How `device_time` of one LibTorch subject is taken. A copy of the subject has its own clock with equal settings.
struct device_clock {
    bool is_host_synchronized{};
    bool waits_for_last{};          ///< a run waits until the run before it is done
    const stream_timers* timers{};  ///< hold its stream; null: two events around a run
    std::string why_with_gaps{};    ///< why there are none
    std::unique_ptr<stream_timer> timer{};
    bool has_timed{};  ///< since the last call of `caveat`

    /// Selects the timers for a subject on `device`, and records the choice in its state.
    ///
    /// makes_inputs  each run needs another input, so runs cannot be timed in a row
    void select_timers(const subject& x, c10::Device device, bool makes_inputs = false);
    /// A note on the times since the last call; empty without any.
    [[nodiscard]] std::string caveat();
    [[nodiscard]] std::string report_slow_samples() {
        return timer == nullptr ? std::string{} : timer->report_slow_samples();
    }
};

/// The streams of a subject: an iteration runs once on each; without any, on the current stream.
struct stream_set {
    c10::Device device{c10::kCPU};
    int count{};
    std::vector<c10::Stream> all{};  ///< empty until first needed
};

[[nodiscard]] inline std::string first_line(const std::string& text) { return text.substr(0, text.find('\n')); }

/// Whether a text is that of an allocator of LibTorch without memory.
[[nodiscard]] inline bool is_of_allocator(const std::string& text) {
    for (const char* const words :
         {"DefaultCPUAllocator: can't allocate memory: you tried to allocate ",
          "DefaultCPUAllocator: not enough memory: you tried to allocate ", "CUDA out of memory. Tried to allocate ",
          "XPU out of memory. Tried to allocate ", "CUDA error: out of memory"})
        if (text.find(words) != std::string::npos) return true;
    return false;
}

/// An exception of LibTorch about lack of memory, with the first line of its text.
struct lack_of_memory : std::runtime_error {
    explicit lack_of_memory(const std::string& text) : std::runtime_error(first_line(text)) {}
};

/// Whether an exception of LibTorch is about lack of memory. The allocator of the processor throws a plain c10::Error,
/// which its text tells from others.
[[nodiscard]] inline bool is_of_lacking_memory(const std::exception& error) noexcept {
    if (dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr ||
        dynamic_cast<const lack_of_memory*>(&error) != nullptr)
        return true;
    const auto* const of_libtorch = dynamic_cast<const c10::Error*>(&error);
    return of_libtorch != nullptr && is_of_allocator(of_libtorch->what_without_backtrace());
}
[[maybe_unused]] inline const bool lack_of_memory_is_known = know_lack_of_memory(&is_of_lacking_memory);

/// Returns the result of a call. Reduces the text of LibTorch's exceptions to its first line, without the stack trace.
template <class Call> decltype(auto) without_trace(const Call& call) {
    try {
        return call();
    } catch (const c10::Error& error) {
        if (is_of_lacking_memory(error)) throw lack_of_memory(error.what_without_backtrace());
        throw std::runtime_error{first_line(error.what_without_backtrace())};
    }
}

struct torch_body;

/// The scope of a run, in which the model is ready and has its settings and converted tensors. Its end restores the
/// earlier ones, and random numbers.
class run_scope {
public:
    explicit run_scope(torch_body& body);
    run_scope(const run_scope&) = delete;
    run_scope& operator=(const run_scope&) = delete;
    ~run_scope();

private:
    torch_body& body_;
    applied_settings settings_;
    saved_random_numbers random_;
};

/// The storage of a LibTorch subject.
struct torch_body {
    torch_model model;
    tensor_list inputs;  ///< of the user
    c10::Device device;
    std::string_view name{};  ///< of the subject
    accuracy how{};
    torch_settings settings{};
    stream_set streams{};
    std::shared_ptr<model_graph> graph{};          ///< samples replay it; null: they call the model
    tensor_list inputs_to_run = inputs;            ///< in the dtype and memory format of the settings
    std::optional<converted_tensors> converted{};  ///< of the model; from its first run on
    std::optional<run_scope> sample{};             ///< while a sample is taken
    device_clock clock{};
    /// Further devices of parameters or buffers; known from the first run on.
    std::optional<std::vector<c10::Device>> also_on{};

    /// Calls the model itself. Throws measurement_failure (refused) if an output is on a device for which no sample
    /// waits.
    [[nodiscard]] tensor_list call(const tensor_list& arguments, std::uint64_t iterations = 1) const;

    /// Runs once, as samples do, and returns the tensors to compare.
    [[nodiscard]] named_tensors results(const tensor_list& arguments) const;
};

/// Runs both subjects on copies of their inputs and compares the results; the candidate's `how` decides. In this order:
///
/// VERIFIER_SKIPPED: `how.skipped` is set. VERIFIER_DIDNT_RUN: one must not run, their inputs differ, or `how` requires
/// something that does not exist. LOAD_FAILED: one could not be loaded. EAGER_OUT_OF_MEMORY, OUT_OF_MEMORY: the
/// reference, or the candidate, ran out of memory. EAGER_FAILED: the reference threw. NONDETERMINISTIC_EAGER_RUN: its
/// runs from one seed differ in a bit. EXCEPTION_RAISED: the candidate threw. FAIL, PASS: `compare_outputs`, in more
/// than half of `how.runs`; and `how.batch`. Random generators and PyTorch's settings are restored.
///
/// Throws what comparing throws, such as for outputs that are too large to copy.
[[nodiscard]] verification verify(torch_body& reference, torch_body& candidate);

/// Finds the further devices of a body whose model is ready, unless they are known.
void find_devices(torch_body& body);

/// The body of a LibTorch subject; null for another subject.
[[nodiscard]] torch_body* torch_body_of(const subject& x);

/// Selects the timers of the subject with this state, and lets the next sample find the devices for which it waits.
/// Call it after changes of the body's device or clock.
void settle_clock(const subject& x, torch_body& body);

/// Another subject with the model, inputs, settings and declarations of a LibTorch subject.
[[nodiscard]] subject same_model(const subject& x);

}  // namespace perfspec::inline v0_2::detail

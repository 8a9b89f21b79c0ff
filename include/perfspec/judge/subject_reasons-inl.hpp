// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Reasons why subjects cannot be judged: nothing records their operators or kernels, or they do not run on a device.

#include <perfspec/claim/claim_context.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_1::detail {

/// Whether a subject has no device that could time it.
inline bool runs_on_the_processor(const claim_context& context) {
    return std::ranges::any_of(context.subjects, [](const subject& s) {
        return s.state().device.empty() || s.state().functions->device_ns == nullptr;
    });
}

/// What to bound in place of a metric of devices.
constexpr std::string_view in_place_of(metric_kind m) noexcept {
    return traits_of(m).unit == dimension::bytes ? "peak_memory(x)" : "latency(x) or cpu_time(x)";
}

inline std::string no_device(metric_kind m) {
    return "the subject runs on the processor, and " + std::string(traits_of(m).word) +
           " needs a subject on a device, such as perfspec::cuda_kernel or a LibTorch subject whose inputs are there; bound " +
           std::string(in_place_of(m));
}

/// The first subject's reason of this kind; empty if there is none.
inline std::string first_reason(const claim_context& context, std::string subject_state::*reason) {
    for (const subject& s : context.subjects)
        if (const std::string& text = s.state().*reason; !text.empty()) return text;
    return {};
}

/// Why the operations of a subject's operators are unknown; empty if they are known.
inline std::string hidden_operations(const claim_context& context) {
    std::string reason = first_reason(context, &subject_state::hidden_operations);
    return reason.empty() ? first_reason(context, &subject_state::hidden_operators) : reason;
}

/// Why a metric of the device cannot be read of these subjects; empty if it can.
inline std::string reason_without_device_metric(const claim_context& context) {
    if (runs_on_the_processor(context)) return no_device(context.query.metric);
    return context.query.metric == metric_kind::device_memory ? first_reason(context, &subject_state::hidden_memory)
                                                              : std::string();
}

constexpr std::string_view no_kernels =
    "the kernels of the subject cannot be counted: kernel_count needs a subject of <perfspec/cuda.hpp>, a LibTorch subject on a device, or "
    "an AOTInductor package exported with --kernel-profiling; for operators on the processor, write op_count(x)";

/// Why kernels cannot be counted or compared; empty if they can.
inline std::string hidden_kernels(const claim_context& context) {
    const std::vector<subject>& all = context.subjects;
    for (const subject& s : all) {
        if (s.state().kernels != kernel_view::none) continue;
        return s.state().hidden_operators.empty() ? std::string(no_kernels) : s.state().hidden_operators;
    }
    const auto elsewhere = [&](const subject& s) { return s.state().kernels != all.front().state().kernels; };
    if (std::ranges::none_of(all, elsewhere)) return {};
    return "one subject runs its kernels on the processor and the other on a device: bound each by a number or by baseline()";
}

/// Whether the parts of a table are timed by clocks, which works in any process. Operators are recorded only in this
/// one.
inline bool has_timed_parts(const query_description& query) {
    return query.metric == metric_kind::layers ||
           (query.metric == metric_kind::oracle &&
            query.payload_as<layers_of_variants>().settings.from != layer_timing::operators);
}

/// Whether the process of a remote subject can measure a metric. `including_load` measures the load of this process.
inline bool can_be_measured_remotely(const query_description& query) {
    if (counts_load(query)) return false;
    switch (traits_of(query.metric).from) {
    case reading::wall_clock:
    case reading::processor_clock:
    case reading::body:
    case reading::declared:
    case reading::first_run:
    case reading::peak_of_first_run:
    case reading::sizes:
    case reading::processes: return true;
    case reading::device_clock:
    case reading::counter:
    case reading::peak_of_counter:
    case reading::processor_counter:
    case reading::module: break;
    case reading::parts: return has_timed_parts(query);
    }
    return false;
}

/// Why a metric cannot be read of a subject in another process; empty if it can.
inline std::string reason_without_remote_metric(const claim_context& context) {
    if (can_be_measured_remotely(context.query)) return {};
    for (const subject& s : context.subjects)
        if (!s.state().remote.empty())
            return "\"" + std::string(s.name()) + "\" runs in " + s.state().remote + ", and " + word_of(context.query) +
                   (counts_load(context.query) ? " including_load" : "") +
                   " sees only this process: bound latency(x), cpu_time(x) or peak_memory(x)";
    return {};
}

/// Why the compile time of these subjects is unknown; empty if it is known.
inline std::string reason_without_compile_time(const claim_context& context) {
    for (const subject& s : context.subjects) {
        const std::string name = "\"" + std::string(s.name()) + "\"";
        if (s.state().read_declared != nullptr) continue;
        if (!s.state().compile_fault.empty())
            return "how long compiling " + name + " took cannot be used: " + s.state().compile_fault;
        if (s.state().compile_ns <= 0.0)
            return "nothing says how long compiling " + name +
                   " took: compile_time needs an AOTInductor package with the file that export.py leaves beside it, model.pt2.json";
        if (s.state().compiled_from_cache)
            return name +
                   " was compiled with a warm compiler cache, so its time says nothing of a first compilation: export it by "
                   "export.py --cold, or by COLD ON of perfspec_aoti_package";
    }
    return {};
}

/// Why these subjects cannot be judged; empty if they can.
inline std::string reason_of_subjects(const claim_context& context) {
    if (std::string reason = reason_without_remote_metric(context); !reason.empty()) return reason;
    if (std::string reason = context.query.payload_as<layers_of_variants>().not_timed; !reason.empty()) return reason;
    switch (traits_of(context.query.metric).needs) {
    case supply::nothing: break;
    case supply::device: return reason_without_device_metric(context);
    case supply::operators: return first_reason(context, &subject_state::hidden_operators);
    case supply::kernels: return hidden_kernels(context);
    case supply::operations: return hidden_operations(context);
    case supply::memory: return first_reason(context, &subject_state::hidden_memory);
    case supply::compiler: return reason_without_compile_time(context);
    }
    return {};
}

}  // namespace perfspec::inline v0_1::detail

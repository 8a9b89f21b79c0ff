// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// How the metrics of models are measured: counts of operators, their kernels, operations and tensors; compile times.

#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/recorders.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The first subject's reason of this kind; empty if there is none.
inline std::string first_reason(const claim_context& context, std::string model_declarations::*reason) {
    for (const subject& x : context.subjects)
        if (const std::string& text = model_of(x).*reason; !text.empty()) return text;
    return {};
}

/// Counts or records operators.
class operators_metric : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        return first_reason(context, &model_declarations::hidden_operators);
    }
};

class operators_count_metric final : public operators_metric {
public:
    [[nodiscard]] counter_key counter_of(const claim_context& context) const override {
        return {metrics::operators, detail_of(context.query, 0)};
    }
    [[nodiscard]] std::string fault_of_pair(const query_description& a, const query_description& b) const override {
        if (detail_of(a, 0) == detail_of(b, 0)) return {};
        return "these are counts of different operators. Write the same operator on both sides, or bound each by a "
               "number";
    }
};

/// Counts the operations of operators.
class flop_count_metric final : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        std::string reason = first_reason(context, &model_declarations::hidden_operations);
        return reason.empty() ? first_reason(context, &model_declarations::hidden_operators) : reason;
    }
};

/// Counts blocks of memory of tensors, or the bytes in them.
class tensor_metric final : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        return first_reason(context, &model_declarations::hidden_memory);
    }
};

constexpr std::string_view no_kernels =
    "the kernels of the subject cannot be counted. kernels(x) needs a subject of <perfspec/cuda.hpp>, a LibTorch "
    "subject on a device, or an AOTInductor package exported with --kernel-profiling. For operators on the processor, "
    "write operators(x)";

/// Counts kernels: on devices by a trace of their work, on the processor as the operators outside other operators.
class kernels_metric final : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        const std::vector<subject>& all = context.subjects;
        for (const subject& x : all) {
            if (model_of(x).kernels != kernel_view::none) continue;
            return model_of(x).hidden_operators.empty() ? std::string(no_kernels) : model_of(x).hidden_operators;
        }
        const auto elsewhere = [&](const subject& x) { return model_of(x).kernels != model_of(all.front()).kernels; };
        if (std::ranges::none_of(all, elsewhere)) return {};
        return "one subject runs its kernels on the processor and the other on a device. Bound each by a number or by "
               "baseline()";
    }
    [[nodiscard]] counter_key counter_of(const claim_context& context) const override {
        const bool on_device = model_of(context.subjects.front()).kernels == kernel_view::device;
        return {on_device ? metrics::device_kernels : metrics::kernels};
    }
    /// Refuses a count of 0 kernels on a device: probably the profiler does not work.
    void require_plausible(const subject& x, std::span<const std::uint64_t> counts) const override {
        const bool is_zero = std::ranges::all_of(counts, [](std::uint64_t n) { return n == 0; });
        if (model_of(x).kernels == kernel_view::device && is_zero)
            throw measurement_failure(failure_kind::not_countable, no_recorded_kernels);
    }
};

/// The time that compiling a model took before this program ran.
class compile_time_metric final : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        for (const subject& x : context.subjects)
            if (std::string reason = reason_without_time(x); !reason.empty()) return reason;
        return {};
    }
    [[nodiscard]] bool reads_other_processes() const override { return true; }
    [[nodiscard]] double declared(const subject& x) const override {
        const auto read = readings_of(x).compile_time;
        return read != nullptr ? read(x.storage()) : model_of(x).compile_ns;
    }

private:
    [[nodiscard]] static std::string reason_without_time(const subject& x) {
        const std::string name = "\"" + std::string(x.name()) + "\"";
        const model_declarations& model = model_of(x);
        if (readings_of(x).compile_time != nullptr) return {};
        if (!model.compile_fault.empty())
            return "the compile time of " + name + " cannot be used: " + model.compile_fault;
        if (model.compile_ns <= 0.0)
            return "the compile time of " + name +
                   " is unknown. compile_time needs an AOTInductor package and the file model.pt2.json beside it, "
                   "which export.py writes";
        if (!model.compiled_from_cache) return {};
        return name +
               " was compiled with a warm compiler cache, so its time is not that of a first compilation. Export it "
               "with export.py --cold, or with COLD ON in perfspec_export_model";
    }
};

// What compiling costs and saves, beside the ratio of two times and in a cold start.

/// The number of calls after which compiling the denominator's subject has saved more time than it took. Empty if the
/// compile time is unknown, or if the speedup may be 1 or less.
inline std::optional<estimate> break_even_calls(double compile_ns, double call_ns, const estimate& speedup) {
    if (compile_ns <= 0.0 || speedup.low <= 1.0) return {};
    const auto calls = [&](double faster) { return compile_ns / (call_ns * (1.0 - 1.0 / faster)); };
    return estimate{calls(speedup.value), calls(speedup.high), calls(speedup.low), speedup.level};
}

/// The compile time of a subject in nanoseconds, for a remote subject from its process; 0 if it was not compiled. Empty
/// if the time is unknown, as with a warm compiler cache.
inline std::optional<double> compilation_of(const subject& x) {
    const auto read = readings_of(x).compile_time;
    if (x.state().remote.empty() || read == nullptr) return model_of(x).compile_ns;
    try {
        return read(x.storage());
    } catch (const measurement_failure& failure) {
        if (failure.kind == failure_kind::worker_failed) return 0.0;  // nothing was compiled
        return {};
    }
}

inline part_value compilation(double compile_ns, const char* method) {
    return {compilation_part, method, dimension::time, without_interval(compile_ns), 0.0, {}};
}

/// The cost and the saving of compiling, if only the second subject of a speedup was compiled.
inline std::vector<part_value> parts_of_compilation(const claim_context& context, const time_ratio& r,
                                                    const claim_result& result) {
    if (!context.query.is_ratio() || r.metric != metrics::latency || compilation_of(r.numerator) != 0.0) return {};
    const double compile_ns = compilation_of(r.denominator).value_or(0.0);
    if (compile_ns <= 0.0) return {};
    std::vector<part_value> parts{compilation(compile_ns, "compilation")};
    if (const auto calls = break_even_calls(compile_ns, result.subjects.front().median, result.estimate.value()))
        parts.push_back({break_even_part, "compilation", dimension::count, *calls, 0.0, {}});
    return parts;
}

inline std::vector<part_value> parts_before_cold_start(const subject& x) {
    if (model_of(x).compile_ns <= 0.0) return {};
    return {compilation(model_of(x).compile_ns, "cold start")};
}

}  // namespace perfspec::inline v0_2::detail

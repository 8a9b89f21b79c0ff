// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// How the metrics of devices are measured: their own times, and their memory.

#include <perfspec/claim/modules.hpp>
#include <perfspec/claim/notes.hpp>
#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/explain/metrics.hpp>
#include <perfspec/explain/model_metrics-inl.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/measure/prepared_run-inl.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

double take_device_time(const subject& x) {
    return detail::prepared_run(x, 1).call(readings_of(x).device_ns, x.storage());
}

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// What to bound in place of a metric of devices.
constexpr std::string_view in_place_of(metric_kind m) noexcept {
    return traits_of(m).unit == dimension::bytes ? "peak_memory(x)" : "latency(x) or cpu_time(x)";
}

inline std::string no_device(metric_kind m) {
    return "the subject runs on the processor, but " + std::string(traits_of(m).word) +
           " needs a subject on a device, such as perfspec::cuda_kernel or a LibTorch subject with inputs on a device. "
           "Here, use " +
           std::string(in_place_of(m));
}

/// A metric of subjects that run on a device.
class device_metric : public module_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        const auto has_no_device = [](const subject& x) {
            return x.state().device.empty() || readings_of(x).device_ns == nullptr;
        };
        return std::ranges::any_of(context.subjects, has_no_device) ? no_device(context.query.metric) : std::string();
    }
};

class device_memory_metric final : public device_metric {
public:
    [[nodiscard]] std::string fault(const claim_context& context) const override {
        std::string reason = device_metric::fault(context);
        return reason.empty() ? first_reason(context, &model_declarations::hidden_memory) : reason;
    }
};

/// The time that a device takes for a call.
class device_time_metric : public device_metric {
public:
    [[nodiscard]] double read(const subject& x, counters&) const override { return take_device_time(x); }
    /// An axis for how the clock of the device takes the time.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> axes(const claim_context& context) const override {
        const std::string timing = timing_of(context.subjects[0]);
        for (std::size_t i = 1; i < context.subjects.size(); ++i)
            if (timing_of(context.subjects[i]) != timing)
                throw input_error(
                    std::string(traits_of(context.query.metric).word) + " times \"" + context.names[0] + "\" " +
                    text_of_timing(context.subjects[0]) + ", but \"" + context.names[i] + "\" " +
                    text_of_timing(context.subjects[i]) +
                    ". Write .hot() or .cold() on both, or host_synchronized(x) for both models, or bound each by a "
                    "number or baseline()");
        if (timing.empty()) return {};
        return {{"timed", timing}};
    }

private:
    /// "hot"; empty if its adapter has only one way.
    [[nodiscard]] virtual std::string timing_of(const subject& x) const { return readings_of(x).timing; }

    [[nodiscard]] static std::string text_of_timing(const subject& x) {
        const std::string& timing = readings_of(x).timing;
        return timing.empty() ? "as its adapter does" : timing;
    }
};

/// "2 launches of gelu", "3 to 4 launches of gelu, softmax".
inline std::string launches_text(const kernel_launches& kernels) {
    constexpr std::size_t most_names = 4;
    std::string text = kernels.fewest == kernels.most ? "" : std::to_string(kernels.fewest) + " to ";
    text += std::to_string(kernels.most) + (kernels.most == 1 ? " launch" : " launches");
    std::size_t named = 0;
    for (const std::string& name : kernels.names) {
        if (named == most_names) break;
        text += (named++ == 0 ? " of " : ", ") + name;
    }
    return kernels.names.size() > named ? text + " and " + std::to_string(kernels.names.size() - named) + " more"
                                        : text;
}

/// The time of a device in the kernels of a call that a name fits.
class kernel_time_metric final : public device_time_metric {
public:
    /// name  as in `kernel_time`; empty: all kernels
    explicit kernel_time_metric(std::string name) : name_(std::move(name)) {}

    [[nodiscard]] double read(const subject& x, counters& all) const override { return time_of(x, name_, all); }
    [[nodiscard]] double cost_ns(const subject& x, counters& all, clock& wall) const override {
        static_cast<void>(time_of(x, {}, all));  // the first trace loads the profiler
        const std::int64_t begin = wall.now();
        static_cast<void>(time_of(x, {}, all));
        const std::int64_t end = wall.now();
        readings_of(x).launches_by_kernel.clear();  // a note of this claim is about its own samples
        return static_cast<double>(end - begin);
    }
    [[nodiscard]] std::vector<std::string> notes(const claim_context& context) const override {
        std::vector<std::string> notes;
        for (std::size_t i = 0; i < context.subjects.size(); ++i) append(notes, note_of(context, i));
        return notes;
    }

private:
    [[nodiscard]] static double time_of(const subject& x, const std::string& name, counters& all) {
        return time_kernels(x, {name, all.recorder<device_recorder>()});
    }

    /// The profiler times kernels regardless of the stream's state; LibTorch's subjects run warm unless each iteration
    /// needs another input.
    [[nodiscard]] std::string timing_of(const subject& x) const override {
        const model_readings& readings = readings_of(x);
        if (readings.traced.begin != nullptr || readings.timing.empty()) return readings.timing;
        return readings.traced.settle != nullptr ? "hot" : "unwarmed";
    }

    [[nodiscard]] static std::vector<std::string> note_of(const claim_context& context, std::size_t subject) {
        const bool is_of_other = subject >= context.query.subjects.size();
        const std::string kernels = is_of_other ? detail_of(context.other(), subject - context.query.subjects.size())
                                                : detail_of(context.query, subject);
        const auto& all = readings_of(context.subjects[subject]).launches_by_kernel;
        const auto found = all.find(kernels);
        if (found == all.end()) return {};  // fresh processes took the samples, and note the kernels
        const std::string label = kernels.empty() ? "all kernels" : "\"" + kernels + "\"";
        return note_once(context, "kernels " + kernels + " of " + std::to_string(context.subjects[subject].state().id),
                         label + " of \"" + context.names[subject] + "\": " + launches_text(found->second) +
                             " in an iteration");
    }

    std::string name_;
};

}  // namespace perfspec::inline v0_2::detail

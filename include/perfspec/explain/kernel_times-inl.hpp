// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/kernel_times.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/prepared_run-inl.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <optional>
#include <vector>

namespace perfspec::inline v0_2 {

std::uint64_t count_kernels(std::span<const device_event> trace) {
    return static_cast<std::uint64_t>(std::ranges::count(trace, traced_work::kernel, &device_event::what));
}

std::string device_kernels_counter::begin() {
    device_recorder* const recorder = recorder_();
    if (recorder == nullptr) return std::string(detail::no_device_recorder);
    if (counts_) return {};
    kernels_ = 0;
    std::string fault = recorder->begin(input_shapes::ignored);
    counts_ = fault.empty();
    return fault;
}

void device_kernels_counter::end() noexcept {
    if (!counts_) return;
    counts_ = false;
    detail::stop(*recorder_());
}

std::int64_t device_kernels_counter::now() {
    if (!counts_) return kernels_;
    device_recorder& recorder = *recorder_();
    counts_ = false;
    kernels_ += static_cast<std::int64_t>(count_kernels(detail::trace_of(recorder)));
    const std::string fault = recorder.begin(input_shapes::ignored);
    counts_ = fault.empty();
    if (!counts_) throw measurement_failure(failure_kind::not_countable, fault);
    return kernels_;
}

namespace detail {

/// The start of the bracket at the end of the text; none if there is no such bracket, or nothing else.
inline std::optional<std::size_t> last_bracket(std::string_view text, char open, char close) {
    if (!text.ends_with(close)) return {};
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 1;) {
        const bool is_arrow = close == '>' && text[i] == '>' && text[i - 1] == '-';
        if (text[i] == close && !is_arrow) ++depth;
        if (text[i] == open && --depth == 0) return i;
    }
    return {};
}

/// The position after the last character outside of brackets for which `ends` holds, or 0.
template <class Ends> std::size_t behind_last(std::string_view text, Ends ends) {
    int depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) {
        const char c = text[i];
        if (c == ')' || c == '>' || c == '}') ++depth;
        if (c == '(' || c == '<' || c == '{') --depth;
        if (depth == 0 && ends(c)) return i + 1;
    }
    return 0;
}

std::string_view name_without_arguments(std::string_view demangled) {
    std::string_view name = demangled.substr(0, demangled.find(" [clone"));
    if (name.ends_with(" const")) name.remove_suffix(std::string_view(" const").size());
    if (const auto parameters = last_bracket(name, '(', ')')) name = name.substr(0, *parameters);
    if (const auto arguments = last_bracket(name, '<', '>')) name = name.substr(0, *arguments);
    return name.substr(behind_last(name, [](char c) { return c == ' '; }));
}

/// "softmax" of "at::native::softmax".
inline std::string_view name_without_namespaces(std::string_view name) {
    return name.substr(behind_last(name, [](char c) { return c == ':'; }));
}

inline bool fits_kernel(std::string_view pattern, std::string_view kernel) {
    const std::string_view name = name_without_arguments(kernel);
    return matches_pattern(kernel, pattern) || matches_pattern(name, pattern) ||
           matches_pattern(name_without_namespaces(name), pattern);
}

inline std::string lower_case(std::string_view text) {
    std::string lower(text);
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
}

/// The distance of a name from that of a kernel, without regard to case; 0 for a part of the name.
inline std::size_t distance(std::string_view name, std::string_view kernel) {
    const std::string lower = lower_case(name);
    return lower_case(kernel).find(lower) != std::string::npos
               ? 0
               : edit_distance(lower, lower_case(name_without_namespaces(kernel)));
}

/// "gelu, softmax and 3 more", the nearest first.
inline std::string names_text(std::string_view name, const std::set<std::string>& kernels) {
    constexpr std::size_t most = 8;
    std::vector<std::string> sorted(kernels.begin(), kernels.end());
    std::ranges::stable_sort(sorted, {}, [&](const std::string& each) { return distance(name, each); });
    std::string text;
    for (std::size_t i = 0; i < std::min(most, sorted.size()); ++i) text += (i == 0 ? "" : ", ") + sorted[i];
    return sorted.size() <= most ? text : text + " and " + std::to_string(sorted.size() - most) + " more";
}

inline void add(named_kernels& all, const device_event& kernel) {
    all.nanoseconds += static_cast<double>(kernel.end_ns - kernel.start_ns);
    ++all.launches;
    if (kernel.end_ns <= kernel.start_ns) ++all.untimed;
    all.names.emplace(name_without_arguments(kernel.name));
}

template <class Fits> named_kernels kernels_that(std::span<const device_event> trace, Fits fits_one) {
    named_kernels fitting;
    for (const device_event& e : trace)
        if (e.what == traced_work::kernel && e.name != stamp_kernel && fits_one(e.name)) add(fitting, e);
    return fitting;
}

/// The kernels with exactly that name, otherwise those with that name without namespaces; all that fit a pattern.
inline named_kernels kernels_closest_to(std::span<const device_event> trace, std::string_view name) {
    if (name.find('*') != std::string_view::npos)
        return kernels_that(trace, [&](std::string_view kernel) { return fits_kernel(name, kernel); });
    const named_kernels whole = kernels_that(
        trace, [&](std::string_view kernel) { return name == kernel || name == name_without_arguments(kernel); });
    if (whole.launches != 0) return whole;
    return kernels_that(trace, [&](std::string_view kernel) {
        return name == name_without_namespaces(name_without_arguments(kernel));
    });
}

/// Whether a name is that of one kernel, not a pattern.
inline bool is_one_kernel(std::string_view name) { return !name.empty() && name.find('*') == std::string_view::npos; }

inline measurement_failure different_kernels(std::string_view name, std::string_view whose,
                                             const std::set<std::string>& kernels) {
    return {failure_kind::refused, "\"" + std::string(name) + "\" matches different kernels of " + std::string(whose) +
                                       ": " + names_text(name, kernels) + ". Write the full name of one, or \"*" +
                                       std::string(name) + "*\" for all of them"};
}

/// Stores the kernels of a sample for a note. Throws if another sample had another kernel under the name.
inline void remember(const subject& x, const std::string& name, const named_kernels& found) {
    kernel_launches& seen = readings_of(x).launches_by_kernel[name];
    seen.fewest = seen.names.empty() ? found.launches : std::min(seen.fewest, found.launches);
    seen.most = std::max(seen.most, found.launches);
    seen.names.insert(found.names.begin(), found.names.end());
    if (seen.names.size() > 1 && is_one_kernel(name)) throw different_kernels(name, subject_name(x), seen.names);
}

/// Runs an iteration and records the device's work. None if the adapter does not accept the sample.
inline std::optional<std::vector<device_event>> trace_of_iteration(const subject& x, device_recorder& recorder) {
    const traced_iteration& around = readings_of(x).traced;
    const prepared_run prepared(x, 1);
    if (around.settle != nullptr) prepared.call(around.settle, around.self);
    if (const std::string fault = recorder.begin(input_shapes::ignored); !fault.empty())
        throw measurement_failure(failure_kind::not_countable, fault);
    bool counts = true;
    try {
        if (around.begin != nullptr) prepared.call(around.begin, around.self);
        prepared.run();
        if (around.end != nullptr) counts = prepared.call(around.end, around.self);
    } catch (...) {
        stop(recorder);
        throw;
    }
    std::vector<device_event> trace = trace_of(recorder);
    if (!counts) return {};
    return trace;
}

}  // namespace detail

named_kernels kernels_named(std::span<const device_event> trace, std::string_view name, std::string_view whose) {
    const named_kernels all = detail::kernels_that(trace, [](std::string_view) { return true; });
    if (all.launches == 0) throw measurement_failure(failure_kind::not_countable, detail::no_recorded_kernels);
    const named_kernels found = name.empty() ? all : detail::kernels_closest_to(trace, name);
    if (found.launches == 0)
        throw measurement_failure(failure_kind::refused, "an iteration of " + std::string(whose) +
                                                             " runs no kernel named \"" + std::string(name) + "\"." +
                                                             " It runs: " + detail::names_text(name, all.names));
    if (found.names.size() > 1 && detail::is_one_kernel(name))
        throw detail::different_kernels(name, whose, found.names);
    if (found.untimed != 0)
        throw measurement_failure(failure_kind::not_countable,
                                  "the profiler reports no time for " + std::to_string(found.untimed) + " of " +
                                      std::to_string(found.launches) + " kernel launches of " + std::string(whose) +
                                      ": " + detail::names_text(name, found.names));
    return found;
}

double time_kernels(const subject& x, const kernel_request& kernels) {
    if (kernels.recorder == nullptr) throw measurement_failure(failure_kind::not_countable, detail::no_device_recorder);
    for (;;) {
        const auto trace = detail::trace_of_iteration(x, *kernels.recorder);
        if (!trace) continue;
        const named_kernels found = kernels_named(*trace, kernels.name, detail::subject_name(x));
        detail::remember(x, kernels.name, found);
        return found.nanoseconds;
    }
}

}  // namespace perfspec::inline v0_2

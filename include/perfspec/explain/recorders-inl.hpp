// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>
#include <span>

namespace perfspec::inline v0_2 {
namespace detail {

/// "aten::add", "aten::mul", …
inline std::vector<std::string> names_in(const part_library& library) {
    std::vector<std::string> names;
    for (const part_namespace& each : library.namespaces)
        for (const std::string& name : each.parts) names.push_back(each.name + "::" + name);
    return names;
}

/// Why the operator cannot be counted; empty if the library has it. A misspelled name must not count as 0.
inline std::string reason_of_unknown_operator(const part_library& library, const std::string& name) {
    const std::vector<std::string> names = names_in(library);
    if (std::ranges::find(names, name) != names.end()) return {};
    const auto near = nearest_name(name, names);
    return (library.library.empty() ? "the library" : library.library) + " has no operator \"" + name + "\"" +
           (near ? "; did you mean \"" + *near + "\"?"
                 : ". Write its full name, such as aten::copy_; PERF_MEASURE(profile(x)) shows the names");
}

/// "a, b and 3 others"; empty for none.
inline std::string listed_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = 4;
    if (names.size() <= most) return fmt::format("{}", fmt::join(names, ", "));
    return fmt::format("{} and {} others", fmt::join(std::span(names).first(most), ", "), names.size() - most);
}

}  // namespace detail

std::string operator_counter::begin() {
    operator_recorder* const recorder = recorder_();
    if (recorder == nullptr)
        return "this program cannot record operators. Link perfspec::libtorch, and create the subject with "
               "perfspec::eager or another function of <perfspec/libtorch.hpp>";
    std::string unknown = name_.empty() ? name_ : detail::reason_of_unknown_operator(recorder->known(), name_);
    if (unknown.empty()) recorder->begin(input_shapes::ignored);
    return unknown;
}

std::int64_t operator_counter::now() {
    const operator_recorder* const recorder = recorder_();
    if (recorder == nullptr) return 0;
    return name_.empty() ? (recorder->*count_)() : recorder->called(name_);
}

std::string operation_counter::begin() {
    operation_recorder* const recorder = recorder_();
    if (recorder == nullptr)
        return "this program cannot count operations. Link perfspec::libtorch, and create the subject with "
               "perfspec::eager or another function of <perfspec/libtorch.hpp>. For work that you declare by "
               ".flops(n), write throughput(x, flops)";
    in_sample_ = false;
    recorder->begin();
    return {};
}

std::int64_t operation_counter::now() {
    const operation_recorder& recorder = *recorder_();
    in_sample_ = !in_sample_;
    if (in_sample_) {
        calls_before_ = recorder.counted_calls();
    } else if (recorder.counted_calls() == calls_before_) {
        const std::string others = detail::listed_names(recorder.uncounted());
        throw measurement_failure(
            failure_kind::not_countable,
            "the number of operations is unknown, because no operator with a formula ran. There are formulas for " +
                recorder.counted_operators() + (others.empty() ? "" : ", but none for " + others));
    }
    return recorder.operations();
}

std::string operation_counter::caveat() const {
    const operation_recorder* const recorder = recorder_();
    const std::string names = recorder == nullptr ? std::string{} : detail::listed_names(recorder->uncounted());
    return names.empty()
               ? std::string{}
               : "the operations of these operators are not counted, because there is no formula for them: " + names;
}

std::string tensor_counter::begin() {
    if (tensor_recorder* const recorder = recorder_()) return recorder->begin();
    return "this program cannot record the memory of tensors. Link perfspec::libtorch. For memory of operator new, "
           "write allocations(x)";
}

std::int64_t tensor_counter::now() { return recorder_()->allocations(); }

std::string tensor_memory_counter::begin() {
    in_sample_ = false;
    return tensor_counter::begin();
}

std::int64_t tensor_memory_counter::now() {
    tensor_recorder& recorder = *recorder_();
    in_sample_ = !in_sample_;
    if (!in_sample_) return recorder.peak();
    recorder.restart_peak();
    return 0;
}

}  // namespace perfspec::inline v0_2

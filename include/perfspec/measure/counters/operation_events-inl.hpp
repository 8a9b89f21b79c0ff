// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/operation_events.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

namespace perfspec {
namespace detail {

inline operation_recorder*& installed_operation_recorder() noexcept {
    static operation_recorder* installed = nullptr;
    return installed;
}

/// "a, b and 3 others"; empty for none.
inline std::string listed_names(const std::vector<std::string>& names) {
    constexpr std::size_t most = 4;
    std::string text;
    for (std::size_t i = 0; i < std::min(most, names.size()); ++i) text += (i == 0 ? "" : ", ") + names[i];
    return names.size() > most ? text + " and " + std::to_string(names.size() - most) + " others" : text;
}

}  // namespace detail

bool use_operation_recorder(operation_recorder& r) noexcept {
    detail::installed_operation_recorder() = &r;
    return true;
}

operation_recorder* known_operation_recorder() noexcept { return detail::installed_operation_recorder(); }

std::string operation_counter::begin() {
    operation_recorder* const recorder = recorder_();
    if (recorder == nullptr)
        return "nothing in this program counts operations: link perfspec::libtorch, and make the subject with perfspec::eager or another of "
               "<perfspec/libtorch.hpp>; for work that you declare by .flops(n), write throughput(x, flops)";
    in_sample_ = false;
    recorder->begin();
    return {};
}

void operation_counter::end() noexcept {
    if (recorder_() != nullptr) recorder_()->end();
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
            "no operator whose operations can be counted ran, so they are unknown; there are formulas for " +
                recorder.counted_operators() + (others.empty() ? "" : ", and none for " + others));
    }
    return recorder.operations();
}

std::string operation_counter::caveat() const {
    const operation_recorder* const recorder = recorder_();
    const std::string names = recorder == nullptr ? std::string{} : detail::listed_names(recorder->uncounted());
    return names.empty() ? std::string{}
                         : "operations that are not counted, because there is no formula for them: " + names;
}

}  // namespace perfspec

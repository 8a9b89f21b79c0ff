// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counted_range.hpp>
#include <perfspec/measure/failure.hpp>

#include <utility>

namespace perfspec::detail {

inline constexpr const char* cannot_prepare = "does not prepare the GPU to count";
inline constexpr const char* cannot_count = "does not count the work of the GPU";

counted_range::counted_range(const counting_library& cupti, const std::string& chip, std::vector<const char*> numbers)
    : cupti_(cupti), host_(cupti, chip), numbers_(std::move(numbers)), config_(host_.config(numbers_)),
      passes_(host_.passes(config_)) {
    enable();
    try {
        configure();
    } catch (...) {
        cupti_range_call ended{.profiler = profiler_};
        static_cast<void>(cupti_.disable(&ended));
        throw;
    }
}

counted_range::~counted_range() {
    if (is_open_) {  // the body threw in between
        cupti_range_call popped{.profiler = profiler_};
        static_cast<void>(cupti_.pop(&popped));
        cupti_range_stop stopped{.profiler = profiler_};
        static_cast<void>(cupti_.stop(&stopped));
    }
    cupti_range_call ended{.profiler = profiler_};
    static_cast<void>(cupti_.disable(&ended));
}

void counted_range::enable() {
    cupti_range_enable asked{};
    if (cupti_.context == nullptr || cupti_.context(&asked.context) != 0)
        throw measurement_failure(failure_kind::not_countable,
                                  "the CUDA driver does not tell the current context, whose work is to be counted");
    require_success(cupti_, cupti_.enable(&asked), cannot_prepare);
    profiler_ = asked.profiler;
}

void counted_range::configure() {
    cupti_range_size sized{
        .profiler = profiler_, .names = numbers_.data(), .count = numbers_.size(), .most_ranges = 1, .most_nodes = 1};
    require_success(cupti_, cupti_.data_size(&sized), cannot_prepare);
    data_.resize(sized.size);
    cupti_range_data begun{.profiler = profiler_, .size = data_.size(), .data = data_.data()};
    require_success(cupti_, cupti_.data_begin(&begun), cannot_prepare);
    cupti_range_config asked{.profiler = profiler_,
                             .config_size = config_.size(),
                             .config = config_.data(),
                             .data_size = data_.size(),
                             .data = data_.data()};
    require_success(cupti_, cupti_.configure(&asked), cannot_prepare);
}

void counted_range::begin_pass() {
    cupti_range_call started{.profiler = profiler_};
    require_success(cupti_, cupti_.start(&started), cannot_count);
    is_open_ = true;
    cupti_range_push pushed{.profiler = profiler_, .name = "body"};
    require_success(cupti_, cupti_.push(&pushed), cannot_count);
}

bool counted_range::end_pass() {
    cupti_range_call popped{.profiler = profiler_};
    require_success(cupti_, cupti_.pop(&popped), cannot_count);
    cupti_range_stop stopped{.profiler = profiler_};
    require_success(cupti_, cupti_.stop(&stopped), cannot_count);
    is_open_ = false;
    const bool is_last = ++made_ >= passes_;
    if (is_last != (stopped.is_last != 0))
        throw measurement_failure(failure_kind::not_countable, "CUPTI ended a count after " + std::to_string(made_) +
                                                                   " of " + std::to_string(passes_) +
                                                                   " runs, or did not end it: a part is lost");
    return is_last;
}

std::vector<double> counted_range::values() {
    cupti_range_decode decoded{.profiler = profiler_};
    require_success(cupti_, cupti_.decode(&decoded), cannot_count);
    cupti_range_count found{.data = data_.data(), .size = data_.size()};
    require_success(cupti_, cupti_.ranges(&found), cannot_count);
    if (decoded.dropped != 0 || found.ranges != 1)
        throw measurement_failure(failure_kind::not_countable,
                                  "CUPTI lost a part of its count: it has " + std::to_string(found.ranges) +
                                      " of 1 range, and dropped " + std::to_string(decoded.dropped));
    return host_.values(data_, numbers_);
}

}  // namespace perfspec::detail

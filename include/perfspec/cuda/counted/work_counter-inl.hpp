// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/work_counter.hpp>
#include <perfspec/cuda/kernels/cupti.hpp>
#include <perfspec/measure/failure.hpp>

#include <utility>
#include <vector>

namespace perfspec::detail {

inline std::vector<const char*> names_of(const counting_plan& plan) {
    std::vector<const char*> names;
    for (const counted_number& number : plan.numbers) names.push_back(number.name.c_str());
    return names;
}

void work_counter::wait() const {
    const cudaError_t failed = runtime_.wait_for_device();
    if (failed == cudaSuccess) return;
    static_cast<void>(runtime_.take_last_error());  // told here, so no later call is blamed for it
    throw measurement_failure(failure_kind::not_countable,
                              "the work of the device cannot be counted: " + describe_cuda(runtime_, failed));
}

/// Of the current device: "GH100".
std::string work_counter::chip() const {
    cupti_initialize started{};
    require_success(*cupti_, cupti_->initialize(&started), "does not start");
    int device = 0;
    if (const cudaError_t failed = runtime_.current_device(&device); failed != cudaSuccess)
        throw measurement_failure(failure_kind::not_countable, "no current device: " + describe_cuda(runtime_, failed));
    cupti_chip_name asked{.device = static_cast<std::size_t>(device)};
    require_success(*cupti_, cupti_->chip_name(&asked), "does not know the chip of the GPU");
    return asked.name;
}

/// Why the device does not count; empty where it does.
std::string work_counter::prepare() {
    wait();  // it makes the context of the device, too
    const std::string name = chip();
    plan_ = plan_to_count(what_, name, counting_host(*cupti_, name).names());
    return plan_.fault;
}

std::string work_counter::begin() {
    end();
    if (!cupti_) cupti_ = load_();
    if (!cupti_->fault.empty()) return "the work of a GPU is counted by CUPTI: " + cupti_->fault;
    if (std::string reason = reason_without_device(runtime_); !reason.empty()) return reason;
    try {
        return prepare();
    } catch (const measurement_failure& failure) { return failure.what(); }
}

void work_counter::end() noexcept {
    range_.reset();
    left_out_ = in_run_ = needs_another_run_ = false;
}

void work_counter::begin_run() {
    left_out_ = std::exchange(leaves_out_next_, false);
    if (left_out_) return;
    wait();  // for what is not of this run
    if (!range_) range_.emplace(*cupti_, plan_.chip, names_of(plan_));
    range_->begin_pass();
}

std::optional<std::int64_t> work_counter::end_run() {
    if (std::exchange(left_out_, false)) return {};
    wait();  // for all streams
    if (!range_->end_pass()) return {};
    const std::vector<double> values = range_->values();
    range_.reset();
    leaves_out_next_ = ++counts_ % 2 == 0;
    return work_counted(plan_, values);
}

std::int64_t work_counter::now() {
    in_run_ = !in_run_;
    if (in_run_) {
        begin_run();
        return total_;
    }
    const std::optional<std::int64_t> count = end_run();
    needs_another_run_ = !count;
    return total_ += count.value_or(0);
}

std::string work_counter::caveat() const {
    if (what_ == counted_work::operations) return {};
    return "the caches are as the iteration before left them, so data that stay in the L2 cache do not count, and what other processes do on the "
           "device does; for inputs that are not in the cache write .rotating(n, each)";
}

inline counting_library counting_library_of_runtime() { return load_counting_library(places_of_cupti(CUDART_VERSION)); }

static work_counter traffic_of_cuda(counted_work::traffic, real_cuda_runtime(), counting_library_of_runtime);
static work_counter operations_of_cuda(counted_work::operations, real_cuda_runtime(), counting_library_of_runtime);
/// Runs before main.
[[maybe_unused]] static const bool work_of_cuda_is_counted =
    use_counter(metric_kind::device_traffic, traffic_of_cuda) &&
    use_counter(metric_kind::device_operations, operations_of_cuda);

}  // namespace perfspec::detail

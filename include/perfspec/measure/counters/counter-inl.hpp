// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/device_events.hpp>
#include <perfspec/measure/counters/device_memory.hpp>
#include <perfspec/measure/counters/device_work.hpp>
#include <perfspec/measure/counters/hardware_counters.hpp>
#include <perfspec/measure/counters/heap_counters.hpp>
#include <perfspec/measure/counters/operation_events.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/measure/counters/peak_memory.hpp>
#include <perfspec/measure/counters/tensor_events.hpp>

#include <stdexcept>

namespace perfspec {
namespace detail {

class real_counters final : public counters {
public:
    [[nodiscard]] counter& of(metric_kind m) override {
        if (m == metric_kind::allocations) return calls_;
        if (m == metric_kind::allocated_bytes) return bytes_;
        if (m == metric_kind::op_count) return operators_;
        if (m == metric_kind::kernel_count) return kernels_;
        if (m == metric_kind::flops) return operations_;
        if (m == metric_kind::tensor_allocations) return tensor_allocations_;
        if (m == metric_kind::tensor_memory) return tensor_memory_;
        if (m == metric_kind::device_memory) return device_memory_;
        if (m == metric_kind::device_traffic) return device_traffic_;
        if (m == metric_kind::device_operations) return device_operations_;
        if (m == metric_kind::peak_memory) return memory_;
        for (hardware_counter& c : hardware_)
            if (c.event() == m) return c;
        throw std::logic_error("counters: this metric is not counted");
    }
    [[nodiscard]] operator_recorder* operators() noexcept override { return known_operator_recorder(); }
    [[nodiscard]] device_recorder* devices() noexcept override { return known_device_recorder(); }
    [[nodiscard]] tensor_recorder* tensors() noexcept override { return known_tensor_recorder(); }
    [[nodiscard]] counter& of_operator(const std::string& name) override {
        named_operators_.count_only(name);
        return named_operators_;
    }
    [[nodiscard]] counter& device_kernels() override { return device_kernels_; }

private:
    heap_counter calls_{heap_counter::what::calls, known_heap_counters()};
    heap_counter bytes_{heap_counter::what::bytes, known_heap_counters()};
    operator_counter operators_{known_operator_recorder};
    named_operator_counter named_operators_{known_operator_recorder};
    operator_counter kernels_{known_operator_recorder, &operator_recorder::outermost};
    operation_counter operations_{known_operation_recorder};
    device_kernel_counter device_kernels_{known_device_recorder};
    tensor_counter tensor_allocations_{known_tensor_recorder};
    tensor_memory_counter tensor_memory_{known_tensor_recorder};
    device_memory_counter device_memory_{known_device_memory_recorder};
    device_work_counter device_traffic_{counted_work::traffic, known_device_work_recorder};
    device_work_counter device_operations_{counted_work::operations, known_device_work_recorder};
    peak_memory_counter memory_{process_memory()};
    hardware_counter hardware_[4]{{metric_kind::instructions, kernel_events()},
                                  {metric_kind::cycles, kernel_events()},
                                  {metric_kind::branch_misses, kernel_events()},
                                  {metric_kind::cache_misses, kernel_events()}};
};

}  // namespace detail

counters& process_counters() {
    static detail::real_counters all;
    return all;
}

}  // namespace perfspec

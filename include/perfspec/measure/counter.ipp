// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counter.hpp>
#include <perfspec/measure/heap_counters.hpp>

#include <stdexcept>

namespace perfspec {
namespace detail {

class real_counters final : public counters {
public:
    [[nodiscard]] counter& of(metric_kind m) override {
        if (m == metric_kind::allocations) return calls_;
        if (m == metric_kind::allocated_bytes) return bytes_;
        throw std::logic_error("counters: this metric is not counted");
    }

private:
    heap_counter calls_{heap_counter::what::calls, known_heap_counters()};
    heap_counter bytes_{heap_counter::what::bytes, known_heap_counters()};
};

}  // namespace detail

counters& process_counters() {
    static detail::real_counters all;
    return all;
}

}  // namespace perfspec

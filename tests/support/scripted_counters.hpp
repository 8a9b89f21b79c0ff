// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/failure.hpp>

#include <cstdint>
#include <map>
#include <string>

namespace perfspec::testing {

/// Counts what bodies add, but only between `begin` and `end`.
class scripted_counter final : public counter {
public:
    std::string fault{};         ///< why it cannot begin
    std::string trouble{};       ///< why a reading is invalid
    std::int64_t per_reading{};  ///< the cost of a reading itself
    int begun{};
    int ended{};

    void add(std::int64_t n) { count_ += begun > ended ? n : 0; }

    [[nodiscard]] std::string begin() override {
        ++begun;
        return fault;
    }
    void end() noexcept override { ++ended; }
    [[nodiscard]] std::int64_t now() override {
        if (!trouble.empty()) throw measurement_failure(failure_kind::not_countable, trouble);
        return count_ += per_reading;
    }

private:
    std::int64_t count_{};
};

class scripted_counters final : public counters {
public:
    operator_recorder* recorder{};
    device_recorder* on_devices{};
    scripted_counter kernels_on_devices{};
    counter* device_counter{};  ///< in place of the scripted one, if not null

    [[nodiscard]] scripted_counter& of(metric_kind m) override { return all_[m]; }
    [[nodiscard]] operator_recorder* operators() noexcept override { return recorder; }
    [[nodiscard]] device_recorder* devices() noexcept override { return on_devices; }
    [[nodiscard]] scripted_counter& of_operator(const std::string& name) override { return operators_[name]; }
    [[nodiscard]] counter& device_kernels() override {
        if (device_counter != nullptr) return *device_counter;
        return kernels_on_devices;
    }

private:
    std::map<metric_kind, scripted_counter> all_;
    std::map<std::string, scripted_counter> operators_;
};

}  // namespace perfspec::testing

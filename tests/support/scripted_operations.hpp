// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::testing {

/// Records the operations that bodies report.
class scripted_operations final : public operation_recorder {
public:
    int begun{};
    int ended{};

    /// A call of an operator that has a formula.
    void run(std::int64_t operations) {
        operations_ += operations;
        ++calls_;
    }
    /// A call of an operator without a formula.
    void run_without_formula(const std::string& name) { uncounted_.push_back(name); }

    void begin() override {
        ++begun;
        uncounted_.clear();
    }
    void end() noexcept override { ++ended; }
    [[nodiscard]] std::int64_t operations() const override { return operations_; }
    [[nodiscard]] std::int64_t counted_calls() const override { return calls_; }
    [[nodiscard]] std::vector<std::string> uncounted() const override { return uncounted_; }
    [[nodiscard]] std::string counted_operators() const override { return "lib::product"; }

private:
    std::int64_t operations_{};
    std::int64_t calls_{};
    std::vector<std::string> uncounted_;
};

}  // namespace perfspec::testing

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/recorders.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <algorithm>
#include <cstdint>
#include <string>

namespace perfspec::testing {

/// Records the memory that bodies report.
class scripted_tensors final : public tensor_recorder {
public:
    std::string fault{};  ///< why it cannot begin
    int begun{};
    int ended{};

    void allocate(std::int64_t bytes) {
        ++count_;
        level_ += bytes;
        peak_ = std::max(peak_, level_);
    }
    void free(std::int64_t bytes) { level_ -= bytes; }

    [[nodiscard]] std::string begin() override {
        ++begun;
        return fault;
    }
    void end() noexcept override { ++ended; }
    [[nodiscard]] std::int64_t allocations() const override { return count_; }
    void restart_peak() override { peak_ = start_ = level_; }
    [[nodiscard]] std::int64_t peak() const override { return peak_ - start_; }
    [[nodiscard]] std::int64_t level() const override { return level_; }

private:
    std::int64_t count_{};
    std::int64_t level_{};
    std::int64_t start_{};
    std::int64_t peak_{};
};

}  // namespace perfspec::testing

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counted_range.hpp>
#include <perfspec/cuda/counted/counting_library.hpp>
#include <perfspec/cuda/counted/counting_plan.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/counters/device_work.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec::detail {

/// Has the current CUDA device count the work of a body, by CUPTI: that of all streams and threads of the process.
///
/// A count takes as many runs of the body as CUPTI has passes. After every second count a run is left out: a body that
/// does other work in turns would meet the same passes each time, and its counts would agree on a number that no
/// iteration has.
class work_recorder final : public device_work_recorder {
public:
    /// load  called once, by the first `begin`
    work_recorder(const cuda_runtime& runtime, counting_library (*load)()) : runtime_(runtime), load_(load) {}

    [[nodiscard]] std::string begin(counted_work what) override;
    void end() noexcept override;
    void begin_run() override;
    [[nodiscard]] std::optional<std::int64_t> end_run() override;
    [[nodiscard]] std::string caveat() const override;

private:
    [[nodiscard]] std::string chip() const;
    [[nodiscard]] std::string prepare(counted_work what);
    void wait() const;

    const cuda_runtime& runtime_;
    counting_library (*load_)();
    std::optional<counting_library> cupti_;
    counted_work what_{};
    counting_plan plan_{};
    std::optional<counted_range> range_;
    std::uint64_t counts_{};
    bool leaves_out_next_{};
    bool left_out_{};
};

/// The recorder of this process, with the CUPTI that belongs to its runtime.
[[nodiscard]] work_recorder& recorder_of_work();

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counted_range.hpp>
#include <perfspec/cuda/counted/counting_library.hpp>
#include <perfspec/cuda/counted/counting_plan.hpp>
#include <perfspec/cuda/runtime/cuda_runtime.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec::detail {

/// Has the current CUDA device count the work of a body, by CUPTI: that of all streams and threads of the process.
///
/// The reading before a run begins it, and that after it ends it. A count takes as many runs of the body as CUPTI has
/// passes, and only the last one moves the counter. After every second count a run is left out: a body that
/// does other work in turns would meet the same passes each time, and its counts would agree on a number that no
/// iteration has.
class work_counter final : public counter {
public:
    /// load  called once, by the first `begin`
    work_counter(counted_work what, const cuda_runtime& runtime, counting_library (*load)())
        : what_(what), runtime_(runtime), load_(load) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] bool needs_another_run() const noexcept override { return needs_another_run_; }
    [[nodiscard]] std::string caveat() const override;

private:
    [[nodiscard]] std::string chip() const;
    [[nodiscard]] std::string prepare();
    void wait() const;
    void begin_run();
    [[nodiscard]] std::optional<std::int64_t> end_run();

    counted_work what_;
    const cuda_runtime& runtime_;
    counting_library (*load_)();
    std::optional<counting_library> cupti_;
    counting_plan plan_{};
    std::optional<counted_range> range_;
    std::uint64_t counts_{};
    bool leaves_out_next_{};
    bool left_out_{};
    bool in_run_{};
    bool needs_another_run_{};
    std::int64_t total_{};
};

}  // namespace perfspec::detail

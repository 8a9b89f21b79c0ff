// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/runtime/cuda_stream.hpp>
#include <perfspec/cuda/timing/other_streams.hpp>

#include <cstdint>
#include <string>
#include <string_view>

namespace perfspec::detail {

/// Finds work that is left on other streams where a body's own stream is done: `latency` ends there, and does not hold
/// it.
///
/// It looks behind a sample. The stream is held until the wait for all of the device is in its queue, too, so that only
/// work of the device lies between the two events around that wait, and none of the processor's time. What is done
/// before that, some 20 us after the sample, is not seen.
class left_work {
public:
    /// The stream must outlive this.
    explicit left_work(const cuda_stream& stream) : stream_(stream), others_(stream) {}
    left_work(const left_work&) = delete;
    left_work& operator=(const left_work&) = delete;
    ~left_work();

    /// Call it behind a sample, outside of its time. The first call only makes what it needs.
    void look(std::string_view name) noexcept;
    /// Call it before a sample. Throws measurement_failure (refused) where work was left behind several samples in a
    /// row.
    void require_none();
    /// What readers of the samples should know; empty where it can look.
    [[nodiscard]] std::string caveat() const;

private:
    [[nodiscard]] bool make_ready();
    void wait_for_others();

    const cuda_stream& stream_;
    other_streams others_;
    std::uint32_t* flag_{};
    std::string fault_{};    ///< what the last look found
    std::string missing_{};  ///< why it cannot look
};

}  // namespace perfspec::detail

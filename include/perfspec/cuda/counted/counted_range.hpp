// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counting_host.hpp>
#include <perfspec/cuda/counted/counting_library.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::detail {

/// One count of the work of a context, in as many passes as it takes: each is the same work once more. The device
/// counts while it lives, and not when it is gone.
///
/// Source: CUPTI, "Range Profiling API", with ranges of the user's and replay by the user. The order is: enable,
/// configure, start, push, work, pop, stop until all passes are made, decode.
///
/// Functions throw measurement_failure (not_countable) where CUPTI refuses, or where a part of the count is lost.
class counted_range {
public:
    /// numbers  names that live as long as this object: "dram__bytes.sum"
    counted_range(const counting_library& cupti, const std::string& chip, std::vector<const char*> numbers);
    counted_range(const counted_range&) = delete;
    counted_range& operator=(const counted_range&) = delete;
    ~counted_range();

    void begin_pass();
    /// Returns whether it was the last one.
    [[nodiscard]] bool end_pass();
    /// After the last pass.
    [[nodiscard]] std::vector<double> values();

private:
    void enable();
    void configure();

    const counting_library& cupti_;
    counting_host host_;
    std::vector<const char*> numbers_;
    std::vector<std::uint8_t> config_;
    std::size_t passes_;
    std::size_t made_{};
    bool is_open_{};  ///< a pass began, and has not ended
    std::vector<std::uint8_t> data_{};
    void* profiler_{};
};

}  // namespace perfspec::detail

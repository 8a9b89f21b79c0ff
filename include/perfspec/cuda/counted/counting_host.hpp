// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counting_library.hpp>

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace perfspec::detail {

/// What CUPTI knows of a kind of chip: names, and how it counts. It needs no device.
///
/// Functions throw measurement_failure (not_countable) where CUPTI refuses.
class counting_host {
public:
    counting_host(const counting_library& cupti, const std::string& chip);
    counting_host(const counting_host&) = delete;
    counting_host& operator=(const counting_host&) = delete;
    ~counting_host();

    /// The base names of all that it counts: "dram__bytes".
    [[nodiscard]] std::set<std::string> names() const;
    /// What tells the chip to count these: "dram__bytes.sum". Once for each object.
    [[nodiscard]] std::vector<std::uint8_t> config(std::vector<const char*> numbers) const;
    /// How many runs that takes.
    [[nodiscard]] std::size_t passes(std::vector<std::uint8_t> config) const;
    /// The numbers of the first range.
    [[nodiscard]] std::vector<double> values(const std::vector<std::uint8_t>& data,
                                             std::vector<const char*> numbers) const;

private:
    const counting_library& cupti_;
    void* host_{};
};

/// Throws measurement_failure (not_countable) where a function of CUPTI failed, with what to do about it.
void require_success(const counting_library& cupti, int error, const char* doing);

}  // namespace perfspec::detail

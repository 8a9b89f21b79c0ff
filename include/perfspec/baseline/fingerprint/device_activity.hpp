// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// What a device did while a claim was measured on it.
struct device_activity {
    std::string device{};  ///< "cuda:0"
    std::string text{};    ///< "cuda:0 slowed down by heat, 1100 of 1980 MHz"; empty: nothing worth a note
    double slowdown{1.0};  ///< by which factor that may have slowed work down at most, where not every run has it
    std::size_t others{};  ///< other processes that computed on it
    std::vector<std::pair<std::string, std::string>> facts{};  ///< what its module has to say, by name

    friend bool operator==(const device_activity&, const device_activity&) = default;
};

}  // namespace perfspec

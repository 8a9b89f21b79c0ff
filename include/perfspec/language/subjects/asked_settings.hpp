// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// What one run asks of every subject that has such settings, by `--perf-with`.
struct asked_settings {
    std::string device{};                  ///< "cuda:1"; empty: as the code says
    std::string dtype{};                   ///< "bfloat16"; empty: as the code says
    std::optional<std::uint32_t> batch{};  ///< size of the first dimension of the inputs
    std::optional<std::uint32_t> threads{};

    /// Those that are asked for, as axes: {"batch", "8"}.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> axes() const {
        std::vector<std::pair<std::string, std::string>> all;
        if (!device.empty()) all.emplace_back("device", device);
        if (!dtype.empty()) all.emplace_back("dtype", dtype);
        if (batch) all.emplace_back("batch", std::to_string(*batch));
        if (threads) all.emplace_back("threads", std::to_string(*threads));
        return all;
    }
};

}  // namespace perfspec

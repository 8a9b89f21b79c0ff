// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/record.hpp>

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace perfspec::tool {

/// In what the results of two machines differ besides their hardware and their values.
class differences {
public:
    /// Adds a measurement that both machines have.
    void add(const record& a, const record& b);

    /// A line for each difference, with the number of measurements it concerns: "  compiler: g++ 12.2.0 on A, g++ 13.1.0 on B (3 keys)".
    [[nodiscard]] std::string text() const;

private:
    using fact = std::pair<std::string, std::pair<std::string, std::string>>;  ///< its name, and its value on A and on B

    void note(const std::string& name, const std::string& a, const std::string& b);

    std::map<fact, std::size_t> counts_{};
    std::size_t unknown_ = 0;  ///< measurements that do not tell their compiler and libraries on both machines
};

}  // namespace perfspec::tool

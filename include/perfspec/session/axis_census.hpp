// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// Counts the assertions of one run that the option `only` evaluates and leaves out.
class axis_census {
public:
    /// Notes an assertion with these axes. Returns whether it is left out, because it lacks an axis of `only` or has another value of it.
    [[nodiscard]] bool leaves_out(const std::string& only, const std::vector<std::pair<std::string, std::string>>& axes);

    [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

    /// Says how many assertions were left out, and which axes and values of the filter no assertion has, one per line. Empty without a
    /// filter. With `quiet` it says only what nobody may miss: a filter that leaves out everything, or has something that no assertion has.
    [[nodiscard]] std::string summary(console_verbosity verbosity) const;

private:
    [[nodiscard]] std::string unmatched() const;

    std::string only_;
    std::size_t left_out_{};
    std::size_t evaluated_{};
    std::map<std::string, std::set<std::string>> seen_;
};

}  // namespace perfspec

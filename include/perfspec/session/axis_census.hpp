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

/// What the option `only` made of the assertions of one run.
class axis_census {
public:
    /// Notes an assertion with these axes. Whether it is left out, because it lacks an axis of `only` or has another value of it.
    [[nodiscard]] bool leaves_out(const std::string& only, const std::vector<std::pair<std::string, std::string>>& axes);

    [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

    /// How many were left out, and what the filter asks for that no assertion has, each in a line; empty where there was no filter. With
    /// `quiet` only what nobody may miss: a filter that matches nothing.
    [[nodiscard]] std::string summary(console_verbosity verbosity) const;

private:
    [[nodiscard]] std::string unmatched() const;

    std::string only_;
    std::size_t left_out_{};
    std::size_t evaluated_{};
    std::map<std::string, std::set<std::string>> seen_;
};

}  // namespace perfspec

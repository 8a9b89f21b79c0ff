// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// Notes which settings a run asks of its subjects, and which of them a claim was judged at.
class setting_census {
public:
    using setting = std::pair<std::string, std::string>;  ///< {"batch", "8"}

    /// Notes an evaluated assertion: what the run asks for, and what at least one of its subjects took.
    void note(const std::vector<setting>& asked, const std::vector<setting>& taken);

    /// Whether a setting was asked for that no assertion took. Then the run says nothing about it.
    [[nodiscard]] bool any_without_effect() const noexcept;
    /// A warning for each such setting, one per line.
    [[nodiscard]] std::string summary() const;

private:
    std::set<setting> asked_;
    std::set<setting> taken_;
};

}  // namespace perfspec

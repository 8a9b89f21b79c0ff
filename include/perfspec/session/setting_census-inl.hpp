// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/session/setting_census.hpp>

#include <algorithm>

namespace perfspec {

void setting_census::note(const std::vector<setting>& asked, const std::vector<setting>& taken) {
    asked_.insert(asked.begin(), asked.end());
    taken_.insert(taken.begin(), taken.end());
}

bool setting_census::any_without_effect() const noexcept { return !std::ranges::includes(taken_, asked_); }

std::string setting_census::summary() const {
    std::string text;
    for (const setting& each : asked_) {
        if (taken_.contains(each)) continue;
        text +=
            "perfspec: warning: no claim of this run took --perf-" + each.first + "=" + each.second +
            ", so nothing was judged at it: it is for LibTorch's subjects that can take it, such as perfspec::eager(…), for subjects in "
            "Python whose function has a parameter of that name, and for subjects with an axis of that name and value\n";
    }
    return text;
}

}  // namespace perfspec

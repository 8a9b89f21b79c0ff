// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/operator_profile.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>

#include <fmt/format.h>

namespace perfspec::detail {

[[nodiscard]] inline std::optional<std::string> fault_of_operator(const profiled_operator& o) {
    if (o.name.empty() || !is_utf8(o.name))
        return R"(the name of an operator is empty or not UTF-8, expected one such as "aten::conv2d")";
    if (!may_be(value_domain::not_negative, o.self_ns))
        return fmt::format("the operator {} has \"ns\" {}, expected a time in ns such as 523000", excerpt(o.name),
                           o.self_ns);
    if (!may_be(value_domain::not_negative, o.calls))
        return fmt::format("the operator {} has \"calls\" {}, expected a number of calls such as 9", excerpt(o.name),
                           o.calls);
    return {};
}

std::optional<std::string> fault_of_profile(const operator_profile& profile) {
    if (!is_utf8(profile.settings))
        return R"("settings" of "operators" is not UTF-8, expected text such as "2 threads")";
    if (profile.longest.empty() || profile.longest.size() > operator_profile::max_operators)
        return fmt::format("\"longest\" has {} operators, expected 1 to {}", profile.longest.size(),
                           operator_profile::max_operators);
    for (auto o = profile.longest.begin(); o != profile.longest.end(); ++o) {
        if (auto fault = fault_of_operator(*o)) return fault;
        if (std::find_if(profile.longest.begin(), o,
                         [&](const profiled_operator& before) { return before.name == o->name; }) != o)
            return fmt::format("the operator {} appears twice, expected it once", excerpt(o->name));
    }
    if (!may_be(value_domain::not_negative, profile.others_ns))
        return fmt::format("\"others\" is {}, expected a time in ns such as 12000", profile.others_ns);
    return {};
}

}  // namespace perfspec::detail

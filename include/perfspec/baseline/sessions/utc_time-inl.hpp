// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/sessions/utc_time.hpp>
#include <perfspec/quantity/text.hpp>

#include <algorithm>
#include <chrono>

namespace perfspec::detail {

std::optional<std::int64_t> seconds_of_utc(std::string_view time) {
    constexpr std::string_view form = "dddd-dd-ddTdd:dd:ddZ";
    const auto fits = [](char wanted, char found) { return wanted == 'd' ? is_digit(found) : wanted == found; };
    if (!std::equal(form.begin(), form.end(), time.begin(), time.end(), fits)) return {};
    const auto two = [&](std::size_t at) { return (time[at] - '0') * 10 + (time[at + 1] - '0'); };
    const std::chrono::year_month_day day{std::chrono::year(two(0) * 100 + two(2)),
                                          std::chrono::month(static_cast<unsigned>(two(5))),
                                          std::chrono::day(static_cast<unsigned>(two(8)))};
    if (!day.ok() || two(11) > 23 || two(14) > 59 || two(17) > 60) return {};  // 60: a leap second
    const std::int64_t days = std::chrono::sys_days(day).time_since_epoch().count();
    const std::int64_t hours = two(11);
    const std::int64_t minutes = two(14);
    return ((days * 24 + hours) * 60 + minutes) * 60 + two(17);
}

}  // namespace perfspec::detail

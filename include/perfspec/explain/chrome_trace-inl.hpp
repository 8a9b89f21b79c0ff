// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/chrome_trace.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

namespace perfspec {
namespace detail {

/// Writes microseconds with three decimals, so with the precision of a nanosecond.
inline std::string trace_time(std::int64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

/// The event that gives the title above the threads in a viewer.
inline std::string trace_title(std::string_view subject) {
    json_members arguments;
    arguments.add("name", subject);
    json_members event;
    event.add("name", "process_name");
    event.add("ph", "M");
    event.add("pid", 1);
    event.add_raw("args", arguments.object());
    return event.object();
}

}  // namespace detail

std::string chrome_trace(std::string_view subject, std::span<const operator_event> events) {
    std::vector<operator_event> order(events.begin(), events.end());
    // Of two calls that begin at the same time, the longer one called the other.
    std::ranges::stable_sort(order, [](const operator_event& a, const operator_event& b) {
        return a.start_ns != b.start_ns ? a.start_ns < b.start_ns : a.end_ns > b.end_ns;
    });
    std::map<std::uint64_t, std::size_t> threads;
    std::string text = "{\"traceEvents\":[\n" + detail::trace_title(subject);
    for (const operator_event& e : order) {
        detail::json_members event;
        event.add("name", e.name);
        event.add("ph", "X");
        event.add_raw("ts", detail::trace_time(e.start_ns - order.front().start_ns));
        event.add_raw("dur", detail::trace_time(e.end_ns - e.start_ns));
        event.add("pid", 1);
        event.add("tid", threads.try_emplace(e.thread, threads.size() + 1).first->second);
        text += ",\n" + event.object();
    }
    return text + "\n]}\n";
}

std::string operator_table(std::span<const operator_event> events) {
    std::string text = fmt::format("{:>12}{:>12}{:>9}   operator\n", "self", "total", "calls");
    for (const operator_times& o : tabulate(events))
        text += fmt::format("{:>12}{:>12}{:>9}   {}\n", format_value(o.self_ns, dimension::time),
                            format_value(o.total_ns, dimension::time), o.calls, o.name);
    return text;
}

}  // namespace perfspec

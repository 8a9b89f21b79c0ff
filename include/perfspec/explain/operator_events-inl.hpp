// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/measure/sample.hpp>

#include <algorithm>
#include <map>

namespace perfspec::inline v0_2 {
namespace detail {

/// A call that has not ended yet, and the time of its callees so far.
struct open_call {
    const operator_event* event{};
    double callees_ns{};
    double device_ns{};  ///< including its callees
    bool within_itself{};
};

/// Walks through the calls in the order in which they began, one thread after another.
class call_tree {
public:
    void add(const operator_event& e) {
        close_before(e);
        operator_times& row = rows_[e.name];
        row.calls += e.calls;
        row.device_self_ns += e.device_ns;
        const bool within_itself = std::any_of(open_.begin(), open_.end(),
                                               [&](const open_call& outer) { return outer.event->name == e.name; });
        if (!within_itself) row.total_ns += duration(e);
        if (!open_.empty()) open_.back().callees_ns += duration(e);
        open_.push_back({&e, 0.0, e.device_ns, within_itself});
    }

    [[nodiscard]] std::vector<operator_times> finish() {
        while (!open_.empty()) close();
        std::vector<operator_times> rows;
        for (auto& [name, row] : rows_) {
            row.name = name;
            rows.push_back(row);
        }
        std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.self_ns > b.self_ns; });
        return rows;
    }

private:
    static double duration(const operator_event& e) noexcept { return static_cast<double>(e.end_ns - e.start_ns); }

    void close_before(const operator_event& next) {
        while (!open_.empty() &&
               (open_.back().event->thread != next.thread || open_.back().event->end_ns <= next.start_ns))
            close();
    }
    void close() {
        const open_call closed = open_.back();
        open_.pop_back();
        operator_times& row = rows_[closed.event->name];
        row.self_ns += duration(*closed.event) - closed.callees_ns;
        if (!closed.within_itself) row.device_total_ns += closed.device_ns;
        if (!open_.empty()) open_.back().device_ns += closed.device_ns;
    }

    std::map<std::string, operator_times> rows_;
    std::vector<open_call> open_;
};

}  // namespace detail

std::vector<operator_times> tabulate(std::span<const operator_event> events) {
    std::vector<const operator_event*> order;
    for (const operator_event& e : events) order.push_back(&e);
    // Of two calls that begin at the same time, the longer one called the other.
    std::stable_sort(order.begin(), order.end(), [](const operator_event* a, const operator_event* b) {
        if (a->thread != b->thread) return a->thread < b->thread;
        return a->start_ns != b->start_ns ? a->start_ns < b->start_ns : a->end_ns > b->end_ns;
    });
    detail::call_tree calls;
    for (const operator_event* e : order) calls.add(*e);
    return calls.finish();
}

double total_self_ns(std::span<const operator_event> events) {
    double total = 0.0;
    for (const operator_times& row : tabulate(events)) total += row.self_ns;
    return total;
}

std::vector<operator_event> record_operators(operator_recorder& recorder, const subject& x, input_shapes shapes) {
    recorder.begin(shapes);
    try {
        run_untimed(x, 1);
    } catch (...) {
        static_cast<void>(recorder.end());
        throw;
    }
    return recorder.end();
}

}  // namespace perfspec::inline v0_2

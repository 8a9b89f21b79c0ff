// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/machine_lock.hpp>

#include <cstdint>
#include <optional>

namespace perfspec::detail {

/// While it lives, the host knows that this assertion runs bodies: its own output must not fall into a sample.
class bodies_run_scope {
public:
    explicit bodies_run_scope(const question& asked);
    bodies_run_scope(const bodies_run_scope&) = delete;
    bodies_run_scope& operator=(const bodies_run_scope&) = delete;
    ~bodies_run_scope();

private:
    host& framework_;
};

/// While it lives, this process holds the machine's lock, for itself or for a fresh process that it starts; such a process takes none. Where it
/// cannot be had, the finding says so.
class machine_hold {
public:
    machine_hold(const question& asked, finding& found);
    machine_hold(const machine_hold&) = delete;
    machine_hold& operator=(const machine_hold&) = delete;
    ~machine_hold() = default;

private:
    std::optional<machine_lock> lock_;
};

/// While it lives, bodies have the machine: this process holds the machine's lock, and the host knows which assertion is at work.
class machine_scope {
public:
    machine_scope(const question& asked, finding& found) : hold_(asked, found), running_(asked) {}

private:
    machine_hold hold_;
    bodies_run_scope running_;
};

/// While it lives, this process measures: bodies have the machine, and what disturbs it is added to the finding at the end.
class measuring_scope {
public:
    measuring_scope(const question& asked, finding& found);
    measuring_scope(const measuring_scope&) = delete;
    measuring_scope& operator=(const measuring_scope&) = delete;
    ~measuring_scope();

private:
    finding& found_;
    machine_scope machine_;
    machine_counters before_;
};

/// Says before a slow claim starts what it will cost, on the standard error.
void announce_cost(const question& asked, double seconds);

}  // namespace perfspec::detail

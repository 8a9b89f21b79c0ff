// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/disturbance.hpp>
#include <perfspec/measure/machine_lock.hpp>
#include <perfspec/run/evaluation.hpp>

#include <cstdint>
#include <optional>

namespace perfspec::detail {

/// While it lives, the host knows that this assertion runs bodies: its own output must not fall into a sample.
class bodies_run_scope {
public:
    explicit bodies_run_scope(evaluation& e);
    bodies_run_scope(const bodies_run_scope&) = delete;
    bodies_run_scope& operator=(const bodies_run_scope&) = delete;
    ~bodies_run_scope();

private:
    evaluation& e_;
};

/// While it lives, this process holds the machine's lock, for itself or for a fresh process that it starts; such a process takes none. Where it
/// cannot be had, the record says so.
class machine_hold {
public:
    explicit machine_hold(evaluation& e);
    machine_hold(const machine_hold&) = delete;
    machine_hold& operator=(const machine_hold&) = delete;
    ~machine_hold() = default;

private:
    std::optional<machine_lock> lock_;
};

/// While it lives, bodies have the machine: this process holds the machine's lock, and the host knows which assertion is at work.
class machine_scope {
public:
    explicit machine_scope(evaluation& e) : hold_(e), told_(e) {}

private:
    machine_hold hold_;
    bodies_run_scope told_;
};

/// While it lives, this process measures: bodies have the machine, and what disturbs it is added to the record at the end.
class measuring_scope {
public:
    explicit measuring_scope(evaluation& e);
    measuring_scope(const measuring_scope&) = delete;
    measuring_scope& operator=(const measuring_scope&) = delete;
    ~measuring_scope();

private:
    evaluation& e_;
    machine_scope machine_;
    machine_counters before_;
};

/// Says before a slow claim starts what it will cost, on the standard error.
void announce_cost(const evaluation& e, double seconds);

}  // namespace perfspec::detail

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/measuring.hpp>
#include <perfspec/launch/fresh_process.hpp>

namespace perfspec::detail {

inline machine_lock_settings lock_settings(const question& asked) {
    const std::string folder = asked.context.around().variables.get("TMPDIR").value_or("");
    return {.file = machine_lock_file(folder.c_str()),
            .program = asked.context.suite(),
            .memory = &asked.context.locks(),
            .console = asked.plan.verbosity == console_verbosity::quiet ? nullptr : asked.context.around().console};
}

bodies_run_scope::bodies_run_scope(const question& asked) : framework_(asked.framework) {
    framework_.measuring_starts(asked.where, asked.claim);
}

bodies_run_scope::~bodies_run_scope() { framework_.measuring_ends(); }

machine_hold::machine_hold(const question& asked, finding& found) {
    if (asked.is_child()) return;  // the parent holds the lock for it
    lock_.emplace(lock_settings(asked), asked.context.around().wall, asked.context.around().rest);
    if (!lock_->note().empty()) add_disturbances(found, {.notes = {lock_->note()}});
}

measuring_scope::measuring_scope(const question& asked, finding& found)
    : asked_(asked), found_(found), machine_(asked, found), devices_(watch_devices(asked)),
      before_(read_machine_counters()) {
    asked.context.note_measuring();
    if (usage_meter* const meter = asked.context.around().usage)
        asked.context.note_others_cpu_before_claim(meter->now().others_cpu_ns());
}

measuring_scope::~measuring_scope() {
    const machine_counters seen = difference(before_, read_machine_counters());
    disturbances part;
    part.load = seen.load;
    part.cores = seen.cores;
    part.steal_seconds = seen.steal_seconds;
    part.involuntary_switches = seen.involuntary_switches;
    part.page_faults = seen.page_faults;
    part.migrations = seen.migrations;
    part.runnable = seen.runnable;
    part.frequency_mhz = seen.frequency_mhz;
    if (before_.frequency_mhz > 0.0 && seen.frequency_mhz > 0.0)
        part.frequency_change = seen.frequency_mhz / before_.frequency_mhz - 1.0;
    add_disturbances(found_, part);
    tell_devices(asked_, found_, devices_);
}

}  // namespace perfspec::detail

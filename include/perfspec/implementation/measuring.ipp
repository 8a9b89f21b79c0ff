// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Bodies of the stages from quantity to process: the language, the plan, taking samples, starting processes.

#include <perfspec/quantity/format.ipp>
#include <perfspec/quantity/parse.ipp>

#include <perfspec/language/verification.ipp>

#include <perfspec/language/describe.ipp>
#include <perfspec/language/expression.ipp>
#include <perfspec/language/layers.ipp>
#include <perfspec/language/one_side.ipp>
#include <perfspec/language/queries.ipp>
#include <perfspec/language/sentence.ipp>
#include <perfspec/language/subject.ipp>

#include <perfspec/plan/axis_filter.ipp>
#include <perfspec/plan/environment.ipp>
#include <perfspec/plan/nearest.ipp>
#include <perfspec/plan/option_table.ipp>
#include <perfspec/plan/option_text.ipp>
#include <perfspec/plan/plan_text.ipp>
#include <perfspec/plan/resolve.ipp>

#include <perfspec/measure/block_source.ipp>
#include <perfspec/measure/calibration.ipp>
#include <perfspec/measure/clock.ipp>
#include <perfspec/measure/coin.ipp>
#include <perfspec/measure/cold_start.ipp>
#include <perfspec/measure/core.ipp>
#include <perfspec/measure/counter.ipp>
#include <perfspec/measure/device_events.ipp>
#include <perfspec/measure/disturbance.ipp>
#include <perfspec/measure/first_call.ipp>
#include <perfspec/measure/hardware_counters.ipp>
#include <perfspec/measure/heap_counters.ipp>
#include <perfspec/measure/kernel_events.ipp>
#include <perfspec/measure/launch_sample.ipp>
#include <perfspec/measure/machine_lock.ipp>
#include <perfspec/measure/measuring_settings.ipp>
#include <perfspec/measure/median.ipp>
#include <perfspec/measure/operator_events.ipp>
#include <perfspec/measure/optimised_away.ipp>
#include <perfspec/measure/pair_source.ipp>
#include <perfspec/measure/peak_memory.ipp>
#include <perfspec/measure/sample.ipp>
#include <perfspec/measure/seed.ipp>
#include <perfspec/measure/sleeper.ipp>
#include <perfspec/measure/usage.ipp>
#include <perfspec/measure/work_after.ipp>

#include <perfspec/process/child.ipp>
#include <perfspec/process/child_request.ipp>
#include <perfspec/process/claim_address.ipp>
#include <perfspec/process/launcher.ipp>
#include <perfspec/process/pipes.ipp>
#include <perfspec/process/posix_launcher.ipp>
#include <perfspec/process/printable.ipp>
#include <perfspec/process/program_start.ipp>
#include <perfspec/process/spawn.ipp>
#include <perfspec/process/under_debugger.ipp>
#include <perfspec/process/variables.ipp>
#include <perfspec/process/worker.ipp>
#include <perfspec/process/worker_message.ipp>

// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Bodies of the stages from quantity to process: the language, the plan, taking samples, starting processes.

#include <perfspec/quantity/format-inl.hpp>
#include <perfspec/quantity/json_fields-inl.hpp>
#include <perfspec/quantity/json_tree-inl.hpp>
#include <perfspec/quantity/text-inl.hpp>

#include <perfspec/language/describe-inl.hpp>
#include <perfspec/language/queries-inl.hpp>
#include <perfspec/language/subjects/subject-inl.hpp>

#include <perfspec/plan/environment-inl.hpp>
#include <perfspec/plan/option_table-inl.hpp>
#include <perfspec/plan/option_text-inl.hpp>
#include <perfspec/plan/plan-inl.hpp>

#include <perfspec/measure/block_source-inl.hpp>
#include <perfspec/measure/body_checks-inl.hpp>
#include <perfspec/measure/calibration-inl.hpp>
#include <perfspec/measure/counters/counter-inl.hpp>
#include <perfspec/measure/counters/kernel_events-inl.hpp>
#include <perfspec/measure/counters/peak_memory-inl.hpp>
#include <perfspec/measure/failure-inl.hpp>
#include <perfspec/measure/machine/clock-inl.hpp>
#include <perfspec/measure/machine/cores-inl.hpp>
#include <perfspec/measure/machine/disturbance-inl.hpp>
#include <perfspec/measure/machine/machine_lock-inl.hpp>
#include <perfspec/measure/process_sample-inl.hpp>
#include <perfspec/measure/sample-inl.hpp>

#include <perfspec/process/child-inl.hpp>
#include <perfspec/process/posix_launcher-inl.hpp>
#include <perfspec/process/spawn-inl.hpp>
#include <perfspec/process/workers/worker-inl.hpp>
